//! What a session hands back to its caller.

use super::SessionError;
use crate::engine::Left;
use crate::report::{Summary, totals_text};
use std::path::PathBuf;

/// How a session went.
#[derive(Debug)]
pub struct Report {
    /// What `summary.json` says.
    pub summary: Summary,
    /// Why the run ended, as a sentence.
    pub stopped: String,
    /// The output directory: tests, statistics, warnings.
    pub directory: PathBuf,
    /// Paths that are open, with which `--resume` goes on; none if the run cannot be gone on with,
    /// or is a campaign, which can.
    pub left_open: u64,
    /// Whether `--resume` goes on with the run.
    pub goes_on: bool,
    /// What a piece of a larger work has left for the others, if it was about open states.
    pub left: Option<Left>,
    /// Why the run ended early or left less than it should: a file could not be written, or the
    /// program's symbolic arguments are wrong.
    pub failure: Option<SessionError>,
}

impl Report {
    /// The figures of the run in KLEE's form, a line each.
    pub fn totals(&self) -> String {
        totals_text(&self.summary)
    }
}
