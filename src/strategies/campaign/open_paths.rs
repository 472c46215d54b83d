//! The open paths of the run without pruning, from one session of a campaign to the next.
//!
//! Each lane writes down its part in a directory of its own, `open-paths/LANE`: between two slices,
//! when the last time is half a minute ago, and at its end. A session that goes on finds the paths
//! again by their decisions (`roots`) in the first slice of its first lane. Other runs begin anew.
//!
//! Invariant: what is not open in the files has been booked, so nothing is lost and at most a slice
//! and half a minute are repeated. Between lanes states move: what is on its way once all lanes are
//! over is a part more, and only then the files are marked as whole. After a session with several
//! lanes that left no mark, a kill, some paths may be in no file, and the campaign no longer says
//! that all were followed.

use crate::explore::sources::checkpoint;
use crate::explore::sources::checkpoint::{Collector, Frontier};
use crate::machine::exec::Narrowed;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the directory within an output directory.
const DIRECTORY: &str = "open-paths";
/// The mark of files that hold all that is open.
const WHOLE: &str = "whole";
/// What a lane says of its part.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SaidOfOpen {
    /// A path was given up.
    pub lost: bool,
    /// Paths may be on their way to another lane, in no file before all are marked as whole.
    pub moves: bool,
    /// What the run no longer followed.
    pub narrowed: Narrowed,
}

/// What an earlier session has left.
#[derive(Clone, Debug, Default)]
pub struct LeftOpen {
    pub frontier: Frontier,
    pub said: SaidOfOpen,
}

/// Where a campaign writes down its open paths.
#[derive(Clone, Debug)]
pub struct OpenPaths {
    directory: PathBuf,
    /// Which run they are of.
    head: serde_json::Value,
}

impl OpenPaths {
    /// In an output directory, of the run that `head` describes.
    pub fn new(output: &Path, head: serde_json::Value) -> Self {
        Self {
            directory: output.join(DIRECTORY),
            head,
        }
    }

    /// What lies there of earlier sessions; `is_same` looks at what run it is of. From now on it
    /// lies there as the part of the first lane.
    ///
    /// # Errors
    /// Why nothing can be taken up, in words: a file is damaged or of another version, or of
    /// another run.
    pub fn take_up(
        &self,
        is_same: impl Fn(&serde_json::Value) -> Result<(), String>,
    ) -> Result<Option<LeftOpen>, String> {
        let lanes = self.lanes();
        let mut left = LeftOpen::default();
        let mut together = Collector::default();
        for lane in &lanes {
            let found = checkpoint::read::<serde_json::Value, SaidOfOpen>(lane)
                .map_err(|error| error.to_string())?;
            is_same(&found.head)?;
            left.said.lost |= found.said.lost || found.is_older;
            left.said.moves |= found.said.moves;
            left.said.narrowed.add(&found.said.narrowed);
            together.adopt(&found.frontier.tree, &found.frontier.states);
        }
        left.frontier = together.finish();
        let mark = self.directory.join(WHOLE);
        left.said.lost |= left.said.moves && !mark.exists();
        let is_anew = lanes.len() > 1 || std::mem::take(&mut left.said.moves);
        if is_anew && self.write(0, &left).is_ok() {
            let others = lanes.iter().filter(|lane| **lane != self.of_lane(0));
            others.for_each(|lane| {
                // What stays is followed once more, and nothing worse.
                let _ = fs::remove_dir_all(lane);
            });
        }
        // It says nothing of this session, which may write none before it is killed.
        let _ = fs::remove_file(mark);
        Ok((!left.frontier.states.is_empty()).then_some(left))
    }

    /// Removes all: the paths are over, or nobody can go on with them.
    pub fn remove(&self) {
        // What stays is followed once more.
        let _ = fs::remove_dir_all(&self.directory);
    }

    /// The directories with a part in them, in the order of their names.
    fn lanes(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.directory).into_iter().flatten();
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut found: Vec<PathBuf> = paths.filter(|path| checkpoint::exists(path)).collect();
        found.sort();
        found
    }

    fn of_lane(&self, lane: usize) -> PathBuf {
        self.directory.join(lane.to_string())
    }

    /// All that is open is in the files.
    pub(super) fn mark_whole(&self) -> std::io::Result<()> {
        if self.directory.exists() {
            fs::write(self.directory.join(WHOLE), "")
        } else {
            Ok(())
        }
    }

    pub(super) fn write(&self, lane: usize, left: &LeftOpen) -> std::io::Result<()> {
        let directory = self.of_lane(lane);
        if left.frontier.states.is_empty() {
            checkpoint::remove(&directory);
            return Ok(());
        }
        fs::create_dir_all(&directory)?;
        checkpoint::write(&directory, &self.head, &left.said, &left.frontier).map(|_| ())
    }
}
