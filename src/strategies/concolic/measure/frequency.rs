//! How often a path takes its sides, and the contexts of its branches.
//!
//! Invariant: a decision counts once, however many other sides it has; choices of values, which
//! take no side, count in the path's length only.

use super::super::dominators::Dominators;
use super::super::path::PathBranch;
use super::contexts::{Contexts, NO_SIDE};
use rustc_hash::FxHashMap;

/// The sides of one path.
#[derive(Debug)]
pub(super) struct Frequency {
    /// The side taken at each position.
    taken: Vec<Option<u32>>,
    /// How often the side of each branch is taken.
    times: Vec<u32>,
    most: u32,
    least: u32,
}

impl Frequency {
    /// Of a path whose branches are given from its beginning.
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

    /// Decisions of the path.
    pub(super) fn length(&self) -> u32 {
        self.taken.len() as u32
    }

    /// How often the path takes the side of its branch at this place of the list.
    pub(super) fn times(&self, at: usize) -> u32 {
        self.times.get(at).copied().unwrap_or(0)
    }

    pub(super) fn most(&self) -> u32 {
        self.most
    }

    pub(super) fn least(&self) -> u32 {
        self.least
    }

    /// The contexts of a branch of the path: the side that it leads to and those that were taken
    /// last before it, without those that every way to it goes over.
    pub(super) fn contexts(&self, dominators: &Dominators, branch: &PathBranch) -> Contexts {
        let side = branch.other.unwrap_or(NO_SIDE);
        let before = self.taken.iter().take(branch.position as usize).rev();
        let telling = before
            .flatten()
            .filter(|earlier| !dominators.dominates(**earlier, side));
        Contexts::of(std::iter::once(side).chain(telling.copied()))
    }
}
