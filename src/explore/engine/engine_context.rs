//! Parts that every run of a session works with: made once, lent to each engine.
//!
//! Invariant: no part belongs to one run; a run that ends leaves all of them usable for the next.

use super::solver_session::SolverSession;
use super::stats::record::SharedRecorder;
use super::tuning::RunTuning;
use homi_ir::util::clock::Moment;
use homi_machine::exec::{Console, Executor, Host};
use homi_native::image::Image;
use homi_report::SharedLog;
use homi_solver::term::Terms;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Flags by which a signal, a watch or another thread reaches a run.
#[derive(Clone, Default, Debug)]
pub struct Signals {
    /// Makes the executor leave its loop; set by the watch and by the user's request to stop.
    pub interrupt: Arc<AtomicBool>,
    /// The user asked to stop.
    pub stop_requested: Arc<AtomicBool>,
    /// Another thread's run has ended the campaign that this run is a part of.
    pub campaign_over: Arc<AtomicBool>,
}

impl Signals {
    /// Returns signals for one session of the caller, which end no other.
    #[must_use]
    pub fn of_one_session(&self) -> Self {
        Self {
            campaign_over: Arc::default(),
            ..self.clone()
        }
    }

    /// Returns true if the run was asked to stop.
    pub fn ask_to_stop(&self) -> bool {
        let asked = [&self.stop_requested, &self.campaign_over];
        asked.into_iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Parts of an exploration, whatever it explores and for how long.
pub struct EngineContext<'r, 'p> {
    /// Gives instructions their meaning.
    pub executor: &'r Executor<'p>,
    /// All terms of the executor's states.
    pub terms: &'r Terms,
    /// Answers the queries of the executor.
    pub solver_session: &'r mut dyn SolverSession,
    /// Host that programs read.
    pub host: &'r dyn Host,
    /// The native image of the program, if there can be one.
    pub image: Option<&'r Arc<Image>>,
    /// Receiver of the program's output and the executor's warnings.
    pub console: &'r mut dyn Console,
    /// Messages and warnings to the user, and the status line.
    pub log: &'r SharedLog,
    /// Writes the statistics.
    pub recorder: &'r SharedRecorder,
    /// Flags that interrupt and stop the run.
    pub signals: Signals,
    /// Constants of the loop and of the sources of states.
    pub tuning: &'r RunTuning,
}

impl<'p> EngineContext<'_, 'p> {
    /// Queries that start later, or are under way then, are given up.
    pub(super) fn set_deadline(&mut self, deadline: Option<Moment>) {
        self.solver_session.set_deadline(deadline);
    }

    /// Drops what can be computed again of answers. No term may be held afterwards.
    pub(super) fn trim(&mut self) {
        self.solver_session.trim();
    }

    /// Lends the workbench to someone who needs it for a shorter time, such as one run of several.
    pub fn lend(&mut self) -> EngineContext<'_, 'p> {
        EngineContext {
            executor: self.executor,
            terms: self.terms,
            solver_session: &mut *self.solver_session,
            host: self.host,
            image: self.image,
            console: &mut *self.console,
            log: self.log,
            recorder: self.recorder,
            signals: self.signals.clone(),
            tuning: self.tuning,
        }
    }
}
