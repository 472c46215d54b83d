//! `--write-xml-tests`: each test as `testNNNNNN.xml`, and the program's data as `metadata.xml`, in
//! the Test-Comp format.
//!
//! Invariant: an input of a test is one symbolic object, in the order in which the program created
//! them.

use super::request::Asked;
use homi_native::testcase::ktest::KTest;
use homi_output::export::test_format::{Metadata, hash, test_case};
use homi_report::{Event, Listener};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) struct XmlTests {
    directory: PathBuf,
    /// Value of `--xml-metadata-programfile`; `hash` has the value of `--xml-metadata-programhash`.
    program: Option<String>,
    hash: Option<String>,
    entry: String,
}

impl XmlTests {
    pub(super) fn new(asked: &Asked) -> Self {
        Self {
            directory: PathBuf::new(),
            program: asked.xml_program.clone(),
            hash: asked.xml_hash.clone(),
            entry: asked.entry.clone(),
        }
    }

    fn write_metadata(&self, inputs: &[String], started: u64) -> io::Result<()> {
        let file = inputs.first().map(String::as_str).unwrap_or_default();
        let metadata = Metadata {
            specification: "COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )",
            program: self.program.as_deref().unwrap_or(file),
            hash: self.hash.clone().unwrap_or_else(|| hash(Path::new(file))),
            entry: &self.entry,
            is_of_32_bits: false,
            started_unix_s: started,
        };
        fs::write(self.directory.join("metadata.xml"), metadata.document())
    }

    fn write_test(&self, name: &str, covers_error: bool) -> io::Result<()> {
        let path = self.directory.join(format!("{name}.ktest"));
        let test = KTest::read(&path).map_err(io::Error::other)?;
        let objects = test.objects.iter();
        let inputs = objects.map(|object| (object.name_text(), value(&object.bytes)));
        let text = test_case("variable", inputs, covers_error);
        fs::write(self.directory.join(format!("{name}.xml")), text)
    }
}

impl Listener for XmlTests {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(started) => {
                self.directory = Path::new(&started.directory).to_path_buf();
                self.write_metadata(&started.inputs, started.started_unix_s)
            }
            Event::TestWritten(test) => {
                let is_bug = matches!(test.ending, homi_report::TestEnding::Bug { .. });
                self.write_test(&test.test, is_bug)
            }
            _ => Ok(()),
        }
    }
}

/// Returns the bytes as a hexadecimal number, least significant byte first.
fn value(bytes: &[u8]) -> String {
    let digits: String = bytes
        .iter()
        .rev()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("0x{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbers() {
        assert_eq!(value(&[1, 2, 0, 0]), "0x00000201");
    }
}
