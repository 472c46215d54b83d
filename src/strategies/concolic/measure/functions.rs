//! Functions that runs have reached, and the uncovered sides of each.
//!
//! Invariant: updated from the history of coverage side by side. A function is reached when one of
//! its sides is covered. Only functions of user code with a branch count.

use super::super::code::FunctionTable;
use super::super::history::History;
use super::super::path::PathBranch;
use std::collections::BTreeSet;

/// Number of last runs in which a function counts as recently reached.
const LATELY: u64 = 10;

/// Percentages of the largest unreached functions that the features use.
const SHARES: [usize; 3] = [10, 20, 30];

/// Counters by function.
#[derive(Debug, Default)]
pub(super) struct FunctionCounts {
    uncovered: Vec<u32>,
    /// Number of runs that had ended before the one that reached each function; `None` if
    /// unreached.
    reached: Vec<Option<u64>>,
    sizes: Vec<u32>,
    largest: [u32; 3],
    /// Number of sides of the history that are counted.
    known: usize,
    runs: u64,
}

impl FunctionCounts {
    pub(super) fn of(table: &FunctionTable) -> Self {
        let mut counts = Self {
            uncovered: table.sizes().to_vec(),
            reached: vec![None; table.sizes().len()],
            sizes: table.sizes().to_vec(),
            ..Self::default()
        };
        counts.find_largest();
        counts
    }

    /// Counts the sides covered since the last call. A run has just ended.
    pub(super) fn take_in(&mut self, table: &FunctionTable, history: &History) {
        self.runs = history.runs();
        let mut reached = false;
        for side in history.covered_since(self.known) {
            if let Some(function) = table.of_side(*side) {
                let function = function as usize;
                self.uncovered[function] = self.uncovered[function].saturating_sub(1);
                reached |= self.reached[function].is_none();
                self.reached[function].get_or_insert(self.runs);
            }
        }
        self.known = history.covered_count();
        if reached {
            self.find_largest();
        }
    }

    fn find_largest(&mut self) {
        let unreached = self.sizes.iter().zip(&self.reached);
        let unreached = unreached.filter(|(_, reached)| reached.is_none());
        let mut sizes: Vec<u32> = unreached.map(|(size, _)| *size).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        self.largest = SHARES.map(|share| {
            let count = (sizes.len() * share / 100).max(1);
            sizes.get(count - 1).copied().unwrap_or(0)
        });
    }

    /// Returns the number of sides of the smallest function among the largest 10, 20 and 30 percent
    /// of the unreached ones, at least one function each; 0 if all are reached.
    pub(super) fn unreached_largest(&self) -> [u32; 3] {
        self.largest
    }

    /// Returns the size of an unreached function; `None` if it is reached.
    pub(super) fn unreached_size(&self, function: u32) -> Option<u32> {
        let function = function as usize;
        let reached = self.reached.get(function).copied().flatten();
        reached.is_none().then(|| self.sizes[function])
    }

    /// True if one of the last ten runs reached the function first.
    pub(super) fn is_lately_reached(&self, function: u32) -> bool {
        let reached = self.reached.get(function as usize).copied().flatten();
        reached.is_some_and(|run| self.runs.saturating_sub(run) < LATELY)
    }

    /// Returns the functions on a path that have the most uncovered sides; empty if all their sides
    /// are covered.
    pub(super) fn most_uncovered(
        &self,
        table: &FunctionTable,
        branches: &[PathBranch],
    ) -> BTreeSet<u32> {
        let sides = branches.iter().filter_map(|branch| branch.taken);
        let functions: BTreeSet<u32> = sides.filter_map(|side| table.of_side(side)).collect();
        let uncovered = |function: &u32| self.uncovered[*function as usize];
        let most = functions.iter().map(uncovered).max().unwrap_or(0);
        let wanted = |function: &u32| most > 0 && uncovered(function) == most;
        functions.into_iter().filter(wanted).collect()
    }
}
