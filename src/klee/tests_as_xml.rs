//! `--write-xml-tests`: each test as `testNNNNNN.xml`, and what they are of as `metadata.xml`, in
//! the format of the Test-Comp competition.
//!
//! Invariant: an input of a test is one symbolic object, in the order in which the program asked.

use super::request::Asked;
use crate::report::{Event, Listener, utc_date};
use crate::testcase::ktest::KTest;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

pub(super) struct XmlTests {
    directory: PathBuf,
    /// As `--xml-metadata-programfile` and `--xml-metadata-programhash` say them.
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
        let digest = || {
            let bytes = fs::read(file).unwrap_or_default();
            let digest = Sha256::digest(bytes);
            digest
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        let text = format!(
            "{HEAD}<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format \
             test-metadata 1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n\
             <test-metadata>\n\
             \t<sourcecodelang>C</sourcecodelang>\n\
             \t<producer>homi {}</producer>\n\
             \t<specification>COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )</specification>\n\
             \t<programfile>{}</programfile>\n\
             \t<programhash>{}</programhash>\n\
             \t<entryfunction>{}</entryfunction>\n\
             \t<architecture>64bit</architecture>\n\
             \t<creationtime>{}</creationtime>\n\
             </test-metadata>\n",
            env!("CARGO_PKG_VERSION"),
            escaped(self.program.as_deref().unwrap_or(file)),
            self.hash.clone().unwrap_or_else(digest),
            escaped(&self.entry),
            utc_date(started),
        );
        fs::write(self.directory.join("metadata.xml"), text)
    }

    fn write_test(&self, name: &str, covers_error: bool) -> io::Result<()> {
        let path = self.directory.join(format!("{name}.ktest"));
        let test = KTest::read(&path).map_err(io::Error::other)?;
        let mut text = format!(
            "{HEAD}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase \
             1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase{}>\n",
            if covers_error {
                " coversError=\"true\""
            } else {
                ""
            }
        );
        for object in &test.objects {
            let variable = escaped(&String::from_utf8_lossy(&object.name));
            let value = value(&object.bytes);
            text += &format!("\t<input variable=\"{variable}\">{value}</input>\n");
        }
        text += "</testcase>\n";
        fs::write(self.directory.join(format!("{name}.xml")), text)
    }
}

impl Listener for XmlTests {
    fn hear(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(started) => {
                self.directory = Path::new(&started.directory).to_path_buf();
                self.write_metadata(&started.inputs, started.started_unix_s)
            }
            Event::TestWritten(test) => {
                let is_bug = matches!(test.ending, crate::report::TestEnding::Bug { .. });
                self.write_test(&test.test, is_bug)
            }
            _ => Ok(()),
        }
    }
}

/// The bytes as a number, least byte first, in hexadecimal.
fn value(bytes: &[u8]) -> String {
    let digits: String = bytes
        .iter()
        .rev()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("0x{digits}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbers() {
        assert_eq!(value(&[1, 2, 0, 0]), "0x00000201");
        assert_eq!(escaped("a<\"&"), "a&lt;&quot;&amp;");
    }
}
