//! Predicted outcomes: each test is executed once more, all concrete, to say what the native
//! program does.
//!
//! Idea: three further executions have other addresses, process numbers, clocks, and other random
//! and uninitialized bytes; what differs between them and the first one is not predicted. Only a
//! test on which the native program does something else is executed again.
//!
//! Invariant: the prediction changes nothing of the exploration and asks the solver nothing.

use super::SessionError;
use super::call_trace::CallTrace;
use super::causes::ImposedResults;
use super::exploration::{Exploration, FirstThread};
use super::varied_executor::VARIATIONS;
use super::world::World;
use homi_machine::exec::{Console, EarlyReason, Step, Termination};
use homi_native::replay::{NativeResult, varied};
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::{
    MAX_STORED_OUTPUT, OUTCOME_LOG, PredictedEnd, PredictedStream, StoredOutcome, TestOutcome,
    store_outcome,
};
use homi_report::OutcomeSummary;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Instructions between two looks at the limits.
const SLICE: u64 = 20_000;
/// Instructions by which one prediction may exceed the whole run.
const LONGER: u64 = 1_000_000;
/// Share of the run's time or instructions that first predictions may take, beyond [`ALLOWANCE`];
/// second ones may take the same.
const SHARE: f64 = 0.025;
/// Time that first predictions may always take.
const ALLOWANCE: Duration = Duration::from_secs(1);
/// Instructions that first predictions may always take, in runs with budgets in work or
/// instructions.
const ALLOWED_INSTRUCTIONS: u64 = 10_000_000;
/// Bytes of a stream of which more are not kept.
const MOST_OUTPUT: usize = 16 << 20;

/// Budget of predictions.
pub(super) struct Allowance {
    pub(super) deadline: Option<Instant>,
    /// Instructions of all predictions.
    pub(super) instructions: u64,
    /// Instructions of one prediction.
    pub(super) longest: u64,
    /// Ends the predictions.
    pub(super) interrupt: Arc<AtomicBool>,
}

/// A test to execute: its name, its objects, and the native results that its library calls leave.
#[derive(Clone, Copy)]
pub(super) struct PredictedTest<'t> {
    pub(super) name: &'t str,
    pub(super) test: &'t KTest,
    pub(super) imposed: &'t [NativeResult],
}

impl Exploration<'_> {
    /// Predicts the outcomes of tests and returns the tests that have one now. Library calls of
    /// tests in `imposed` leave their native results.
    pub(super) fn predict(
        &self,
        first: &mut FirstThread<'_>,
        (tests, imposed): (&[PathBuf], &ImposedResults),
        allowance: &mut Allowance,
        summary: &mut OutcomeSummary,
    ) -> Vec<PathBuf> {
        let mut predicted = Vec::new();
        for path in tests {
            // A file that another program put there is no test of this run.
            let Ok(test) = KTest::read(path) else {
                continue;
            };
            let name = test_name(path);
            let imposed = imposed.get(&name).map_or(&[][..], Vec::as_slice);
            let (name, test) = (name.as_str(), &test);
            let one = PredictedTest {
                name,
                test,
                imposed,
            };
            match self.predict_test(first, one, allowance) {
                Ok(true) => {
                    summary.predicted += 1;
                    predicted.push(path.clone());
                }
                Ok(false) => summary.not_predicted += 1,
                Err(error) => {
                    let text = format!("the outcomes of tests are incomplete: {error}");
                    self.output.log.lock().warning(&text);
                    break;
                }
            }
        }
        predicted
    }

    /// Predicts and stores the outcome of a test; false if the budget is spent.
    fn predict_test(
        &self,
        first: &mut FirstThread<'_>,
        test: PredictedTest<'_>,
        allowance: &mut Allowance,
    ) -> Result<bool, SessionError> {
        match self.world.execute(first, test, 0, allowance)? {
            Some(outcome) => self.store(&outcome).map(|()| true),
            None => Ok(false),
        }
    }

    /// Executes a test a second time and stores its outcome with what varies; `None` if the budget
    /// is spent. `known` is the first prediction.
    pub(super) fn predict_again(
        &self,
        first: &mut FirstThread<'_>,
        (test, known): (PredictedTest<'_>, &StoredOutcome),
        allowance: &mut Allowance,
    ) -> Result<Option<StoredOutcome>, SessionError> {
        let outcome = &known.outcome;
        let streams = [&outcome.stdout, &outcome.stderr, &outcome.files];
        let is_whole = streams
            .iter()
            .all(|stream| stream.bytes <= MAX_STORED_OUTPUT as u64);
        let one = if is_whole {
            Some(known.clone())
        } else {
            self.world.execute(first, test, 0, allowance)?
        };
        let others = self.world.execute_varied(first, test, allowance)?;
        let Some(one) = one.filter(|_| !others.is_empty()) else {
            return Ok(None);
        };
        let varied = varied(one, &others);
        self.store(&varied)?;
        Ok(Some(varied))
    }

    fn store(&self, outcome: &StoredOutcome) -> Result<(), SessionError> {
        let directory = self.output.directory.path();
        let failed = SessionError::io(format!("{}", directory.join(OUTCOME_LOG).display()));
        store_outcome(directory, outcome).map_err(failed)
    }

    /// Returns the budget of first or second predictions after a run with this number of
    /// instructions.
    pub(super) fn allowance(&self, instructions: u64) -> Allowance {
        let is_timed = self.config.budget.time.is_timed();
        let time = ALLOWANCE + self.plan.times.began.elapsed().mul_f64(SHARE);
        Allowance {
            deadline: is_timed.then(|| Instant::now() + time),
            instructions: if is_timed {
                u64::MAX
            } else {
                ALLOWED_INSTRUCTIONS + (instructions as f64 * SHARE) as u64
            },
            longest: instructions + LONGER,
            interrupt: Arc::clone(&self.world.caller.signals.interrupt),
        }
    }
}

impl World<'_> {
    /// Executes a test with each variation that the budget allows.
    pub(super) fn execute_varied(
        &self,
        first: &mut FirstThread<'_>,
        test: PredictedTest<'_>,
        allowance: &mut Allowance,
    ) -> Result<Vec<StoredOutcome>, SessionError> {
        let mut outcomes = Vec::new();
        for variation in VARIATIONS {
            outcomes.extend(self.execute(first, test, variation, allowance)?);
        }
        Ok(outcomes)
    }

    /// Executes a test; `None` if the budget is spent before its end.
    pub(super) fn execute(
        &self,
        first: &mut FirstThread<'_>,
        PredictedTest {
            name,
            test,
            imposed,
        }: PredictedTest<'_>,
        variation: u16,
        allowance: &mut Allowance,
    ) -> Result<Option<StoredOutcome>, SessionError> {
        if allowance.is_over(0) {
            return Ok(None);
        }
        let mut execution = self.begin_execution(first, test, variation)?;
        let mut console = OutputConsole::default();
        let mut trace = CallTrace::new(&self.loaded.program, first.terms, imposed);
        let end = loop {
            let is_traced = trace.imposed_left() > 0;
            if is_traced {
                trace.before_step(&execution.state);
            }
            let step = execution.run(first, &mut console, if is_traced { 1 } else { SLICE });
            if is_traced {
                trace.after_step(&mut execution.state);
            }
            if trace.has_failed() {
                break PredictedEnd::Unknown("a native result does not fit".to_string());
            }
            match step {
                Step::Ended(ended) => break predicted_end(&ended),
                // The state itself goes on with the test's input.
                Step::Forked(_) | Step::Absent(_) | Step::Continue => {}
            }
            if execution.state.symbolics.objects.len() > test.objects.len() {
                break PredictedEnd::Unknown("the test ends before the program".to_string());
            }
            let executed = execution.observer.instructions;
            if allowance.is_over(executed) {
                allowance.spend(executed);
                return Ok(None);
            }
            if executed >= allowance.longest {
                break PredictedEnd::Unknown("the execution takes too long".to_string());
            }
        };
        allowance.spend(execution.observer.instructions);
        Ok(Some(console.outcome(name, end)))
    }
}

impl Allowance {
    /// True if the budget is spent after this many further instructions.
    fn is_over(&self, instructions: u64) -> bool {
        self.instructions <= instructions
            || self.interrupt.load(Ordering::Relaxed)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn spend(&mut self, instructions: u64) {
        self.instructions = self.instructions.saturating_sub(instructions);
    }
}

/// Name of a test, such as `test000001`.
pub(super) fn test_name(test: &Path) -> String {
    let name = test.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns how a prediction ends.
fn predicted_end(ended: &Termination) -> PredictedEnd {
    match ended {
        Termination::Exit(status) => PredictedEnd::Exit(*status),
        Termination::Bug(bug) => PredictedEnd::Bug(bug.kind.suffix().to_string()),
        Termination::Silent => PredictedEnd::Unknown("the path is not a test".to_string()),
        Termination::Unsupported(unsupported) => PredictedEnd::Unknown(unsupported.what.clone()),
        Termination::Early(reason) => PredictedEnd::Unknown(EarlyReason::message(*reason).into()),
    }
}

/// Keeps the output of one execution, up to [`MOST_OUTPUT`] bytes for each stream.
#[derive(Default)]
struct OutputConsole {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    files: Vec<u8>,
}

impl OutputConsole {
    /// Returns the outcome of one execution.
    fn outcome(self, test: &str, end: PredictedEnd) -> StoredOutcome {
        let outcome = TestOutcome {
            test: test.to_string(),
            end,
            unstable: false,
            once: true,
            stdout: PredictedStream::of(&self.stdout),
            stderr: PredictedStream::of(&self.stderr),
            files: PredictedStream::of(&self.files),
        };
        StoredOutcome {
            outcome,
            stdout: self.stdout,
            stderr: self.stderr,
            files: self.files,
        }
    }
}

impl Console for OutputConsole {
    fn output(&mut self, stream: u32, bytes: &[u8]) {
        let kept = match stream {
            2 => &mut self.stderr,
            3 => &mut self.files,
            _ => &mut self.stdout,
        };
        let room = MOST_OUTPUT.saturating_sub(kept.len());
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn warning(&mut self, _: &str) {}

    fn warning_once(&mut self, _: &str, _: &str) {}
}
