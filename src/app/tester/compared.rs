//! Tests whose native outcome was compared with the prediction, and why the others were not.

use homi_native::testcase::{PredictedEnd, TestOutcome, read_outcomes};
use homi_report::Summary;
use std::path::Path;

/// Numbers of compared tests. A test that ends in a bug counts apart: the report says of each bug
/// what the native program does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComparedTests {
    pub compared: u64,
    /// Tests that do not end in a bug.
    pub tests: u64,
    /// Reasons of the tests that were not compared, each with a number of tests if there are
    /// several.
    pub reasons: Vec<String>,
}

impl ComparedTests {
    /// Returns the numbers of a run; `None` if all tests were compared.
    pub(super) fn of(summary: &Summary, directory: &Path) -> Option<Self> {
        let summary_of_all = summary.outcomes.as_ref()?;
        let compared = summary_of_all.compared;
        let outcomes = read_outcomes(directory).unwrap_or_default();
        let count = |is: fn(&TestOutcome) -> bool| {
            outcomes.values().filter(|outcome| is(outcome)).count() as u64
        };
        let bugs = count(|outcome| matches!(outcome.end, PredictedEnd::Bug(_)));
        let tests = summary.tests.saturating_sub(bugs);
        let unpredicted = summary.tests.saturating_sub(outcomes.len() as u64);
        let unknown = count(|outcome| matches!(outcome.end, PredictedEnd::Unknown(_)));
        let unstable = count(|outcome| {
            outcome.unstable
                && !matches!(outcome.end, PredictedEnd::Bug(_) | PredictedEnd::Unknown(_))
        });
        let known = compared + unpredicted + unknown + unstable;
        let reasons = [
            (
                unstable,
                "end by addresses, clock, process numbers or random or uninitialized bytes",
            ),
            (unknown, "have no end in homi"),
            (unpredicted, "were not executed again in time"),
            (
                tests.saturating_sub(known),
                "vary from run to run natively or could not run",
            ),
        ];
        let reasons = match &summary_of_all.not_compared {
            Some(reason) => vec![reason.clone()],
            None => (reasons.iter())
                .filter(|(count, _)| *count > 0)
                .map(|(count, reason)| format!("{count} {reason}"))
                .collect(),
        };
        let is_partial = compared < tests;
        is_partial.then_some(Self {
            compared,
            tests,
            reasons,
        })
    }

    /// `, as far as 390 of 416 tests could be compared`, or that none was.
    pub(super) fn limitation(&self) -> String {
        let Self {
            compared, tests, ..
        } = self;
        if *compared == 0 {
            return ", but no test was compared natively".to_string();
        }
        format!(", as far as {compared} of {tests} tests could be compared")
    }

    /// `not compared: 26 tests (20 end by ..., 6 ...)`.
    pub(super) fn line(&self) -> String {
        let count = match self.tests - self.compared {
            1 => "1 test".to_string(),
            count => format!("{count} tests"),
        };
        format!(
            "not compared natively: {count} ({})",
            self.reasons.join("; ")
        )
    }
}
