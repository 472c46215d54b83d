//! `outcomes.jsonl`: one line per test with the outcome that homi predicts for the native program.
//!
//! The output of a test is in `testNNNNNN.stdout` and `testNNNNNN.stderr`, if there is some, and
//! lines about its files in `testNNNNNN.files`. Replays compare all with the native program.

use homi_report::{LineFile, read_lines};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::{fs, io};

/// Name of the log within an output directory.
pub const OUTCOME_LOG: &str = "outcomes.jsonl";
/// Bytes of one stream that are stored; of the rest the length and the hash are known.
pub const MAX_STORED_OUTPUT: usize = 64 << 10;

/// End of a test's execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PredictedEnd {
    /// The program exits with this status; 128 + N if signal N ends it.
    Exit(i32),
    /// A bug of this kind (the suffix of its `.err` file) ends the path. A native program may run
    /// on.
    Bug(String),
    /// The prediction has no end, for this reason.
    Unknown(String),
}

/// Prediction of one of the two output streams.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PredictedStream {
    /// Number of bytes that the program writes.
    pub bytes: u64,
    /// SHA-256 of all bytes in hexadecimal; absent if there are none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sha256: String,
    /// Ranges of bytes, ascending, that differ between two predictions of the test, so that a
    /// native run may print others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<Range<u64>>,
    /// True if the two predictions have different numbers of lines, so that nothing is compared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
}

/// One line of the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestOutcome {
    /// Name of the test, such as `test000001`.
    pub test: String,
    /// Ending of the execution.
    pub end: PredictedEnd,
    /// True if the end depends on addresses, process numbers, the clock, random or uninitialized
    /// bytes, so that it is not compared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
    /// True if the test was executed once, so that what varies between executions is not known. It
    /// matters only where the native program does something else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
    #[serde(default)]
    pub stdout: PredictedStream,
    #[serde(default)]
    pub stderr: PredictedStream,
    /// A line for each file that the program makes, changes or removes, behind a first line
    /// `files`; empty if no modeled kernel sees the exit.
    #[serde(default)]
    pub files: PredictedStream,
}

/// Outcome of a test with the stored bytes of its streams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredOutcome {
    pub outcome: TestOutcome,
    /// The first bytes of standard output, at most [`MAX_STORED_OUTPUT`].
    pub stdout: Vec<u8>,
    /// The first bytes of standard error, at most [`MAX_STORED_OUTPUT`].
    pub stderr: Vec<u8>,
    /// The lines about files.
    pub files: Vec<u8>,
}

impl PredictedStream {
    /// Returns the prediction of a stream with these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            bytes: bytes.len() as u64,
            sha256: if bytes.is_empty() {
                String::new()
            } else {
                sha256(bytes)
            },
            ..Self::default()
        }
    }
}

/// Returns the SHA-256 of bytes in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Suffixes of the files that have the bytes of the streams.
const SUFFIXES: [&str; 3] = ["stdout", "stderr", "files"];
/// Lines about files if there are none.
pub const NO_FILES: &[u8] = b"files\n";

/// Adds an outcome to the log of an output directory and stores its streams' first bytes. The last
/// outcome of a test counts.
pub fn store_outcome(directory: &Path, stored: &StoredOutcome) -> io::Result<()> {
    for (suffix, bytes) in SUFFIXES
        .iter()
        .zip([&stored.stdout, &stored.stderr, &stored.files])
    {
        if !bytes.is_empty() && bytes.as_slice() != NO_FILES {
            let kept = &bytes[..bytes.len().min(MAX_STORED_OUTPUT)];
            let name = format!("{}.{suffix}", stored.outcome.test);
            fs::write(directory.join(name), kept)?;
        }
    }
    LineFile::append_to(&directory.join(OUTCOME_LOG))?.append(&stored.outcome)
}

/// Reads the outcomes of an output directory by name of the test; none if it has no log.
pub fn read_outcomes(directory: &Path) -> io::Result<BTreeMap<String, TestOutcome>> {
    match read_lines::<TestOutcome>(&directory.join(OUTCOME_LOG)) {
        Ok(lines) => Ok(lines
            .into_iter()
            .map(|line| (line.test.clone(), line))
            .collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(error),
    }
}

/// Reads the stored bytes of an outcome's streams.
pub fn read_streams(directory: &Path, outcome: &TestOutcome) -> io::Result<StoredOutcome> {
    let no_files = PredictedStream::of(NO_FILES);
    let read = |suffix: &str, stream: &PredictedStream| match stream.bytes {
        0 => Ok(Vec::new()),
        _ if stream.sha256 == no_files.sha256 => Ok(NO_FILES.to_vec()),
        _ => fs::read(directory.join(format!("{}.{suffix}", outcome.test))),
    };
    Ok(StoredOutcome {
        stdout: read(SUFFIXES[0], &outcome.stdout)?,
        stderr: read(SUFFIXES[1], &outcome.stderr)?,
        files: read(SUFFIXES[2], &outcome.files)?,
        outcome: outcome.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_read_as_it_was_stored() {
        let directory = tempfile::tempdir().unwrap();
        let none = read_outcomes(directory.path()).unwrap();
        assert!(none.is_empty());
        let mut stdout = PredictedStream::of(b"pid 4242\n");
        stdout.masked.push(4..8);
        let outcome = TestOutcome {
            test: "test000001".to_string(),
            end: PredictedEnd::Exit(2),
            unstable: false,
            once: false,
            stdout,
            stderr: PredictedStream::default(),
            files: PredictedStream::of(NO_FILES),
        };
        let stored = StoredOutcome {
            outcome: outcome.clone(),
            stdout: b"pid 4242\n".to_vec(),
            stderr: Vec::new(),
            files: NO_FILES.to_vec(),
        };
        store_outcome(directory.path(), &stored).unwrap();
        let all = read_outcomes(directory.path()).unwrap();
        assert_eq!(all.get("test000001"), Some(&outcome));
        assert_eq!(read_streams(directory.path(), &outcome).unwrap(), stored);
        for absent in ["test000001.stderr", "test000001.files"] {
            assert!(!directory.path().join(absent).exists());
        }
    }
}
