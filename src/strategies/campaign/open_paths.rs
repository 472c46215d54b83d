//! Open paths of the unpruned run, saved between sessions of a campaign.
//!
//! Each worker saves its part in a separate directory, `open-paths/WORKER`: between two slices if
//! the last save was half a minute ago, and at its end. A resumed session reaches the paths again
//! by their decisions (`sources`) in the first slice of its first worker. Other runs start fresh.
//!
//! Invariant: a path that is not open in the files has been committed. No path is dropped, and at
//! most one slice and half a minute are repeated. States move between workers: states in transfer
//! when all workers have ended form an additional part, and only then the files are marked as
//! complete. A killed session with several workers leaves no mark, so some paths may be in no file.
//! The campaign then no longer reports that all paths were explored.

use homi_explore::sources::checkpoint;
use homi_explore::sources::checkpoint::{Collector, Frontier};
use homi_machine::exec::Underapproximations;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the directory within an output directory.
const DIRECTORY: &str = "open-paths";
/// Name of the mark that the files hold all open paths.
const WHOLE: &str = "whole";
/// Facts that a worker saves with its part.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct OpenPathFacts {
    /// True if a path was dropped.
    pub dropped: bool,
    /// True if paths may be in transfer to another worker, and in no file until all are marked as
    /// complete.
    pub moves: bool,
    /// Under-approximations of the run.
    pub underapproximations: Underapproximations,
}

/// Open paths that an earlier session saved.
#[derive(Clone, Debug, Default)]
pub struct LeftOpen {
    pub frontier: Frontier,
    pub facts: OpenPathFacts,
}

/// Location of a campaign's open paths.
#[derive(Clone, Debug)]
pub struct OpenPaths {
    directory: PathBuf,
    /// Description of the run that the paths belong to.
    head: serde_json::Value,
}

impl OpenPaths {
    /// Returns the location within an output directory for the run that `head` describes.
    pub fn new(output: &Path, head: serde_json::Value) -> Self {
        Self {
            directory: output.join(DIRECTORY),
            head,
        }
    }

    /// Reads the paths that earlier sessions saved, and stores them as the part of the first
    /// worker. `is_same` checks the description of their run.
    ///
    /// # Errors
    /// The text describes why nothing can be resumed: a file is corrupt, or belongs to another
    /// version or run.
    pub fn take_up(
        &self,
        is_same: impl Fn(&serde_json::Value) -> Result<(), String>,
    ) -> Result<Option<LeftOpen>, String> {
        let workers = self.workers();
        let mut left = LeftOpen::default();
        let mut together = Collector::default();
        for worker in &workers {
            let found = checkpoint::read::<serde_json::Value, OpenPathFacts>(worker)
                .map_err(|error| error.to_string())?;
            is_same(&found.head)?;
            left.facts.dropped |= found.facts.dropped || found.is_older;
            left.facts.moves |= found.facts.moves;
            left.facts
                .underapproximations
                .add(&found.facts.underapproximations);
            together.adopt(&found.frontier.tree, &found.frontier.states);
        }
        left.frontier = together.finish();
        let mark = self.directory.join(WHOLE);
        left.facts.dropped |= left.facts.moves && !mark.exists();
        let is_anew = workers.len() > 1 || std::mem::take(&mut left.facts.moves);
        if is_anew && self.write(0, &left).is_ok() {
            let others = workers
                .iter()
                .filter(|worker| **worker != self.of_worker(0));
            others.for_each(|worker| {
                // A leftover is only explored again, which is harmless.
                let _ = fs::remove_dir_all(worker);
            });
        }
        // The mark does not cover this session, which may be killed before its first save.
        let _ = fs::remove_file(mark);
        Ok((!left.frontier.states.is_empty()).then_some(left))
    }

    /// Removes all files: the paths are over, or cannot be resumed.
    pub fn remove(&self) {
        // A leftover is only explored again.
        let _ = fs::remove_dir_all(&self.directory);
    }

    /// Returns the directories that hold a part, in the order of their names.
    fn workers(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.directory).into_iter().flatten();
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut found: Vec<PathBuf> = paths.filter(|path| checkpoint::exists(path)).collect();
        found.sort();
        found
    }

    fn of_worker(&self, worker: usize) -> PathBuf {
        self.directory.join(worker.to_string())
    }

    /// Marks the files as complete: all open paths are in them.
    pub(super) fn mark_whole(&self) -> std::io::Result<()> {
        if self.directory.exists() {
            fs::write(self.directory.join(WHOLE), "")
        } else {
            Ok(())
        }
    }

    pub(super) fn write(&self, worker: usize, left: &LeftOpen) -> std::io::Result<()> {
        let directory = self.of_worker(worker);
        if left.frontier.states.is_empty() {
            checkpoint::remove(&directory);
            return Ok(());
        }
        fs::create_dir_all(&directory)?;
        checkpoint::write(&directory, &self.head, &left.facts, &left.frontier).map(|_| ())
    }
}
