//! The paths of a run as their branches.
//!
//! Invariant: a path keeps only what it met after it left the path that it comes from; the rest is
//! that path's. What no open branch and no later path needs is forgotten. So a branch, open or
//! decided, takes 16 bytes once, however many paths lead over it: 4,000 runs that each meet 500
//! branches of their own take 32 MB, and an open one about 30 bytes more to be found by its state.

use super::own::{Entry, Own, unpack};
use crate::explore::search::{Fork, StateId};
use crate::ir::util::dense_id;
use rustc_hash::FxHashMap;

dense_id!(
    /// A path, in the order in which paths began.
    PathId, "p");

/// A branch where it was met first: a path, and the branch's place among those that are its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BranchRef {
    pub path: PathId,
    pub place: u32,
}

/// A branch as a path goes over it: one side taken, another not. A switch with several other sides
/// is one branch for each of them, all of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathBranch {
    pub at: BranchRef,
    /// How many decisions the path has taken before.
    pub position: u32,
    /// The side that the path takes, by its dense number; none if it is a choice of a value or an
    /// object.
    pub taken: Option<u32>,
    /// The side that the path does not take.
    pub other: Option<u32>,
}

/// All paths that somebody may still ask for.
#[derive(Debug, Default)]
pub struct Paths {
    kept: FxHashMap<PathId, Own>,
    /// The open branches, by the state that waits there.
    of_state: FxHashMap<StateId, BranchRef>,
    begun: u32,
}

impl Paths {
    /// Begins a path that leaves another at a branch, or begins at a root. It is held until
    /// `release`.
    pub(super) fn begin(&mut self, origin: Option<BranchRef>) -> PathId {
        let id = PathId(self.begun);
        self.begun += 1;
        let left = origin.and_then(|at| self.branch(at));
        let before = left.map_or(0, |branch| branch.position + 1);
        if let Some(from) = origin.and_then(|at| self.kept.get_mut(&at.path)) {
            from.holders += 1;
        }
        self.kept.insert(id, Own::new(origin, before));
        id
    }

    /// A path that has not ended meets a branch, and a state waits at its other side. `joins`: it
    /// is a further side of the decision before it.
    pub(super) fn meet(&mut self, path: PathId, fork: Option<Fork>, state: StateId, joins: bool) {
        let Some(own) = self.kept.get_mut(&path) else {
            return;
        };
        let at = BranchRef {
            path,
            place: own.entries.len() as u32,
        };
        own.meet(fork, state, joins);
        own.holders += 1;
        self.of_state.insert(state, at);
    }

    /// Closes the branch where a state waits: it is asked, or gone. The branch's path stays held
    /// until `release`.
    pub(super) fn close(&mut self, state: StateId) -> Option<BranchRef> {
        let at = self.of_state.remove(&state)?;
        if let Some(entry) = self.entry_mut(at) {
            entry.open = false;
        }
        Some(at)
    }

    /// Gives up a hold of a path: the one that it began with, that of a branch that was closed.
    pub(super) fn release(&mut self, path: PathId) {
        let mut next = Some(path);
        while let Some(id) = next.take() {
            let Some(own) = self.kept.get_mut(&id) else {
                return;
            };
            own.holders = own.holders.saturating_sub(1);
            if own.holders == 0 {
                next = own.origin.map(|at| at.path);
                self.kept.remove(&id);
            }
        }
    }

    /// The branch where a state waits.
    pub(super) fn branch_of(&self, state: StateId) -> Option<BranchRef> {
        self.of_state.get(&state).copied()
    }

    /// The state that waits at an open branch.
    pub(super) fn state_at(&self, at: BranchRef) -> Option<StateId> {
        let entry = self.entry(at)?;
        entry.open.then_some(entry.state)
    }

    /// True if nobody has gone to the branch's other side yet.
    pub fn is_open(&self, at: BranchRef) -> bool {
        self.entry(at).is_some_and(|entry| entry.open)
    }

    /// Open branches of all paths, those of paths that have not ended included.
    pub fn open_count(&self) -> usize {
        self.of_state.len()
    }

    /// The side that an open branch leads to.
    pub fn other_side(&self, at: BranchRef) -> Option<u32> {
        unpack(self.entry(at)?.other)
    }

    /// Where the path left the one that it comes from; none if it began at a root.
    pub fn origin(&self, path: PathId) -> Option<BranchRef> {
        self.kept.get(&path)?.origin
    }

    /// The branches that a path goes over from its beginning; none of a path that is forgotten.
    pub fn branches(&self, path: PathId) -> Vec<PathBranch> {
        // Each path on the way, with the place at which the next one left it.
        let mut chain = vec![(path, None)];
        let mut at = self.origin(path);
        while let Some(left) = at {
            chain.push((left.path, Some(left.place)));
            at = self.origin(left.path);
        }
        let mut branches = Vec::new();
        for (id, left) in chain.into_iter().rev() {
            if let Some(own) = self.kept.get(&id) {
                own.append(id, left, &mut branches);
            }
        }
        branches
    }

    /// The same branches, the last one first. Those of a long path that nobody looks at cost
    /// nothing.
    pub fn branches_backwards(&self, path: PathId) -> impl Iterator<Item = PathBranch> {
        let mut next = Some((path, None));
        let mut branches = Vec::new();
        std::iter::from_fn(move || {
            while branches.is_empty() {
                let (id, left) = next.take()?;
                let own = self.kept.get(&id)?;
                next = own.origin.map(|at| (at.path, Some(at.place)));
                own.append(id, left, &mut branches);
            }
            branches.pop()
        })
    }

    /// The sides that the path of a branch took before it, nearest first; none for a choice of a
    /// value.
    pub fn taken_before(&self, at: BranchRef) -> impl Iterator<Item = Option<u32>> {
        let mut next = self.place_before(at);
        std::iter::from_fn(move || {
            let (at, left) = next?;
            next = self.place_before(at);
            let entry = self.entry(at)?;
            Some(unpack(if left { entry.other } else { entry.taken }))
        })
    }

    /// A branch of the decision before that of `at`, and whether `at`'s path left another path
    /// there.
    fn place_before(&self, at: BranchRef) -> Option<(BranchRef, bool)> {
        let own = self.kept.get(&at.path)?;
        let start = own.start_of_position(at.place);
        match start.checked_sub(1) {
            None => own.origin.map(|origin| (origin, true)),
            Some(place) => Some((BranchRef { place, ..at }, false)),
        }
    }

    /// The open branches that are a path's own, in the order in which it met them.
    pub fn own_open(&self, path: PathId) -> impl Iterator<Item = PathBranch> {
        let own = self.kept.get(&path);
        let mut branches = Vec::new();
        if let Some(own) = own {
            own.append(path, None, &mut branches);
        }
        branches
            .into_iter()
            .filter(|branch| self.is_open(branch.at))
    }

    /// An open branch, if there is one: of the newest path, the one that it met last.
    pub fn newest_open(&self) -> Option<BranchRef> {
        self.of_state.values().copied().max()
    }

    /// A branch as its own path goes over it.
    pub fn branch(&self, at: BranchRef) -> Option<PathBranch> {
        let own = self.kept.get(&at.path)?;
        own.branch(at)
    }

    fn entry(&self, at: BranchRef) -> Option<&Entry> {
        self.kept.get(&at.path)?.entries.get(at.place as usize)
    }

    fn entry_mut(&mut self, at: BranchRef) -> Option<&mut Entry> {
        let own = self.kept.get_mut(&at.path)?;
        own.entries.get_mut(at.place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(paths: &mut Paths, path: PathId, kept: u32, taken: u32, state: u32, joins: bool) {
        let fork = Fork { kept, taken };
        paths.meet(path, Some(fork), StateId(state), joins);
    }

    fn leave(paths: &mut Paths, state: u32) -> PathId {
        let at = paths.branch_of(StateId(state));
        let path = paths.begin(at);
        let closed = paths.close(StateId(state)).unwrap();
        paths.release(closed.path);
        path
    }

    fn shape(paths: &Paths, path: PathId) -> Vec<(u32, Option<u32>, Option<u32>, bool)> {
        let branches = paths.branches(path).into_iter();
        let mut backwards: Vec<_> = paths.branches_backwards(path).collect();
        backwards.reverse();
        assert_eq!(backwards, paths.branches(path));
        let shape = branches.map(|branch| {
            let open = paths.is_open(branch.at);
            (branch.position, branch.taken, branch.other, open)
        });
        shape.collect()
    }

    #[test]
    fn a_path_goes_over_the_branches_of_those_that_it_left() {
        let mut paths = Paths::default();
        let first = paths.begin(None);
        meet(&mut paths, first, 0, 1, 10, false);
        // A switch with three sides.
        meet(&mut paths, first, 4, 5, 11, false);
        meet(&mut paths, first, 4, 6, 12, true);
        meet(&mut paths, first, 8, 9, 13, false);
        let second = leave(&mut paths, 11);
        meet(&mut paths, second, 2, 3, 14, false);
        let third = leave(&mut paths, 14);
        paths.meet(third, None, StateId(15), false);
        assert_eq!(
            shape(&paths, first),
            [
                (0, Some(0), Some(1), true),
                (1, Some(4), Some(5), false),
                (1, Some(4), Some(6), true),
                (2, Some(8), Some(9), true),
            ]
        );
        assert_eq!(
            shape(&paths, third),
            [
                (0, Some(0), Some(1), true),
                (1, Some(5), Some(4), false),
                (1, Some(5), Some(6), true),
                (2, Some(3), Some(2), false),
                (3, None, None, true),
            ]
        );
        let own: Vec<u32> = paths
            .own_open(third)
            .map(|branch| branch.position)
            .collect();
        assert_eq!(own, [3]);
        assert_eq!(paths.open_count(), 4);
    }

    #[test]
    fn paths_that_nobody_needs_are_forgotten() {
        let mut paths = Paths::default();
        let first = paths.begin(None);
        meet(&mut paths, first, 0, 1, 10, false);
        let second = leave(&mut paths, 10);
        meet(&mut paths, second, 2, 3, 11, false);
        // The first path has ended, and the second still goes over its branch.
        paths.release(first);
        assert_eq!(shape(&paths, second).len(), 2);
        let third = leave(&mut paths, 11);
        paths.release(second);
        assert_eq!(paths.kept.len(), 3);
        paths.release(third);
        assert!(paths.kept.is_empty() && paths.of_state.is_empty());
    }

    #[test]
    fn a_branch_takes_sixteen_bytes() {
        assert_eq!(size_of::<Entry>(), 16);
    }
}
