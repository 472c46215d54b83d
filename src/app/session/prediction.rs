//! The stage after the exploration: each test is executed once more, all concrete, to predict what
//! the native program does.
//!
//! Idea: a second execution has other addresses, another process number, another clock and other
//! random and uninitialized bytes; what differs between the two is not predicted.
//!
//! Invariant: the prediction changes nothing of the exploration and asks the solver nothing.

use super::SessionError;
use super::call_trace::CallTrace;
use super::causes::ImposedResults;
use super::concrete::VARIATION;
use super::exploration::{Exploration, FirstThread};
use crate::machine::exec::{Console, EarlyReason, Step, Termination};
use crate::native::replay::{NativeResult, varying_ranges};
use crate::native::testcase::ktest::KTest;
use crate::native::testcase::{
    OUTCOME_LOG, PredictedEnd, PredictedStream, StoredOutcome, TestOutcome, read_outcomes,
    store_outcome, tests_in,
};
use crate::report::OutcomeSummary;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Instructions between two looks at the limits.
const SLICE: u64 = 20_000;
/// Instructions by which one prediction may exceed the whole run.
const LONGER: u64 = 1_000_000;
/// Share of the run's time or instructions that predictions may take, beyond [`ALLOWANCE`].
const SHARE: f64 = 0.05;
/// Time that predictions may always take.
const ALLOWANCE: Duration = Duration::from_secs(2);
/// Instructions that predictions may always take, in runs with budgets in work or instructions.
const ALLOWED_INSTRUCTIONS: u64 = 20_000_000;
/// Bytes of a stream of which more are not kept.
const MOST_OUTPUT: usize = 16 << 20;

/// Budget of all predictions of a run.
struct Allowance {
    deadline: Option<Instant>,
    /// Instructions of all predictions.
    instructions: u64,
    /// Instructions of one prediction.
    longest: u64,
}

/// One execution of a test.
struct Execution {
    end: PredictedEnd,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    files: Vec<u8>,
}

impl Exploration<'_> {
    /// Predicts the outcomes of the tests that have none yet. Stops when it has taken its share of
    /// the run. Library calls of tests in `imposed` leave their native results.
    pub(super) fn predict(
        &self,
        first: &mut FirstThread<'_>,
        instructions: u64,
        imposed: &ImposedResults,
    ) -> Option<OutcomeSummary> {
        let config = &self.config;
        if !config.dialect.predicts_outcomes() || self.plan.caller.job.is_some() {
            return None;
        }
        // What ended the exploration does not end the predictions.
        let interrupt = &self.world.caller.signals.interrupt;
        interrupt.store(false, Ordering::Relaxed);
        let directory = self.output.directory.path();
        let mut summary = OutcomeSummary::default();
        match self.predict_all(first, directory, (instructions, imposed), &mut summary) {
            Ok(()) => {}
            Err(error) => {
                let text = format!("the outcomes of tests are incomplete: {error}");
                self.output.log.lock().warning(&text);
            }
        }
        Some(summary)
    }

    fn predict_all(
        &self,
        first: &mut FirstThread<'_>,
        directory: &Path,
        (instructions, imposed): (u64, &ImposedResults),
        summary: &mut OutcomeSummary,
    ) -> Result<(), SessionError> {
        let failed = || SessionError::io(format!("{}", directory.join(OUTCOME_LOG).display()));
        let known = read_outcomes(directory).map_err(failed())?;
        let mut allowance = self.allowance(instructions);
        for path in tests_in(directory).map_err(failed())? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            if known.contains_key(&*name) {
                continue;
            }
            if allowance.is_spent() || self.world.caller.signals.interrupt.load(Ordering::Relaxed) {
                summary.not_predicted += 1;
                continue;
            }
            // A file that another program put there is no test of this run.
            let Ok(test) = KTest::read(&path) else {
                continue;
            };
            let imposed = imposed.get(&*name).map_or(&[][..], Vec::as_slice);
            let stored = self.predict_test(first, &name, (&test, imposed), &mut allowance)?;
            summary.predicted += 1;
            summary.unstable += u64::from(stored.outcome.unstable);
            store_outcome(directory, &stored).map_err(failed())?;
        }
        Ok(())
    }

    /// Returns the budget of predictions after a run with this number of instructions.
    fn allowance(&self, instructions: u64) -> Allowance {
        let longest = instructions + LONGER;
        if self.config.budget.time.is_timed() {
            let run = self.plan.times.began.elapsed();
            return Allowance {
                deadline: Some(Instant::now() + ALLOWANCE + run.mul_f64(SHARE)),
                instructions: u64::MAX,
                longest,
            };
        }
        Allowance {
            deadline: None,
            instructions: ALLOWED_INSTRUCTIONS + (instructions as f64 * SHARE) as u64,
            longest,
        }
    }

    /// Executes a test twice.
    fn predict_test(
        &self,
        first: &mut FirstThread<'_>,
        name: &str,
        test: (&KTest, &[NativeResult]),
        allowance: &mut Allowance,
    ) -> Result<StoredOutcome, SessionError> {
        let [one, other] =
            [0, VARIATION].map(|variation| self.execute(first, test, variation, allowance));
        let (one, other) = (one?, other?);
        Ok(StoredOutcome {
            outcome: TestOutcome {
                test: name.to_string(),
                unstable: one.end != other.end,
                stdout: stream(&one.stdout, &other.stdout),
                stderr: stream(&one.stderr, &other.stderr),
                files: stream(&one.files, &other.files),
                end: one.end,
            },
            stdout: one.stdout,
            stderr: one.stderr,
            files: one.files,
        })
    }

    fn execute(
        &self,
        first: &mut FirstThread<'_>,
        (test, imposed): (&KTest, &[NativeResult]),
        variation: u16,
        allowance: &mut Allowance,
    ) -> Result<Execution, SessionError> {
        let mut execution = self.world.begin_execution(first, test, variation)?;
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
            if executed >= allowance.longest || allowance.is_over(executed) {
                break PredictedEnd::Unknown("the execution takes too long".to_string());
            }
        };
        allowance.instructions = allowance
            .instructions
            .saturating_sub(execution.observer.instructions);
        Ok(Execution {
            end,
            stdout: console.stdout,
            stderr: console.stderr,
            files: console.files,
        })
    }
}

impl Allowance {
    fn is_spent(&self) -> bool {
        self.is_over(0)
    }

    /// True if the budget is spent after this many further instructions.
    fn is_over(&self, instructions: u64) -> bool {
        self.instructions <= instructions
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Returns the prediction of a stream from two executions.
fn stream(first: &[u8], second: &[u8]) -> PredictedStream {
    let masked = varying_ranges(first, second);
    PredictedStream {
        unstable: masked.is_none(),
        masked: masked.unwrap_or_default(),
        ..PredictedStream::of(first)
    }
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
