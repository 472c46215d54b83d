//! Messages about paths while the program runs: bugs, unsupported features, stacks that are too
//! deep.
//!
//! Invariant: each unsupported feature is reported once, however many paths have it.

use super::finishing::Finished;
use homi_config::RunConfig;
use homi_ir::program::Program;
use homi_machine::exec::{Bug, EarlyReason, Termination, Unsupported};
use homi_report::{ReportedBug, SharedLog};

/// Number of different unsupported features that are reported while the program runs.
const UNSUPPORTED_REPORTED: usize = 20;

/// Warns of a path that ends because of the depth of its stack, if the dialect has that warning.
pub(in crate::engine) fn warn_of_deep_stack(
    log: &SharedLog,
    config: &RunConfig,
    termination: &Termination,
) {
    if let Termination::Early(reason @ EarlyReason::RecursionLimit) = termination
        && config.dialect.warns_of_deep_stacks()
    {
        log.lock().warning(reason.klees_message());
    }
}

/// Reports a bug if it is new, or if every occurrence is to be reported.
pub(in crate::engine) fn report_bug(
    log: &SharedLog,
    config: &RunConfig,
    program: &Program,
    bug: &Bug,
    finished: &Finished,
) {
    let repeats = config.dialect.reports_repeated_bugs() && config.tests.all_errors;
    if finished.new_bug || repeats {
        let place = bug.reported_place(program);
        let has_values = !finished.values.is_empty();
        let column = has_values
            .then(|| bug.column(program))
            .filter(|column| *column != 0);
        let column = column.map_or_else(String::new, |column| format!(":{column}"));
        let place = place.map(|(file, line)| format!("{file}:{line}{column}"));
        let message = match finished.values.as_str() {
            "" => bug.message.clone(),
            values => format!("{}: {values}", bug.message),
        };
        log.lock().bug(ReportedBug {
            place: place.as_deref(),
            message: &message,
            test: finished.test.as_deref(),
            repeats,
        });
    }
}

/// Reports each unsupported feature once, and only the first ones of many; `kinds` is the number of
/// different unsupported features.
pub(in crate::engine) fn warn_unsupported(
    log: &SharedLog,
    program: &Program,
    unsupported: &Unsupported,
    kinds: usize,
) {
    let place = program.describe_location(unsupported.location);
    let text = format!("paths end early at {place}: {}", unsupported.what);
    let mut log = log.lock();
    match kinds {
        kinds if kinds <= UNSUPPORTED_REPORTED => log.warning_once(&text, &text),
        _ => log.warning_once(
            "more unsupported features",
            "paths end early elsewhere too: `unsupported` of summary.json lists it all",
        ),
    }
}
