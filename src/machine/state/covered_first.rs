//! Code that a path covered as the first of its run: a list that grows at its end and shares its
//! older part with the states that the path forked from.
//!
//! Invariant: a claim of an entry claims all entries before it, so a search from the end stops at
//! the first claimed one. Entries only ever become claimed or orphaned, so threads may share them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Branch sides and segments that were covered first between two forks of a path, by their dense
/// numbers, in the order of covering.
#[derive(Debug, Default)]
struct Entry {
    sides: Vec<u32>,
    segments: Vec<u32>,
    /// A test shows it.
    claimed: AtomicBool,
    /// The path that covered it left without a test: any other that holds it may show it.
    orphaned: AtomicBool,
    parent: Option<Arc<Entry>>,
}

/// The list of one path; `clone` is O(1).
#[derive(Clone, Debug, Default)]
pub struct CoveredFirst {
    last: Option<Arc<Entry>>,
}

impl CoveredFirst {
    /// The list of a path that covered this first, and nothing else.
    pub fn of(sides: &[u32], segments: &[u32]) -> Self {
        let mut list = Self::default();
        list.push(sides, segments);
        list
    }

    /// Adds what the path covered first since the last entry.
    pub fn push(&mut self, sides: &[u32], segments: &[u32]) {
        if sides.is_empty() && segments.is_empty() {
            return;
        }
        let parent = self.last.take();
        self.last = Some(Arc::new(Entry {
            sides: sides.to_vec(),
            segments: segments.to_vec(),
            // A claimed entry is no longer needed.
            parent: parent.filter(|entry| !entry.is_claimed()),
            ..Entry::default()
        }));
    }

    /// Adds what another path has that no test shows yet and this one does not have.
    pub fn take_over(&mut self, other: &CoveredFirst) {
        let (own, others) = (self.unclaimed(), other.unclaimed());
        let missing = |own: &[u32], others: Vec<u32>| -> Vec<u32> {
            others
                .into_iter()
                .filter(|number| !own.contains(number))
                .collect()
        };
        self.push(&missing(&own.0, others.0), &missing(&own.1, others.1));
    }

    /// The sides that no test shows yet, and the segments, each in the order of covering.
    pub fn unclaimed(&self) -> (Vec<u32>, Vec<u32>) {
        let mut entries: Vec<&Entry> = self.open().collect();
        entries.reverse();
        let sides = entries.iter().flat_map(|entry| &entry.sides);
        let segments = entries.iter().flat_map(|entry| &entry.segments);
        (sides.copied().collect(), segments.copied().collect())
    }

    /// The list up to before the entry with a segment; all of it if no unclaimed entry has it.
    pub fn before_segment(&self, segment: u32) -> CoveredFirst {
        let holds = |entry: &&Entry| entry.segments.contains(&segment);
        match self.open().find(holds) {
            Some(entry) => CoveredFirst {
                last: entry.parent.clone(),
            },
            None => self.clone(),
        }
    }

    /// A test shows all of it.
    pub fn claim(&self) {
        for entry in self.open() {
            entry.claimed.store(true, Ordering::Relaxed);
        }
    }

    /// The path leaves and no test shows what is not claimed.
    pub fn orphan(&self) {
        for entry in self.open() {
            entry.orphaned.store(true, Ordering::Relaxed);
        }
    }

    /// Returns true if there is something unclaimed that another path has left behind.
    pub fn has_orphans(&self) -> bool {
        self.open()
            .any(|entry| entry.orphaned.load(Ordering::Relaxed))
    }

    /// The unclaimed entries, from the newest to the oldest.
    fn open(&self) -> impl Iterator<Item = &Entry> {
        std::iter::successors(self.last.as_deref(), |entry| entry.parent.as_deref())
            .take_while(|entry| !entry.is_claimed())
    }
}

impl Entry {
    fn is_claimed(&self) -> bool {
        self.claimed.load(Ordering::Relaxed)
    }
}

impl Drop for CoveredFirst {
    /// Frees the unshared part in a loop: recursion over a long list would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(entry) = next {
            next = Arc::into_inner(entry).and_then(|mut entry| entry.parent.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_path_claims_another_that_shares_it_does_not() {
        let mut first = CoveredFirst::default();
        first.push(&[1], &[10]);
        let mut second = first.clone();
        first.push(&[2], &[20]);
        second.push(&[3], &[]);
        assert_eq!(first.unclaimed(), (vec![1, 2], vec![10, 20]));
        second.claim();
        assert_eq!(first.unclaimed(), (vec![2], vec![20]));
        first.push(&[4], &[]);
        assert_eq!(first.unclaimed(), (vec![2, 4], vec![20]));
        first.claim();
        first.push(&[5], &[]);
        assert_eq!(first.unclaimed(), (vec![5], vec![]));
    }

    #[test]
    fn what_a_path_leaves_behind_is_for_those_that_share_it() {
        let mut first = CoveredFirst::default();
        first.push(&[1], &[]);
        let (second, mut third) = (first.clone(), CoveredFirst::default());
        third.push(&[9], &[]);
        first.push(&[2], &[]);
        assert!(!second.has_orphans());
        first.orphan();
        assert!(second.has_orphans() && !third.has_orphans());
        second.claim();
        assert!(!second.has_orphans() && first.has_orphans());
    }

    #[test]
    fn the_part_before_a_segment() {
        let mut list = CoveredFirst::default();
        list.push(&[1], &[10]);
        list.push(&[2], &[20, 21]);
        list.push(&[3], &[30]);
        assert_eq!(list.before_segment(21).unclaimed(), (vec![1], vec![10]));
        assert_eq!(list.before_segment(99).unclaimed().0, [1, 2, 3]);
        assert_eq!(list.before_segment(10).unclaimed(), (vec![], vec![]));
    }

    #[test]
    fn a_long_list_is_freed_without_recursion() {
        let mut list = CoveredFirst::default();
        for side in 0..1_000_000 {
            list.push(&[side], &[]);
        }
        drop(list);
    }
}
