//! `run.stats`: statistics per second, which KLEE's klee-stats and `homi stats` read.
//!
//! Invariant: a session that resumes a campaign appends to the rows that are there, and its sums
//! include theirs.

use super::row::{ExporterRow, Occasion};
use homi_report::{Event, Listener, OutputFailure, STATS_FILE, StatsFile, StatsRow};
use std::io;
use std::path::PathBuf;

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "stats",
    help: "statistics per second",
    output: STATS_FILE,
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::IsWarnedOf,
    make: |place| {
        Box::new(RunStats {
            directory: place.directory.to_path_buf(),
            file: None,
        })
    },
};

/// Adds a row for each sample.
struct RunStats {
    directory: PathBuf,
    /// Open from the start of the session on.
    file: Option<StatsFile>,
}

impl Listener for RunStats {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match (event, &mut self.file) {
            (Event::Started(_), file) => {
                let opened = StatsFile::open(&self.directory);
                *file = Some(opened.map_err(io::Error::other)?);
            }
            (Event::Sampled(sampled), Some(file)) => {
                let row = StatsRow {
                    klee: sampled.stats,
                    homi: sampled.homi,
                };
                file.append(&row).map_err(io::Error::other)?;
                if let Some(lines) = &sampled.lines {
                    file.set_lines(lines).map_err(io::Error::other)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
