//! What a run knows of its choices and of coverage: what strategies and features of branches count
//! by.
//!
//! Invariant: everything is a count over the run so far; nothing is forgotten but the list of the
//! last choices and runs, whose lengths are fixed.

use super::path::PathBranch;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// So many of the last choices are kept one by one, and the news of so many of the last runs.
const CHOICES_KEPT: usize = 30;
const RUNS_KEPT: usize = 10;

/// What became of a branch that was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The other side is possible, and a run follows it.
    Possible,
    /// The other side is possible, and can only do what followed paths have done.
    Subsumed,
    /// The other side is not possible.
    Refuted,
    /// Nobody knows whether it is.
    Unknown,
    /// It left unasked, for want of memory or by pruning.
    Gone,
}

/// A branch that was chosen to be negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Negation {
    /// How many decisions stood before it on its path.
    pub position: u32,
    /// The side that was to be left; none for a choice of a value.
    pub taken: Option<u32>,
    /// The side that was to be taken.
    pub other: Option<u32>,
}

/// Counts over a run.
#[derive(Debug, Default)]
pub struct History {
    covered: FxHashSet<u32>,
    /// The same sides in the order in which they were covered.
    covered_in_order: Vec<u32>,
    refuted: FxHashMap<u32, u32>,
    chosen: FxHashMap<Negation, u32>,
    last_choices: VecDeque<Negation>,
    last_news: VecDeque<Vec<u32>>,
    runs: u64,
}

impl History {
    /// True if a side has been covered, by any run.
    pub fn is_covered(&self, side: u32) -> bool {
        self.covered.contains(&side)
    }

    /// How many sides have been covered: what was computed from coverage holds as long as it is the
    /// same.
    pub fn covered_count(&self) -> usize {
        self.covered.len()
    }

    /// The covered sides but for the first so many, in the order in which they were covered.
    pub fn covered_since(&self, count: usize) -> &[u32] {
        self.covered_in_order.get(count..).unwrap_or_default()
    }

    /// How often a side was asked for and found impossible.
    pub fn refuted_count(&self, side: u32) -> u32 {
        self.refuted.get(&side).copied().unwrap_or(0)
    }

    /// How often a branch with these sides was chosen at this position.
    pub fn chosen_count(&self, negation: Negation) -> u32 {
        self.chosen.get(&negation).copied().unwrap_or(0)
    }

    /// The last choices, newest first; at most 30.
    pub fn last_choices(&self) -> impl Iterator<Item = Negation> {
        self.last_choices.iter().copied()
    }

    /// What the last runs covered first, by sides, newest run first; at most 10 runs.
    pub fn last_news(&self) -> impl Iterator<Item = &[u32]> {
        self.last_news.iter().map(Vec::as_slice)
    }

    /// Runs that have ended.
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
    /// The choice of a branch.
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
