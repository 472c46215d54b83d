//! Meaning of the end of a run, in a sentence for newcomers.

use crate::report::Summary;

/// Returns the meaning of a run's end. `stopped` is the stop reason of the run.
pub(super) fn verdict(summary: &Summary, stopped: &str) -> String {
    let outcomes = summary.outcomes.as_ref();
    let divergences = outcomes.map_or(0, |outcomes| outcomes.divergences.len());
    if divergences > 0 && summary.stop_reason.starts_with("exhausted") {
        return format!(
            "Every path was followed, but homi does not know all that the native program does: \
             it diverges on {divergences} of {} tests.",
            summary.tests
        );
    }
    match summary.stop_reason.as_str() {
        "exhausted" if summary.subsumption.is_some() => format!("{stopped}."),
        "exhausted" => {
            "Every path was followed to its end: the program does nothing else on inputs of these \
             kinds and sizes."
                .to_string()
        }
        "exhausted-underapproximated" => format!(
            "Nearly every path was followed: {stopped}. Other values may behave differently there."
        ),
        "no-states-left" => format!(
            "Not every path was followed to its end: {}. Their continuations are unknown.",
            stopped
                .strip_prefix("no state is left, but ")
                .unwrap_or(stopped)
        ),
        "max-time" => {
            "Time ran out before every path was followed: a longer run (--max-time) may find more."
                .to_string()
        }
        "interrupted" => {
            "You stopped the run before every path was followed: a longer run may find more."
                .to_string()
        }
        "targets-reached" => {
            "The run stopped because it reached every target line; --stop-at-targets=false \
             explores the rest."
                .to_string()
        }
        "error-found" => {
            "The run stopped at the first bug (--exit-on-error): there may be more.".to_string()
        }
        "max-instructions" | "max-tests" | "max-runs" => format!(
            "The run ended before every path was followed ({stopped}): a longer run may find more."
        ),
        "out-of-memory" => {
            "The memory limit was too small for a single path; raise --max-memory.".to_string()
        }
        _ => format!("The run ended before every path was followed: {stopped}."),
    }
}
