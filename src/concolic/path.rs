//! The paths of a run as their branches.
//!
//! Invariant: a path keeps only what it met after it left the path that it comes from; the rest is
//! that path's. What no open branch and no later path needs is forgotten. So a branch, open or
//! decided, takes 16 bytes once, however many paths lead over it: 4,000 runs that each meet 500
//! branches of their own take 32 MB, and an open one about 30 bytes more to be found by its state.

use crate::search::{Fork, StateId};
use crate::util::dense_id;
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

/// The number of a side that is none.
const NO_SIDE: u32 = u32::MAX;

fn pack(side: Option<u32>) -> u32 {
    side.unwrap_or(NO_SIDE)
}

fn unpack(side: u32) -> Option<u32> {
    (side != NO_SIDE).then_some(side)
}

/// A branch of a path's own.
#[derive(Clone, Copy, Debug)]
struct Entry {
    taken: u32,
    other: u32,
    /// The state that waits to take the other side.
    state: StateId,
    open: bool,
    /// It begins a position.
    first: bool,
}

/// What a path met after it left the path that it comes from.
#[derive(Debug)]
struct Own {
    /// Where it left; none if it began at a root.
    origin: Option<BranchRef>,
    /// Positions up to there.
    before: u32,
    entries: Vec<Entry>,
    /// Open branches, paths that left here, and whoever holds the path: it is forgotten with the
    /// last of them.
    holders: u32,
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
        let own = Own {
            origin,
            before,
            entries: Vec::new(),
            holders: 1,
        };
        self.kept.insert(id, own);
        id
    }

    /// A path that has not ended meets a branch, and a state waits at its other side. `joins`: it is
    /// a further side of the decision before it.
    pub(super) fn meet(&mut self, path: PathId, fork: Option<Fork>, state: StateId, joins: bool) {
        let Some(own) = self.kept.get_mut(&path) else {
            return;
        };
        let at = BranchRef {
            path,
            place: own.entries.len() as u32,
        };
        let first = !joins || own.entries.is_empty();
        own.entries.push(Entry {
            taken: pack(fork.map(|fork| fork.kept)),
            other: pack(fork.map(|fork| fork.taken)),
            state,
            open: true,
            first,
        });
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

    /// Whether nobody has gone to the branch's other side yet.
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
        let entry = own.entries.get(at.place as usize)?;
        let upto = own.entries.iter().take(at.place as usize + 1);
        let begun = upto.filter(|entry| entry.first).count() as u32;
        Some(PathBranch {
            at,
            position: own.before + begun.saturating_sub(1),
            taken: unpack(entry.taken),
            other: unpack(entry.other),
        })
    }

    fn entry(&self, at: BranchRef) -> Option<&Entry> {
        self.kept.get(&at.path)?.entries.get(at.place as usize)
    }

    fn entry_mut(&mut self, at: BranchRef) -> Option<&mut Entry> {
        let own = self.kept.get_mut(&at.path)?;
        own.entries.get_mut(at.place as usize)
    }
}

impl Own {
    /// Appends the path's own branches, up to the decision at which another path left, which takes
    /// the side there that this one does not.
    fn append(&self, id: PathId, left: Option<u32>, branches: &mut Vec<PathBranch>) {
        let all = self.entries.len();
        let end = left.map_or(all, |place| self.end_of_position(place).min(all));
        let base = branches.len();
        let mut position = self.before;
        let mut first_of_position = base;
        for (place, entry) in self.entries[..end].iter().enumerate() {
            if entry.first && place > 0 {
                position += 1;
            }
            if entry.first {
                first_of_position = branches.len();
            }
            branches.push(PathBranch {
                at: BranchRef {
                    path: id,
                    place: place as u32,
                },
                position,
                taken: unpack(entry.taken),
                other: unpack(entry.other),
            });
        }
        if let Some(place) = left.filter(|place| (*place as usize) < end) {
            let left = self.entries[place as usize];
            for branch in &mut branches[first_of_position..] {
                branch.taken = unpack(left.other);
            }
            branches[base + place as usize].other = unpack(left.taken);
        }
    }

    /// One past the last branch of the position that a branch belongs to.
    fn end_of_position(&self, place: u32) -> usize {
        let after = place as usize + 1;
        let rest = self.entries.iter().skip(after);
        after + rest.take_while(|entry| !entry.first).count()
    }
}
