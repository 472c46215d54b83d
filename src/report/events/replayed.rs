//! The events of a replay.
//!
//! Invariant: what a run said of a test and what the native program did stand side by side.

use crate::described;
use crate::gcov::SourceCoverage;
use crate::outcomes::Divergence;
use serde::{Deserialize, Serialize};

described! {
    /// A replay begins.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub struct ReplayStarted {
        /// The native program, absolute.
        pub exe: String,
        /// The `homi` command, where it is known.
        pub homi: Option<String>,
        /// Number of tests.
        pub tests: u64,
        /// The directory that homi runs in, absolute.
        pub working_directory: String,
    }
}

/// Prediction of the run that made a test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Prediction {
    /// No prediction: neither a file beside the test nor a log mentions it.
    Nothing,
    /// The path came to the program's end, with this exit status if the log has it.
    Ended { status: Option<i32> },
    /// The path was stopped before.
    Stopped { reason: String },
    /// The test shows a bug: its kind (the middle of the `.err` file's name) and message.
    Bug { bug: String, message: String },
}

described! {
    /// A test that was replayed.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub struct TestReplayed {
        /// The test's file.
        pub test: String,
        /// `exit 0`, `signal SIGABRT`, `timeout` or `error: WHY` (the test was not run).
        pub status: String,
        /// Wall time in seconds.
        pub seconds: f64,
        /// Prediction of the run that made the test.
        pub prediction: Prediction,
        /// Verdict for scripts, by the rules of docs/guide/replay.md.
        pub verdict: Verdict,
        /// First differences from the predicted outcome; absent if there are none, or if the
        /// outcome is not compared.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub divergence: Option<Divergence>,
        /// Branches covered; with gcov only.
        pub branches: Option<u64>,
        /// Branches that no earlier test covered; with gcov only.
        pub new: Option<u64>,
        /// Standard error of the program as text, at most 16 KiB.
        pub stderr: String,
        /// Notes on what the replay could not reproduce.
        pub notes: Vec<String>,
    }
}

/// Verdict on a replayed test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Verdict {
    Passed,
    /// The program crashed, took too long, or exited with another status than its run said.
    Failed {
        why: String,
    },
    /// The program does something else than its run predicted.
    Diverged {
        why: String,
    },
    /// The test did not run.
    Error {
        why: String,
    },
}

described! {
    /// A replay is over.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    pub struct ReplayFinished {
        /// The user stopped it: tests are missing.
        pub interrupted: bool,
        /// Code that all tests together executed, by source file; with gcov only.
        pub coverage: Option<Vec<SourceCoverage>>,
    }
}
