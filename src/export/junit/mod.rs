//! JUnit XML: the tests of a run or a replay, for what shows test results in CI.
//!
//! Invariant: one case per test. Of a run a bug is a failure, and a path that was not followed to
//! its end is skipped; of a replay the verdict decides.

mod case;

use super::registry::{ExporterRow, Occasion};
use super::xml::escape;
use crate::report::{BugFound, Event, Listener, Loss};
use case::{Case, CaseResult, place, replayed, stack, written};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "junit",
    help: "one case per test as JUnit XML; of a run bugs are failures, of a replay crashes are",
    output: "junit.xml",
    occasions: &[Occasion::Run, Occasion::Replay],
    needs_gcov: false,
    loss: Loss::FailsRun,
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
    cases: Vec<Case>,
}

impl Listener for Junit {
    fn hear(&mut self, event: &Event) -> io::Result<()> {
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
                return std::fs::write(&self.file, self.document());
            }
            _ => {}
        }
        Ok(())
    }
}

impl Junit {
    /// Adds the stack of a bug to its test. A bug without a test is a case of its own.
    fn add_bug(&mut self, bug: &BugFound) {
        let own = self.cases.iter_mut().rev();
        let mut own = own.filter(|case| case.name == bug.test);
        match own.next() {
            Some(case) => {
                if let CaseResult::Failure { text, .. } = &mut case.result {
                    *text = stack(bug);
                }
            }
            None => self.cases.push(Case {
                name: format!("bug without a test: {}", place(bug)),
                seconds: 0.0,
                result: CaseResult::Failure {
                    message: bug.message.clone(),
                    kind: bug.kind.clone(),
                    text: stack(bug),
                },
                notes: Vec::new(),
                stderr: String::new(),
            }),
        }
    }

    fn count(&self, of: fn(&CaseResult) -> bool) -> usize {
        self.cases.iter().filter(|case| of(&case.result)).count()
    }

    fn document(&self) -> String {
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
            self.cases.len(),
            self.count(|result| matches!(result, CaseResult::Failure { .. })),
            self.count(|result| matches!(result, CaseResult::Error { .. })),
        );
        let skipped = self.count(|result| matches!(result, CaseResult::Skipped { .. }));
        let seconds: f64 = self.cases.iter().map(|case| case.seconds).sum();
        let program = escape(&self.program);
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "<testsuites name=\"homi\" {counts} time=\"{seconds:.3}\">"
        );
        let _ = writeln!(
            out,
            "  <testsuite name=\"{program}\" {counts} skipped=\"{skipped}\" time=\"{seconds:.3}\">"
        );
        for case in &self.cases {
            let _ = write_case(&mut out, case, &program);
        }
        out + "  </testsuite>\n</testsuites>\n"
    }
}

fn write_stream(out: &mut String, element: &str, text: &str) -> std::fmt::Result {
    match text {
        "" => Ok(()),
        text => writeln!(out, "      <{element}>{}</{element}>", escape(text)),
    }
}

fn write_case(out: &mut String, case: &Case, program: &str) -> std::fmt::Result {
    let (name, seconds) = (escape(&case.name), case.seconds);
    writeln!(
        out,
        "    <testcase classname=\"{program}\" name=\"{name}\" time=\"{seconds:.3}\">"
    )?;
    match &case.result {
        CaseResult::Passed => {}
        CaseResult::Failure {
            message,
            kind,
            text,
        } => {
            let (message, kind, text) = (escape(message), escape(kind), escape(text));
            writeln!(
                out,
                "      <failure message=\"{message}\" type=\"{kind}\">{text}</failure>"
            )?;
        }
        CaseResult::Error { message } => {
            let message = escape(message);
            writeln!(out, "      <error message=\"{message}\" type=\"replay\"/>")?;
        }
        CaseResult::Skipped { message } => {
            writeln!(out, "      <skipped message=\"{}\"/>", escape(message))?;
        }
    }
    write_stream(out, "system-out", &case.notes.join("\n"))?;
    write_stream(out, "system-err", &case.stderr)?;
    writeln!(out, "    </testcase>")
}
