//! Statistics of a row, read from the files of a job of homi.

use super::sides::Sides;
use super::study_run::{Bug, Covered, Row, thinned};
use homi_native::replay::Inputs;
use homi_native::replay::readable_inputs;
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::{BranchEntry, TestCoverage, read_branches, read_coverage};
use homi_report::Summary;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Maximum number of bugs kept with their inputs per run.
const MOST_BUGS: usize = 50;
/// Number of last lines of a log that are kept.
const LAST_LINES: usize = 12;
/// Bytes at the end of a log that are searched for lines.
const LAST_BYTES: usize = 8 << 10;

/// Fills in the statistics of the run in `output`, which started at `began`. Returns its stop
/// reason; `None` if it did not finish.
pub(super) fn homi(row: &mut Row, output: &Path, began: SystemTime) -> Option<String> {
    row.engine = covered(output, began);
    let text = std::fs::read_to_string(output.join("summary.json")).ok()?;
    let summary: Summary = serde_json::from_str(&text).ok()?;
    row.tests = summary.tests;
    row.instructions = summary.instructions;
    row.work = summary.work;
    row.queries = summary.solver.queries;
    row.solver_s = summary.solver.time_s;
    row.states_mean = summary.states_mean;
    row.states_peak = summary.states_peak;
    row.pruned = summary.paths.pruned;
    row.memory_peak = summary.memory_peak_bytes;
    if let Some(covered) = &mut row.engine {
        covered.total = summary.coverage.branches_total;
    }
    let errors = summary.errors.iter().take(MOST_BUGS);
    row.bugs = errors
        .map(|error| Bug {
            kind: error.kind.clone(),
            message: error.message.clone(),
            location: error.location.clone(),
            test: error.test.clone(),
            inputs: inputs_of(&output.join(format!("{}.ktest", error.test))),
        })
        .collect();
    Some(summary.stop_reason)
}

/// Returns a test's inputs in readable form; empty if the test cannot be read.
pub(super) fn inputs_of(test: &Path) -> Vec<String> {
    let inputs = KTest::read(test)
        .ok()
        .and_then(|test| Inputs::of(&test).ok());
    inputs
        .map(|inputs| readable_inputs(&inputs))
        .unwrap_or_default()
}

/// Returns the coverage of a run's tests, as counted by the engine.
fn covered(output: &Path, began: SystemTime) -> Option<Covered> {
    let branches = read_branches(output).ok()?;
    let tests = read_coverage(output).ok()?;
    let firsts = first_sides(&branches);
    let mut sides = Sides::default();
    let (mut by_time, mut by_work) = (Vec::new(), Vec::new());
    for test in &tests {
        let before = sides.len();
        for (branch, side) in &test.sides {
            if let Some(first) = firsts.get(*branch as usize) {
                sides.insert(first + *side as usize);
            }
        }
        if sides.len() > before {
            by_time.push((written_after(output, test, began), sides.len()));
            by_work.extend(test.work.map(|work| (work, sides.len())));
        }
    }
    Some(Covered {
        branches: sides.len(),
        total: branches.iter().map(|branch| u64::from(branch.sides)).sum(),
        sides,
        by_time: thinned(by_time),
        by_work: thinned(in_order(by_work)),
        main: None,
    })
}

/// Returns the steps by work if they belong to one run, else no steps: each run of a campaign and
/// each thread has its own count.
pub(super) fn in_order(steps: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    if steps.is_sorted() { steps } else { Vec::new() }
}

/// Returns the number of each branch's first side.
fn first_sides(branches: &[BranchEntry]) -> Vec<usize> {
    let mut next = 0;
    let first = |branch: &BranchEntry| {
        let first = next;
        next += branch.sides as usize;
        first
    };
    branches.iter().map(first).collect()
}

/// Returns the milliseconds from the start of the job to the writing of a test.
fn written_after(output: &Path, test: &TestCoverage, began: SystemTime) -> u64 {
    after(&output.join(format!("{}.ktest", test.test)), began)
}

/// Returns the milliseconds from `began` to the last write to a file.
pub(super) fn after(file: &Path, began: SystemTime) -> u64 {
    let written = std::fs::metadata(file).and_then(|data| data.modified());
    let age = written.map(|written| written.duration_since(began).unwrap_or_default());
    let milliseconds = age.unwrap_or(Duration::ZERO).as_millis();
    u64::try_from(milliseconds).unwrap_or(u64::MAX)
}

/// Returns the last non-empty lines of a log.
pub(super) fn last_lines(log: &Path) -> Vec<String> {
    let bytes = std::fs::read(log).unwrap_or_default();
    let end = &bytes[bytes.len().saturating_sub(LAST_BYTES)..];
    let text = String::from_utf8_lossy(end);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    last.iter()
        .map(|line| line.chars().take(400).collect())
        .collect()
}
