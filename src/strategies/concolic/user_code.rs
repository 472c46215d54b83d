//! Part of a path after its origin.
//!
//! Invariant: entries are in the order in which the path met them. Entries of one decision are
//! adjacent, and the first of them is marked. An entry takes 16 bytes.

use super::path::{BranchRef, PathBranch, PathId};
use homi_explore::search::{Fork, StateId};

/// Marks a missing side.
const NO_SIDE: u32 = u32::MAX;

fn pack(side: Option<u32>) -> u32 {
    side.unwrap_or(NO_SIDE)
}

pub(super) fn unpack(side: u32) -> Option<u32> {
    (side != NO_SIDE).then_some(side)
}

/// Branch in a path's own part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) taken: u32,
    pub(super) other: u32,
    /// State that waits to take the other side.
    pub(super) state: StateId,
    pub(super) open: bool,
    /// True if the entry starts a position.
    first: bool,
}

/// Branches that a path met after it left its origin.
#[derive(Debug)]
pub(super) struct UserCode {
    /// Branch where the path left another; `None` if it started at a root.
    pub(super) origin: Option<BranchRef>,
    /// Number of positions on the origin's path, up to and including the origin.
    pub(super) before: u32,
    pub(super) entries: Vec<Entry>,
    /// Number of open branches, of paths that left here, and of other holders; the path is deleted
    /// with the last of them.
    pub(super) holders: u32,
}

impl UserCode {
    /// Creates a path with one holder.
    pub(super) fn new(origin: Option<BranchRef>, before: u32) -> Self {
        Self {
            origin,
            before,
            entries: Vec::new(),
            holders: 1,
        }
    }

    /// Adds a branch; `joins` is true if it is a further side of the previous decision.
    pub(super) fn meet(&mut self, fork: Option<Fork>, state: StateId, joins: bool) {
        let first = !joins || self.entries.is_empty();
        self.entries.push(Entry {
            taken: pack(fork.map(|fork| fork.kept)),
            other: pack(fork.map(|fork| fork.taken)),
            state,
            open: true,
            first,
        });
    }

    /// Returns a branch as this path takes it.
    pub(super) fn branch(&self, at: BranchRef) -> Option<PathBranch> {
        let entry = self.entries.get(at.place as usize)?;
        let upto = self.entries.iter().take(at.place as usize + 1);
        let begun = upto.filter(|entry| entry.first).count() as u32;
        Some(PathBranch {
            at,
            position: self.before + begun.saturating_sub(1),
            taken: unpack(entry.taken),
            other: unpack(entry.other),
        })
    }

    /// Appends the path's branches, up to the decision at which another path left; there that path
    /// takes the side that this one does not.
    pub(super) fn append(&self, id: PathId, left: Option<u32>, branches: &mut Vec<PathBranch>) {
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

    /// Returns the index of the first branch of a branch's position.
    pub(super) fn start_of_position(&self, place: u32) -> u32 {
        let upto = (0..=place).rev();
        let entry = |place: &u32| self.entries.get(*place as usize);
        let mut first = upto.filter(|place| entry(place).is_some_and(|entry| entry.first));
        first.next().unwrap_or(0)
    }

    /// Returns the index after the last branch of a branch's position.
    pub(super) fn end_of_position(&self, place: u32) -> usize {
        let after = place as usize + 1;
        let rest = self.entries.iter().skip(after);
        after + rest.take_while(|entry| !entry.first).count()
    }
}
