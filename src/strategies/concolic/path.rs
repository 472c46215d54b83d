//! Paths of a run, as sequences of branches.
//!
//! Invariant: a path stores only the branches after its origin; the others belong to the path that
//! it left. Data that no open branch and no later path needs are deleted. Each branch, open or
//! decided, takes 16 bytes once, whatever the number of paths over it. As an example, 4,000 runs
//! that each add 500 branches take 32 MB. An open branch takes about 30 more bytes, for the lookup
//! by its state.

use super::user_code::{Entry, UserCode, unpack};
use homi_explore::search::{Fork, StateId};
use homi_ir::util::dense_id;
use rustc_hash::FxHashMap;

dense_id!(
    /// Path, numbered in the order in which paths started.
    PathId, "p");

/// Branch at its first occurrence: a path, and the branch's index in that path's own part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BranchRef {
    pub path: PathId,
    pub place: u32,
}

/// Branch as a path takes it: one side taken, another not. A switch with several other sides is one
/// branch per side, all with one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathBranch {
    pub at: BranchRef,
    /// Number of earlier decisions of the path.
    pub position: u32,
    /// Dense number of the side that the path takes; `None` for a choice of a value or an object.
    pub taken: Option<u32>,
    /// Side that the path does not take.
    pub other: Option<u32>,
}

/// All paths that are still needed.
#[derive(Debug, Default)]
pub struct Paths {
    kept: FxHashMap<PathId, UserCode>,
    /// Open branches, by the state that waits there.
    of_state: FxHashMap<StateId, BranchRef>,
    begun: u32,
}

impl Paths {
    /// Starts a path that forks from another at a branch, or starts at a root. It is held until
    /// `release`.
    pub(super) fn begin(&mut self, origin: Option<BranchRef>) -> PathId {
        let id = PathId(self.begun);
        self.begun += 1;
        let left = origin.and_then(|at| self.branch(at));
        let before = left.map_or(0, |branch| branch.position + 1);
        if let Some(from) = origin.and_then(|at| self.kept.get_mut(&at.path)) {
            from.holders += 1;
        }
        self.kept.insert(id, UserCode::new(origin, before));
        id
    }

    /// Adds a branch to a path in progress; `state` waits at its other side. `joins` is true if it
    /// is a further side of the previous decision.
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

    /// Closes the branch where a state waits: it was queried or dropped. The branch's path stays
    /// held until `release`.
    pub(super) fn close(&mut self, state: StateId) -> Option<BranchRef> {
        let at = self.of_state.remove(&state)?;
        if let Some(entry) = self.entry_mut(at) {
            entry.open = false;
        }
        Some(at)
    }

    /// Releases one hold of a path: the hold of its start, or of a closed branch.
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

    /// Returns the branch where a state waits.
    pub(super) fn branch_of(&self, state: StateId) -> Option<BranchRef> {
        self.of_state.get(&state).copied()
    }

    /// Returns the state that waits at an open branch.
    pub(super) fn state_at(&self, at: BranchRef) -> Option<StateId> {
        let entry = self.entry(at)?;
        entry.open.then_some(entry.state)
    }

    /// True if the branch's other side was not taken.
    pub fn is_open(&self, at: BranchRef) -> bool {
        self.entry(at).is_some_and(|entry| entry.open)
    }

    /// Returns the number of open branches of all paths, including paths in progress.
    pub fn open_count(&self) -> usize {
        self.of_state.len()
    }

    /// Returns the side that an open branch leads to.
    pub fn other_side(&self, at: BranchRef) -> Option<u32> {
        unpack(self.entry(at)?.other)
    }

    /// Returns the branch where the path left another; `None` if it started at a root.
    pub fn origin(&self, path: PathId) -> Option<BranchRef> {
        self.kept.get(&path)?.origin
    }

    /// Returns the branches of a path from its start; empty if the path was deleted.
    pub fn branches(&self, path: PathId) -> Vec<PathBranch> {
        // Paths of the chain, each with the index at which the next one left it.
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

    /// Returns the branches of a path lazily, the last one first.
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

    /// Returns the sides that a branch's path took before it, nearest first; `None` for a choice of
    /// a value.
    pub fn taken_before(&self, at: BranchRef) -> impl Iterator<Item = Option<u32>> {
        let mut next = self.place_before(at);
        std::iter::from_fn(move || {
            let (at, left) = next?;
            next = self.place_before(at);
            let entry = self.entry(at)?;
            Some(unpack(if left { entry.other } else { entry.taken }))
        })
    }

    /// Returns a branch of the decision before `at`'s, and true if `at`'s path left another path
    /// there.
    fn place_before(&self, at: BranchRef) -> Option<(BranchRef, bool)> {
        let own = self.kept.get(&at.path)?;
        let start = own.start_of_position(at.place);
        match start.checked_sub(1) {
            None => own.origin.map(|origin| (origin, true)),
            Some(place) => Some((BranchRef { place, ..at }, false)),
        }
    }

    /// Returns the open branches in a path's own part, in path order.
    pub fn open_in_part(&self, path: PathId) -> impl Iterator<Item = PathBranch> {
        let own = self.kept.get(&path);
        let mut branches = Vec::new();
        if let Some(own) = own {
            own.append(path, None, &mut branches);
        }
        branches
            .into_iter()
            .filter(|branch| self.is_open(branch.at))
    }

    /// Returns the last open branch of the newest path that has one.
    pub fn newest_open(&self) -> Option<BranchRef> {
        self.of_state.values().copied().max()
    }

    /// Returns a branch as its path takes it.
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
            .open_in_part(third)
            .map(|branch| branch.position)
            .collect();
        assert_eq!(own, [3]);
        assert_eq!(paths.open_count(), 4);
    }

    #[test]
    fn unneeded_paths_are_dropped() {
        let mut paths = Paths::default();
        let first = paths.begin(None);
        meet(&mut paths, first, 0, 1, 10, false);
        let second = leave(&mut paths, 10);
        meet(&mut paths, second, 2, 3, 11, false);
        // The first path has ended, and the second still uses its branch.
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
