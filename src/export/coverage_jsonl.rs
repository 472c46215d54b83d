//! `coverage.jsonl`: what each test covers, for `homi explain`, checks of replays and `--resume`.
//!
//! Invariant: each test has its line before the run goes on, and a session that goes on with a
//! campaign adds to the lines that are there. Without the file tests say nothing of coverage: a run
//! that cannot write it stops.

use super::registry::{ExporterRow, Occasion};
use crate::report::{Event, Listener, TestEnding, TestWritten};
use crate::testcase::{COVERAGE_LOG, CoverageLog, TestCoverage};
use std::io;
use std::path::PathBuf;

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "coverage",
    help: "the branch sides that each test covers",
    output: COVERAGE_LOG,
    occasions: &[Occasion::Run],
    needs_gcov: false,
    make: |directory| {
        Box::new(CoverageJsonl {
            directory: directory.to_path_buf(),
            log: None,
        })
    },
};

/// Adds a line for each test.
struct CoverageJsonl {
    directory: PathBuf,
    /// Open from the start of the session on.
    log: Option<CoverageLog>,
}

impl Listener for CoverageJsonl {
    fn hear(&mut self, event: &Event) -> io::Result<()> {
        match (event, &mut self.log) {
            (Event::Started(_), log) => *log = Some(CoverageLog::append_to(&self.directory)?),
            (Event::TestWritten(test), Some(log)) => log.append(&line(test))?,
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
        exit: match test.ending {
            TestEnding::Exit { status } => Some(status),
            _ => None,
        },
        narrowed: test.narrowed.clone(),
    }
}
