//! Merge of the results of jobs: tests to keep, coverage, statistics.
//!
//! Invariant: the kept tests show every branch side and every bug that the tests of any result
//! show.

use super::error::{Result, failed};
use super::merged::{Merged, Names, next_test};
use super::state::{State, write_whole};
use homi_native::testcase::{COVERAGE_LOG, TestCoverage, read_coverage};
use homi_report::{AddUp, ErrorSummary, Summary, read_lines};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const FINDINGS: &str = "findings.jsonl";
const SUMMARY: &str = "summary.json";

/// Contents of the output directory.
pub(super) struct Shown {
    merged: Merged,
    /// Branch sides that the tests cover.
    sides: BTreeSet<(u32, u32)>,
    pub(super) summary: Option<Summary>,
}

/// Tests kept from a result.
pub(super) struct Kept {
    pub(super) names: Names,
}

impl Shown {
    pub(super) fn read(job_directory: &Path, state: &State) -> Result<Self> {
        let merged = Merged::open(job_directory, state)?;
        let path = &merged.path;
        let mut sides = BTreeSet::new();
        if state.lengths.contains_key(COVERAGE_LOG) {
            let lines = read_coverage(path).map_err(|error| failed("read", path, &error))?;
            sides.extend(lines.iter().flat_map(|line| &line.sides));
        }
        Ok(Self {
            merged,
            sides,
            summary: state.summary.clone(),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.merged.path
    }

    /// Returns the number of branch sides that the tests cover.
    pub(super) fn branches(&self) -> u64 {
        self.sides.len() as u64
    }

    pub(super) fn add_lines<L: serde::Serialize>(
        &self,
        state: &mut State,
        name: &str,
        lines: impl IntoIterator<Item = L>,
    ) -> Result<()> {
        self.merged.add_lines(state, name, lines)
    }

    /// Takes a result's tests and statistics. `stays` decides if a test without new coverage is
    /// kept.
    pub(super) fn take(
        &mut self,
        state: &mut State,
        run: &Path,
        result: &Summary,
        stays: impl Fn(&str) -> bool,
    ) -> Result<Kept> {
        self.merged.furnish(run)?;
        let lines = read_coverage(run).map_err(|error| failed("read", run, &error))?;
        let known: BTreeSet<(String, String, u64)> = self.bugs().iter().map(bug).collect();
        let is_new = |error: &&ErrorSummary| !known.contains(&bug(error));
        let errors: Vec<ErrorSummary> = result.errors.iter().filter(is_new).cloned().collect();
        let mut names = BTreeMap::new();
        let mut kept = Vec::new();
        for line in lines {
            let new: Vec<(u32, u32)> = line
                .sides
                .iter()
                .filter(|side| !self.sides.contains(side))
                .copied()
                .collect();
            let is_bugs = errors.iter().any(|error| error.test == line.test);
            if new.is_empty() && !is_bugs && !stays(&line.test) {
                continue;
            }
            self.sides.extend(&new);
            let name = next_test(state);
            names.insert(line.test.clone(), name.clone());
            // Work is counted per job, so it has no meaning here.
            kept.push(TestCoverage {
                test: name,
                new,
                work: None,
                ..line
            });
        }
        let names = Names(names);
        self.merged.take_tests(run, &names)?;
        self.merged.add_lines(state, COVERAGE_LOG, kept)?;
        self.merged
            .add_lines(state, FINDINGS, findings(run, &names, &errors)?)?;
        self.add_statistics(result, errors, &names);
        Ok(Kept { names })
    }

    fn bugs(&self) -> &[ErrorSummary] {
        self.summary.as_ref().map_or(&[], |summary| &summary.errors)
    }

    fn add_statistics(&mut self, result: &Summary, errors: Vec<ErrorSummary>, names: &Names) {
        let mut summary = match self.summary.take() {
            Some(mut summary) => {
                summary.add_up(result);
                summary.coverage.instructions = summary
                    .coverage
                    .instructions
                    .max(result.coverage.instructions);
                for underapproximations in &result.underapproximations {
                    add_underapproximations(&mut summary, underapproximations);
                }
                summary
            }
            None => Summary {
                errors: Vec::new(),
                tests: 0,
                ..result.clone()
            },
        };
        let name = |test: &String| names.0.get(test).cloned().unwrap_or_default();
        summary
            .errors
            .extend(errors.into_iter().map(|error| ErrorSummary {
                test: name(&error.test),
                ..error
            }));
        self.summary = Some(summary);
    }

    /// Writes the merged statistics of all results.
    pub(super) fn write_summary(&mut self, state: &mut State, reason: &str) -> Result<()> {
        let branches = self.branches();
        if let Some(summary) = &mut self.summary {
            summary.coverage.branches = branches;
            summary.tests = state.last_test;
            summary.stop_reason = reason.to_string();
            summary.resumed = None;
            write_whole(&self.merged.path.join(SUMMARY), summary)?;
        }
        state.summary = self.summary.clone();
        Ok(())
    }
}

/// The identity of a bug: two checks in one line are two bugs.
fn bug(error: &ErrorSummary) -> (String, String, u64) {
    (error.kind.clone(), error.location.clone(), error.column)
}

/// Merges the under-approximations of a result: each kind is listed once, with the sum of its
/// counts.
fn add_underapproximations(summary: &mut Summary, more: &homi_report::UnderapproximationSummary) {
    let there = summary
        .underapproximations
        .iter_mut()
        .find(|one| one.kind == more.kind && one.location == more.location);
    match there {
        Some(there) => there.count += more.count,
        None => summary.underapproximations.push(more.clone()),
    }
}

/// Returns the lines of a result's findings that concern kept tests and new bugs.
fn findings(run: &Path, names: &Names, errors: &[ErrorSummary]) -> Result<Vec<Value>> {
    let path = run.join(FINDINGS);
    let lines: Vec<Value> = read_lines(&path).map_err(|error| failed("read", &path, &error))?;
    let mut kept = Vec::new();
    for mut line in lines {
        let Some(test) = line["test"].as_str().map(str::to_string) else {
            continue;
        };
        let Some(name) = names.0.get(&test) else {
            continue;
        };
        let is_bug = line["finding"] == "bug";
        if is_bug && !errors.iter().any(|error| error.test == test) {
            continue;
        }
        line["test"] = Value::String(name.clone());
        kept.push(line);
    }
    Ok(kept)
}
