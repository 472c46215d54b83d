//! Executions of a run's tests after the run: its program is loaded once, in a separate thread.
//!
//! Invariant: nothing is loaded before the first request. A program that cannot be loaded answers
//! nothing.

use super::Caller;
use super::SessionError;
use super::exploration::FirstThread;
use super::loaded::LoadedProgram;
use super::plan::Plan;
use super::prediction::{Allowance, PredictedTest};
use super::threads::STACK;
use super::world::World;
use homi_config::RunConfig;
use homi_native::replay::{LibraryCall, varied, varying_as};
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::{RunEnvironment, StoredOutcome};
use homi_solver::term::Terms;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

/// Instructions of one execution.
const LONGEST: u64 = 100_000_000;

type Job = Box<dyn FnOnce(&World<'_>, &mut FirstThread<'_>) + Send>;

/// Executes tests of one run.
pub struct Reexecution(Sender<Job>);

impl Reexecution {
    /// Prepares executions of the program in `config`, in the environment of its run if that was
    /// recorded. Without a thread there are no answers.
    pub fn new(config: RunConfig, caller: Caller, recorded: Option<RunEnvironment>) -> Self {
        let (jobs, received) = channel::<Job>();
        let thread = Builder::new().stack_size(STACK);
        // A request to a thread that has ended has no answer.
        let _ = thread.spawn(move || execute_all(config, &caller, recorded, &received));
        Self(jobs)
    }

    /// Returns the cause of a divergence of `test`, which makes the library calls `native` in
    /// recorded native runs; `None` if none is found.
    pub fn cause(&self, test: &Path, native: &[Vec<LibraryCall>]) -> Option<String> {
        let (test, native) = (KTest::read(test).ok()?, native.to_vec());
        self.ask(move |world, first| {
            let found = world.cause(first, &test, &[], &native);
            found.map(|(cause, _)| cause)
        })
    }

    /// Returns the prediction of a test, `known` so far, that knows what varies; `None` if the
    /// program cannot execute the test. A program that has changed since only tells which streams
    /// vary.
    pub fn second_prediction(&self, test: &Path, known: &StoredOutcome) -> Option<StoredOutcome> {
        let (test, known) = (KTest::read(test).ok()?, known.clone());
        self.ask(move |world, first| {
            let mut allowance = Allowance {
                deadline: None,
                instructions: u64::MAX,
                longest: LONGEST,
                interrupt: Arc::clone(&world.caller.signals.interrupt),
            };
            let one = PredictedTest {
                name: &known.outcome.test,
                test: &test,
                imposed: &[],
            };
            let again = world.execute(first, one, 0, &mut allowance).ok()??;
            let others = world.execute_varied(first, one, &mut allowance).ok()?;
            let other = others.first()?;
            Some(if again.outcome == known.outcome {
                varied(again, &others)
            } else {
                varying_as(known.clone(), [&again.outcome, &other.outcome])
            })
        })
    }

    fn ask<R: Send + 'static>(
        &self,
        question: impl FnOnce(&World<'_>, &mut FirstThread<'_>) -> Option<R> + Send + 'static,
    ) -> Option<R> {
        let (reply, answer) = channel();
        let job: Job = Box::new(move |world, first| {
            // The asker waits.
            let _ = reply.send(question(world, first));
        });
        self.0.send(job).ok()?;
        answer.recv().ok()?
    }
}

/// Loads the program at the first job and does all jobs.
fn execute_all(
    mut config: RunConfig,
    caller: &Caller,
    recorded: Option<RunEnvironment>,
    jobs: &Receiver<Job>,
) -> Result<(), SessionError> {
    let Ok(job) = jobs.recv() else {
        return Ok(());
    };
    if let Some(recorded) = &recorded {
        config.program.files_dir.clone_from(&recorded.directory);
    }
    let mut plan = Plan::make(&config, caller)?;
    if let Some(recorded) = recorded {
        plan.environment = recorded.environment;
    }
    let loaded = LoadedProgram::load(&plan)?;
    let world = World::of_trials(&loaded, 1)?;
    let terms = Terms::sharing(&world.arrays);
    let mut first = FirstThread::of(&world, &terms, &caller.signals.interrupt)?;
    for job in std::iter::once(job).chain(jobs) {
        job(&world, &mut first);
    }
    Ok(())
}
