//! Is what the engine says that a test covers what the native program takes? Branch side for branch
//! side.
//!
//! Invariant: tests of paths that ended must take exactly the sides in `coverage.jsonl`; tests of
//! paths that stopped early must take at least these. The program is the same bitcode with counters
//! (`homi instrument`), so no compiler stands between the two.

use super::sandbox::Ending;
use super::session::{ReplayOptions, Status, TestResult, run};
use crate::testcase::{BranchEntry, TestCoverage, read_branches, read_coverage};
use anyhow::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Sides that only one of the two has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub test: String,
    pub ended: bool,
    /// End of the native run.
    pub status: String,
    /// Branch sides that only homi says are covered, as `file:line function side N`.
    pub only_homi: Vec<String>,
    pub only_native: Vec<String>,
}

/// The outcome of comparing all tests of an output directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exactness {
    /// Tests of ended paths with equal sets.
    pub equal: usize,
    /// Tests of paths whose set is contained in the native one: unfinished paths, and bugs that the
    /// native program passes over.
    pub contained: usize,
    pub differences: Vec<Difference>,
    /// Tests that could not be replayed, and why.
    pub failed: Vec<String>,
    /// Sides that all tests took natively.
    pub taken: usize,
    /// Warnings about the replay.
    pub warnings: Vec<String>,
}

/// Replays the tests of `directory` on an instrumented program and compares.
pub fn check_coverage(
    options: &ReplayOptions,
    directory: &Path,
    progress: &mut dyn FnMut(&TestResult) -> anyhow::Result<()>,
) -> anyhow::Result<Exactness> {
    let unreadable = || format!("cannot read the coverage log in {}", directory.display());
    let branches = read_branches(directory).with_context(unreadable)?;
    let log = read_coverage(directory).with_context(unreadable)?;
    let log: BTreeMap<&str, &TestCoverage> = log
        .iter()
        .map(|entry| (entry.test.as_str(), entry))
        .collect();
    let options = ReplayOptions {
        tests: vec![directory.to_path_buf()],
        sides: Some(branches.iter().map(|branch| branch.sides).collect()),
        ..options.clone()
    };
    let replay = run(&options, progress)?;
    let mut outcome = Exactness {
        warnings: replay.warnings,
        ..Exactness::default()
    };
    let mut all = BTreeSet::new();
    for result in &replay.results {
        let name = result.test.file_stem().unwrap_or_default();
        let name = name.to_string_lossy();
        let (Some(taken), Some(entry)) = (&result.taken, log.get(&*name)) else {
            let reason = match &result.status {
                Status::Error(text) => text.as_str(),
                Status::Ended(_) => "not in the coverage log",
            };
            outcome.failed.push(format!("{name}: {reason}"));
            continue;
        };
        all.extend(taken.iter().copied());
        outcome.compare(&branches, entry, taken, result);
    }
    outcome.taken = all.len();
    Ok(outcome)
}

impl Exactness {
    fn compare(
        &mut self,
        branches: &[BranchEntry],
        entry: &TestCoverage,
        taken: &BTreeSet<(u32, u32)>,
        result: &TestResult,
    ) {
        let prediction: BTreeSet<(u32, u32)> = entry.sides.iter().copied().collect();
        let only_homi: Vec<_> = prediction.difference(taken).collect();
        let is_whole = entry.ended && !passes_over_a_bug(result);
        let only_native: Vec<_> = if is_whole {
            taken.difference(&prediction).collect()
        } else {
            Vec::new()
        };
        if only_homi.is_empty() && only_native.is_empty() {
            if is_whole {
                self.equal += 1
            } else {
                self.contained += 1
            }
            return;
        }
        let describe = |list: Vec<&(u32, u32)>| {
            list.into_iter()
                .map(|(branch, side)| match branches.get(*branch as usize) {
                    Some(site) => {
                        format!("{}:{} {} side {side}", site.file, site.line, site.function)
                    }
                    None => format!("branch {branch} side {side}"),
                })
                .collect()
        };
        self.differences.push(Difference {
            test: entry.test.clone(),
            ended: entry.ended,
            status: result.status.to_string(),
            only_homi: describe(only_homi),
            only_native: describe(only_native),
        });
    }
}

/// True if a test has a bug report and the native program continued nevertheless, as after most
/// accesses a little out of bounds.
fn passes_over_a_bug(result: &TestResult) -> bool {
    let Status::Ended(Ending::Exit(_)) = result.status else {
        return false;
    };
    let (Some(directory), Some(stem)) = (result.test.parent(), result.test.file_stem()) else {
        return false;
    };
    let start = format!("{}.", stem.to_string_lossy());
    let files = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    names
        .into_iter()
        .any(|name| name.starts_with(&start) && name.ends_with(".err"))
}
