//! Lengths of the paths of a concolic run in instructions. An input that makes a program run far
//! longer than others do may be a performance bug.
//!
//! Invariant: a class is at most an eighth of its least number wide, and every number is in the
//! class with the greatest least number that is not above it.

use std::collections::BTreeMap;

/// Bits of a number that tell its class, the highest among them.
const BITS: u32 = 4;

/// Paths by their instructions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathLengths {
    /// Number of paths per class, by the least number of the class.
    classes: BTreeMap<u64, u64>,
    /// The most instructions of a path.
    pub longest: u64,
}

impl PathLengths {
    /// Counts a path of this many instructions.
    pub(super) fn note(&mut self, instructions: u64) {
        let width = u64::BITS - instructions.leading_zeros();
        let rest = width.saturating_sub(BITS);
        let least = instructions >> rest << rest;
        *self.classes.entry(least).or_insert(0) += 1;
        self.longest = self.longest.max(instructions);
    }

    /// The classes as statistics have them: by names, which are numbers.
    pub fn by_name(&self) -> BTreeMap<String, u64> {
        let classes = self.classes.iter();
        classes
            .map(|(least, paths)| (least.to_string(), *paths))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(lengths: &[u64]) -> Vec<(u64, u64)> {
        let mut all = PathLengths::default();
        for length in lengths {
            all.note(*length);
        }
        all.classes.into_iter().collect()
    }

    #[test]
    fn small_numbers_are_classes_of_their_own_and_large_ones_share_an_eighth() {
        assert_eq!(classes(&[0, 1, 15, 15]), [(0, 1), (1, 1), (15, 2)]);
        assert_eq!(classes(&[16, 17, 18]), [(16, 2), (18, 1)]);
        assert_eq!(classes(&[1023, 960, 959]), [(896, 1), (960, 2)]);
        assert_eq!(classes(&[u64::MAX]), [(15 << 60, 1)]);
    }

    #[test]
    fn the_longest_is_exact() {
        let mut all = PathLengths::default();
        for length in [1_001, 1_003, 5] {
            all.note(length);
        }
        assert_eq!(all.longest, 1_003);
        assert_eq!(all.by_name().values().sum::<u64>(), 3);
    }
}
