//! Writes tests: `testNNNNNN.ktest` and its additional files.
//!
//! Invariant: a file with a test's name is always whole. Each is written under another name first
//! and renamed, so that a full disk or a kill leaves the tests written so far valid and no half
//! test behind. Numbers count up from 1, without holes unless a test could not be written. Clones
//! share the numbers, so that threads write side by side.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file of a test could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    pub path: PathBuf,
    pub source: io::Error,
}

/// Hands out numbers and writes files into one directory.
#[derive(Clone, Debug)]
pub struct TestWriter {
    directory: PathBuf,
    /// Number of test numbers that all clones of the writer have used.
    numbers: Arc<AtomicU64>,
    /// Tests written so far, by all clones of the writer.
    written: Arc<AtomicU64>,
}

/// An additional file of a test: suffix without the leading dot, and contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideFile {
    pub suffix: String,
    pub contents: Vec<u8>,
}

impl TestWriter {
    pub fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_path_buf(),
            numbers: Arc::default(),
            written: Arc::default(),
        }
    }

    /// Continues after existing tests; `last` is the number of the last one.
    pub fn continue_from(&mut self, last: u64, tests: u64) {
        self.numbers.store(last, Ordering::Relaxed);
        self.written.store(tests, Ordering::Relaxed);
    }

    /// Tests written so far.
    pub fn count(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// The greatest number that was given out.
    pub fn last(&self) -> u64 {
        self.numbers.load(Ordering::Relaxed)
    }

    /// Writes a test and returns its name (`test000001`). The `.ktest` comes last: where it is, its
    /// side files are.
    pub fn write(&mut self, ktest: &[u8], sides: &[SideFile]) -> Result<String, WriteError> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        let name = format!("test{number:06}");
        let mut done: Vec<PathBuf> = Vec::new();
        let ktest = std::iter::once(("ktest", ktest));
        let files = sides
            .iter()
            .map(|side| (side.suffix.as_str(), side.contents.as_slice()))
            .chain(ktest);
        for (suffix, contents) in files {
            let path = self.directory.join(format!("{name}.{suffix}"));
            if let Err(source) = write_whole(&path, contents) {
                // Side files of a test that does not exist would mislead.
                for path in done {
                    let _ = fs::remove_file(path);
                }
                return Err(WriteError { path, source });
            }
            done.push(path);
        }
        self.written.fetch_add(1, Ordering::Relaxed);
        Ok(name)
    }
}

/// Writes a file under a temporary name and renames it.
fn write_whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".part");
    let temporary = PathBuf::from(temporary);
    let result = fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(contents))
        .and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_named_by_number_and_whole() {
        let directory = tempfile::tempdir().unwrap();
        let mut writer = TestWriter::new(directory.path());
        let side = SideFile {
            suffix: "ptr.err".to_string(),
            contents: b"Error: x\n".to_vec(),
        };
        assert_eq!(writer.write(b"one", &[]).unwrap(), "test000001");
        assert_eq!(writer.write(b"two", &[side]).unwrap(), "test000002");
        assert_eq!(
            names(directory.path()),
            ["test000001.ktest", "test000002.ktest", "test000002.ptr.err"]
        );
        assert_eq!(
            fs::read(directory.path().join("test000002.ktest")).unwrap(),
            b"two"
        );
    }

    #[test]
    fn a_failure_leaves_nothing_of_the_test_behind() {
        let directory = tempfile::tempdir().unwrap();
        let mut writer = TestWriter::new(directory.path());
        writer.write(b"one", &[]).unwrap();
        // A directory in the place of the second .ktest makes the rename fail.
        fs::create_dir_all(directory.path().join("test000002.ktest/x")).unwrap();
        let side = SideFile {
            suffix: "early".to_string(),
            contents: Vec::new(),
        };
        let error = writer.write(b"two", &[side]).unwrap_err();
        assert!(error.to_string().contains("test000002.ktest"), "{error}");
        assert_eq!(writer.count(), 1);
        assert_eq!(
            names(directory.path()),
            ["test000001.ktest", "test000002.ktest"]
        );
    }
}
