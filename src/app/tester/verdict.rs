//! What the end of a run means, in a sentence for who has never heard of paths being narrowed.

use crate::report::Summary;

/// What the verdict of a run means. `stopped` is why it ended, as the run says it.
pub(super) fn verdict(summary: &Summary, stopped: &str) -> String {
    match summary.stop_reason.as_str() {
        "exhausted" if summary.subsumption.is_some() => format!("{stopped}."),
        "exhausted" => {
            "Every path was followed to its end: with inputs of these kinds and sizes the \
                        program does nothing else."
                .to_string()
        }
        "exhausted-narrowed" => format!(
            "Nearly everything was followed: {stopped}. Other values may do something else there."
        ),
        "no-states-left" => format!(
            "Not every path was followed to its end: {}. What lies behind is not known.",
            stopped
                .strip_prefix("no state is left, but ")
                .unwrap_or(stopped)
        ),
        "max-time" => {
            "The time was up before every path was followed: a longer run (--max-time) may \
                       find more."
                .to_string()
        }
        "interrupted" => {
            "You stopped it before every path was followed: a longer run may find more.".to_string()
        }
        "targets-reached" => {
            "Every line to reach was reached, so it stopped: what else the program \
                              does was not looked at (--stop-at-targets=false goes on)."
                .to_string()
        }
        "error-found" => {
            "It ended at the first bug, as --exit-on-error says: there may be more.".to_string()
        }
        "max-instructions" | "max-tests" | "max-runs" => format!(
            "It ended before every path was followed ({stopped}): a longer run may find more."
        ),
        "out-of-memory" => "The memory limit was too small for a single path: a run with more \
                            (--max-memory) finds out what lies behind."
            .to_string(),
        _ => format!("It ended before every path was followed: {stopped}."),
    }
}
