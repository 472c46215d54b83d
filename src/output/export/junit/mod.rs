//! JUnit XML: the tests of a run or a replay, for what shows test results in CI.
//!
//! Invariant: one case per test. Of a run a bug is a failure, and a path that was not followed to
//! its end is skipped; of a replay the verdict decides.

mod case;

use super::row::{ExporterRow, Occasion};
use super::xml::visible;
use case::{replayed, stack, without_test, written};
use homi_report::{BugFound, Event, Listener, OutputFailure};
use quick_junit::{Report, TestCase, TestCaseStatus, TestSuite};
use std::io;
use std::path::{Path, PathBuf};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "junit",
    help: "one case per test as JUnit XML; bugs of a run and crashes of a replay are failures",
    output: "junit.xml",
    occasions: &[Occasion::Run, Occasion::Replay],
    needs_gcov: false,
    on_failure: OutputFailure::FailsRun,
    make: |place| {
        Box::new(Junit {
            file: place.join(ROW.output),
            program: String::new(),
            cases: Vec::new(),
        })
    },
};

/// Collects cases, and writes them when all is over.
struct Junit {
    file: PathBuf,
    /// Name of the suite and of the cases' class.
    program: String,
    cases: Vec<TestCase>,
}

impl Listener for Junit {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(started) => self.program.clone_from(&started.program),
            Event::TestWritten(test) => self.cases.push(written(test)),
            Event::BugFound(bug) => self.add_bug(bug),
            Event::ReplayStarted(started) => {
                let name = Path::new(&started.exe).file_name().unwrap_or_default();
                self.program = name.to_string_lossy().into_owned();
            }
            Event::TestReplayed(test) => self.cases.push(replayed(test)),
            Event::Finished(_) | Event::ReplayFinished(_) => {
                return self.write();
            }
            _ => {}
        }
        Ok(())
    }
}

impl Junit {
    /// Adds the stack of a bug to its test. A bug without a test is a separate case.
    fn add_bug(&mut self, bug: &BugFound) {
        let mut own = self.cases.iter_mut().rev();
        match own.find(|case| case.name.as_str() == bug.test) {
            Some(case) if matches!(case.status, TestCaseStatus::NonSuccess { .. }) => {
                case.status.set_description(visible(&stack(bug)));
            }
            Some(_) => {}
            None => self.cases.push(without_test(bug)),
        }
    }

    /// Writes the file with all cases that were heard of.
    fn write(&mut self) -> io::Result<()> {
        let mut suite = TestSuite::new(visible(&self.program));
        let seconds = self.cases.iter().filter_map(|case| case.time).sum();
        for mut case in self.cases.drain(..) {
            case.set_classname(suite.name.clone());
            suite.add_test_case(case);
        }
        let mut report = Report::new("homi");
        report.set_time(seconds);
        suite.set_time(seconds);
        report.add_test_suite(suite);
        let text = report.to_string().map_err(io::Error::other)?;
        std::fs::write(&self.file, text)
    }
}
