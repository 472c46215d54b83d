//! `findings.jsonl`: the end of each test, and each bug, for the sessions that resume a campaign:
//! their exports include the tests and bugs of earlier sessions.
//!
//! Invariant: a test has its line before the run continues, and a bug follows its test. Only
//! `coverage.jsonl` has the coverage of a test.

use super::row::{ExporterRow, Occasion};
use homi_native::testcase::{TestCoverage, read_coverage};
use homi_report::{
    BugFound, Described, Event, LineFile, Listener, OutputFailure, Record, TestEnding, TestWritten,
    document, read_lines, variants,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "findings",
    help: "the end of each test, and each bug",
    output: "findings.jsonl",
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::StopsRun,
    make: |place| {
        Box::new(FindingsJsonl {
            path: place.join(ROW.output),
            file: None,
        })
    },
};

/// A line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "kebab-case")]
enum Finding {
    Test { test: String, ending: TestEnding },
    Bug(Box<BugFound>),
}

/// Returns the JSON Schema of a line of `findings.jsonl`.
pub fn findings_schema() -> Value {
    let mut test = Record::default();
    test.value("test", "Name of the test.", String::schema());
    test.value("ending", "Ending of its path.", TestEnding::schema());
    let all = vec![("test", test.finish()), ("bug", BugFound::schema())];
    document(
        "A line of findings.jsonl",
        variants("finding", "Kind of the line.", all),
    )
}

/// Adds a line for each test and each bug.
struct FindingsJsonl {
    path: PathBuf,
    /// Open from the start of the session on.
    file: Option<LineFile>,
}

impl Listener for FindingsJsonl {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match (event, &mut self.file) {
            (Event::Started(_), file) => *file = Some(LineFile::append_to(&self.path)?),
            (Event::TestWritten(test), Some(file)) => file.append(&Finding::Test {
                test: test.test.clone(),
                ending: test.ending.clone(),
            })?,
            (Event::BugFound(bug), Some(file)) => {
                file.append(&Finding::Bug(Box::new(bug.clone())))?
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns the tests and bugs of earlier sessions of an output directory, as their events. A
/// directory without the file has none.
pub fn earlier_findings(directory: &Path) -> io::Result<Vec<Event>> {
    let findings: Vec<Finding> = match read_lines(&directory.join(ROW.output)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        findings => findings?,
    };
    let covered = read_coverage(directory)?.into_iter();
    let mut covered: BTreeMap<String, TestCoverage> =
        covered.map(|entry| (entry.test.clone(), entry)).collect();
    let event = |finding| match finding {
        Finding::Bug(bug) => Some(Event::BugFound(*bug)),
        Finding::Test { test, ending } => {
            let covered = covered.remove(&test)?;
            Some(Event::TestWritten(TestWritten {
                test,
                ending,
                ended: covered.ended,
                sides: covered.sides,
                new: covered.new,
                found_by: covered.found_by,
                boundaries: covered.boundaries,
                work: covered.work,
                underapproximations: covered.underapproximations,
            }))
        }
    };
    Ok(findings.into_iter().filter_map(event).collect())
}

/// A listener that hears of earlier sessions' tests and bugs once its session has begun.
pub(super) struct WithEarlier {
    pub(super) listener: Box<dyn Listener>,
    pub(super) earlier: Vec<Event>,
}

impl Listener for WithEarlier {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        self.listener.on_event(event)?;
        if matches!(event, Event::Started(_)) {
            for event in std::mem::take(&mut self.earlier) {
                self.listener.on_event(&event)?;
            }
        }
        Ok(())
    }
}
