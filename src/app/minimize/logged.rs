//! The coverage of tests according to the logs of the runs that made them.

use super::{Covering, Reports};
use anyhow::{Context, bail};
use homi_native::testcase::{BranchEntry, TestCoverage, read_branches, read_coverage, tests_in};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Reads the tests of the directories, whose runs must be of the same program. Tests that no log
/// mentions are left out.
pub(super) fn read(
    directories: &[PathBuf],
    left_out: &mut Vec<String>,
) -> anyhow::Result<Vec<Covering>> {
    let mut known: Option<(&Path, Vec<BranchEntry>)> = None;
    let mut tests = Vec::new();
    for directory in directories {
        let shown = directory.display();
        let no_log = || {
            format!(
                "{shown} has no coverage log of homi; name the program's bitcode with --program \
                 to measure what its tests cover"
            )
        };
        let branches = read_branches(directory).with_context(no_log)?;
        let log = read_coverage(directory).with_context(no_log)?;
        match &known {
            Some((first, others)) if *others != branches => bail!(
                "the tests in {} and {shown} are of different programs; name the program's bitcode \
                 with --program to measure what they cover",
                first.display()
            ),
            Some(_) => {}
            None => known = Some((directory, branches)),
        }
        let branches = known.as_ref().map_or(&[][..], |(_, branches)| branches);
        add(directory, &first_sides(branches), log, &mut tests, left_out)?;
    }
    Ok(tests)
}

/// The number of each branch's first side.
fn first_sides(branches: &[BranchEntry]) -> Vec<u32> {
    let mut next = 0;
    let first = branches.iter().map(|branch| {
        let first = next;
        next += branch.sides;
        first
    });
    first.collect()
}

/// Adds the tests of one directory.
fn add(
    directory: &Path,
    first: &[u32],
    log: Vec<TestCoverage>,
    tests: &mut Vec<Covering>,
    left_out: &mut Vec<String>,
) -> anyhow::Result<()> {
    let unreadable = || format!("cannot read {}", directory.display());
    let log: BTreeMap<String, TestCoverage> = log
        .into_iter()
        .map(|entry| (entry.test.clone(), entry))
        .collect();
    let mut reports = Reports::default();
    for path in tests_in(directory).with_context(unreadable)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let Some(entry) = log.get(&*name) else {
            left_out.push(format!("{}: it is not in the coverage log", path.display()));
            continue;
        };
        let sides = entry.sides.iter();
        let sides = sides.filter_map(|(branch, side)| Some(first.get(*branch as usize)? + side));
        tests.push(Covering {
            size: fs::metadata(&path).with_context(unreadable)?.len(),
            sides: sides.collect(),
            bug: reports.fingerprint(&path),
            path,
        });
    }
    Ok(())
}
