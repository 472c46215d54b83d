//! Checkpoints: open states are written to a file during the run and when it stops, so that another
//! session can resume it.
//!
//! Invariant: a checkpoint is of one moment. Every path that left before has its test, its counts
//! and its coverage in it or in the directory, and every path that has not left is in it as an open
//! state. With several threads all wait while what each has is taken down.

use super::checkpoint_totals::{CheckpointTotals, Unshown};
use crate::sources::checkpoint;
use crate::sources::checkpoint::{Collector, Frontier, OpenState};
use homi_machine::state::{CoveredFirst, DecisionList, State};
use homi_report::SharedLog;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Destination and content of a run's checkpoints.
pub struct Checkpoints<'r> {
    directory: PathBuf,
    /// Returns the identity of the run; called once.
    describe: Box<dyn Fn() -> Value + Send + Sync + 'r>,
    described: OnceLock<Value>,
    /// Results of earlier sessions.
    earlier: CheckpointTotals,
    /// Open states of the last checkpoint of the run, once it is over.
    left: AtomicU64,
    /// True if nothing is written: the caller takes the rest when the run is over.
    for_caller: bool,
    kept: Mutex<Option<Left>>,
}

/// Results and open states of a run, for another one to resume.
#[derive(Clone, Debug)]
pub struct Left {
    pub totals: CheckpointTotals,
    pub frontier: Frontier,
}

/// Data collected for a checkpoint.
#[derive(Debug, Default)]
pub(super) struct CheckpointData {
    pub(super) open: Collector,
    pub(super) unshown: Unshown,
    totals: Option<CheckpointTotals>,
}

impl CheckpointData {
    pub(super) fn add(&mut self, state: &State) {
        self.open.add(state);
        self.note_unshown(&state.covered_first);
    }

    /// Takes down what a state was.
    pub(super) fn add_before(&mut self, decisions: &DecisionList, open: OpenState) {
        self.open.add_decided(decisions, open);
    }

    /// The states that were taken down may go.
    pub(super) fn pause(&mut self) {
        self.open.pause();
    }

    pub(super) fn note_unshown(&mut self, covered: &CoveredFirst) {
        let (sides, segments) = covered.unclaimed();
        for side in sides {
            self.unshown.sides.insert(side);
        }
        for segment in segments {
            self.unshown.segments.insert(segment);
        }
    }

    /// Adds the totals of a thread.
    pub(super) fn add_totals(&mut self, more: CheckpointTotals) {
        match &mut self.totals {
            Some(totals) => totals.add(&more),
            totals => *totals = Some(more),
        }
    }
}

impl<'r> Checkpoints<'r> {
    /// Creates the writer for an output directory. `describe` identifies the run; `earlier` has the
    /// totals of earlier sessions of the directory.
    pub fn new(
        directory: PathBuf,
        describe: impl Fn() -> Value + Send + Sync + 'r,
        earlier: CheckpointTotals,
    ) -> Self {
        Self {
            directory,
            describe: Box::new(describe),
            described: OnceLock::new(),
            earlier,
            left: AtomicU64::new(0),
            for_caller: false,
            kept: Mutex::new(None),
        }
    }

    /// Returns checkpoints that write no file: the caller takes the rest when the run is over.
    pub fn for_caller(self) -> Self {
        Self {
            for_caller: true,
            ..self
        }
    }

    /// Takes the rest of the run, if it was kept for the caller.
    pub fn take_left(&self) -> Option<Left> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take()
    }

    /// Returns true if checkpoints are written during the run.
    pub(super) fn are_written(&self) -> bool {
        !self.for_caller
    }

    /// Returns the results of earlier sessions.
    pub fn earlier(&self) -> &CheckpointTotals {
        &self.earlier
    }

    /// Open states that the run has left; 0 if none could be written down.
    pub fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Returns everything that was collected, with the totals of earlier sessions.
    fn together(&self, collected: CheckpointData) -> Left {
        let mut totals = collected.totals.unwrap_or_default();
        totals.leave_out(&collected.unshown);
        totals.sessions = self.earlier.sessions + 1;
        totals.wall_s += self.earlier.wall_s;
        totals.cpu_s += self.earlier.cpu_s;
        totals.instructions += self.earlier.instructions;
        totals.work += self.earlier.work;
        totals.states_peak = totals.states_peak.max(self.earlier.states_peak);
        totals.solver.add(&self.earlier.solver);
        Left {
            totals,
            frontier: collected.open.finish(),
        }
    }

    /// Writes a checkpoint. A run continues without: a full disk causes one warning.
    pub(super) fn write(&self, collected: CheckpointData, log: &SharedLog) {
        let Left { totals, frontier } = self.together(collected);
        let head = self.described.get_or_init(&self.describe);
        match checkpoint::write(&self.directory, head, &totals, &frontier) {
            Ok(_) => self
                .left
                .store(frontier.states.len() as u64, Ordering::Relaxed),
            Err(error) => {
                let text = format!(
                    "cannot write a checkpoint: {error}; the run continues, and --resume will use \
                     the previous checkpoint"
                );
                log.lock().warning_once("checkpoint", &text);
            }
        }
    }

    /// The run is over, and this is what it has left.
    pub(super) fn end(&self, collected: CheckpointData, log: &SharedLog) {
        self.left.store(0, Ordering::Relaxed);
        if self.for_caller {
            let left = self.together(collected);
            let open = left.frontier.states.len() as u64;
            self.left.store(open, Ordering::Relaxed);
            *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(left);
            return;
        }
        if collected.open.is_empty() {
            checkpoint::remove(&self.directory)
        } else {
            self.write(collected, log)
        }
    }
}
