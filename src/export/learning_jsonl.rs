//! `learning.jsonl`: a line per run of a campaign, or the one of a run outside of one.
//!
//! Invariant: a session that goes on with a campaign adds to the lines that are there.

use super::registry::{ExporterRow, Occasion};
use crate::report::{Event, LEARNING_LOG, LearningLog, Listener};
use std::io;
use std::path::PathBuf;

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "learning",
    help: "what each run of a campaign did",
    output: LEARNING_LOG,
    occasions: &[Occasion::Run],
    needs_gcov: false,
    make: |directory| {
        Box::new(LearningJsonl {
            directory: directory.to_path_buf(),
            log: None,
        })
    },
};

/// Adds a line for each run that ends.
struct LearningJsonl {
    directory: PathBuf,
    /// Open from the start of the session on.
    log: Option<LearningLog>,
}

impl Listener for LearningJsonl {
    fn hear(&mut self, event: &Event) -> io::Result<()> {
        match (event, &mut self.log) {
            (Event::Started(_), log) => *log = Some(LearningLog::open(&self.directory)?),
            (Event::RunEnded(line), Some(log)) => log.append(line)?,
            _ => {}
        }
        Ok(())
    }
}
