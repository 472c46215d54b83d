//! Studies (`homi bench`): every combination of programs, configurations and seeds runs in a
//! separate process with the same budget, and the results are compared.
//!
//! Owns: the study file and its errors, the programs known by name, the builds of programs, the
//! study's directory with its rows, the tables. Never: exploring, or the meaning of an option.
//! Runs are `homi run` and `homi replay`, and `options` checks their arguments. Data come from a
//! TOML file and from the directories of runs.

mod builds;
mod built_in;
mod configurations;
mod curves;
mod directory;
mod error;
mod gates;
mod grid;
mod jobs;
mod klee;
mod measure;
mod origin;
mod page;
mod plan;
mod process;
mod progress;
mod replays;
mod report;
mod results;
mod run;
mod sides;
pub(crate) mod source;
mod statistics;
mod study_run;
mod subjects;
mod tables;

pub use built_in::KnownBuilds;
pub use configurations::{Configuration, Engine};
pub use error::StudyError;
pub use page::page;
pub use plan::Study;
pub use report::{Report, report, write};
pub use run::{Ended, Request, run};
pub use sides::Sides;
pub use study_run::{Bug, Covered, Key, Outcome, RUNS, Row};
pub use subjects::{Program, Recipe, Subject};

use std::path::{Path, PathBuf};

/// Returns the study file in a directory and the directory of its relative paths.
///
/// # Errors
///
/// Fails if the directory is not a study's.
pub fn kept_study(directory: &Path) -> Result<(PathBuf, PathBuf), StudyError> {
    directory::kept(directory)
}

/// True if a directory is a study's.
pub fn is_study(directory: &Path) -> bool {
    directory.join(RUNS).is_file() && directory::kept(directory).is_ok()
}
