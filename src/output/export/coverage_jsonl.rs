//! `coverage.jsonl`: what each test covers, for `homi explain`, checks of replays and `--resume`.
//!
//! Invariant: each test has its line before the run continues, and a session that resumes a
//! campaign appends to the lines that are there. Without the file tests have no coverage: a run
//! that cannot write it stops.

use super::row::{ExporterRow, Occasion};
use homi_native::testcase::{COVERAGE_LOG, TestCoverage};
use homi_report::{Event, LineFile, Listener, OutputFailure, TestEnding, TestWritten};
use std::io;
use std::path::PathBuf;

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "coverage",
    help: "the branch sides that each test covers",
    output: COVERAGE_LOG,
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::StopsRun,
    make: |place| {
        Box::new(CoverageJsonl {
            path: place.join(ROW.output),
            file: None,
        })
    },
};

/// Adds a line for each test.
struct CoverageJsonl {
    path: PathBuf,
    /// Open from the start of the session on.
    file: Option<LineFile>,
}

impl Listener for CoverageJsonl {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match (event, &mut self.file) {
            (Event::Started(_), file) => *file = Some(LineFile::append_to(&self.path)?),
            (Event::TestWritten(test), Some(file)) => file.append(&line(test))?,
            _ => {}
        }
        Ok(())
    }
}

fn line(test: &TestWritten) -> TestCoverage {
    TestCoverage {
        test: test.test.clone(),
        ended: test.ended,
        sides: test.sides.clone(),
        new: test.new.clone(),
        found_by: test.found_by.clone(),
        boundaries: test.boundaries.clone(),
        work: test.work,
        exit: match test.ending {
            TestEnding::Exit { status } => Some(status),
            _ => None,
        },
        underapproximations: test.underapproximations.clone(),
    }
}
