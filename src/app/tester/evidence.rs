//! The tests of a run on the native programs: how each ended, and what sanitizers said.
//!
//! Tests that show bugs run first under sanitizers; the others as long as there is time, for faults
//! that homi does not look for.

use super::native::NativeBuilds;
use super::sanitizer::{SanitizerReport, sanitizer_report};
use homi_native::replay;
use homi_native::replay::{
    Agreement, ReplayOptions, SecondPrediction, Status, TestCalls, TestResult,
};
use homi_native::testcase::tests_in;
use homi_report::gcov::GcovProgram;
use homi_report::{Divergence, Progress};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Time for the tests without bugs under sanitizers.
const TIME_FOR_OTHERS: Duration = Duration::from_secs(30);

/// End of one test on one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    pub status: Status,
    /// Report of a sanitizer.
    pub report: Option<SanitizerReport>,
    /// True if the replay reproduced all of the test.
    pub is_whole: bool,
}

/// All tests on all programs.
#[derive(Default)]
pub struct ReplayedTests {
    /// Results on the program without sanitizers, by name of the test.
    pub unwatched: BTreeMap<String, Evidence>,
    /// Results under sanitizers, by name of the test.
    pub sanitized: BTreeMap<String, Evidence>,
    /// The branches that the tests took.
    pub program: Option<GcovProgram>,
    /// Tests whose outcome was compared with the prediction.
    pub compared: u64,
    /// Tests on which the native program did what homi predicts.
    pub predicted: BTreeSet<String>,
    /// Differences from predicted outcomes.
    pub divergences: Vec<Divergence>,
    /// Library calls of tests that diverge.
    pub calls: TestCalls,
    /// Notes for the reader, without repetition.
    pub notes: Vec<String>,
}

/// Settings and results of native replays.
pub struct NativeReplays {
    /// For one test.
    pub timeout: Duration,
    /// Predicts what varies in a test.
    pub second: Option<SecondPrediction>,
    /// Ends it with what was done so far.
    pub interrupt: Arc<AtomicBool>,
    /// Shows how far it is.
    pub progress: Progress,
}

/// Replays the tests in `directory`. `bugs` names the tests that show bugs.
pub fn replay_natively(
    builds: &NativeBuilds,
    directory: &Path,
    bugs: &[String],
    replays: &NativeReplays,
) -> ReplayedTests {
    let options = |exe: &Path, tests: Vec<PathBuf>, gcov: bool| {
        let mut options = ReplayOptions {
            exe: exe.to_path_buf(),
            tests,
            gcov,
            second: replays.second.clone(),
            records_calls: true,
            interrupt: Arc::clone(&replays.interrupt),
            ..ReplayOptions::default()
        };
        options.limits.timeout = replays.timeout;
        options
    };
    let mut replayed = ReplayedTests::default();
    let progress = &replays.progress;
    let (of_bugs, others) = tests_in(directory)
        .unwrap_or_default()
        .into_iter()
        .partition::<Vec<PathBuf>, _>(|test| bugs.contains(&test_name(test)));
    if let Some(exe) = builds.counted.as_ref().or(builds.plain.as_ref()) {
        let all = [of_bugs.clone(), others.clone()].concat();
        let counts = builds.counted.is_some();
        let (evidence, program) = replayed.run(&options(exe, all, counts), progress);
        (replayed.unwatched, replayed.program) = (evidence, program);
    }
    if let Some(exe) = &builds.sanitized {
        let (evidence, _) = replayed.run(&options(exe, of_bugs, false), progress);
        let others = ReplayOptions {
            deadline: Some(Instant::now() + TIME_FOR_OTHERS),
            ..options(exe, others, false)
        };
        let (more, _) = replayed.run(&others, progress);
        replayed.sanitized = evidence;
        replayed.sanitized.extend(more);
    }
    replayed
}

impl ReplayedTests {
    /// Replays on one program; what cannot be done is noted.
    fn run(
        &mut self,
        options: &ReplayOptions,
        progress: &Progress,
    ) -> (BTreeMap<String, Evidence>, Option<GcovProgram>) {
        if options.tests.is_empty() {
            return Default::default();
        }
        progress.expect(options.tests.len() as u64);
        let mut evidence = BTreeMap::new();
        let mut predicted = BTreeSet::new();
        let mut calls = TestCalls::new();
        let done = replay::run(options, &mut |result| {
            let name = test_name(&result.test);
            if result.agreement == Agreement::Same {
                predicted.insert(name.clone());
            }
            if !result.calls.is_empty() {
                calls.insert(name.clone(), result.calls.clone());
            }
            evidence.insert(name, Evidence::of(result));
            progress.advance();
            Ok(())
        });
        self.predicted.extend(predicted);
        self.calls.extend(calls);
        let program = match done {
            Ok(replay) => {
                let results = replay.results.iter();
                let compared = results.filter(|result| result.agreement.is_compared());
                self.compared += compared.count() as u64;
                self.divergences.extend(replay.divergences().cloned());
                self.note_all(replay.warnings);
                self.note_all(refused(&replay.results));
                // Counts of a part of the tests would look like counts of all tests.
                replay.program.filter(|_| !replay.interrupted)
            }
            Err(error) => {
                self.note_all([format!("tests could not be replayed: {error:#}")]);
                None
            }
        };
        (evidence, program)
    }

    fn note_all(&mut self, notes: impl IntoIterator<Item = String>) {
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}

impl Evidence {
    fn of(result: &TestResult) -> Self {
        Self {
            status: result.status.clone(),
            report: sanitizer_report(&String::from_utf8_lossy(&result.stderr)),
            is_whole: result.notes.is_empty(),
        }
    }
}

/// Returns a text with the number of tests that could not be run and the first reason; `None` if
/// all ran.
fn refused(results: &[TestResult]) -> Option<String> {
    let mut errors = results.iter().filter_map(|result| match &result.status {
        Status::Error(reason) => Some(reason),
        Status::Ended(_) => None,
    });
    let first = errors.next()?;
    let count = 1 + errors.count();
    Some(format!(
        "{count} of {} tests could not be replayed: {first}",
        results.len()
    ))
}

/// `test000001`.
fn test_name(test: &Path) -> String {
    test.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
