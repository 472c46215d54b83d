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

use super::lane::{Lane, Waiting};
use super::looping::Campaign;
use crate::explore::engine::StopReason;
use crate::explore::sources::RootSource;
use crate::explore::sources::checkpoint;
use crate::explore::sources::checkpoint::{Collector, Frontier};
use crate::ir::util::clock::Moment;
use crate::machine::exec::Narrowed;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the directory within an output directory.
const DIRECTORY: &str = "open-paths";
/// The mark of files that hold all that is open.
const WHOLE: &str = "whole";
/// Writing has so small a part of the time: one of so many.
const TIMES_ITS_COST: u32 = 10;

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
    fn mark_whole(&self) -> std::io::Result<()> {
        match self.directory.exists() {
            true => fs::write(self.directory.join(WHOLE), ""),
            false => Ok(()),
        }
    }

    fn write(&self, lane: usize, left: &LeftOpen) -> std::io::Result<()> {
        let directory = self.of_lane(lane);
        if left.frontier.states.is_empty() {
            checkpoint::remove(&directory);
            return Ok(());
        }
        fs::create_dir_all(&directory)?;
        checkpoint::write(&directory, &self.head, &left.said, &left.frontier).map(|_| ())
    }
}

impl Waiting {
    /// Takes down all paths that wait.
    fn take_down(&self, open: &mut Collector) {
        self.run.states().for_each(|state| open.add(state));
        if let Some(swapped_out) = &self.swapped_out {
            swapped_out.take_down(open);
        }
        if let Some(resumed) = &self.resumed {
            resumed.take_down(open);
        }
    }
}

impl Campaign<'_> {
    /// Writes down the lane's open paths if that is due.
    pub(super) fn write_open_paths(&self, lane: &mut Lane<'_, '_>) {
        let now = Moment::now();
        if self.open_paths.is_some() && now >= lane.next_writing {
            self.write_part(lane);
            let cost = now.elapsed() * TIMES_ITS_COST;
            let usual = Duration::from_secs_f64(lane.bench.tuning.engine.checkpoint_every);
            lane.next_writing = Moment::now() + usual.max(cost);
        }
    }

    /// Writes down what the lane leaves at its end.
    pub(super) fn write_last_open_paths(&self, lane: &mut Lane<'_, '_>) {
        if !self.is_exhausted() {
            self.write_part(lane);
        }
    }

    /// All lanes are over: writes down what was on its way between them, and marks the files as
    /// whole. Of a program that was followed to its end nothing stays.
    pub(super) fn finish_open_paths(&self) {
        let Some(place) = &self.open_paths else {
            return;
        };
        if self.is_exhausted() {
            return place.remove();
        }
        let mut open = Collector::default();
        let (said, lanes) = {
            let progress = self.lock();
            let given = progress.parts.given();
            given.for_each(|part| part.states().for_each(|state| open.add(state)));
            (progress.parts.said(), progress.order.lanes())
        };
        open.pause();
        let left = LeftOpen {
            frontier: open.finish(),
            said,
        };
        if lanes > 1 {
            let written = place.write(lanes, &left);
            self.tell_unwritten(written.and_then(|()| place.mark_whole()));
        }
    }

    fn is_exhausted(&self) -> bool {
        let progress = self.lock();
        let ending = progress.ending.as_ref().map(|ending| &ending.reason);
        ending.is_some_and(StopReason::is_exhausted)
    }

    fn tell_unwritten(&self, written: std::io::Result<()>) {
        if let Err(error) = written {
            let text = format!(
                "open paths cannot be written down ({error}): the campaign goes on, and --resume \
                 would begin with those of the last time, or begin the run without pruning anew"
            );
            self.log.lock().warning_once("open paths", &text);
        }
    }

    /// Writes down the lane's part.
    fn write_part(&self, lane: &mut Lane<'_, '_>) {
        let Some(place) = &self.open_paths else {
            return;
        };
        let mut open = Collector::default();
        let mut said = self.lock().parts.said();
        said.moves = self.lock().order.lanes() > 1;
        if let Some(waiting) = &lane.waiting.unpruned {
            waiting.take_down(&mut open);
            said.narrowed.add(waiting.run.narrowed());
        }
        open.pause();
        let is_taken_up = lane.number == 0 && self.lock().left_open.is_none();
        if open.is_empty() && !lane.has_written && !is_taken_up {
            // What an earlier session left stays.
            return;
        }
        lane.has_written = true;
        let left = LeftOpen {
            frontier: open.finish(),
            said,
        };
        self.tell_unwritten(place.write(lane.number, &left));
    }
}
