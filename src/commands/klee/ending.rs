//! How the command ends: the last lines, and the exit status.
//!
//! Invariant: 0 also where errors were found; 1 where one of them ended the run and that was asked
//! for, and where there was no run.

use super::request::Asked;
use super::texts::{EXITING, HALTING, INTERRUPTED, NAME, TIMER, error, totals};
use crate::report::Summary;
use std::path::Path;

/// What is said last, and the status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Lines that belong into `messages.txt` too.
    pub messages: Vec<String>,
    /// What stands on standard error after them.
    pub text: String,
    pub status: u8,
}

/// The end of a run whose files are in `directory`.
pub fn ending(run: &Summary, asked: &Asked, directory: &Path) -> Ending {
    let halted = match run.stop_reason.as_str() {
        "max-time" => Some(TIMER),
        "interrupted" => Some(INTERRUPTED),
        _ => None,
    };
    let mut messages: Vec<String> = halted.into_iter().map(in_klees_name).collect();
    let was_halted = [
        "max-time",
        "interrupted",
        "max-instructions",
        "max-tests",
        "error-found",
    ];
    if run.paths.early > 0 && was_halted.contains(&run.stop_reason.as_str()) {
        messages.push(in_klees_name(HALTING));
    }
    if run.stop_reason == "error-found" && asked.exits_on_error {
        return Ending {
            messages: Vec::new(),
            text: format!("{}\n{}", error(EXITING), last_report(run, directory)),
            status: 1,
        };
    }
    Ending {
        messages,
        text: format!("\n{}", totals(run)),
        status: 0,
    }
}

fn in_klees_name(text: &str) -> String {
    format!("{NAME}{text}")
}

/// What the `.err` file of the error says that ended the run.
fn last_report(run: &Summary, directory: &Path) -> String {
    let Some(last) = run.errors.last() else {
        return String::new();
    };
    let files = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names = files.filter_map(|entry| entry.file_name().into_string().ok());
    let report = names.find(|name| name.starts_with(&last.test) && name.ends_with(".err"));
    let text = report.and_then(|name| std::fs::read_to_string(directory.join(name)).ok());
    text.unwrap_or_else(|| format!("Error: {}\n", last.message))
}
