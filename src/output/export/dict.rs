//! AFL's dictionary: the words of the program, first the words of tests with new coverage.
//!
//! Invariant: each word is there once.

use super::row::{ExporterRow, Occasion};
use homi_native::testcase::dictionary_file;
use homi_native::testcase::ktest::KTest;
use homi_report::{Event, Listener, OutputFailure};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the exporter, which alone needs the program's words.
pub const NAME: &str = "dict";

pub(super) const ROW: ExporterRow = ExporterRow {
    name: NAME,
    help: "the program's words as a dictionary for afl-fuzz -x and --dict",
    output: "words.dict",
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::FailsRun,
    make: |place| {
        Box::new(Words {
            tests: place.directory.to_path_buf(),
            file: place.join(ROW.output),
            longest: place.words.iter().map(Vec::len).max().unwrap_or(0),
            others: place.words.iter().cloned().collect(),
            paid: BTreeSet::new(),
        })
    },
};

/// Collects the words that tests have, and writes all words at the end.
struct Words {
    /// Directory of the tests.
    tests: PathBuf,
    file: PathBuf,
    /// Bytes of the longest word.
    longest: usize,
    /// Words that no test with new coverage has.
    others: BTreeSet<Vec<u8>>,
    paid: BTreeSet<Vec<u8>>,
}

impl Listener for Words {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            // A run that is killed leaves the words that were known before.
            Event::Started(_) | Event::Finished(_) => self.write(),
            Event::TestWritten(test) if !test.new.is_empty() => {
                self.note(&self.tests.join(format!("{}.ktest", test.test)))
            }
            _ => Ok(()),
        }
    }
}

impl Words {
    fn note(&mut self, file: &Path) -> io::Result<()> {
        let test = KTest::read(file).map_err(io::Error::other)?;
        for object in &test.objects {
            for start in 0..object.bytes.len() {
                let most = self.longest.min(object.bytes.len() - start);
                for length in 1..=most {
                    let word = &object.bytes[start..start + length];
                    self.paid.extend(self.others.take(word));
                }
            }
        }
        Ok(())
    }

    fn write(&self) -> io::Result<()> {
        let lines = |name: &str, words: &BTreeSet<Vec<u8>>| {
            dictionary_file::write(name, words.iter().map(Vec::as_slice))
        };
        let text = format!(
            "# Words of tests with new coverage\n{}# Other words of the program\n{}",
            lines("test", &self.paid),
            lines("program", &self.others)
        );
        std::fs::write(&self.file, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_tests_come_first() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("t.ktest");
        let mut test = KTest::new(["p"]);
        test.push(b"stdin".to_vec(), b"a while b".to_vec());
        test.write(&file).expect("written");
        let words = ["if", "while", "whole"].map(|word| word.as_bytes().to_vec());
        let mut words = Words {
            tests: directory.path().to_path_buf(),
            file: directory.path().join("words.dict"),
            longest: 5,
            others: words.into(),
            paid: BTreeSet::new(),
        };
        words.note(&file).expect("a test");
        words.write().expect("written");
        let text = std::fs::read(&words.file).expect("a file");
        let read = dictionary_file::parse(&text, 0).expect("a dictionary");
        assert_eq!(read, [b"while".to_vec(), b"if".to_vec(), b"whole".to_vec()]);
    }
}
