//! `summary.json`: how a run ended.
//!
//! Invariant: it is the summary that the last event has, schema 2 (`src/report/summary.rs`).

use super::row::{ExporterRow, Occasion};
use homi_report::{Event, Listener, OutputFailure};
use std::io;
use std::path::PathBuf;

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "summary",
    help: "the end of the run and its statistics",
    output: "summary.json",
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::FailsRun,
    make: |place| Box::new(SummaryJson(place.join(ROW.output))),
};

/// Writes the file when the run is over.
struct SummaryJson(PathBuf);

impl Listener for SummaryJson {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Finished(finished) => {
                let text = serde_json::to_string_pretty(&finished.summary)?;
                std::fs::write(&self.0, text + "\n")
            }
            _ => Ok(()),
        }
    }
}
