//! Number and recency of the negations of each side.

use rustc_hash::FxHashMap;

/// Negations that resulted in a run, by the side that the path had taken.
#[derive(Debug, Default)]
pub(super) struct Negations {
    /// Number of negations, and the number of the last one.
    of_side: FxHashMap<u32, (u32, u32)>,
    count: u32,
}

impl Negations {
    pub(super) fn add(&mut self, taken: Option<u32>) {
        self.count = self.count.saturating_add(1);
        if let Some(side) = taken {
            let (times, last) = self.of_side.entry(side).or_default();
            *times += 1;
            *last = self.count;
        }
    }

    /// Returns the number of times that the side was negated.
    pub(super) fn times(&self, side: u32) -> u32 {
        self.of_side.get(&side).map_or(0, |(times, _)| *times)
    }

    /// Returns the number of negations since the last one of this side; `None` if it was never
    /// negated.
    pub(super) fn since(&self, side: u32) -> Option<u32> {
        let (_, last) = self.of_side.get(&side)?;
        Some(self.count - last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_are_counted_by_the_side_that_was_left() {
        let mut negations = Negations::default();
        for side in [Some(4), Some(6), None, Some(4), Some(8)] {
            negations.add(side);
        }
        assert_eq!([4, 6, 8, 9].map(|side| negations.times(side)), [2, 1, 1, 0]);
        let since = [4, 6, 8, 9].map(|side| negations.since(side));
        assert_eq!(since, [Some(1), Some(3), Some(0), None]);
    }
}
