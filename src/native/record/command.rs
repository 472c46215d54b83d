//! The library that is preloaded, and the variables that tell it what to do.
//!
//! Invariant: the command sees no other difference in its environment.

use super::RecordOptions;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiled by build/main.rs; empty if that was not possible.
const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/recorder.so"));

/// Names within the directory of records.
const OBJECT: &str = "recorder.so";
const RECORDS: &str = "records";

/// Reason why a command cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecorderError {
    #[error("homi was built without the recorder (x86-64 Linux only)")]
    Absent,
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} has a colon or a space in it, which the loader takes for two libraries; set TMPDIR \
             to another directory", path.display())]
    Name { path: PathBuf },
}

/// The recorder in a temporary directory, which is removed on drop.
#[derive(Debug)]
pub struct Recorder {
    directory: tempfile::TempDir,
    options: RecordOptions,
}

impl Recorder {
    /// Puts the library where programs of any user can load it.
    pub fn install(options: RecordOptions) -> Result<Self, RecorderError> {
        if LIBRARY.is_empty() {
            return Err(RecorderError::Absent);
        }
        let write = |path: &Path| {
            let path = path.to_path_buf();
            move |source| RecorderError::Write { path, source }
        };
        let temporary = std::env::temp_dir();
        let directory = tempfile::Builder::new().prefix("homi-record-").tempdir();
        let directory = directory.map_err(write(&temporary))?;
        let (library, records) = (
            directory.path().join(OBJECT),
            directory.path().join(RECORDS),
        );
        let made = fs::write(&library, LIBRARY)
            .and_then(|()| fs::set_permissions(&library, fs::Permissions::from_mode(0o755)))
            .and_then(|()| fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)))
            .and_then(|()| fs::create_dir(&records))
            .and_then(|()| fs::set_permissions(&records, fs::Permissions::from_mode(0o1777)));
        made.map_err(write(&library))?;
        let named = library.to_string_lossy();
        if named.contains([':', ' ']) {
            Err(RecorderError::Name { path: library })
        } else {
            Ok(Self { directory, options })
        }
    }

    /// Records a command and its child processes. `preloaded` lists other preloaded libraries.
    pub fn watch(&self, command: &mut Command, preloaded: Option<OsString>) {
        let library = self.directory.path().join(OBJECT);
        let mut preload = OsString::from(&library);
        if let Some(others) = preloaded.filter(|others| !others.is_empty()) {
            preload.push(":");
            preload.push(others);
        }
        command
            .env("LD_PRELOAD", preload)
            .env("HOMI_RECORD_LIBRARY", &library)
            .env("HOMI_RECORD_DIR", self.records())
            .env("HOMI_RECORD_PROGRAM", &self.options.program)
            .env("HOMI_RECORD_LIMIT", self.options.limit.to_string());
    }

    /// Returns the directory of the processes' records.
    pub fn records(&self) -> PathBuf {
        self.directory.path().join(RECORDS)
    }
}
