//! Test-Comp: the tests as a suite that TestCov and other validators run.
//! <https://gitlab.com/sosy-lab/test-comp/test-format>
//!
//! Invariant: an input is one value of a `__VERIFIER_nondet_` function, in the order of the calls.
//! A path that an assumption ended has no test, so it has none here.

use super::row::{ExporterRow, Occasion};
use super::test_format::{Metadata, hash, test_case};
use super::verifier_inputs::{Form, TYPES};
use homi_native::testcase::ktest::KTest;
use homi_report::{Event, Listener, OutputFailure, Started, TestEnding};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "test-comp",
    help: "a Test-Comp test suite (XML files), for TestCov",
    output: "test-suite",
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::FailsRun,
    make: |place| {
        Box::new(Suite {
            tests: place.directory.to_path_buf(),
            suite: place.join(ROW.output),
            written: 0,
        })
    },
};

/// Specification of tests that cover branches.
const BRANCHES: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";

/// Writes a file for each test as it comes.
struct Suite {
    /// Directory of the tests.
    tests: PathBuf,
    suite: PathBuf,
    written: u64,
}

impl Listener for Suite {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(started) => {
                fs::create_dir_all(&self.suite)?;
                fs::write(self.suite.join("metadata.xml"), metadata(started))
            }
            Event::TestWritten(test) => {
                let file = self.tests.join(format!("{}.ktest", test.test));
                let ktest = KTest::read(&file).map_err(io::Error::other)?;
                let covers_error = matches!(
                    &test.ending,
                    TestEnding::Bug { bug, .. } if bug == "reach_error"
                );
                self.written += 1;
                let name = format!("test-{}.xml", self.written);
                let objects = ktest.objects.iter();
                let inputs = objects.filter_map(|one| value(&one.name_text(), &one.bytes));
                fs::write(
                    self.suite.join(name),
                    test_case("type", inputs, covers_error),
                )
            }
            _ => Ok(()),
        }
    }
}

fn metadata(started: &Started) -> String {
    let files = started.sources.iter().chain(&started.inputs);
    let program = files.map(String::as_str).next().unwrap_or_default();
    let metadata = Metadata {
        specification: started.property.as_deref().unwrap_or(BRANCHES),
        program,
        hash: hash(&Path::new(&started.working_directory).join(program)),
        entry: "main",
        is_of_32_bits: started.is_of_32_bits,
        started_unix_s: started.started_unix_s,
    };
    metadata.document()
}

/// The type in C and the value of what a function of this name returned.
fn value(name: &str, bytes: &[u8]) -> Option<(String, String)> {
    let row = TYPES.iter().find(|(known, ..)| *known == name)?;
    let (_, of, form) = *row;
    let number = bytes
        .iter()
        .rev()
        .fold(0u128, |number, byte| number << 8 | u128::from(*byte));
    let value = match form {
        Form::Truth => (number & 1).to_string(),
        Form::Unsigned => number.to_string(),
        Form::Signed => {
            let spare = 128 - 8 * u32::try_from(bytes.len()).ok()?.min(16);
            let number = ((number << spare) as i128) >> spare;
            number.to_string()
        }
        Form::Float => format!("{:e}", f32::from_le_bytes(bytes.try_into().ok()?)),
        Form::Double => format!("{:e}", f64::from_le_bytes(bytes.try_into().ok()?)),
    };
    Some((of.to_string(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_c_reads_them() {
        let shown = |name: &str, bytes: &[u8]| value(name, bytes).map(|(_, value)| value);
        assert_eq!(shown("int", &[255; 4]).as_deref(), Some("-1"));
        assert_eq!(shown("uint", &[255; 4]).as_deref(), Some("4294967295"));
        assert_eq!(shown("char", &[0x80]).as_deref(), Some("-128"));
        assert_eq!(shown("bool", &[3]).as_deref(), Some("1"));
        assert_eq!(
            shown("double", &1.5f64.to_le_bytes()).as_deref(),
            Some("1.5e0")
        );
        assert_eq!(shown("stdin", &[1]), None);
        let min = i128::MIN.to_le_bytes();
        assert_eq!(shown("int128", &min), Some(i128::MIN.to_string()));
    }
}
