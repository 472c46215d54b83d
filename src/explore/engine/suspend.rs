//! A run that was suspended at the end of its budget and can be resumed: needed by campaigns with
//! interleaved runs.
//!
//! Invariant: between its slices a suspended run keeps its states (without room, only their
//! inputs), its coverage and its clock, and shares terms and solver with other runs; a sweep of
//! terms counts its states as roots. The coverage of its open states was written as tests when it
//! was suspended.

use super::engine_context::EngineContext;
use super::halting::{Allowance, HaltClock};
use super::life::Engine;
use super::outcome::Outcome;
use super::parts::{Beginning, Parts, Progress};
use super::paths::Departure;
use super::stop::{RunBudget, StopReason};
use super::threads::transfer::TransferredStates;
use super::work::WorkMeter;
use crate::extensions::Extension;
use crate::search::StateId;
use homi_config::Budget;
use homi_ir::util::clock::Moment;
use homi_machine::exec::{EarlyReason, Termination, Underapproximations};
use homi_machine::state::State;
use homi_native::testcase::WriteError;
use std::time::Duration;

/// A run that was suspended at the end of its slice and can be resumed later.
pub struct Suspended {
    progress: Progress,
    work: WorkMeter,
    /// Time on the run's clock.
    elapsed: Duration,
    /// Parts of the run for other threads to continue.
    given: Vec<TransferredStates>,
}

impl Suspended {
    /// The states that wait.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.progress.states.values().map(|state| &**state)
    }

    /// Losses of the run.
    pub fn underapproximations(&self) -> &Underapproximations {
        &self.progress.observer.underapproximations
    }

    /// The extensions of the run, which may keep terms and states.
    pub fn extensions(&self) -> impl Iterator<Item = &dyn Extension> {
        self.progress.extensions.iter().map(|one| &**one)
    }

    /// Takes the parts that were cut off for other threads.
    pub fn take_given(&mut self) -> Vec<TransferredStates> {
        std::mem::take(&mut self.given)
    }

    /// Returns the number of waiting paths.
    pub fn waiting(&self) -> u64 {
        self.progress.states.len() as u64
    }
}

impl<'r, 'p> Engine<'r, 'p> {
    /// Resumes a run for the budget in `parts`, which counts from now. It keeps its searcher and
    /// its pruner for the memory limit.
    pub fn resume(
        bench: EngineContext<'r, 'p>,
        parts: Parts<'r>,
        suspended: Suspended,
        now: Moment,
    ) -> Self {
        let mut limits = parts.config.budget.clone();
        let deadline = match &mut limits.time {
            Budget::Time(time) if !time.is_zero() => {
                let deadline = now + *time;
                *time += suspended.elapsed;
                Some(deadline)
            }
            _ => None,
        };
        let instructions = suspended.progress.observer.instructions;
        let (observer, states) = (&suspended.progress.observer, suspended.progress.next_id);
        bench
            .recorder
            .lock()
            .begin(parts.context.worker, observer, states);
        let began = Beginning {
            budget: RunBudget::new(&limits, instructions),
            deadline,
            start: now.before(suspended.elapsed),
            work: suspended.work,
        };
        let mut progress = suspended.progress;
        progress.extensions.iter_mut().for_each(|one| one.resumed());
        if let Some(earlier) = &parts.context.earlier_coverage {
            progress.know_earlier(earlier);
        }
        let mut engine = Self::assemble(bench, parts, progress, began);
        engine.run.begin_sources(None);
        engine
    }

    /// Runs until something says stop. If that is the budget or the user, the run is suspended, and
    /// nothing is lost but what there is no room for, which counts as given up.
    pub fn run_slice(mut self) -> (Outcome, Option<Suspended>) {
        let reason = match self.explore() {
            Ok(reason @ (StopReason::MaxTime | StopReason::Interrupted)) => reason,
            Ok(reason) => return (self.conclude(reason), None),
            Err(error) => return (self.conclude(StopReason::WriteFailed(error)), None),
        };
        self.run.spending.end(&mut *self.run.bench.solver_session);
        if let Err(error) = self.shrink() {
            return (self.conclude(StopReason::WriteFailed(error)), None);
        }
        let given = self.cut_off();
        self.readings().note_memory();
        let (elapsed, work) = (self.run.spending.clock.elapsed(), self.run.spending.work);
        let (outcome, progress) = self.outcome(reason);
        let suspended = Suspended {
            progress,
            work,
            elapsed,
            given,
        };
        (outcome, Some(suspended))
    }

    /// Returns true if it is time for other runs.
    pub(super) fn slice_is_over(&self) -> bool {
        let Some(span) = self.run.parts.context.slice else {
            return false;
        };
        let tuning = &self.run.bench.tuning.engine;
        // With so few open paths no choice of another run's pruning could be better.
        let least = match self.run.parts.context.parts_to_give {
            0 => tuning.suspended_states as u64,
            // Other threads could continue some of them.
            parts => parts as u64,
        };
        let open = || self.run.progress.states.len() as u64 + self.run.parts.policies.waiting();
        let usage = self.run.clock().usage();
        (self.slice).is_over(span, usage, tuning, || open() > least)
    }

    /// Splits off the parts that other threads resume, each with every n-th state. `None` if a
    /// source of states holds some, which it would not find there.
    fn cut_off(&mut self) -> Vec<TransferredStates> {
        let parts = self.run.parts.context.parts_to_give;
        if parts == 0 || self.run.parts.policies.holds_some() {
            return Vec::new();
        }
        let open: Vec<StateId> = self.run.progress.states.keys().copied().collect();
        (1..=parts)
            .map(|part| {
                let chosen = open.iter().skip(part).step_by(parts + 1);
                let chosen: Vec<StateId> = chosen.copied().collect();
                self.pack(&chosen)
            })
            .filter(|part| !part.is_empty())
            .collect()
    }

    /// Writes what open states have to show, and makes room for other runs.
    fn shrink(&mut self) -> Result<(), WriteError> {
        let budget = &self.run.parts.config.budget;
        let mut clock = HaltClock::begin(&mut self.run.bench, budget);
        let bugs = self.run.progress.showing_bugs();
        self.end_all(&bugs, EarlyReason::Interrupted)?;
        let states = self.run.progress.states.iter();
        let showing = states.filter(|(_, state)| state.metrics.covered_new);
        let showing: Vec<StateId> = showing.map(|(id, _)| *id).collect();
        for id in showing {
            let Some(mut state) = self.run.progress.states.remove(&id) else {
                continue;
            };
            let termination = Termination::Early(EarlyReason::Interrupted);
            let departure = Departure {
                hurry: clock.look(&mut self.run.bench, budget) != Allowance::Full,
                goes_on: true,
                ..Departure::default()
            };
            let result = self.run.finish(&state, &termination, departure);
            state.metrics.covered_new = false;
            state.trim();
            self.run.progress.states.insert(id, state);
            result?;
        }
        // A swapped-out state returns late, so swapping is only for lack of memory.
        let (limit, tuning) = (
            self.run.parts.config.budget.memory as f64,
            self.run.bench.tuning,
        );
        while limit > 0.0
            && self.run.progress.states.len() > tuning.engine.suspended_states
            && self.watch.look() as f64 > limit * tuning.engine.suspended_share
        {
            self.give_up_share()?;
        }
        Ok(())
    }
}
