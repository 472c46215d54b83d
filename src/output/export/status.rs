//! The status line: progress on the terminal.
//!
//! Invariant: it writes no file, and is silent where the user wants no line.

use super::row::{ExporterRow, Occasion};
use homi_report::{OutputFailure, StatusLine};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "status",
    help: "progress on the terminal",
    output: "the status line",
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::IsWarnedOf,
    make: |place| Box::new(StatusLine::new(place.line.clone())),
};
