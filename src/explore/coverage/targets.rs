//! Code that a run is to reach: with it, nothing else counts as worth covering to searches.
//!
//! Invariant: an aim is reached once any of its segments was entered; only what unreached aims lie
//! on is wanted.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The aims of a run, and which are reached.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// The aims on each segment.
    of_segment: FxHashMap<u32, Vec<usize>>,
    reached: Vec<bool>,
    left: usize,
}

impl Targets {
    /// One aim for each set of segments.
    pub fn new(targets: &[BTreeSet<u32>]) -> Self {
        let mut of_segment: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (target, segments) in targets.iter().enumerate() {
            for segment in segments {
                of_segment.entry(*segment).or_default().push(target);
            }
        }
        Self {
            of_segment,
            reached: vec![false; targets.len()],
            left: targets.len(),
        }
    }

    /// The aims that lie on segments which were entered are reached.
    pub fn reach(&mut self, entered: impl Fn(u32) -> bool) {
        let segments: Vec<u32> = self.of_segment.keys().copied().collect();
        for segment in segments.into_iter().filter(|segment| entered(*segment)) {
            self.enter(segment);
        }
    }

    /// The segments that some aim lies on.
    pub fn segments(&self) -> impl Iterator<Item = u32> {
        self.of_segment.keys().copied()
    }

    /// A segment was entered.
    pub(super) fn enter(&mut self, segment: u32) {
        for target in self.of_segment.get(&segment).into_iter().flatten() {
            let reached = &mut self.reached[*target];
            self.left -= usize::from(!*reached);
            *reached = true;
        }
    }

    /// True if an aim that is not reached lies on the segment.
    pub(super) fn wants(&self, segment: u32) -> bool {
        let mut targets = self.of_segment.get(&segment).into_iter().flatten();
        targets.any(|target| !self.reached[*target])
    }

    /// Returns the number of reached targets.
    pub(super) fn count_reached(&self) -> usize {
        self.reached.len() - self.left
    }

    /// True if all are reached.
    pub fn are_reached(&self) -> bool {
        self.left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_segment_of_a_target_is_enough() {
        let targets = [BTreeSet::from([3, 4]), BTreeSet::from([4, 9])];
        let mut targets = Targets::new(&targets);
        assert!(targets.wants(3) && targets.wants(9) && !targets.wants(5));
        targets.enter(3);
        assert!(!targets.wants(3) && targets.wants(4) && targets.wants(9));
        assert_eq!((targets.count_reached(), targets.are_reached()), (1, false));
        targets.enter(3);
        targets.enter(4);
        assert!(targets.are_reached() && !targets.wants(4));
        let mut later = Targets::new(&[BTreeSet::from([3]), BTreeSet::from([9])]);
        later.reach(|segment| segment == 9);
        assert!(later.wants(3) && !later.wants(9) && later.count_reached() == 1);
        assert!(Targets::new(&[]).are_reached());
    }
}
