//! Tests as candidates for cases: each input once, with what it does natively.

use super::bug_text::{BugText, without_numbers};
use super::condition_text::SourceTexts;
use crate::minimize::{Covering, Reports, choose};
use anyhow::{Context, bail};
use homi_native::kept::{Case, End, Ran, Recorder};
use homi_native::replay::Inputs;
use homi_native::testcase::ktest::KTest;
use homi_native::testcase::tests_in;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A test that may become a case.
pub(super) struct Candidate {
    pub(super) test: PathBuf,
    pub(super) case: Case,
    pub(super) ran: Ran,
    /// Boundaries of comparisons that the input is at, as numbers beyond all branch sides.
    pub(super) boundaries: Vec<u32>,
    pub(super) bug: Option<BugText>,
}

/// Candidates, and the tests that are none.
#[derive(Default)]
pub(super) struct Candidates {
    pub(super) all: Vec<Candidate>,
    /// Names of tests, and why they are left out.
    pub(super) left_out: Vec<(String, String)>,
    /// Tests whose input another one has, or a case.
    pub(super) repeated: usize,
    known: BTreeSet<String>,
    reports: Reports,
}

/// Returns the tests that arguments name, by path.
pub(super) fn tests_of(arguments: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut tests = Vec::new();
    for argument in arguments {
        if argument.is_dir() {
            let failed = || format!("cannot read {}", argument.display());
            let found = tests_in(argument).with_context(failed)?;
            if found.is_empty() {
                bail!("{} has no .ktest files", argument.display());
            }
            tests.extend(found);
        } else {
            tests.push(argument.clone());
        }
    }
    Ok(tests)
}

impl Candidates {
    /// Begins with the identities of cases that are kept, or that do not return.
    pub(super) fn without(known: BTreeSet<String>) -> Self {
        Self {
            known,
            ..Self::default()
        }
    }

    /// Runs a test natively, if it can be a case.
    pub(super) fn add(
        &mut self,
        test: &Path,
        boundaries: Vec<u32>,
        recorder: &Recorder,
        texts: &mut SourceTexts,
    ) -> anyhow::Result<()> {
        let name = test
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let read = KTest::read(test).map_err(|error| error.to_string());
        let inputs = read.and_then(|test| Inputs::of(&test).map_err(|error| error.to_string()));
        let case = match inputs.and_then(|inputs| Case::of(&inputs)) {
            Ok(case) => case,
            Err(why) => {
                self.left_out.push((name, why));
                return Ok(());
            }
        };
        if !self.known.insert(case.identity()) {
            self.repeated += 1;
            return Ok(());
        }
        let ran = recorder.measure(&case)?;
        if ran.end.is_none() {
            self.left_out
                .push((name, "it does not end in time".to_string()));
            return Ok(());
        }
        let bug = BugText::of_report(test, &mut self.reports, texts);
        self.all.push(Candidate {
            test: test.to_path_buf(),
            case,
            ran,
            boundaries,
            bug,
        });
        Ok(())
    }

    /// Names the bugs of tests without a report: a run reports each bug once, and later paths end
    /// there, too.
    pub(super) fn name_bugs(&mut self) {
        let mut reported: Vec<(Option<End>, BugText)> = Vec::new();
        for candidate in &self.all {
            if let (Some(bug), true) = (&candidate.bug, candidate.crashes()) {
                reported.push((candidate.ran.end, bug.clone()));
            }
        }
        let unreported = self
            .all
            .iter_mut()
            .filter(|one| one.bug.is_none() && one.crashes());
        for candidate in unreported {
            let mut alike = reported.iter().filter(|(end, _)| *end == candidate.ran.end);
            let bug = alike.next().map(|(_, bug)| bug.clone());
            candidate.bug = bug.or_else(|| candidate.ran.end.and_then(BugText::of_end));
        }
    }

    /// Returns the numbers of few candidates that cover what the sides lack, and of one for each
    /// bug that is not among the lines `bugs`.
    pub(super) fn choose(&self, sides: &BTreeSet<u32>, bugs: &BTreeSet<String>) -> Vec<usize> {
        let covering = self.all.iter().map(|candidate| {
            let bug = candidate.bug.as_ref().map(|bug| without_numbers(&bug.line));
            let is_known = bug.as_ref().is_some_and(|bug| bugs.contains(bug));
            Covering {
                path: candidate.test.clone(),
                size: candidate.case.size() as u64,
                // What a bug cuts off is not covered by a test that passes.
                sides: if bug.is_some() {
                    Vec::new()
                } else {
                    [&candidate.ran.sides[..], &candidate.boundaries].concat()
                },
                bug: bug.filter(|_| !is_known),
            }
        });
        let covering: Vec<Covering> = covering.collect();
        choose(&covering, sides.clone())
    }
}

impl Candidate {
    /// True if a native run ends by a signal.
    pub(super) fn crashes(&self) -> bool {
        matches!(self.ran.end, Some(End::Signal(_)))
    }
}
