//! Sets of branch sides as stored in `study_runs.jsonl`: one bit per side, in hexadecimal.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Set of numbers from 0 on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sides {
    words: Vec<u64>,
}

impl Sides {
    /// Adds a number. Returns true if it was new.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1u64 << (number % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Adds the numbers of another set.
    pub(super) fn add(&mut self, other: &Sides) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Returns the numbers that another set lacks.
    pub(super) fn without(&self, other: &Sides) -> Sides {
        let others = other.words.iter().copied().chain(std::iter::repeat(0));
        let words = self.words.iter().zip(others);
        Sides {
            words: words.map(|(word, other)| word & !other).collect(),
        }
    }

    /// Returns the numbers, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let bits = |(index, word): (usize, &u64)| {
            let word = *word;
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| 64 * index + bit)
        };
        self.words.iter().enumerate().flat_map(bits)
    }

    pub(super) fn len(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// Returns the text form: bytes from the lowest numbers on, two digits each.
    fn text(&self) -> String {
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes());
        let text: String = bytes.map(|byte| format!("{byte:02x}")).collect();
        text.trim_end_matches("00").to_string()
    }

    fn parse(text: &str) -> Option<Self> {
        let digits: Option<Vec<u8>> = text
            .chars()
            .map(|c| c.to_digit(16).map(|digit| digit as u8))
            .collect();
        let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
        let mut sides = Sides::default();
        for (index, pair) in digits.chunks(2).enumerate() {
            let byte = pair[0] << 4 | pair[1];
            let bits = (0..8).filter(|bit| byte >> bit & 1 == 1);
            bits.for_each(|bit| {
                sides.insert(8 * index + bit);
            });
        }
        Some(sides)
    }
}

impl FromIterator<usize> for Sides {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut sides = Sides::default();
        for number in numbers {
            sides.insert(number);
        }
        sides
    }
}

impl Serialize for Sides {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for Sides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            serde::de::Error::custom(
                "expected a set of branch sides \
             in hexadecimal",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_written_and_read() {
        for numbers in [vec![], vec![0], vec![1, 63, 64, 200], vec![7, 8, 15]] {
            let sides: Sides = numbers.iter().copied().collect();
            let text = serde_json::to_string(&sides).unwrap();
            let read: Sides = serde_json::from_str(&text).unwrap();
            assert_eq!(read.without(&sides).len() + sides.without(&read).len(), 0);
            assert_eq!(read.len(), numbers.len() as u64);
        }
        assert_eq!(
            serde_json::to_string(&Sides::from_iter([0, 9])).unwrap(),
            "\"0102\""
        );
        assert!(serde_json::from_str::<Sides>("\"0g\"").is_err());
    }

    #[test]
    fn sets_of_different_lengths_are_compared() {
        let (small, large): (Sides, Sides) =
            ([1, 2].into_iter().collect(), [2, 300].into_iter().collect());
        assert_eq!(small.without(&large).len(), 1);
        assert_eq!(large.without(&small).len(), 1);
        let mut both = small.clone();
        both.add(&large);
        assert_eq!(both.len(), 3);
    }
}
