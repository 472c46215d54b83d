//! `run_environment.json`: the environment of a run's programs in addition to their tests' inputs,
//! which a replay reproduces: the directory that they saw, the user that they ran as, and their
//! environment.
//!
//! The .ktest format cannot store it; a directory of tests without this file is replayed in an
//! empty one.

use serde::{Deserialize, Serialize};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Name of the file within an output directory.
pub const RUN_ENVIRONMENT: &str = "run-environment.json";

/// The surroundings of a run's paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEnvironment {
    /// The one host directory that programs saw and started in; absolute, without links.
    pub directory: PathBuf,
    /// User and group that they ran as: uid, euid, gid, egid.
    pub ids: [u32; 4],
    /// Environment variables as `NAME=VALUE`, in order.
    pub environment: Vec<Vec<u8>>,
}

/// The file. Names need not be text, so they are bytes where they are not.
#[derive(Serialize, Deserialize)]
struct Stored {
    schema: u32,
    directory: Bytes,
    ids: [u32; 4],
    environment: Vec<Bytes>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Raw(Vec<u8>),
}

impl Bytes {
    fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_string()),
            Err(_) => Self::Raw(bytes.to_vec()),
        }
    }

    fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Raw(bytes) => bytes,
        }
    }
}

impl RunEnvironment {
    pub fn write(&self, output_directory: &Path) -> io::Result<()> {
        let stored = Stored {
            schema: 1,
            directory: Bytes::new(self.directory.as_os_str().as_bytes()),
            ids: self.ids,
            environment: self.environment.iter().map(|one| Bytes::new(one)).collect(),
        };
        let text = serde_json::to_string_pretty(&stored)? + "\n";
        std::fs::write(output_directory.join(RUN_ENVIRONMENT), text)
    }

    /// Reads the surroundings in an output directory; `None` if it has no such file.
    pub fn read(output_directory: &Path) -> io::Result<Option<Self>> {
        let text = match std::fs::read(output_directory.join(RUN_ENVIRONMENT)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let stored: Stored = serde_json::from_slice(&text)?;
        Ok(Some(Self {
            directory: PathBuf::from(std::ffi::OsString::from_vec(stored.directory.into_bytes())),
            ids: stored.ids,
            environment: stored
                .environment
                .into_iter()
                .map(Bytes::into_bytes)
                .collect(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let directory = tempfile::tempdir().expect("a directory");
        assert_eq!(
            RunEnvironment::read(directory.path()).expect("no file"),
            None
        );
        let run_environment = RunEnvironment {
            directory: PathBuf::from("/some/where"),
            ids: [1, 2, 3, 4],
            environment: vec![b"A=b".to_vec(), b"B=\xff".to_vec()],
        };
        run_environment.write(directory.path()).expect("written");
        let read = RunEnvironment::read(directory.path()).expect("readable");
        assert_eq!(read, Some(run_environment));
        std::fs::write(directory.path().join(RUN_ENVIRONMENT), "{").expect("written");
        assert!(RunEnvironment::read(directory.path()).is_err());
    }
}
