//! Checks of tests: predicted outcomes, compared with the native program.
//!
//! Idea: the caller runs the native program in another thread, and this one answers with second
//! predictions where the native program does something else.

use super::causes::ImposedResults;
use super::exploration::{Exploration, FirstThread};
use super::native_comparison::{ComparedBatch, NativeComparison, TestBatch};
use super::prediction::{Allowance, PredictedTest, test_name};
use homi_native::replay::{SecondPrediction, TestCalls};
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::{StoredOutcome, read_coverage, read_outcomes, tests_in};
use homi_report::{OutcomeSummary, Summary};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::thread::scope;
use std::time::{Duration, Instant};

/// Time that the comparison after the exploration may always take, in a run with a budget in time.
const ALLOWANCE: Duration = Duration::from_secs(5);
/// Share of the run's time that it may take beyond.
const SHARE: f64 = 0.05;

/// Checks of a run's tests so far.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) outcomes: OutcomeSummary,
    /// Tests that were replayed.
    pub(super) replayed: BTreeSet<String>,
    /// Library calls of tests that diverge and whose cause is to be found.
    pub(super) calls: TestCalls,
    /// First reason why a test could not be replayed.
    pub(super) failure: Option<String>,
}

/// Request for the second prediction of a test.
struct Request {
    test: PathBuf,
    known: StoredOutcome,
    reply: Sender<Option<StoredOutcome>>,
}

impl Checked {
    pub(super) fn add(&mut self, batch: ComparedBatch) {
        self.outcomes.compared += batch.compared;
        self.outcomes.divergences.extend(batch.divergences);
        self.replayed.extend(batch.replayed);
        self.calls.extend(batch.calls);
        self.failure = self.failure.take().or(batch.failure);
    }
}

impl Exploration<'_> {
    /// Predicts the tests without an outcome and compares the tests that were not compared. The
    /// outcomes are in the summary afterwards.
    pub(super) fn check_all(
        &self,
        first: &mut FirstThread<'_>,
        imposed: &ImposedResults,
        (checked, summary): (&mut Checked, &mut Summary),
    ) {
        // What ended the exploration does not end the checks.
        let signals = &self.world.caller.signals;
        let interrupt = &signals.interrupt;
        interrupt.store(false, Ordering::Relaxed);
        let directory = self.output.directory.path();
        let known = read_outcomes(directory).unwrap_or_default();
        let tests = tests_in(directory).unwrap_or_default();
        let new: Vec<PathBuf> = (tests.iter())
            .filter(|test| !known.contains_key(&test_name(test)))
            .cloned()
            .collect();
        let new = short_first(directory, new);
        if self.checks_tests() {
            let mut allowance = self.allowance(summary.instructions);
            let outcomes = &mut checked.outcomes;
            outcomes.not_predicted = 0;
            self.predict(first, (&new, imposed), &mut allowance, outcomes);
            summary.outcomes = Some(outcomes.clone());
        }
        let mut allowance = self.allowance(summary.instructions);
        let serving = (imposed, &mut allowance);
        let unstable = match &self.plan.caller.compare {
            NativeComparison::None(_) => return,
            NativeComparison::AtEnd(compare) => {
                let compare = |second| compare(directory, summary, second);
                let (calls, unstable) = self.serve(first, serving, compare);
                let replayed = summary.outcomes.take().unwrap_or_default();
                (checked.outcomes, checked.calls) = (replayed, calls);
                unstable
            }
            NativeComparison::InBatches(compare) => {
                let limit = ALLOWANCE + Duration::from_secs_f64(summary.wall_s * SHARE);
                let is_timed = self.config.budget.time.is_timed();
                let not_replayed = |test: &PathBuf| !checked.replayed.contains(&test_name(test));
                let tests: Vec<PathBuf> = tests.into_iter().filter(not_replayed).collect();
                if tests.is_empty() {
                    return;
                }
                // A later signal ends only the comparison.
                signals.stop_requested.store(false, Ordering::Relaxed);
                let compare = |second| {
                    compare(TestBatch {
                        tests,
                        second,
                        deadline: is_timed.then(|| Instant::now() + limit),
                        interrupt: Arc::clone(interrupt),
                        jobs: None,
                    })
                };
                let (batch, unstable) = self.serve(first, serving, compare);
                checked.add(batch);
                unstable
            }
        };
        checked.outcomes.unstable += unstable;
        summary.outcomes = Some(checked.outcomes.clone());
    }

    /// Runs a comparison in another thread and makes the second predictions that it asks for.
    /// Returns its result and the number of tests whose end varies.
    pub(super) fn serve<R: Send>(
        &self,
        first: &mut FirstThread<'_>,
        (imposed, allowance): (&ImposedResults, &mut Allowance),
        compare: impl FnOnce(SecondPrediction) -> R + Send,
    ) -> (R, u64) {
        let (requests, received) = channel::<Request>();
        let second = SecondPrediction::new(move |test: &Path, known: &StoredOutcome| {
            let (reply, answer) = channel();
            let request = Request {
                test: test.to_path_buf(),
                known: known.clone(),
                reply,
            };
            requests.send(request).ok()?;
            answer.recv().ok()?
        });
        let mut unstable = 0;
        let result = scope(|scope| {
            let comparing = scope.spawn(move || compare(second));
            for request in received {
                let varied = self.answer(first, &request, imposed, allowance);
                let is_unstable = |one: &StoredOutcome| one.outcome.unstable;
                unstable += u64::from(varied.as_ref().is_some_and(is_unstable));
                // A comparison that does not wait has ended.
                let _ = request.reply.send(varied);
            }
            comparing
                .join()
                .unwrap_or_else(|panic| resume_unwind(panic))
        });
        (result, unstable)
    }

    /// Returns the second prediction of a test; `None` if the test is not to be compared.
    fn answer(
        &self,
        first: &mut FirstThread<'_>,
        request: &Request,
        imposed: &ImposedResults,
        allowance: &mut Allowance,
    ) -> Option<StoredOutcome> {
        let test = KTest::read(&request.test).ok()?;
        let name = test_name(&request.test);
        let one = PredictedTest {
            name: &name,
            test: &test,
            imposed: imposed.get(&name).map_or(&[][..], Vec::as_slice),
        };
        let varied = self.predict_again(first, (one, &request.known), allowance);
        varied.ok().flatten()
    }
}

/// Returns tests whose paths reached the program's end first, and among these the earlier ones
/// before the later ones: a path is not longer than the run was when its test was written. So a
/// long execution takes the budget from as few others as possible.
fn short_first(directory: &Path, mut tests: Vec<PathBuf>) -> Vec<PathBuf> {
    let coverage = read_coverage(directory).unwrap_or_default().into_iter();
    let longest: BTreeMap<String, (bool, Option<u64>)> = coverage
        .map(|one| (one.test, (!one.ended, one.work)))
        .collect();
    tests.sort_by_cached_key(|test| {
        let known = longest.get(&test_name(test)).copied();
        known.unwrap_or((true, None))
    });
    tests
}
