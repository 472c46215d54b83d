//! `--threads`: the other threads of a run, each with its terms, executor and solver.
//!
//! Invariant: all threads have ended when `explore_in_threads` returns. A thread that panics stops
//! the others, and its panic continues in the main thread, as it would with one thread.

use super::SessionError;
use super::exploration::Exploration;
use homi_explore::engine::{
    Engine, Outcome, Parts, PathResults, Policies, RunContext, SharedExploration, Signals,
    SolverSession, StopReason,
};
use homi_report::SolverSummary;
use homi_solver::term::Terms;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{Builder, ScopedJoinHandle, scope};

/// Address space for a thread's stack, in bytes; only what is used is taken.
pub(super) const STACK: usize = 64 << 20;

/// Result of a thread.
type Done = Result<(Outcome, SolverSummary), SessionError>;

impl Exploration<'_> {
    /// Runs `first` in this thread, and another thread for each of `further`. Returns the outcome,
    /// and the statistics of the other threads' solvers.
    pub(super) fn explore_in_threads(
        &self,
        shared_exploration: &SharedExploration,
        first: Engine<'_, '_>,
        further: Vec<PathResults>,
        interrupts: &[Arc<AtomicBool>],
    ) -> Result<(Outcome, Vec<SolverSummary>), SessionError> {
        scope(|scope| {
            // On any error here the other threads stop before the scope waits for them.
            let worker_guard = shared_exploration.worker_guard(0);
            let mut helpers: Vec<ScopedJoinHandle<'_, Done>> = Vec::new();
            for (number, results) in (1..).zip(further) {
                let spawned = Builder::new()
                    .name(format!("explorer {number}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        let _worker_guard = shared_exploration.worker_guard(number);
                        let done =
                            self.help(shared_exploration, number, results, &interrupts[number]);
                        if done.is_err() {
                            shared_exploration.stop(StopReason::Interrupted);
                        }
                        done
                    });
                match spawned {
                    Ok(helper) => helpers.push(helper),
                    Err(error) => {
                        shared_exploration.stop(StopReason::Interrupted);
                        let what = "cannot start a thread; try fewer --threads";
                        return Err(SessionError::io(what)(error));
                    }
                }
            }
            let mut outcome = first.run();
            drop(worker_guard);
            let mut solvers = Vec::new();
            for helper in helpers {
                let done = helper.join();
                let (other, solver) =
                    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
                outcome.add(&other);
                solvers.push(solver);
            }
            shared_exploration.finish(&mut outcome, &self.coverage);
            Ok((outcome, solvers))
        })
    }

    /// One further thread, from start to end.
    fn help(
        &self,
        shared_exploration: &SharedExploration,
        number: usize,
        results: PathResults,
        interrupt: &Arc<AtomicBool>,
    ) -> Done {
        let mut config = self.config.clone();
        // Threads that drew the same random numbers would choose alike.
        config.search.seed = config.search.seed.wrapping_add(number as u64);
        let terms = Terms::sharing(&self.world.arrays);
        let executor = self.world.executor(&terms, interrupt)?;
        let mut solver = self.world.solver(&self.world.cache);
        let mut console = self.output.console();
        let signals = self.signals_of_thread(interrupt);
        let bench = self.context((&executor, &terms), &mut solver, &mut console, signals);
        let parts = Parts {
            results,
            policies: Policies::of(&config, &self.world.caller.policies),
            config: &config,
            context: RunContext::alone(self.plan.times.clock)
                .aiming(self.loaded.targets.clone())
                .with_checkpoints(self.checkpoints.as_ref()),
            shared_exploration: Some(shared_exploration.member(number)),
        };
        let outcome = Engine::helper(bench, parts, self.plan.times.clock).run();
        Ok((outcome, solver.summary()))
    }
}

/// Returns the flags that make the threads' executors leave their loops; signals set the first
/// thread's flag.
pub(super) fn interrupts(signals: &Signals, threads: usize) -> Vec<Arc<AtomicBool>> {
    let others = (1..threads).map(|_| Arc::default());
    std::iter::once(Arc::clone(&signals.interrupt))
        .chain(others)
        .collect()
}
