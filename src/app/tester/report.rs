//! The complete result of a test of a program, as data.

use super::bug::{BugReport, bug_report};
use super::compared::ComparedTests;
use super::confirmation::fault;
use super::evidence::{Evidence, ReplayedTests};
use super::native::NativeBuilds;
use super::source_text::{SourceTexts, place};
use super::uncovered::{CoveredLines, covered_lines};
use super::verdict::{continuation, verdict};
use homi_config::Severity;
use homi_report::{
    Divergence, ErrorSummary, Summary, TargetSummary, VerdictSummary, native_fingerprint,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Results of the exploration.
pub struct Explored<'a> {
    pub summary: &'a Summary,
    /// Stop reason, as a sentence.
    pub stopped: &'a str,
    /// Directory of the tests.
    pub directory: &'a Path,
}

/// A fault that only the native program shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeFault {
    /// Description, with the location if it is known.
    pub what: String,
    /// The text of the line.
    pub source: Option<String>,
    /// The first test that shows it.
    pub test: PathBuf,
}

impl NativeFault {
    /// The fault as triage sees it.
    pub fn as_error(&self) -> ErrorSummary {
        let source = self.source.as_deref().unwrap_or_default();
        let name = self.test.file_stem().unwrap_or_default();
        ErrorSummary {
            kind: "native".to_string(),
            message: self.what.clone(),
            location: "unknown".to_string(),
            test: name.to_string_lossy().into_owned(),
            severity: Severity::Error.name().to_string(),
            fingerprint: native_fingerprint(&self.what, source),
            ..ErrorSummary::default()
        }
    }
}

/// The report on a test session.
#[derive(Clone, PartialEq, Debug)]
pub struct TestReport {
    pub bugs: Vec<BugReport>,
    /// Errors that the sanitizers or the system found in tests without a bug by homi.
    pub native_faults: Vec<NativeFault>,
    /// Tests on which the native program does something else than homi predicts.
    pub divergences: Vec<Divergence>,
    /// Coverage by gcov; `None` if nothing was counted.
    pub covered: Option<CoveredLines>,
    /// Branches by homi's own count: covered and all.
    pub branches: (u64, u64),
    /// Results for the target lines.
    pub targets: Vec<TargetSummary>,
    pub tests: u64,
    pub directory: PathBuf,
    /// Meaning of the run's end.
    pub verdict: String,
    /// Advice on continuing a run that left open paths.
    pub continuation: Option<String>,
    /// Verdict on the given property.
    pub property: Option<String>,
    /// Further notes.
    pub notes: Vec<String>,
}

impl TestReport {
    /// All bugs and native faults as triage sees them.
    pub fn errors(&self, summary: &Summary) -> Vec<ErrorSummary> {
        let faults = self.native_faults.iter().map(NativeFault::as_error);
        summary.errors.iter().cloned().chain(faults).collect()
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
    let compared = ComparedTests::of(summary, directory);
    // The builds say why there is no native program.
    let not_compared = compared.as_ref().filter(|_| builds.best().is_some());
    TestReport {
        bugs,
        native_faults: native_faults(explored, replayed, &mut texts),
        divergences: (summary.outcomes.as_ref())
            .map_or_else(Vec::new, |outcomes| outcomes.divergences.clone()),
        covered: replayed.program.as_ref().map(covered_lines),
        branches: (coverage.branches, coverage.branches_total),
        targets: summary.targets.clone(),
        tests: summary.tests,
        directory: directory.to_path_buf(),
        verdict: verdict(summary, stopped, compared.as_ref()),
        continuation: continuation(summary, directory),
        property: summary.verdict.as_ref().map(VerdictSummary::line),
        notes: builds
            .missing
            .iter()
            .chain(&replayed.notes)
            .cloned()
            .chain(not_compared.map(ComparedTests::line))
            .collect(),
    }
}

/// Returns the errors of tests without a bug by homi, each kind and location once.
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
    let is_reported = |evidence: &Evidence| match &evidence.report {
        Some(report) => {
            let is_same =
                |error: &ErrorSummary| report.location.as_deref() == Some(&error.location);
            summary.errors.iter().any(is_same)
        }
        // A signal says too little to tell one fault from another.
        None => !summary.errors.is_empty(),
    };
    let mut found: BTreeMap<String, NativeFault> = BTreeMap::new();
    for (test, evidence) in replayed.sanitized.iter().chain(&replayed.unwatched) {
        let Some(what) = fault(evidence) else {
            continue;
        };
        // The program ends itself by a signal, as homi predicts.
        if evidence.report.is_none() && replayed.predicted.contains(test) {
            continue;
        }
        let key = match &evidence.report {
            Some(report) => report.key(),
            None => what.clone(),
        };
        if found.contains_key(&key) || is_reported(evidence) || has_bug_report(test) {
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
