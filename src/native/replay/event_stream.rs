//! Events of a replay: the prediction of the run, the behavior of the native program, and the
//! verdict.
//!
//! Invariant: a test passes if its replay does what its run predicted, unless that is a bug that
//! shows.

use super::divergence::Agreement;
use super::sandbox::Ending;
use super::session::{Replay, ReplayOptions, Status, TestResult, find_tests, run};
use crate::testcase::read_coverage;
use homi_report::{
    Event, EventStream, Prediction, ReplayFinished, ReplayStarted, TestReplayed, Verdict,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Most bytes of a test's standard error that its event has.
const STDERR_LIMIT: usize = 16 << 10;

/// Replays, and tells events; `progress` sees each result and its verdict as it comes. `homi` is
/// the command, for files that call it.
pub fn run_with_events(
    options: &ReplayOptions,
    homi: Option<&Path>,
    events: &EventStream,
    progress: &mut dyn FnMut(&TestResult, &Verdict) -> anyhow::Result<()>,
) -> anyhow::Result<Replay> {
    let tests = find_tests(&options.tests)?;
    events.emit(|| {
        Event::ReplayStarted(ReplayStarted {
            exe: absolute(&options.exe),
            homi: homi.map(|path| path.display().to_string()),
            tests: tests.len() as u64,
            working_directory: std::env::current_dir()
                .unwrap_or_default()
                .display()
                .to_string(),
        })
    });
    let mut runs = Runs::default();
    let replay = run(options, &mut |result| {
        let prediction = runs.prediction(&result.test);
        let verdict = verdict(&result.status, &prediction, &result.agreement);
        progress(result, &verdict)?;
        events.emit(|| Event::TestReplayed(Box::new(replayed(result, prediction, verdict))));
        Ok(())
    })?;
    events.emit(|| {
        let program = replay.program.as_ref();
        Event::ReplayFinished(ReplayFinished {
            interrupted: replay.interrupted,
            coverage: program.map(|program| program.sources()),
        })
    });
    Ok(replay)
}

fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.display().to_string()
}

/// Predictions of the tests' runs, by output directory.
#[derive(Default)]
struct Runs(BTreeMap<PathBuf, Directory>);

/// Predictions of one directory for its tests.
struct Directory {
    /// Additional files of tests that describe the end of their paths, by the test's name: the rest
    /// of the file's name, and the file.
    beside: BTreeMap<String, (String, PathBuf)>,
    /// Per test: true if its path ended, and the exit status.
    logged: BTreeMap<String, (bool, Option<i32>)>,
}

impl Runs {
    fn prediction(&mut self, test: &Path) -> Prediction {
        let directory = match test.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let read = || Directory::read(directory);
        let known = self.0.entry(directory.to_path_buf()).or_insert_with(read);
        let stem = test.file_stem().unwrap_or_default();
        known.prediction(&stem.to_string_lossy())
    }
}

impl Directory {
    /// Reads a directory; unreadable files predict nothing.
    fn read(directory: &Path) -> Self {
        let log = read_coverage(directory).unwrap_or_default().into_iter();
        let files = fs::read_dir(directory).into_iter().flatten().flatten();
        let beside = files.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let (stem, rest) = name.split_once('.')?;
            let tells = rest == "early" || rest.ends_with(".err");
            tells.then(|| (stem.to_string(), (rest.to_string(), entry.path())))
        });
        Self {
            beside: beside.collect(),
            logged: log
                .map(|entry| (entry.test, (entry.ended, entry.exit)))
                .collect(),
        }
    }

    fn prediction(&self, test: &str) -> Prediction {
        match (self.beside.get(test), self.logged.get(test)) {
            (Some((rest, file)), _) => prediction_beside(rest, file),
            (None, Some((true, status))) => Prediction::Ended { status: *status },
            (None, Some((false, _))) => Prediction::Stopped {
                reason: "the path was not followed to its end".to_string(),
            },
            (None, None) => Prediction::Nothing,
        }
    }
}

/// Returns the prediction in an additional file of a test: `NAME.KIND.err` for a bug, `NAME.early`
/// for a path that stopped.
fn prediction_beside(rest: &str, file: &Path) -> Prediction {
    let text = fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let first = text.lines().next().unwrap_or_default();
    match rest.strip_suffix(".err") {
        Some(bug) => Prediction::Bug {
            bug: bug.to_string(),
            message: first.trim_start_matches("Error: ").to_string(),
        },
        None => Prediction::Stopped {
            reason: first.to_string(),
        },
    }
}

/// Returns the verdict on a replayed test.
fn verdict(status: &Status, prediction: &Prediction, agreement: &Agreement) -> Verdict {
    let failed = |why: String| Verdict::Failed { why };
    if let Agreement::Diverges(divergence) = agreement
        && matches!(status, Status::Ended(Ending::Exit(_)))
    {
        let why = divergence.to_string();
        return Verdict::Diverged { why };
    }
    match (status, prediction) {
        (Status::Error(why), _) => Verdict::Error { why: why.clone() },
        (Status::Ended(Ending::Timeout), _) => failed("it took too long".to_string()),
        (Status::Ended(Ending::Signal(_)), Prediction::Bug { message, .. }) => {
            failed(format!("{message} ({status})"))
        }
        (Status::Ended(Ending::Signal(_)), _) if *agreement == Agreement::Same => Verdict::Passed,
        (Status::Ended(Ending::Signal(_)), _) => {
            failed(format!("{status}, which the run did not predict"))
        }
        (
            Status::Ended(Ending::Exit(native)),
            Prediction::Ended {
                status: Some(expected),
            },
        ) if native != expected && *agreement != Agreement::Unstable => {
            failed(format!("{status}, but the run predicted exit {expected}"))
        }
        (Status::Ended(Ending::Exit(_)), _) => Verdict::Passed,
    }
}

fn replayed(result: &TestResult, prediction: Prediction, verdict: Verdict) -> TestReplayed {
    let stderr = &result.stderr[..result.stderr.len().min(STDERR_LIMIT)];
    TestReplayed {
        test: result.test.display().to_string(),
        status: result.status.to_string(),
        seconds: result.seconds,
        prediction,
        verdict,
        divergence: result.agreement.divergence().cloned(),
        branches: result.counts.as_ref().map(|counts| counts.branches as u64),
        new: result.counts.as_ref().map(|counts| counts.new as u64),
        stderr: String::from_utf8_lossy(stderr).into_owned(),
        notes: result.notes.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_compares_the_run_with_the_test() {
        let exit = |status| Status::Ended(Ending::Exit(status));
        let verdict = |status: &Status, prediction: &Prediction| {
            verdict(status, prediction, &Agreement::NotCompared)
        };
        let prediction = |status| Prediction::Ended { status };
        let bug = Prediction::Bug {
            bug: "ptr".to_string(),
            message: "out of bound".to_string(),
        };
        assert_eq!(verdict(&exit(2), &prediction(Some(2))), Verdict::Passed);
        assert_eq!(verdict(&exit(2), &prediction(None)), Verdict::Passed);
        assert_eq!(verdict(&exit(2), &Prediction::Nothing), Verdict::Passed);
        // The bug is gone, or nothing looks for it.
        assert_eq!(verdict(&exit(0), &bug), Verdict::Passed);
        let why = |status: &Status, prediction: &Prediction| match verdict(status, prediction) {
            Verdict::Failed { why } | Verdict::Error { why } => why,
            Verdict::Passed | Verdict::Diverged { .. } => panic!("passed"),
        };
        assert_eq!(
            why(&exit(3), &prediction(Some(2))),
            "exit 3, but the run predicted exit 2"
        );
        let aborted = Status::Ended(Ending::Signal(6));
        assert_eq!(why(&aborted, &bug), "out of bound (signal SIGABRT)");
        assert_eq!(
            why(&aborted, &prediction(Some(0))),
            "signal SIGABRT, which the run did not predict"
        );
        assert_eq!(
            why(&Status::Ended(Ending::Timeout), &bug),
            "it took too long"
        );
        assert_eq!(why(&Status::Error("no".to_string()), &bug), "no");
    }

    #[test]
    fn the_files_of_a_test_give_the_outcome_of_its_run() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        fs::write(
            path.join("t1.read_only.err"),
            "Error: no write\nFile: a.c\n",
        )
        .unwrap();
        fs::write(path.join("t2.early"), "pruned\n").unwrap();
        let log = "{\"test\":\"t3\",\"ended\":true,\"sides\":[],\"new\":[],\"exit\":4}\n";
        fs::write(path.join("coverage.jsonl"), log).unwrap();
        let mut runs = Runs::default();
        let mut prediction = |name: &str| runs.prediction(&path.join(name));
        let (bug, message) = ("read_only".to_string(), "no write".to_string());
        assert_eq!(prediction("t1.ktest"), Prediction::Bug { bug, message });
        let reason = "pruned".to_string();
        assert_eq!(prediction("t2.ktest"), Prediction::Stopped { reason });
        assert_eq!(
            prediction("t3.ktest"),
            Prediction::Ended { status: Some(4) }
        );
        assert_eq!(prediction("t4.ktest"), Prediction::Nothing);
    }
}
