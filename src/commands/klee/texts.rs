//! The lines that KLEE prints, as scripts look for them.
//!
//! Invariant: the form is KLEE's; the meaning is what homi did.

use crate::report::Summary;

/// The beginning of every line.
pub(super) const NAME: &str = "KLEE: ";

/// Before the tests of open states are written.
pub(super) const HALTING: &str = "halting execution, dumping remaining states";
pub(super) const TIMER: &str = "HaltTimer invoked";
pub(super) const INTERRUPTED: &str = "ctrl-c detected, requesting interpreter to halt.";
/// Before the text of the error that ended the run.
pub(super) const EXITING: &str = "EXITING ON ERROR:";

/// What stands in `info` before and after how states are chosen.
pub(super) const SEARCHER: (&str, &str) =
    ("BEGIN searcher description", "END searcher description");

/// An error that ends the command.
pub(super) fn error(text: &str) -> String {
    format!("{NAME}ERROR: {text}")
}

/// Why an option does nothing.
pub(super) fn without_meaning(option: &str, why: &str) -> String {
    format!("--{option} changes nothing here: {why}")
}

/// A figure of the run.
struct Figure {
    name: &'static str,
    value: fn(&Summary) -> u64,
}

/// Paths that came to the program's exit.
fn completed(run: &Summary) -> u64 {
    run.paths.completed - run.paths.silent.min(run.paths.completed)
}

/// Paths that did not.
fn partial(run: &Summary) -> u64 {
    run.paths.total() - completed(run)
}

/// The figures that stand in `info` only.
const DETAILS: [Figure; 2] = [
    Figure {
        name: "explored paths",
        value: |run| run.paths.total(),
    },
    Figure {
        name: "total queries",
        value: |run| run.solver.questions,
    },
];

/// The figures at the end of the run.
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

/// What `info` has before the totals.
pub(super) fn details(run: &Summary) -> String {
    lines(&DETAILS, run)
}

/// The last lines.
pub(super) fn totals(run: &Summary) -> String {
    lines(&TOTALS, run)
}
