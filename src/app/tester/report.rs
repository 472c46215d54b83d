//! All that a test of a program comes to, as data.

use super::bug::{BugReport, bug_report};
use super::confirmation::fault;
use super::evidence::{Evidence, ReplayedTests};
use super::native::NativeBuilds;
use super::source_text::{SourceTexts, place};
use super::uncovered::{CoveredLines, covered_lines};
use super::verdict::verdict;
use crate::report::{ErrorSummary, Summary, TargetSummary, VerdictSummary};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the exploration left.
pub struct Explored<'a> {
    pub summary: &'a Summary,
    /// Why it ended, as a sentence.
    pub stopped: &'a str,
    /// Where the tests are.
    pub directory: &'a Path,
}

/// A fault that only the native program shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeFault {
    /// What it is, with its place if that is known.
    pub what: String,
    /// The text of the line.
    pub source: Option<String>,
    /// The first test that shows it.
    pub test: PathBuf,
}

/// What a person wants to read.
#[derive(Clone, PartialEq, Debug)]
pub struct TestReport {
    pub bugs: Vec<BugReport>,
    /// What the sanitizers or the system found in tests in which homi saw no bug.
    pub native_faults: Vec<NativeFault>,
    /// By gcov; `None` if nothing was counted.
    pub covered: Option<CoveredLines>,
    /// Branches by homi's own count: covered and all.
    pub branches: (u64, u64),
    /// What became of the lines that it was to reach.
    pub targets: Vec<TargetSummary>,
    pub tests: u64,
    pub directory: PathBuf,
    /// What the run's end means.
    pub verdict: String,
    /// What is said of the property that was asked for.
    pub property: Option<String>,
    /// What else should be known, a text each.
    pub notes: Vec<String>,
}

impl TestReport {
    /// True if anything is wrong with the program.
    pub fn found_bugs(&self) -> bool {
        !self.bugs.is_empty() || !self.native_faults.is_empty()
    }
}

/// Puts together what exploration and replays found.
pub fn report(
    explored: &Explored<'_>,
    builds: &NativeBuilds,
    replayed: &ReplayedTests,
) -> TestReport {
    let mut texts = SourceTexts::default();
    let Explored {
        summary,
        stopped,
        directory,
    } = explored;
    let errors = summary.errors.iter();
    let bugs = errors
        .map(|error| bug_report(error, directory, builds, replayed, &mut texts))
        .collect();
    let coverage = summary.coverage;
    TestReport {
        bugs,
        native_faults: native_faults(explored, replayed, &mut texts),
        covered: replayed.program.as_ref().map(covered_lines),
        branches: (coverage.branches, coverage.branches_total),
        targets: summary.targets.clone(),
        tests: summary.tests,
        directory: directory.to_path_buf(),
        verdict: verdict(summary, stopped),
        property: summary.verdict.as_ref().map(VerdictSummary::line),
        notes: builds
            .missing
            .iter()
            .chain(&replayed.notes)
            .cloned()
            .collect(),
    }
}

/// Faults of tests without a bug of homi's, each kind and place once.
fn native_faults(
    explored: &Explored<'_>,
    replayed: &ReplayedTests,
    texts: &mut SourceTexts,
) -> Vec<NativeFault> {
    let Explored {
        summary, directory, ..
    } = explored;
    let has_bug_report = |test: &str| {
        let files = std::fs::read_dir(directory).into_iter().flatten().flatten();
        let mut names = files.map(|file| file.file_name().to_string_lossy().into_owned());
        names.any(|name| name.starts_with(&format!("{test}.")) && name.ends_with(".err"))
    };
    let is_told = |evidence: &Evidence| match &evidence.report {
        Some(report) => {
            let told = |error: &ErrorSummary| report.location.as_deref() == Some(&error.location);
            summary.errors.iter().any(told)
        }
        // A signal says too little to tell one fault from another.
        None => !summary.errors.is_empty(),
    };
    let mut found: BTreeMap<String, NativeFault> = BTreeMap::new();
    for (test, evidence) in replayed.sanitized.iter().chain(&replayed.unwatched) {
        let Some(what) = fault(evidence) else {
            continue;
        };
        let key = match &evidence.report {
            Some(report) => report.key(),
            None => what.clone(),
        };
        if found.contains_key(&key) || is_told(evidence) || has_bug_report(test) {
            continue;
        }
        let location = evidence
            .report
            .as_ref()
            .and_then(|report| report.location.as_deref());
        let source = location
            .and_then(place)
            .and_then(|(file, line)| texts.line(file, line));
        let test = explored.directory.join(format!("{test}.ktest"));
        found.insert(key, NativeFault { what, source, test });
    }
    found.into_values().collect()
}
