//! End of `homi klee`: the last lines, and the exit status.
//!
//! Invariant: the status is 0 even if errors were found. It is 1 if an error ended the run as
//! requested, and if there was no run.

use super::request::Asked;
use super::texts::{EXITING, HALTING, INTERRUPTED, NAME, TIMER, error, totals};
use homi_report::Summary;
use std::path::Path;

/// Last lines and exit status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Lines that also go to `messages.txt`.
    pub messages: Vec<String>,
    /// Text on standard error after the messages.
    pub text: String,
    pub status: u8,
}

/// Returns the end of a run whose files are in `directory`.
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

/// Returns the text of the `.err` file of the error that ended the run.
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
