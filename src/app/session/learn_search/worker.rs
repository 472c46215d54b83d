//! A worker: a thread that makes one trial after the other, with an engine that all of them share.
//!
//! Invariant: the result of a trial does not depend on the worker, nor on the worker's earlier
//! trials. If the engine prunes states for lack of memory, the worker restarts with an empty tree.

use super::super::SessionError;
use super::super::given::test_arguments;
use super::super::threads::{STACK, interrupts};
use super::Shop;
use homi_explore::coverage::Coverage;
use homi_explore::engine::{
    Engine, EngineContext, Outcome, Parts, PathResults, Policies, Recorder, RunContext,
    SharedRecorder, Signals, StopReason,
};
use homi_explore::select::Nothing;
use homi_explore::sources::{EntryState, FromEntryState};
use homi_machine::exec::MutedConsole;
use homi_solver::term::Terms;
use homi_strategies::weights::learn_search::TrialSearcher;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{Builder, scope};
use std::time::Duration;

/// Reason why the workers ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// There was nothing left to do, or the user asked for it.
    AtEnd,
    /// The time was used up.
    MaxTime,
    /// The trials of one worker do not fit into memory.
    OutOfMemory,
}

impl Shop<'_> {
    /// Makes trials in `jobs` threads until none is left or the session stops.
    pub(super) fn work_all(&self, jobs: usize) -> Result<Stopped, SessionError> {
        let interrupts = interrupts(&self.world.caller.signals, jobs);
        scope(|scope| {
            let mut workers = Vec::new();
            let mut failed = None;
            for (number, interrupt) in interrupts.iter().enumerate() {
                let spawned = Builder::new()
                    .name(format!("trials {number}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        let _stop = StopOnPanic(self);
                        let stopped = self.work(interrupt);
                        if !matches!(stopped, Ok(Stopped::AtEnd)) {
                            self.board.stop();
                        }
                        stopped
                    });
                match spawned {
                    Ok(worker) => workers.push(worker),
                    Err(error) => {
                        self.board.stop();
                        failed = Some(SessionError::io("cannot start a thread; try fewer --jobs")(
                            error,
                        ));
                        break;
                    }
                }
            }
            let mut all = Stopped::AtEnd;
            for worker in workers {
                let stopped = worker.join();
                match stopped.unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
                    Ok(Stopped::AtEnd) => {}
                    Ok(stopped) => all = stopped,
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            failed.map_or(Ok(all), Err)
        })
    }

    /// One worker, from start to end.
    fn work(&self, interrupt: &Arc<AtomicBool>) -> Result<Stopped, SessionError> {
        while self.board.goes_on() {
            let before = self.board.trials();
            match self.explore(interrupt)?.reason {
                // The trees of all workers filled the memory; this one's is gone.
                StopReason::OutOfMemory if self.board.trials() > before => {}
                StopReason::MaxTime => return Ok(Stopped::MaxTime),
                StopReason::OutOfMemory => return Ok(Stopped::OutOfMemory),
                StopReason::InputSizeMismatch(why) => return Err(SessionError::Request(why)),
                StopReason::WriteFailed(error) => return Err(SessionError::Stopped(error)),
                // The search wanted no state: it has lost some, or nothing is left to do.
                _ => {}
            }
        }
        Ok(Stopped::AtEnd)
    }

    /// Makes trials with one engine, until it has lost states or no trial is left.
    fn explore(&self, interrupt: &Arc<AtomicBool>) -> Result<Outcome, SessionError> {
        let (config, program) = (&self.loaded.config, &self.loaded.program);
        let (caller, start) = (&self.world.caller, self.plan.times.clock);
        let terms = Terms::sharing(&self.world.arrays);
        let executor = self.world.executor(&terms, interrupt)?;
        let entry_state = EntryState::new(&executor, self.world.first_state(&executor)?);
        let mut solver = self.world.solver(&self.world.cache);
        let coverage = Coverage::new(program, executor.segments(), config.search.scope);
        let segments = executor.segments();
        let recorder = Recorder::new(Duration::ZERO, program, segments, &coverage);
        let bench = EngineContext {
            executor: &executor,
            terms: &terms,
            solver_session: &mut solver,
            host: &self.world.host,
            image: None,
            console: &mut MutedConsole,
            log: self.engine_log,
            recorder: &SharedRecorder::new(recorder),
            tuning: &self.plan.run_tuning,
            signals: Signals {
                interrupt: Arc::clone(interrupt),
                stop_requested: Arc::clone(&caller.signals.stop_requested),
                campaign_over: Arc::default(),
            },
        };
        let mut policies = Policies::of(config, &caller.policies);
        policies.selector = Box::new(Nothing);
        policies.searcher = Some(Box::new(TrialSearcher::new(
            Arc::clone(self.board),
            Arc::clone(self.make),
            self.learn.executions,
            self.learn.shares,
        )));
        policies.sources = vec![Box::new(FromEntryState::new(&entry_state))];
        let arguments = test_arguments(config, program);
        let tests = config.tests.clone();
        let parts = Parts {
            results: PathResults::new(self.directory.path(), tests, arguments),
            policies,
            config,
            context: RunContext::alone(start),
            shared_exploration: None,
        };
        Ok(Engine::new(bench, parts, &entry_state, start).run())
    }
}

/// A worker that panics stops the others, which would wait for its trial.
struct StopOnPanic<'w, 's>(&'w Shop<'s>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.board.stop();
        }
    }
}
