//! `--threads`: the further threads of a run, each with terms, executor and solver of its own.
//!
//! Invariant: all threads are over when `explore` returns. A thread that panics stops the others, and its panic
//! goes on in the main thread, as it would have with one thread.

use super::session::{Signals, solver};
use super::world::{RunWorld, SharedWorld};
use crate::config::RunConfig;
use crate::coverage::Coverage;
use crate::engine::{Engine, Outcome, Parts, Prover, SharedRecorder, StopReason, Team, TestSink};
use crate::exec::{ExecConfig, Executor};
use crate::expr::{SharedArrays, Terms};
use crate::program::Program;
use crate::report::{SharedLog, SolverSummary};
use crate::solver::SharedCache;
use crate::util::clock::Moment;
use anyhow::Context;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, ScopedJoinHandle, scope};

/// Address space for a thread's stack, in bytes; only what is used is taken.
const STACK: usize = 64 << 20;

/// What all threads of a run have in common besides the team.
pub(super) struct Common<'r> {
    pub(super) config: &'r RunConfig,
    pub(super) program: &'r Program,
    pub(super) exec_config: &'r ExecConfig,
    pub(super) arrays: &'r SharedArrays,
    pub(super) cache: &'r SharedCache,
    pub(super) world: &'r Mutex<RunWorld<'r>>,
    pub(super) log: &'r SharedLog,
    pub(super) recorder: &'r SharedRecorder,
    pub(super) signals: &'r Signals,
    /// By thread.
    pub(super) interrupts: &'r [Arc<AtomicBool>],
    pub(super) start: Moment,
}

/// What a thread leaves behind.
type Done = anyhow::Result<(Outcome, SolverSummary)>;

impl Common<'_> {
    /// Runs `first` in this thread and the others beside it, one for each of `sinks`; how all of it went, and what
    /// the others' solvers did.
    pub(super) fn explore(
        &self,
        team: &Team,
        first: Engine<'_, '_>,
        sinks: Vec<TestSink>,
        coverage: &Coverage,
    ) -> anyhow::Result<(Outcome, Vec<SolverSummary>)> {
        scope(|scope| {
            // Whatever goes wrong here, the others are told before the scope waits for them.
            let presence = team.presence(0);
            let mut helpers: Vec<ScopedJoinHandle<'_, Done>> = Vec::new();
            for (number, sink) in (1..).zip(sinks) {
                let spawned = Builder::new()
                    .name(format!("explorer {number}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        let _presence = team.presence(number);
                        let done = self.help(team, number, sink);
                        if done.is_err() {
                            team.stop(StopReason::Interrupted);
                        }
                        done
                    });
                match spawned {
                    Ok(helper) => helpers.push(helper),
                    Err(error) => {
                        team.stop(StopReason::Interrupted);
                        return Err(error).context("cannot start a thread; try fewer --threads");
                    }
                }
            }
            let mut outcome = first.run();
            drop(presence);
            let mut solvers = Vec::new();
            for helper in helpers {
                let done = helper.join();
                let (other, solver) =
                    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
                outcome.add(&other);
                solvers.push(solver);
            }
            team.finish(&mut outcome, coverage);
            Ok((outcome, solvers))
        })
    }

    /// One further thread, from start to end.
    fn help(&self, team: &Team, number: usize, sink: TestSink) -> Done {
        let mut config = self.config.clone();
        // Threads that drew the same random numbers would choose alike.
        config.search.seed = config.search.seed.wrapping_add(number as u64);
        let interrupt = &self.interrupts[number];
        let terms = Terms::sharing(self.arrays);
        let executor = Executor::new(self.program, &terms, self.exec_config, interrupt)?;
        let mut solver = solver(&config, self.cache)?;
        let mut world = SharedWorld::new(self.world);
        let parts = Parts {
            executor: &executor,
            terms: &terms,
            prover: &mut solver,
            world: &mut world,
            log: self.log,
            recorder: self.recorder,
            sink,
            config: &config,
            interrupt: Arc::clone(interrupt),
            stop_requested: Arc::clone(&self.signals.stop_requested),
            campaign: None,
            team: Some(team.member(number)),
        };
        let outcome = Engine::helper(parts, self.start).run();
        Ok((outcome, solver.summary()))
    }
}

/// The flags that make the threads' executors leave their loops; the first thread's is the one that signals set.
pub(super) fn interrupts(signals: &Signals, threads: usize) -> Vec<Arc<AtomicBool>> {
    let others = (1..threads).map(|_| Arc::default());
    std::iter::once(Arc::clone(&signals.interrupt))
        .chain(others)
        .collect()
}
