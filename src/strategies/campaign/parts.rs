//! Where the parts of the run without pruning are, which several threads go on with.
//!
//! The first thread begins it. At the end of its first slice, and whenever another has few paths
//! left, it cuts off a part of its states, which go to that thread as they are (`engine`'s
//! transfers). Invariant: each state is in one part, and the run has followed every path once all
//! parts are over and none has lost one.

use super::open_paths::SaidOfOpen;
use crate::explore::engine::{StopReason, TransferredStates};
use crate::machine::exec::Narrowed;

/// A thread gets paths from one that has so many times as many.
const FEW: u64 = 4;

/// One thread's part.
#[derive(Default)]
struct Part {
    /// How many paths wait in its suspended run, if there is one.
    waiting: Option<u64>,
    /// What others have cut off for it.
    given: Vec<TransferredStates>,
}

impl Part {
    fn is_there(&self) -> bool {
        self.waiting.is_some() || !self.given.is_empty()
    }

    fn paths(&self) -> u64 {
        let given: usize = self.given.iter().map(TransferredStates::len).sum();
        self.waiting.unwrap_or(0) + given as u64
    }
}

/// All parts of the run without pruning.
pub(super) struct Parts {
    by_lane: Vec<Part>,
    divided: bool,
    /// A path was lost for want of memory.
    lost: bool,
    /// What the parts that are over, or an earlier session, no longer followed.
    narrowed: Narrowed,
    /// It goes on with what an earlier session left.
    goes_on: bool,
}

impl Parts {
    /// For so many threads.
    pub(super) fn new(lanes: usize) -> Self {
        Self {
            by_lane: (0..lanes).map(|_| Part::default()).collect(),
            divided: false,
            lost: false,
            narrowed: Narrowed::default(),
            goes_on: false,
        }
    }

    /// It goes on with what an earlier session left, of which that session said this.
    pub(super) fn go_on(&mut self, said: &SaidOfOpen) {
        self.lost |= said.lost;
        self.narrowed.add(&said.narrowed);
        self.goes_on = true;
    }

    /// What is to be said of all parts where they are written down.
    pub(super) fn said(&self) -> SaidOfOpen {
        SaidOfOpen {
            lost: self.lost,
            moves: false,
            narrowed: self.narrowed.clone(),
        }
    }

    /// Parts that nobody has taken.
    pub(super) fn given(&self) -> impl Iterator<Item = &TransferredStates> {
        self.by_lane.iter().flat_map(|part| &part.given)
    }

    /// True if a thread can go on with it, or begin it.
    pub(super) fn is_for(&self, lane: usize) -> bool {
        if self.divided {
            self.by_lane[lane].is_there()
        } else {
            lane == 0
        }
    }

    /// The threads that get a part when `lane` ends its next slice.
    pub(super) fn receivers(&self, lane: usize) -> Vec<usize> {
        let own = self.by_lane[lane].paths();
        let others = (0..self.by_lane.len()).filter(|other| *other != lane);
        others
            .filter(|other| !self.divided || self.by_lane[*other].paths() * FEW < own)
            .collect()
    }

    /// What others have cut off for a thread, which takes it.
    pub(super) fn take_given(&mut self, lane: usize) -> Vec<TransferredStates> {
        std::mem::take(&mut self.by_lane[lane].given)
    }

    /// A slice is over: how many paths wait for its thread, and the parts for others.
    pub(super) fn note(
        &mut self,
        lane: usize,
        waiting: Option<u64>,
        receivers: &[usize],
        given: Vec<TransferredStates>,
    ) {
        self.by_lane[lane].waiting = waiting;
        for (receiver, states) in receivers.iter().zip(given) {
            self.by_lane[*receiver].given.push(states);
            self.divided = true;
        }
    }

    /// A path was lost: the run can no longer show that all were followed.
    pub(super) fn lose(&mut self) {
        self.lost = true;
    }

    /// How many paths wait in all parts; nothing once all are over.
    pub(super) fn waiting(&self) -> Option<u64> {
        let is_there = self.by_lane.iter().any(Part::is_there);
        is_there.then(|| self.by_lane.iter().map(Part::paths).sum())
    }

    /// Paths in parts that nobody has taken.
    pub(super) fn untaken(&self) -> u64 {
        self.given().map(|states| states.len() as u64).sum()
    }

    /// No path is left in a thread's part, which no longer followed this: why the whole run is
    /// over, with what it no longer followed, if it is.
    pub(super) fn settle(&mut self, narrowed: &Narrowed) -> Option<(StopReason, Narrowed)> {
        self.narrowed.add(narrowed);
        if self.lost || self.waiting().is_some() {
            return None;
        }
        let reason = StopReason::without_states(&self.narrowed);
        Some((reason, self.narrowed.clone()))
    }

    /// True if more than one thread or session has had a part.
    pub(super) fn are_several(&self) -> bool {
        self.divided || self.goes_on
    }
}
