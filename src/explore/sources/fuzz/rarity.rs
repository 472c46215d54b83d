//! How rare each branch side is among the entries of a corpus, and which entry shows it best.
//!
//! Invariant: a side's best entry is in the corpus, has the side, and is the lightest of
//! the compared entries.

use std::collections::BTreeMap;

/// Sides above this number are not counted; their entries are no rarer for them.
const MOST_SIDES: usize = 1 << 22;

/// Statistics of one side.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    /// Entries that take the side.
    entries: u32,
    /// The lightest of them and its weight; `None` after that one was removed.
    best: Option<(u64, u64)>,
}

/// The sides of all entries.
#[derive(Debug, Default)]
pub(super) struct Rarity {
    sides: Vec<Side>,
    /// Number of sides for which an entry is the best.
    needed: BTreeMap<u64, u32>,
}

impl Rarity {
    /// Adds an entry of this weight with its sides.
    pub(super) fn add(&mut self, entry: u64, sides: &[u32], weight: u64) {
        for side in sides.iter().map(|side| *side as usize) {
            if side >= MOST_SIDES {
                continue;
            }
            if side >= self.sides.len() {
                self.sides.resize(side + 1, Side::default());
            }
            self.sides[side].entries += 1;
        }
        self.lighten(entry, sides, weight);
    }

    /// Compares an entry, which may have become lighter, with the best one of each of its sides.
    pub(super) fn lighten(&mut self, entry: u64, sides: &[u32], weight: u64) {
        for side in sides {
            let Some(side) = self.sides.get_mut(*side as usize) else {
                continue;
            };
            let old = side.best;
            if old.is_some_and(|(best, least)| best != entry && least <= weight) {
                continue;
            }
            side.best = Some((entry, weight));
            if old.map(|(best, _)| best) != Some(entry) {
                *self.needed.entry(entry).or_insert(0) += 1;
                if let Some((best, _)) = old {
                    release(&mut self.needed, best);
                }
            }
        }
    }

    /// Removes an entry.
    pub(super) fn remove(&mut self, entry: u64, sides: &[u32]) {
        self.needed.remove(&entry);
        for side in sides {
            let Some(side) = self.sides.get_mut(*side as usize) else {
                continue;
            };
            side.entries = side.entries.saturating_sub(1);
            side.best = side.best.filter(|(best, _)| *best != entry);
        }
    }

    /// True if an entry is the lightest one of some side.
    pub(super) fn is_needed(&self, entry: u64) -> bool {
        self.needed.contains_key(&entry)
    }

    /// Returns the rarity of sides together: each counts as its share among its entries. Entries
    /// of unknown sides have 1.
    pub(super) fn of(&self, sides: &[u32]) -> f64 {
        if sides.is_empty() {
            return 1.0;
        }
        let known = sides
            .iter()
            .filter_map(|side| self.sides.get(*side as usize));
        known.map(|side| 1.0 / f64::from(side.entries.max(1))).sum()
    }
}

fn release(needed: &mut BTreeMap<u64, u32>, entry: u64) {
    if let Some(count) = needed.get_mut(&entry) {
        *count -= 1;
        if *count == 0 {
            needed.remove(&entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lightest_entry_of_a_side_is_needed() {
        let mut rarity = Rarity::default();
        rarity.add(1, &[1, 2], 10);
        rarity.add(2, &[2, 3], 5);
        assert!(rarity.is_needed(1) && rarity.is_needed(2));
        rarity.add(3, &[1], 1);
        assert!(!rarity.is_needed(1), "others have its sides for less");
        assert!(rarity.of(&[3]) > rarity.of(&[2]));
        rarity.lighten(1, &[1, 2], 0);
        assert!(rarity.is_needed(1) && !rarity.is_needed(3));
        rarity.remove(1, &[1, 2]);
        assert!(!rarity.is_needed(1));
        assert_eq!(rarity.of(&[1]), 1.0);
        rarity.add(4, &[u32::MAX], 1);
        assert_eq!(rarity.of(&[u32::MAX]), 0.0);
    }
}
