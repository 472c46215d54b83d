//! What one case of JUnit XML says.
//!
//! Invariant: a case is made of one event; the stack of a bug, which is told of later, is added.

use crate::report::{BugFound, Said, TestEnding, TestReplayed, TestWritten, Verdict};
use std::fmt::Write as _;
use std::path::Path;

pub(super) struct Case {
    pub(super) name: String,
    pub(super) seconds: f64,
    pub(super) result: CaseResult,
    /// What else there is to say, a line each.
    pub(super) notes: Vec<String>,
    pub(super) stderr: String,
}

pub(super) enum CaseResult {
    Passed,
    Failure {
        message: String,
        kind: String,
        text: String,
    },
    Error {
        message: String,
    },
    Skipped {
        message: String,
    },
}

/// A test of a run.
pub(super) fn written(test: &TestWritten) -> Case {
    let mut notes = vec![format!("branch sides: {}", test.sides.len())];
    let result = match &test.ending {
        TestEnding::Exit { status } => {
            notes.push(format!("exit status: {status}"));
            CaseResult::Passed
        }
        TestEnding::Silent => CaseResult::Passed,
        TestEnding::Bug {
            bug,
            message,
            location,
        } => CaseResult::Failure {
            message: format!("{message} at {location}"),
            kind: bug.clone(),
            text: format!("{location}: {message}"),
        },
        TestEnding::Gap { what, location } => CaseResult::Skipped {
            message: format!("homi cannot do this yet: {what} at {location}"),
        },
        TestEnding::Early { reason } => CaseResult::Skipped {
            message: format!("the path was not followed to its end: {reason}"),
        },
    };
    Case {
        name: test.test.clone(),
        seconds: 0.0,
        result,
        notes,
        stderr: String::new(),
    }
}

/// A test of a replay.
pub(super) fn replayed(test: &TestReplayed) -> Case {
    let name = Path::new(&test.test).file_stem().unwrap_or_default();
    let said = match &test.said {
        Said::Nothing => None,
        Said::Ended { status: None } => Some("the path came to the program's end".to_string()),
        Said::Ended {
            status: Some(status),
        } => Some(format!("exit {status}")),
        Said::Stopped { reason } => Some(format!("the path was stopped: {reason}")),
        Said::Bug { bug, message } => Some(format!("{bug}: {message}")),
    };
    let mut notes = vec![format!("status: {}", test.status)];
    notes.extend(said.as_ref().map(|said| format!("the run said: {said}")));
    notes.extend(test.notes.iter().cloned());
    let result = match &test.verdict {
        Verdict::Passed => CaseResult::Passed,
        Verdict::Failed { why } => CaseResult::Failure {
            message: why.clone(),
            kind: test.status.clone(),
            text: said.unwrap_or_default(),
        },
        Verdict::Error { why } => CaseResult::Error {
            message: why.clone(),
        },
    };
    Case {
        name: name.to_string_lossy().into_owned(),
        seconds: test.seconds,
        result,
        notes,
        stderr: test.stderr.clone(),
    }
}

/// Where a bug is, as `file:line`.
pub(super) fn place(bug: &BugFound) -> String {
    match &bug.place {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => "unknown".to_string(),
    }
}

/// The bug as lines of text: message, stack, details.
pub(super) fn stack(bug: &BugFound) -> String {
    let mut out = format!("{}: {}\n", place(bug), bug.message);
    for (depth, frame) in bug.stack.iter().enumerate() {
        let (function, arguments) = (&frame.function, frame.arguments.join(", "));
        // Writing to a String cannot fail.
        let _ = write!(out, "#{depth} {function}({arguments})");
        if let Some(place) = &frame.place {
            let _ = write!(out, " at {}:{}", place.file, place.line);
        }
        out.push('\n');
    }
    for detail in &bug.details {
        let _ = writeln!(out, "{detail}");
    }
    out
}
