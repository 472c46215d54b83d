//! The events of a run.
//!
//! Invariant: an event stands for itself: whoever reads it needs none of the run's files.

use crate::report::{ErrorSummary, NarrowedSummary, Snapshot, Summary};
use serde::{Deserialize, Serialize};

/// A run or campaign begins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Started {
    /// Name of the program's file.
    pub program: String,
    /// The files that the program was read from, as typed.
    pub inputs: Vec<String>,
    /// The program's arguments as typed.
    pub arguments: Vec<String>,
    /// The `homi` command, where it is known.
    pub homi: Option<String>,
    /// How the run was asked for.
    pub command: String,
    /// The output directory, absolute.
    pub directory: String,
    /// The directory that homi runs in, absolute.
    pub working_directory: String,
}

/// A place in the program's source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SourcePlace {
    /// The file as the compiler was given it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 where it is not known.
    pub column: u32,
}

/// How the path of a test ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TestEnding {
    /// The program exited.
    Exit { status: i32 },
    /// The program asked to end without more.
    Silent,
    /// A bug of the program: its kind, as `bug-found` has it, and where.
    Bug {
        bug: String,
        message: String,
        location: String,
    },
    /// What homi cannot do.
    Gap { what: String, location: String },
    /// A limit or the end of the run stopped it.
    Early { reason: String },
}

/// A test that was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestWritten {
    /// Its name, such as `test000001`; `NAME.ktest` is its file in the output directory.
    pub test: String,
    pub ending: TestEnding,
    /// Whether its path, run on if need be, was followed to the program's end.
    pub ended: bool,
    /// Branch sides covered as `[branch, side]`, ascending; `branches.json` tells where they are.
    pub sides: Vec<(u32, u32)>,
    /// Those among them that no earlier test shows.
    pub new: Vec<(u32, u32)>,
    /// Where its path took one value for several, and where it was lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub narrowed: Vec<NarrowedSummary>,
}

/// One frame of a bug's stack.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StackFrame {
    pub function: String,
    /// Arguments as `NAME=VALUE`, or the value alone where no name is known.
    pub arguments: Vec<String>,
    /// The call; of the innermost frame the failing instruction.
    pub place: Option<SourcePlace>,
}

/// A bug that was not known before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BugFound {
    /// Name of the kind, as in `summary.json`.
    pub kind: String,
    /// What bugs of the kind are, in a few words.
    pub about: String,
    pub message: String,
    /// Where the innermost frame stands that is none of homi's runtime; `None` where the program
    /// has no debug information.
    pub place: Option<SourcePlace>,
    /// Innermost first.
    pub stack: Vec<StackFrame>,
    /// Further lines: address, example, nearest objects.
    pub details: Vec<String>,
    /// Name of the test that shows it; empty if none does.
    pub test: String,
}

impl BugFound {
    /// The bug as `summary.json` has it.
    pub fn summary(&self) -> ErrorSummary {
        let location = self
            .place
            .as_ref()
            .map(|place| format!("{}:{}", place.file, place.line));
        ErrorSummary {
            kind: self.kind.clone(),
            message: self.message.clone(),
            location: location.unwrap_or_else(|| "unknown".to_string()),
            test: self.test.clone(),
        }
    }
}

/// Branch sides of the program's own code that are covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoverageGrew {
    pub branches: u64,
    pub branches_total: u64,
}

/// How far a run is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunStatus {
    /// Seconds since the start, by the run's clock.
    pub time_s: f64,
    pub instructions: u64,
    /// Paths that are over.
    pub paths: u64,
    pub states: u64,
    pub tests: u64,
    pub bugs: u64,
    pub branches: u64,
    pub branches_total: u64,
    /// Share of the time in the solver, 0 to 1.
    pub solver_share: f64,
    /// Resident memory of all of homi's processes.
    pub memory_bytes: u64,
    /// Of a campaign: the number of the run, from 1, and its policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<(u64, String)>,
}

impl From<&Snapshot> for RunStatus {
    fn from(snapshot: &Snapshot) -> Self {
        Self {
            time_s: snapshot.time.as_secs_f64(),
            instructions: snapshot.instructions,
            paths: snapshot.paths,
            states: snapshot.states as u64,
            tests: snapshot.tests,
            bugs: snapshot.bugs as u64,
            branches: snapshot.branches,
            branches_total: snapshot.branches_total,
            solver_share: snapshot.solver_share,
            memory_bytes: snapshot.memory,
            run: snapshot.run.map(|run| (run.run, run.policy.to_string())),
        }
    }
}

/// How serious a message is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Note,
    Warning,
}

/// What is also in `messages.txt` or `warnings.txt`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Message {
    pub level: Level,
    pub text: String,
}

/// A run or campaign is over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finished {
    /// Why it ended, as a sentence; `stop_reason` in the summary is the word for it.
    pub stopped: String,
    /// What `summary.json` says.
    pub summary: Summary,
}
