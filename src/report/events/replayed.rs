//! The events of a replay.
//!
//! Invariant: what a run said of a test and what the native program did stand side by side.

use crate::report::gcov::SourceCoverage;
use serde::{Deserialize, Serialize};

/// A replay begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReplayStarted {
    /// The native program, absolute.
    pub exe: String,
    /// The `homi` command, where it is known.
    pub homi: Option<String>,
    pub tests: u64,
    /// The directory that homi runs in, absolute.
    pub working_directory: String,
}

/// What the run that made a test said of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Said {
    /// Nothing is known: no file beside the test, and no log, says anything.
    Nothing,
    /// The path came to the program's end, with this exit status if the log has it.
    Ended { status: Option<i32> },
    /// The path was stopped before.
    Stopped { reason: String },
    /// The test shows a bug: its kind (the middle of the `.err` file's name) and message.
    Bug { bug: String, message: String },
}

/// A test that was replayed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TestReplayed {
    /// The test's file.
    pub test: String,
    /// `exit 0`, `signal SIGABRT`, `timeout` or `error: WHY` (the test was not run).
    pub status: String,
    pub seconds: f64,
    pub said: Said,
    /// What a script takes it for, by the rules of the guide's page on replays.
    pub verdict: Verdict,
    /// With gcov: branches taken, and those that no earlier test took.
    pub branches: Option<u64>,
    pub new: Option<u64>,
    /// What the program printed on its standard error, as text, at most 16 KiB of it.
    pub stderr: String,
    /// What the replay could not reproduce.
    pub notes: Vec<String>,
}

/// What a replayed test comes to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Verdict {
    Passed,
    /// The program crashed, took too long, or exited with another status than its run said.
    Failed {
        why: String,
    },
    /// It was not run.
    Error {
        why: String,
    },
}

/// A replay is over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReplayFinished {
    /// The user stopped it: tests are missing.
    pub interrupted: bool,
    /// With gcov: what all tests together executed, by source file.
    pub coverage: Option<Vec<SourceCoverage>>,
}
