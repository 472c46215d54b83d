//! Content of one JUnit case.
//!
//! Invariant: a case is made of one event; the stack of a bug, a later event, is added.

use super::super::xml::visible;
use homi_report::{BugFound, Prediction, TestEnding, TestReplayed, TestWritten, Verdict};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// A test of a run.
pub(super) fn written(test: &TestWritten) -> TestCase {
    let mut notes = vec![format!("branch sides: {}", test.sides.len())];
    let status = match &test.ending {
        TestEnding::Exit { status } => {
            notes.push(format!("exit status: {status}"));
            TestCaseStatus::success()
        }
        TestEnding::Silent => TestCaseStatus::success(),
        TestEnding::Bug {
            bug,
            message,
            location,
        } => {
            let text = format!("{location}: {message}");
            failure(&format!("{message} at {location}"), bug, &text)
        }
        TestEnding::Unsupported { what, location } => {
            skipped(&format!("unsupported feature: {what} at {location}"))
        }
        TestEnding::Early { reason } => {
            skipped(&format!("the path was not followed to its end: {reason}"))
        }
    };
    case(&test.test, status, &notes)
}

/// A test of a replay.
pub(super) fn replayed(test: &TestReplayed) -> TestCase {
    let prediction = match &test.prediction {
        Prediction::Nothing => None,
        Prediction::Ended { status: None } => {
            Some("the path came to the program's end".to_string())
        }
        Prediction::Ended {
            status: Some(status),
        } => Some(format!("exit {status}")),
        Prediction::Stopped { reason } => Some(format!("the path was stopped: {reason}")),
        Prediction::Bug { bug, message } => Some(format!("{bug}: {message}")),
    };
    let mut notes = vec![format!("status: {}", test.status)];
    notes.extend(
        prediction
            .as_ref()
            .map(|prediction| format!("the run said: {prediction}")),
    );
    notes.extend(test.notes.iter().cloned());
    let status = match &test.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Failed { why } => failure(why, &test.status, &prediction.unwrap_or_default()),
        Verdict::Diverged { why } => failure(why, "divergence", why),
        Verdict::Error { why } => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(visible(why)).set_type("replay");
            status
        }
    };
    let name = Path::new(&test.test).file_stem().unwrap_or_default();
    let mut case = case(&name.to_string_lossy(), status, &notes);
    case.set_time(Duration::try_from_secs_f64(test.seconds).unwrap_or_default());
    if !test.stderr.is_empty() {
        case.set_system_err(visible(&test.stderr));
    }
    case
}

/// A bug that has no test.
pub(super) fn without_test(bug: &BugFound) -> TestCase {
    let status = failure(&bug.full_message(), &bug.kind, &stack(bug));
    case(&format!("bug without a test: {}", place(bug)), status, &[])
}

fn case(name: &str, status: TestCaseStatus, notes: &[String]) -> TestCase {
    let mut case = TestCase::new(visible(name), status);
    case.set_time(Duration::ZERO);
    if !notes.is_empty() {
        case.set_system_out(visible(&notes.join("\n")));
    }
    case
}

fn failure(message: &str, kind: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(visible(message)).set_type(visible(kind));
    status.set_description(visible(text));
    status
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(visible(message));
    status
}

/// Returns the location of a bug as `file:line`.
fn place(bug: &BugFound) -> String {
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
