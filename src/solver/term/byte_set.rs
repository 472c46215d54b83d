//! Sets of the 256 values of a byte.

/// A set of values of one byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ByteSet(pub [u64; 4]);

impl ByteSet {
    pub const EMPTY: ByteSet = ByteSet([0; 4]);
    pub const FULL: ByteSet = ByteSet([u64::MAX; 4]);

    /// The set of one value.
    pub fn single(value: u8) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        set.insert(value);
        set
    }

    #[inline]
    pub fn insert(&mut self, value: u8) {
        self.0[usize::from(value >> 6)] |= 1 << (value & 63);
    }

    #[inline]
    pub fn contains(&self, value: u8) -> bool {
        self.0[usize::from(value >> 6)] >> (value & 63) & 1 != 0
    }

    #[inline]
    pub fn and(&self, other: &ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    pub fn or(&self, other: &ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The values that are not in the set.
    pub fn complement(&self) -> ByteSet {
        ByteSet(self.0.map(|word| !word))
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Number of values, 0 to 256.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The least value of the set.
    #[inline]
    pub fn first(&self) -> Option<u8> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some((word as u32 * 64 + self.0[word].trailing_zeros()) as u8)
    }

    /// The greatest value of the set.
    pub fn last(&self) -> Option<u8> {
        let word = self.0.iter().rposition(|&word| word != 0)?;
        Some((word as u32 * 64 + 63 - self.0[word].leading_zeros()) as u8)
    }

    /// The set's value, if there is exactly one.
    #[inline]
    pub fn only(&self) -> Option<u8> {
        (self.len() == 1).then(|| self.first()).flatten()
    }

    /// The values in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + use<> {
        let words = self.0;
        (0..4u32).flat_map(move |index| {
            let mut word = words[index as usize];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    (index * 64 + bit) as u8
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_sets_behave_like_sets() {
        let mut set = ByteSet::EMPTY;
        for value in [0u8, 63, 64, 200, 255] {
            set.insert(value);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 200, 255]);
        assert_eq!(
            (set.first(), set.last(), set.len()),
            (Some(0), Some(255), 5)
        );
        assert_eq!(set.and(&ByteSet::single(64)).only(), Some(64));
        assert!(set.and(&set.complement()).is_empty());
    }
}
