//! A set of branch sides, as a bitmap over the program's dense side numbers.

/// Bit `n` tells whether side number `n` (see `exec::SideNumbers`) was taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideSet {
    words: Vec<u64>,
}

impl SideSet {
    /// An empty set with room for `count` sides.
    pub fn new(count: usize) -> Self {
        Self {
            words: vec![0; count.div_ceil(64)],
        }
    }

    #[inline(always)]
    pub fn contains(&self, side: u32) -> bool {
        self.words
            .get((side / 64) as usize)
            .is_some_and(|word| word >> (side % 64) & 1 != 0)
    }

    /// Adds a side; true if it was not there.
    pub fn insert(&mut self, side: u32) -> bool {
        let index = (side / 64) as usize;
        if index >= self.words.len() {
            self.words.resize(index + 1, 0);
        }
        let fresh = self.words[index] >> (side % 64) & 1 == 0;
        self.words[index] |= 1 << (side % 64);
        fresh
    }

    /// Adds all sides of another set.
    pub fn add(&mut self, other: &SideSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Takes a side out.
    pub fn remove(&mut self, side: u32) {
        if let Some(word) = self.words.get_mut((side / 64) as usize) {
            *word &= !(1 << (side % 64));
        }
    }

    /// Returns true if the sets have a common side.
    pub fn intersects(&self, other: &SideSet) -> bool {
        let mut words = self.words.iter().zip(&other.words);
        words.any(|(own, other)| own & other != 0)
    }

    /// Number of sides in the set.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The sides in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            (0..64u32)
                .filter(move |bit| word >> bit & 1 != 0)
                .map(move |bit| index as u32 * 64 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserts_report_freshness_and_iterate_in_order() {
        let mut set = SideSet::new(10);
        assert!(set.insert(130));
        assert!(set.insert(3));
        assert!(!set.insert(3));
        assert!(set.contains(130) && !set.contains(129) && !set.contains(100_000));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 130]);
        assert_eq!(set.len(), 2);
        let mut other = SideSet::new(10);
        other.insert(9);
        other.add(&set);
        assert_eq!(other.iter().collect::<Vec<_>>(), [3, 9, 130]);
    }
}
