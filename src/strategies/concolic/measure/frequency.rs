//! Frequencies of the sides of a path, and the contexts of its branches.
//!
//! Invariant: a decision counts once, whatever its number of other sides. Choices of values, which
//! take no side, count only for the path's length.

use super::super::dominators::Dominators;
use super::super::path::PathBranch;
use super::contexts::{Contexts, NO_SIDE};
use rustc_hash::FxHashMap;

/// Sides of one path.
#[derive(Debug)]
pub(super) struct Frequency {
    /// Side taken at each position.
    taken: Vec<Option<u32>>,
    /// Number of times that the side of each branch is taken.
    times: Vec<u32>,
    most: u32,
    least: u32,
}

impl Frequency {
    /// Counts the sides of a path whose branches are given from its start.
    pub(super) fn of(branches: &[PathBranch]) -> Self {
        let mut taken: Vec<Option<u32>> = Vec::new();
        for branch in branches {
            if branch.position as usize == taken.len() {
                taken.push(branch.taken);
            }
        }
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        for side in taken.iter().flatten() {
            *counts.entry(*side).or_default() += 1;
        }
        let times = branches.iter().map(|branch| {
            let count = branch.taken.and_then(|side| counts.get(&side));
            count.copied().unwrap_or(0)
        });
        Self {
            times: times.collect(),
            most: counts.values().copied().max().unwrap_or(0),
            least: counts.values().copied().min().unwrap_or(0),
            taken,
        }
    }

    /// Returns the number of decisions of the path.
    pub(super) fn length(&self) -> u32 {
        self.taken.len() as u32
    }

    /// Returns the number of times that the path takes the side of the branch at this index.
    pub(super) fn times(&self, at: usize) -> u32 {
        self.times.get(at).copied().unwrap_or(0)
    }

    pub(super) fn most(&self) -> u32 {
        self.most
    }

    pub(super) fn least(&self) -> u32 {
        self.least
    }

    /// Returns the contexts of a branch of the path: the side that it leads to and the last sides
    /// taken before it, without dominating sides.
    pub(super) fn contexts(&self, dominators: &Dominators, branch: &PathBranch) -> Contexts {
        let side = branch.other.unwrap_or(NO_SIDE);
        let before = self.taken.iter().take(branch.position as usize).rev();
        let telling = before
            .flatten()
            .filter(|earlier| !dominators.dominates(**earlier, side));
        Contexts::of(std::iter::once(side).chain(telling.copied()))
    }
}
