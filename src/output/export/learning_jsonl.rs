//! `learning.jsonl`: a line per run of a campaign, or the one of a run outside of one.
//!
//! Invariant: a session that resumes a campaign appends to the lines that are there, and a campaign
//! that cannot write its line stops with that run.

use super::row::{ExporterRow, Occasion};
use homi_report::{Event, LEARNING_LOG, LineFile, Listener, OutputFailure};
use std::io;
use std::path::PathBuf;

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "learning",
    help: "the runs of a campaign",
    output: LEARNING_LOG,
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::StopsRun,
    make: |place| {
        Box::new(LearningJsonl {
            path: place.join(ROW.output),
            file: None,
        })
    },
};

/// Adds a line for each run that ends.
struct LearningJsonl {
    path: PathBuf,
    /// Open from the start of the session on.
    file: Option<LineFile>,
}

impl Listener for LearningJsonl {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match (event, &mut self.file) {
            (Event::Started(_), file) => *file = Some(LineFile::append_to(&self.path)?),
            (Event::RunEnded(line), Some(file)) => file.append(line)?,
            _ => {}
        }
        Ok(())
    }
}
