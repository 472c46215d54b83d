//! The stage after the exploration: each test is executed once more, all concrete, to predict what
//! the native program does.
//!
//! Idea: a second execution has other addresses, another process number, another clock and other
//! random and uninitialized bytes; what differs between the two is not predicted.
//!
//! Invariant: the prediction changes nothing of the exploration and asks the solver nothing.

use super::SessionError;
use super::exploration::{Exploration, FirstThread};
use super::standalone::first_state;
use crate::explore::sources::EntryState;
use crate::machine::exec::{Console, Errno, Host, InputKind, STAT_BYTES, Step, World};
use crate::machine::exec::{EarlyReason, Termination};
use crate::machine::host::ProgramArguments;
use crate::machine::state::{GivenObjects, State};
use crate::native::replay::varying_ranges;
use crate::native::testcase::ktest::KTest;
use crate::native::testcase::{
    OUTCOME_LOG, PredictedEnd, PredictedStream, StoredOutcome, TestOutcome, read_outcomes,
    store_outcome, tests_in,
};
use crate::report::OutcomeSummary;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Number of the second prediction's variation.
pub(super) const VARIATION: u16 = 77;
/// Nanoseconds by which the clock of the second prediction is ahead.
const CLOCK_SHIFT: u64 = 40_000_000_123_456_789;
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
    /// the run.
    pub(super) fn predict(
        &self,
        first: &mut FirstThread<'_>,
        instructions: u64,
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
        match self.predict_all(first, directory, instructions, &mut summary) {
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
        instructions: u64,
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
            let stored = self.predict_test(first, &name, &test, &mut allowance)?;
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
        test: &KTest,
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
        test: &KTest,
        variation: u16,
        allowance: &mut Allowance,
    ) -> Result<Execution, SessionError> {
        let FirstThread {
            executor, solver, ..
        } = first;
        let state = first_state(executor, &self.arguments_of(test))?;
        let EntryState {
            mut state,
            mut observer,
        } = EntryState::new(executor, state);
        give_input(&mut state, test, variation);
        let host = VariedHost::of(&self.world.host, variation);
        let mut console = OutputConsole::default();
        let end = loop {
            let world = World {
                host: &host,
                console: &mut console,
            };
            match executor.run(&mut state, solver, world, &mut observer, SLICE) {
                Step::Ended(ended) => break predicted_end(&ended),
                // The state itself goes on with the test's input.
                Step::Forked(_) | Step::Absent(_) | Step::Continue => {}
            }
            if state.symbolics.objects.len() > test.objects.len() {
                break PredictedEnd::Unknown("the test ends before the program".to_string());
            }
            let executed = observer.instructions;
            if executed >= allowance.longest || allowance.is_over(executed) {
                break PredictedEnd::Unknown("the execution takes too long".to_string());
            }
        };
        allowance.instructions = allowance.instructions.saturating_sub(observer.instructions);
        Ok(Execution {
            end,
            stdout: console.stdout,
            stderr: console.stderr,
            files: console.files,
        })
    }

    /// Returns the arguments with which a test's program starts.
    pub(super) fn arguments_of(&self, test: &KTest) -> ProgramArguments {
        let mut arguments = self.world.arguments.clone();
        if let Some(rest) = test.args.get(1..) {
            arguments.arguments.truncate(1);
            arguments.arguments.extend_from_slice(rest);
        }
        arguments
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

/// Gives a first state the bytes of a test as its input.
pub(super) fn give_input(state: &mut State, test: &KTest, variation: u16) {
    let objects = test.objects.iter();
    let named = objects.map(|object| (object.name_text(), object.bytes.clone()));
    state.input.is_given = true;
    state.input.predicts = Some(variation);
    state.input.follows = Some(Arc::new(vec![Arc::new(GivenObjects::new(named))]));
    state.memory.vary(variation);
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

/// The run's host with another clock.
pub(super) struct VariedHost<'h> {
    host: &'h dyn Host,
    /// Nanoseconds by which its clock is ahead.
    clock_shift: u64,
}

impl<'h> VariedHost<'h> {
    /// Returns the host of a prediction.
    pub(super) fn of(host: &'h dyn Host, variation: u16) -> Self {
        let clock_shift = if variation == 0 { 0 } else { CLOCK_SHIFT };
        Self { host, clock_shift }
    }
}

impl Host for VariedHost<'_> {
    fn stat(&self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno> {
        self.host.stat(path, follow)
    }

    fn read(&self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.host.read(path, length, offset)
    }

    fn readlink(&self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        self.host.readlink(path)
    }

    fn readdir(&self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno> {
        self.host.readdir(path, index)
    }

    fn getcwd(&self) -> Result<Vec<u8>, Errno> {
        self.host.getcwd()
    }

    fn stdin_read(&self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.host.stdin_read(length, offset)
    }

    fn stdin_kind(&self) -> InputKind {
        self.host.stdin_kind()
    }

    fn id(&self, which: u32) -> u32 {
        self.host.id(which)
    }

    fn clock_ns(&self) -> u64 {
        self.host.clock_ns() + self.clock_shift
    }
}
