//! The bug of a test in one line, and its name, from the `.err` file beside the test.

use super::condition_text::SourceTexts;
use super::names;
use crate::minimize::Reports;
use homi_native::kept::End;
use std::fs;
use std::path::Path;

/// Beginning of messages whose second part says what is wrong.
const MEMORY: &str = "memory error";

/// A bug in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BugText {
    pub(super) name: String,
    pub(super) line: String,
}

impl BugText {
    /// Returns the bug that a test's report tells.
    pub(super) fn of_report(
        test: &Path,
        reports: &mut Reports,
        texts: &mut SourceTexts,
    ) -> Option<Self> {
        let report = reports.of_test(test).into_iter().next()?;
        let text = fs::read(&report).ok()?;
        let text = String::from_utf8_lossy(&text);
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let message = field("Error: ")?;
        let (first, second) = message.split_once(": ").unwrap_or((message, message));
        let kind = if first == MEMORY { second } else { first };
        let (file, line) = (field("File: "), field("Line: "));
        let source = file.zip(line.and_then(|line| line.parse().ok()));
        let expression = source.and_then(|(file, line)| texts.line(file, line));
        let expression = without_texts(&expression.unwrap_or_default());
        let place = match file.zip(line) {
            Some((file, line)) => format!(" at {file}:{line}"),
            None => String::new(),
        };
        Some(Self {
            name: names::words(&format!("bug {kind} {expression}")),
            line: format!("{message}{}{place}", function(&text)),
        })
    }

    /// Returns the bug of a program that a signal ends.
    pub(super) fn of_end(end: End) -> Option<Self> {
        let End::Signal(number) = end else {
            return None;
        };
        let signal = nix::sys::signal::Signal::try_from(number);
        let signal = signal.map_or_else(|_| format!("signal {number}"), |one| one.to_string());
        Some(Self {
            name: names::words(&format!("bug {signal}")),
            line: format!("the program ends by {signal}"),
        })
    }
}

/// The innermost function of the report's stack.
fn function(report: &str) -> String {
    let frame = report
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("#0 "));
    let after = frame.and_then(|frame| frame.split_once(" in "));
    let name = after.and_then(|(_, after)| after.split('(').next());
    name.map_or_else(String::new, |name| format!(" in {name}"))
}

/// A line of C without what is in quotes, which names nothing.
fn without_texts(line: &str) -> String {
    let parts = line.split('"').step_by(2);
    parts.collect::<Vec<_>>().join(" ")
}

/// Returns a line about a bug without its numbers: a moved bug is the same one.
pub(super) fn without_numbers(line: &str) -> String {
    line.chars().filter(|c| !c.is_ascii_digit()).collect()
}
