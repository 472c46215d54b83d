//! `info`: the command line, how states are chosen, and how the run ended, for people.
//!
//! Invariant: its first line is the command, and what is known so far is there while the run goes
//! on.

use super::row::{ExporterRow, Occasion};
use homi_report::{Event, Finished, Listener, OutputFailure, totals_text};
use std::fs;
use std::io;
use std::path::PathBuf;

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "info",
    help: "the command line and the end of the run",
    output: "info",
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::StopsRun,
    make: |place| {
        Box::new(Info {
            path: place.join(ROW.output),
            text: String::new(),
            started: 0,
        })
    },
};

/// Writes what is known when more is.
struct Info {
    path: PathBuf,
    text: String,
    /// Seconds since 1970.
    started: u64,
}

impl Info {
    fn add(&mut self, text: &str) -> io::Result<()> {
        self.text.push_str(text);
        fs::write(&self.path, &self.text)
    }
}

impl Listener for Info {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(started) => {
                self.started = started.started_unix_s;
                self.add(&format!("{}\n", started.command))
            }
            Event::SearchChosen(chosen) => self.add(&format!("search:\n{}", chosen.search)),
            Event::Finished(finished) => {
                let Finished { stopped, summary } = &**finished;
                self.add(&format!(
                    "started: {}\nelapsed: {:.3} s\nstopped: {stopped}\n{}",
                    self.started,
                    summary.wall_s,
                    totals_text(summary)
                ))
            }
            _ => Ok(()),
        }
    }
}
