//! Parts of the unpruned run, which several threads share.
//!
//! The first thread starts the run. It splits off states at the end of its first slice, and
//! whenever another thread has few paths left. `engine` transfers the states to that thread.
//! Invariant: each state is in one part. The run has explored every path once all parts are over
//! and none has dropped a path.

use super::open_paths::OpenPathFacts;
use homi_explore::engine::{StopReason, TransferredStates};
use homi_machine::exec::Underapproximations;

/// Factor by which another thread must have more paths before it splits off some for a thread.
const FEW: u64 = 4;

/// Part of one thread.
#[derive(Default)]
struct Part {
    /// Number of paths that wait in its suspended run; `None` if there is no such run.
    waiting: Option<u64>,
    /// States that other threads split off for it.
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

/// All parts of the unpruned run.
pub(super) struct Parts {
    by_worker: Vec<Part>,
    divided: bool,
    /// True if a path was dropped for lack of memory.
    dropped: bool,
    /// Under-approximations of the finished parts and of an earlier session.
    underapproximations: Underapproximations,
    /// True if the run continues an earlier session.
    goes_on: bool,
}

impl Parts {
    /// Creates the parts of `workers` threads.
    pub(super) fn new(workers: usize) -> Self {
        Self {
            by_worker: (0..workers).map(|_| Part::default()).collect(),
            divided: false,
            dropped: false,
            underapproximations: Underapproximations::default(),
            goes_on: false,
        }
    }

    /// Continues the run of an earlier session, which saved the facts `facts`.
    pub(super) fn go_on(&mut self, facts: &OpenPathFacts) {
        self.dropped |= facts.dropped;
        self.underapproximations.add(&facts.underapproximations);
        self.goes_on = true;
    }

    /// Returns the facts about all parts that are saved with open paths.
    pub(super) fn facts(&self) -> OpenPathFacts {
        OpenPathFacts {
            dropped: self.dropped,
            moves: false,
            underapproximations: self.underapproximations.clone(),
        }
    }

    /// Returns the parts that no thread has taken.
    pub(super) fn given(&self) -> impl Iterator<Item = &TransferredStates> {
        self.by_worker.iter().flat_map(|part| &part.given)
    }

    /// True if a thread can continue or start the run.
    pub(super) fn is_for(&self, worker: usize) -> bool {
        if self.divided {
            self.by_worker[worker].is_there()
        } else {
            worker == 0
        }
    }

    /// Returns the threads that get a part when `worker` ends its next slice.
    pub(super) fn receivers(&self, worker: usize) -> Vec<usize> {
        let own = self.by_worker[worker].paths();
        let others = (0..self.by_worker.len()).filter(|other| *other != worker);
        others
            .filter(|other| !self.divided || self.by_worker[*other].paths() * FEW < own)
            .collect()
    }

    /// Takes the states that other threads split off for a thread.
    pub(super) fn take_given(&mut self, worker: usize) -> Vec<TransferredStates> {
        std::mem::take(&mut self.by_worker[worker].given)
    }

    /// Records the end of a slice: the number of paths that wait for its thread, and the parts for
    /// others.
    pub(super) fn note(
        &mut self,
        worker: usize,
        waiting: Option<u64>,
        receivers: &[usize],
        given: Vec<TransferredStates>,
    ) {
        self.by_worker[worker].waiting = waiting;
        for (receiver, states) in receivers.iter().zip(given) {
            self.by_worker[*receiver].given.push(states);
            self.divided = true;
        }
    }

    /// Records a dropped path: the run can no longer show that all paths were explored.
    pub(super) fn lose(&mut self) {
        self.dropped = true;
    }

    /// Returns the number of paths that wait in all parts; `None` once all are over.
    pub(super) fn waiting(&self) -> Option<u64> {
        let is_there = self.by_worker.iter().any(Part::is_there);
        is_there.then(|| self.by_worker.iter().map(Part::paths).sum())
    }

    /// Returns the number of paths in parts that no thread has taken.
    pub(super) fn untaken(&self) -> u64 {
        self.given().map(|states| states.len() as u64).sum()
    }

    /// Records that a thread's part is over, with its under-approximations `underapproximations`.
    /// Returns the reason why the whole run is over, with all under-approximations; `None` if it is
    /// not over.
    pub(super) fn settle(
        &mut self,
        underapproximations: &Underapproximations,
    ) -> Option<(StopReason, Underapproximations)> {
        self.underapproximations.add(underapproximations);
        if self.dropped || self.waiting().is_some() {
            return None;
        }
        let reason = StopReason::without_states(&self.underapproximations);
        Some((reason, self.underapproximations.clone()))
    }

    /// True if more than one thread or session has had a part.
    pub(super) fn are_several(&self) -> bool {
        self.divided || self.goes_on
    }
}
