//! Lines that KLEE prints and scripts search for.
//!
//! Invariant: the format is KLEE's; the values are homi's.

use homi_report::Summary;

/// Prefix of every line.
pub(super) const NAME: &str = "KLEE: ";

/// Line printed before the tests of open states are written.
pub(super) const HALTING: &str = "halting execution, dumping remaining states";
pub(super) const TIMER: &str = "HaltTimer invoked";
pub(super) const INTERRUPTED: &str = "ctrl-c detected, requesting interpreter to halt.";
/// Line printed before the text of the error that ended the run.
pub(super) const EXITING: &str = "EXITING ON ERROR:";

/// Lines in `info` before and after the description of the searcher.
pub(super) const SEARCHER: (&str, &str) =
    ("BEGIN searcher description", "END searcher description");

/// Returns the line for an error that ends the command.
pub(super) fn error(text: &str) -> String {
    format!("{NAME}ERROR: {text}")
}

/// Returns the text for an option without effect.
pub(super) fn without_meaning(option: &str, why: &str) -> String {
    format!("--{option} changes nothing here: {why}")
}

/// Statistic of the run.
struct Figure {
    name: &'static str,
    value: fn(&Summary) -> u64,
}

/// Returns the number of paths that reached the program's exit.
fn completed(run: &Summary) -> u64 {
    run.paths.completed - run.paths.silent.min(run.paths.completed)
}

/// Returns the number of paths that did not reach the program's exit.
fn partial(run: &Summary) -> u64 {
    run.paths.total() - completed(run)
}

/// Statistics that only `info` has.
const DETAILS: [Figure; 2] = [
    Figure {
        name: "explored paths",
        value: |run| run.paths.total(),
    },
    Figure {
        name: "total queries",
        value: |run| run.solver.queries,
    },
];

/// Statistics at the end of the run.
const TOTALS: [Figure; 4] = [
    Figure {
        name: "total instructions",
        value: |run| run.instructions,
    },
    Figure {
        name: "completed paths",
        value: completed,
    },
    Figure {
        name: "partially completed paths",
        value: partial,
    },
    Figure {
        name: "generated tests",
        value: |run| run.tests,
    },
];

fn lines(figures: &[Figure], run: &Summary) -> String {
    let lines = figures.iter();
    lines
        .map(|figure| format!("{NAME}done: {} = {}\n", figure.name, (figure.value)(run)))
        .collect()
}

/// Returns the lines that `info` has before the totals.
pub(super) fn details(run: &Summary) -> String {
    lines(&DETAILS, run)
}

/// Returns the last lines.
pub(super) fn totals(run: &Summary) -> String {
    lines(&TOTALS, run)
}
