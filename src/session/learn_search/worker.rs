//! A worker: a thread that makes one trial after the other, with an engine that all of them share.
//!
//! Invariant: what a trial reaches does not depend on the worker, nor on what it made before. If
//! the engine gives up states for want of memory, the worker begins anew with an empty tree.

use super::super::threads::{STACK, interrupts};
use super::super::{SessionError, program};
use super::Shop;
use crate::config::{LearnedFeatures, RunConfig};
use crate::coverage::Coverage;
use crate::engine::{
    Engine, Outcome, Parts, PathResults, Policies, Recorder, RunContext, SharedRecorder, Signals,
    StopReason, Workbench,
};
use crate::exec::MutedConsole;
use crate::expr::{SharedArrays, Terms};
use crate::learn_search::TrialSearcher;
use crate::roots::{FromLaunch, Launch};
use crate::select::Nothing;
use crate::solver::SharedCache;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{Builder, scope};
use std::time::Duration;

/// How the workers ended.
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
    /// Makes trials in so many threads until none is left or something says stop.
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
        match self.learn.features {
            LearnedFeatures::Branch => self.work_on_branches(interrupt),
            LearnedFeatures::State => self.work_on_states(interrupt),
        }
    }

    fn work_on_branches(&self, interrupt: &Arc<AtomicBool>) -> Result<Stopped, SessionError> {
        while self.board.goes_on() {
            let before = self.board.trials();
            match self.explore(interrupt)?.reason {
                // The trees of all workers filled the memory; this one's is gone.
                StopReason::OutOfMemory if self.board.trials() > before => {}
                StopReason::MaxTime => return Ok(Stopped::MaxTime),
                StopReason::OutOfMemory => return Ok(Stopped::OutOfMemory),
                StopReason::InputMisfit(why) => return Err(SessionError::Request(why)),
                StopReason::WriteFailed(error) => return Err(SessionError::Stopped(error)),
                // The search wanted no state: it has lost some, or nothing is left to do.
                _ => {}
            }
        }
        Ok(Stopped::AtEnd)
    }

    /// Makes trials with one engine, until it has lost states or no trial is left.
    fn explore(&self, interrupt: &Arc<AtomicBool>) -> Result<Outcome, SessionError> {
        let shared = (&self.world.arrays, &self.world.cache);
        self.run(
            &self.loaded.config,
            shared,
            interrupt,
            |launch, policies| {
                policies.searcher = Some(Box::new(TrialSearcher::new(
                    Arc::clone(self.board),
                    Arc::clone(self.make),
                    self.learn.executions,
                    self.learn.shares,
                )));
                policies.roots = vec![Box::new(FromLaunch::new(launch))];
            },
        )
    }

    /// One run of an engine, with what `choose` makes of the policies that the options ask for.
    pub(super) fn run(
        &self,
        config: &RunConfig,
        (arrays, cache): (&SharedArrays, &SharedCache),
        interrupt: &Arc<AtomicBool>,
        choose: impl FnOnce(&Launch, &mut Policies<'_>),
    ) -> Result<Outcome, SessionError> {
        let terms = Terms::sharing(arrays);
        let executor = self.world.executor(&terms, interrupt)?;
        let state = self.world.first_state(&executor)?;
        let launch = Launch::new(&executor, state);
        let mut solver = self.world.solver(cache);
        let coverage = Coverage::new(
            &self.loaded.program,
            executor.segments(),
            config.search.scope,
        );
        let segments = executor.segments();
        let recorder = Recorder::new(Duration::ZERO, &self.loaded.program, segments, &coverage);
        let bench = Workbench {
            executor: &executor,
            terms: &terms,
            prover: &mut solver,
            aside: None,
            host: &self.world.host,
            console: &mut MutedConsole,
            log: self.engine_log,
            recorder: &SharedRecorder::new(recorder),
            tuning: &self.plan.run_tuning,
            signals: Signals {
                interrupt: Arc::clone(interrupt),
                stop_requested: Arc::clone(&self.world.caller.signals.stop_requested),
                campaign_over: Arc::default(),
            },
        };
        let mut policies = Policies::of(config, &self.world.caller.policies);
        policies.selector = Box::new(Nothing);
        choose(&launch, &mut policies);
        let words = program::test_arguments(config, &self.loaded.program);
        let tests = config.tests.clone();
        let parts = Parts {
            results: PathResults::new(self.directory.path(), tests, words),
            policies,
            config,
            context: RunContext::alone(self.plan.times.clock),
            team: None,
        };
        Ok(Engine::new(bench, parts, &launch, self.plan.times.clock).run())
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
