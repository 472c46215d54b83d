//! History of a run: counters of choices and coverage, for strategies and features of branches.
//!
//! Invariant: counters cover the whole run; only the lists of the last choices and runs have fixed
//! lengths.

use super::path::PathBranch;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Number of last choices kept; `RUNS_KEPT` is the number of last runs whose new coverage is kept.
const CHOICES_KEPT: usize = 30;
const RUNS_KEPT: usize = 10;

/// Outcome of a chosen branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The other side is feasible, and a run follows it.
    Feasible,
    /// The other side is feasible, but subsumed by explored paths.
    Subsumed,
    /// The other side is infeasible.
    Infeasible,
    /// The solver did not decide if the other side is feasible.
    Unknown,
    /// The branch was dropped before a query, for lack of memory or by pruning.
    Dropped,
}

/// Branch chosen for negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Negation {
    /// Number of earlier decisions on its path.
    pub position: u32,
    /// Side to leave; `None` for a choice of a value.
    pub taken: Option<u32>,
    /// Side to take.
    pub other: Option<u32>,
}

/// Counters of a run.
#[derive(Debug, Default)]
pub struct History {
    covered: FxHashSet<u32>,
    /// Covered sides in the order of their coverage.
    covered_in_order: Vec<u32>,
    refuted: FxHashMap<u32, u32>,
    chosen: FxHashMap<Negation, u32>,
    last_choices: VecDeque<Negation>,
    last_news: VecDeque<Vec<u32>>,
    runs: u64,
}

impl History {
    /// True if any run has covered a side.
    pub fn is_covered(&self, side: u32) -> bool {
        self.covered.contains(&side)
    }

    /// Returns the number of covered sides. Data computed from the coverage stay valid while it is
    /// unchanged.
    pub fn covered_count(&self) -> usize {
        self.covered.len()
    }

    /// Returns the covered sides after the first `count`, in the order of their coverage.
    pub fn covered_since(&self, count: usize) -> &[u32] {
        self.covered_in_order.get(count..).unwrap_or_default()
    }

    /// Returns the number of times that a side was queried and infeasible.
    pub fn refuted_count(&self, side: u32) -> u32 {
        self.refuted.get(&side).copied().unwrap_or(0)
    }

    /// Returns the number of times that a branch with these sides was chosen at this position.
    pub fn chosen_count(&self, negation: Negation) -> u32 {
        self.chosen.get(&negation).copied().unwrap_or(0)
    }

    /// Returns the last choices, newest first; at most 30.
    pub fn last_choices(&self) -> impl Iterator<Item = Negation> {
        self.last_choices.iter().copied()
    }

    /// Returns the sides that each of the last runs covered first, newest run first; at most 10
    /// runs.
    pub fn last_news(&self) -> impl Iterator<Item = &[u32]> {
        self.last_news.iter().map(Vec::as_slice)
    }

    /// Returns the number of runs that have ended.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    pub(super) fn cover(&mut self, sides: &[u32]) {
        for side in sides {
            if self.covered.insert(*side) {
                self.covered_in_order.push(*side);
            }
        }
    }

    pub(super) fn choose(&mut self, negation: Negation) {
        *self.chosen.entry(negation).or_default() += 1;
        self.last_choices.push_front(negation);
        self.last_choices.truncate(CHOICES_KEPT);
    }

    pub(super) fn refute(&mut self, side: Option<u32>) {
        if let Some(side) = side {
            *self.refuted.entry(side).or_default() += 1;
        }
    }

    pub(super) fn end_run(&mut self, news: Vec<u32>) {
        self.runs += 1;
        self.last_news.push_front(news);
        self.last_news.truncate(RUNS_KEPT);
    }
}

impl Negation {
    /// Returns the negation of a branch.
    pub fn of(branch: &PathBranch) -> Self {
        Self {
            position: branch.position,
            taken: branch.taken,
            other: branch.other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stay_and_lists_have_an_end() {
        let mut history = History::default();
        history.cover(&[3, 4]);
        assert!(history.is_covered(3) && !history.is_covered(5));
        history.cover(&[4, 9, 3]);
        assert_eq!(history.covered_since(1), [4, 9]);
        assert_eq!(
            (history.covered_since(3).len(), history.covered_count()),
            (0, 3)
        );
        history.refute(Some(3));
        history.refute(Some(3));
        history.refute(None);
        assert_eq!((history.refuted_count(3), history.refuted_count(4)), (2, 0));
        let negation = |position| Negation {
            position,
            taken: Some(1),
            other: Some(0),
        };
        for number in 0..40 {
            history.choose(negation(number % 2));
            history.end_run(vec![number]);
        }
        assert_eq!(history.chosen_count(negation(1)), 20);
        assert_eq!(history.chosen_count(negation(2)), 0);
        assert_eq!(history.last_choices().count(), 30);
        assert_eq!(history.last_choices().next(), Some(negation(1)));
        let news: Vec<&[u32]> = history.last_news().collect();
        assert_eq!((news.len(), news[0], news[9]), (10, &[39][..], &[30][..]));
        assert_eq!(history.runs(), 40);
    }
}
