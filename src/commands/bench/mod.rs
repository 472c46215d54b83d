//! `homi bench`: studies. Programs, ways to explore and seeds are crossed; each cell is a process
//! of its own with the same budget; what they come to is compared.
//!
//! Owns: the study's file and what is wrong with it, the programs that are known by name, how
//! programs are built for a study, its directory with the rows of its cells, the tables. Never:
//! exploring itself, or the meaning of an option: cells are `homi run` and `homi replay`, and
//! `options` judges their words. Data come from a TOML file and from the directories of runs.

mod arms;
mod builds;
mod built_in;
mod cell;
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
mod source;
mod statistics;
mod subjects;
mod tables;

pub use arms::{Arm, Engine};
pub use built_in::KnownBuilds;
pub use cell::{Bug, CELLS, Covered, Key, Outcome, Row};
pub use error::StudyError;
pub use page::page;
pub use plan::Study;
pub use report::{Report, report, write};
pub use run::{Ended, Request, run};
pub use sides::Sides;
pub use subjects::{Program, Recipe, Subject};

use std::path::{Path, PathBuf};

/// The file of the study in a directory, and the place where its relative paths begin.
///
/// # Errors
///
/// If the directory is no study's.
pub fn kept_study(directory: &Path) -> Result<(PathBuf, PathBuf), StudyError> {
    directory::kept(directory)
}

/// True if a directory is a study's.
pub fn is_study(directory: &Path) -> bool {
    directory.join(CELLS).is_file() && directory::kept(directory).is_ok()
}
