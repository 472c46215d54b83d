//! Predicted outcomes of tests and divergences of the native program, in `summary.json` and among
//! the last lines of a run.

use super::schema::Described;
use super::statistics::statistics;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter, Write};

/// Divergences that the last lines of a run list; `summary.json` has all.
const LISTED: usize = 5;

statistics! {
    /// Outcomes of the tests: predicted by homi, and compared with the native program.
    #[derive(Eq)]
    OutcomeSummary in "`summary.json`: `outcomes`" {
        /// Tests of this session with a predicted outcome.
        predicted: u64, Count, Sum;
        /// Predicted tests that end otherwise natively, but whose end depends on addresses, process
        /// numbers, the clock, random or uninitialized bytes, so that it is not compared.
        unstable: u64, Count, Sum;
        /// Tests without a predicted outcome, because the time for predictions was used up.
        not_predicted: u64, Count, Sum;
        /// Tests whose native outcome was compared with the prediction.
        compared: u64, Count, Sum;
        /// Reason why no test was compared with the native program; absent if one was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        not_compared: Option<String>, Text, Own;
        /// Tests on which the native program does something else than homi predicts.
        divergences: Vec<Divergence>, Groups, Own;
    }
}

statistics! {
    /// Replays of the tests of bugs.
    #[derive(Eq)]
    ConfirmationSummary in "`summary.json`: `confirmations`" {
        /// Bugs that the native program shows in the same way at the same line.
        confirmed: u64, Count, Sum;
        /// Bugs that end the native program by a signal of their kind, which names no line.
        confirmed_by_signal: u64, Count, Sum;
        /// Bugs whose test makes the native program fail in another way or at another line.
        seen_otherwise: u64, Count, Sum;
        /// Bugs whose test does not make the native program fail.
        unseen: u64, Count, Sum;
        /// Bugs whose test no native program ran.
        not_replayed: u64, Count, Sum;
    }
}

statistics! {
    /// Replay of a bug's test on the native program.
    #[derive(Eq)]
    ErrorConfirmation in "`summary.json`: `errors`: `confirmation`" {
        /// `confirmed`, `confirmed-by-signal`, `seen-otherwise`, `unseen` or `not-replayed`; see
        /// `confirmations`.
        result: ReplayResult, Text, Own;
        /// Native end or report, or the reason why no program ran the test.
        how: String, Text, Own;
        /// True if the replay refutes the bug: a program ran the whole test that fails otherwise
        /// than the bug says, or does not fail, where the bug would show.
        #[serde(default)]
        refutes: bool, Boolean, Own;
    }
}

/// Result of the replay of a bug's test.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplayResult {
    Confirmed,
    ConfirmedBySignal,
    SeenOtherwise,
    Unseen,
    #[default]
    NotReplayed,
}

impl Described for ReplayResult {
    fn schema() -> serde_json::Value {
        let names = [
            "confirmed",
            "confirmed-by-signal",
            "seen-otherwise",
            "unseen",
            "not-replayed",
        ];
        serde_json::json!({"enum": names})
    }
}

statistics! {
    /// A test on which the native program does something else than homi predicts.
    #[derive(Eq)]
    Divergence in "`summary.json`: `outcomes`: `divergences`, event `test-replayed`" {
        /// Name of the test.
        test: String, Text, Own;
        /// Predicted end, such as `exit 1`.
        predicted: String, Text, Own;
        /// Native end: `exit 2`, `signal SIGABRT`, `timeout`.
        native: String, Text, Own;
        /// First differing line of each stream that differs.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        output: Vec<DivergentLine>, Groups, Own;
        /// First library call that gets the same and gives something else natively, with its place
        /// and both results; absent if none was found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<String>, Text, Own;
    }
}

statistics! {
    /// First differing line of an output stream.
    #[derive(Eq)]
    DivergentLine in "`summary.json`: `outcomes`: `divergences`: `output`" {
        /// `stdout`, `stderr` or the name of a file.
        stream: String, Text, Own;
        /// Number of the line, from 1.
        line: u64, Number, Own;
        /// Number of the first differing byte in the line, from 1.
        column: u64, Number, Own;
        /// Predicted line; absent if the predicted output ends before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        predicted: Option<String>, Text, Own;
        /// Native line; absent if the native output ends before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        native: Option<String>, Text, Own;
    }
}

impl Divergence {
    /// Kinds of difference: `exit status`, `stdout`, `stderr`.
    pub fn kinds(&self) -> Vec<&str> {
        let end = (self.predicted != self.native).then_some("exit status");
        let streams = self.output.iter().map(|line| line.stream.as_str());
        end.into_iter().chain(streams).collect()
    }
}

impl Display for Divergence {
    /// One line, such as `homi predicts exit 1, the native program gives exit 2`.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if self.predicted != self.native {
            let (ours, theirs) = (&self.predicted, &self.native);
            write!(
                out,
                "homi predicts {ours}, the native program gives {theirs}"
            )?;
            separator = "; ";
        }
        for line in &self.output {
            write!(out, "{separator}{line}")?;
            separator = "; ";
        }
        match &self.cause {
            Some(cause) => write!(out, "; first differing call: {cause}"),
            None => Ok(()),
        }
    }
}

impl Display for DivergentLine {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let text = |line: &Option<String>| match line {
            Some(line) => format!("{line:?}"),
            None => "nothing".to_string(),
        };
        write!(
            out,
            "{} line {}: homi predicts {}, the native program prints {}",
            self.stream,
            self.line,
            text(&self.predicted),
            text(&self.native)
        )
    }
}

/// The lines about the comparison with the native program among the last ones of a run.
pub fn comparison_lines(outcomes: &OutcomeSummary, tests: u64) -> String {
    let OutcomeSummary {
        compared,
        not_compared,
        divergences,
        ..
    } = outcomes;
    if let Some(reason) = not_compared {
        return format!("homi: done: not compared with the native program: {reason}\n");
    }
    let mut text =
        format!("homi: done: tests compared with the native program = {compared} of {tests}\n");
    if divergences.is_empty() {
        return text;
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "homi: done: divergences = {}", divergences.len());
    for divergence in divergences.iter().take(LISTED) {
        let _ = writeln!(text, "homi: done:   {}: {divergence}", divergence.test);
    }
    if let more @ 1.. = divergences.len().saturating_sub(LISTED) {
        let _ = writeln!(text, "homi: done:   and {more} more (summary.json has all)");
    }
    text
}
