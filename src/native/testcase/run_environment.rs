//! `run_environment.json`: the environment of a run's programs in addition to their tests' inputs,
//! which a replay reproduces: the directories that they saw, the user that they ran as, and their
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
    /// homi's output directory within it, which programs did not see; absolute, without links. The
    /// file does not have it: the output directory is where the file is.
    pub hidden: Option<PathBuf>,
    /// Directories of system data that programs saw, too, such as time zones.
    pub data: Vec<PathBuf>,
    /// User and group that they ran as: uid, euid, gid, egid.
    pub ids: [u32; 4],
    /// Environment variables as `NAME=VALUE`, in order.
    pub environment: Vec<Vec<u8>>,
    /// Bitcode or executable that was run; absolute.
    pub inputs: Vec<PathBuf>,
}

/// The file. Names need not be text, so they are bytes where they are not.
#[derive(Serialize, Deserialize)]
struct Stored {
    schema: u32,
    directory: Bytes,
    #[serde(default)]
    data: Vec<Bytes>,
    ids: [u32; 4],
    environment: Vec<Bytes>,
    #[serde(default)]
    inputs: Vec<Bytes>,
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

    fn of_path(path: &Path) -> Self {
        Self::new(path.as_os_str().as_bytes())
    }

    fn into_path(self) -> PathBuf {
        PathBuf::from(std::ffi::OsString::from_vec(self.into_bytes()))
    }
}

impl RunEnvironment {
    pub fn write(&self, output_directory: &Path) -> io::Result<()> {
        let stored = Stored {
            schema: 2,
            directory: Bytes::of_path(&self.directory),
            data: self.data.iter().map(|one| Bytes::of_path(one)).collect(),
            ids: self.ids,
            environment: self.environment.iter().map(|one| Bytes::new(one)).collect(),
            inputs: self.inputs.iter().map(|one| Bytes::of_path(one)).collect(),
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
        let directory = stored.directory.into_path();
        let hidden = output_directory.canonicalize().ok();
        Ok(Some(Self {
            hidden: hidden.filter(|hidden| *hidden != directory && hidden.starts_with(&directory)),
            directory,
            data: stored.data.into_iter().map(Bytes::into_path).collect(),
            ids: stored.ids,
            environment: stored
                .environment
                .into_iter()
                .map(Bytes::into_bytes)
                .collect(),
            inputs: stored.inputs.into_iter().map(Bytes::into_path).collect(),
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
            hidden: None,
            data: vec![PathBuf::from("/usr/share/zoneinfo")],
            ids: [1, 2, 3, 4],
            environment: vec![b"A=b".to_vec(), b"B=\xff".to_vec()],
            inputs: vec![PathBuf::from("/some/a.bc")],
        };
        run_environment.write(directory.path()).expect("written");
        let read = RunEnvironment::read(directory.path()).expect("readable");
        assert_eq!(read, Some(run_environment.clone()));
        let output = directory.path().canonicalize().expect("a path");
        let above = RunEnvironment {
            directory: output.parent().expect("a directory").to_path_buf(),
            ..run_environment
        };
        above.write(&output).expect("written");
        let read = RunEnvironment::read(&output).expect("readable");
        assert_eq!(read.expect("a file").hidden, Some(output));
        std::fs::write(directory.path().join(RUN_ENVIRONMENT), "{").expect("written");
        assert!(RunEnvironment::read(directory.path()).is_err());
    }
}
