//! The program that `homi test` tested, for commands that build it again.

use super::build::Sources;
use super::given::Given;
use anyhow::Context;
use homi_config::NativeConfig;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Name of the file in an output directory.
const FILE: &str = "build/program.json";

/// Files and flags of a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TestedProgram {
    /// Current directory of the run, which the files are relative to.
    pub directory: PathBuf,
    /// C sources; empty for an executable.
    pub sources: Vec<PathBuf>,
    pub executable: Option<PathBuf>,
    /// The tested function, or `main`.
    pub entry: String,
    /// Flags of the user for compilers and linker.
    pub compile: Vec<String>,
    pub link: Vec<String>,
}

impl TestedProgram {
    /// Returns the program that a run tests; `None` for one that does not run natively.
    pub fn of(given: &Given, entry: &str, config: &NativeConfig) -> Option<Self> {
        let (sources, executable) = match given {
            Given::Sources(Sources { files, .. }) => (files.clone(), None),
            Given::Executable(file) => (Vec::new(), Some(file.clone())),
            Given::Bitcode(_) => return None,
        };
        Some(Self {
            directory: std::env::current_dir().ok()?,
            sources,
            executable,
            entry: entry.to_string(),
            compile: config.compile.clone(),
            link: config.link.clone(),
        })
    }

    /// Writes the file into an output directory.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn write(&self, directory: &Path) -> anyhow::Result<()> {
        let file = directory.join(FILE);
        let text = serde_json::to_string_pretty(self)? + "\n";
        let above = file.parent().unwrap_or(directory);
        let written = std::fs::create_dir_all(above).and_then(|()| std::fs::write(&file, text));
        written.with_context(|| format!("cannot write {}", file.display()))
    }

    /// Reads the file of an output directory; `None` if `homi test` did not write one.
    ///
    /// # Errors
    /// Fails if the file is damaged.
    pub fn read(directory: &Path) -> anyhow::Result<Option<Self>> {
        let file = directory.join(FILE);
        let Ok(bytes) = std::fs::read(&file) else {
            return Ok(None);
        };
        let read = serde_json::from_slice(&bytes);
        read.map(Some)
            .with_context(|| format!("cannot read {}", file.display()))
    }
}
