//! Meaning of the end of a run, in a sentence for newcomers, and how to continue.

use super::compared::ComparedTests;
use homi_report::Summary;
use std::path::Path;

/// Returns the meaning of a run's end. `stopped` is the stop reason of the run, `compared` the
/// tests that were compared if not all were.
pub(super) fn verdict(
    summary: &Summary,
    stopped: &str,
    compared: Option<&ComparedTests>,
) -> String {
    let outcomes = summary.outcomes.as_ref();
    let divergences = outcomes.map_or(0, |outcomes| outcomes.divergences.len());
    if divergences > 0 && summary.stop_reason.starts_with("exhausted") {
        return format!(
            "The native program does something else than homi predicts on {divergences} of {} \
             tests, so it may have further behavior.",
            summary.tests
        );
    }
    match summary.stop_reason.as_str() {
        "exhausted" if summary.subsumption.is_some() => format!("{stopped}."),
        "exhausted" => format!(
            "All paths explored: the tests show every behavior for inputs of this layout{}.",
            compared.map_or_else(String::new, ComparedTests::limitation)
        ),
        "exhausted-underapproximated" => format!(
            "The run is an under-approximation: {stopped}. Other values may behave differently \
             there."
        ),
        "no-states-left" => format!(
            "Not all paths were explored: {}. Their continuations are unknown.",
            stopped
                .strip_prefix("no states left, but ")
                .unwrap_or(stopped)
        ),
        "max-time" => {
            "Time limit reached before all paths were explored; a longer run (--max-time) may find \
             more."
                .to_string()
        }
        "interrupted" => {
            "The run was interrupted before all paths were explored; a longer run may find more."
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
            "The run ended before all paths were explored ({stopped}); a longer run may find more."
        ),
        "out-of-memory" => {
            "The memory limit was too small for a single path; raise --max-memory.".to_string()
        }
        _ => format!("The run ended before all paths were explored: {stopped}."),
    }
}

/// Returns how to continue a run that left open paths; `None` if it left none.
pub(super) fn continuation(summary: &Summary, directory: &Path) -> Option<String> {
    let advice = match summary.stop_reason.as_str() {
        "max-time" => " and a larger --max-time",
        "max-instructions" => " and a larger --max-instructions",
        "max-tests" => " and a larger --max-tests",
        "max-runs" => " and a larger --max-runs",
        "interrupted" | "out-of-memory" | "error-found" => "",
        _ => return None,
    };
    let shown = directory.display();
    Some(format!(
        "To continue from these tests, repeat the command with --seed-dir {shown}{advice}."
    ))
}
