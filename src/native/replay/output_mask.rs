//! Comparison of two outputs of which some words vary from execution to execution.
//!
//! Invariant: lines are compared word by word. A word with a masked byte is equal to every word,
//! and a line that is masked whole to every line.

use std::ops::Range;

/// Returns the ranges of `first` that `second` does not repeat: whole words, or whole lines if
/// their numbers of words differ. `None` if the outputs have different numbers of lines, so that
/// nothing can be compared.
pub fn varying_ranges(first: &[u8], second: &[u8]) -> Option<Vec<Range<u64>>> {
    let (one, other) = (lines(first), lines(second));
    if one.len() != other.len() {
        return None;
    }
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for (line, again) in one.into_iter().zip(other) {
        let (text, repeated) = (&first[line.clone()], &second[again]);
        if text == repeated {
            continue;
        }
        let varying = varying_words(text, repeated).into_iter();
        ranges.extend(varying.map(|word| {
            let start = line.start + word.start;
            start as u64..(start + word.len()) as u64
        }));
    }
    Some(ranges)
}

/// Returns the words of a line that another execution's line does not repeat.
fn varying_words(text: &[u8], repeated: &[u8]) -> Vec<Range<usize>> {
    let (mine, theirs) = (words(text), words(repeated));
    if mine.len() != theirs.len() {
        return std::iter::once(0..text.len()).collect();
    }
    let pairs = mine.into_iter().zip(theirs);
    let differing = pairs.filter(|(one, other)| text[one.clone()] != repeated[other.clone()]);
    differing.map(|(one, _)| one).collect()
}

/// An output with the ranges that vary.
#[derive(Clone, Copy, Debug)]
pub struct MaskedOutput<'a> {
    pub bytes: &'a [u8],
    pub masked: &'a [Range<u64>],
}

/// The first line in which two outputs differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineDifference {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the first byte of the line that differs, from 1.
    pub column: usize,
    /// The line of the first output; `None` if it ended before.
    pub first: Option<Vec<u8>>,
    /// The line of the second output; `None` if it ended before.
    pub second: Option<Vec<u8>>,
}

impl MaskedOutput<'_> {
    /// Returns the first line that differs outside of the masks of both outputs.
    pub fn first_difference(&self, other: &MaskedOutput<'_>) -> Option<LineDifference> {
        let (mine, theirs) = (lines(self.bytes), lines(other.bytes));
        for index in 0..mine.len().max(theirs.len()) {
            let (one, two) = (mine.get(index), theirs.get(index));
            let column = match (one, two) {
                (Some(one), Some(two)) => self.differing_column(one, other, two),
                _ => Some(0),
            };
            if let Some(column) = column {
                let text = |output: &MaskedOutput<'_>, line: Option<&Range<usize>>| {
                    line.map(|line| output.bytes[line.clone()].to_vec())
                };
                return Some(LineDifference {
                    line: index + 1,
                    column: column + 1,
                    first: text(self, one),
                    second: text(other, two),
                });
            }
        }
        None
    }

    /// Returns the index of the first difference between two lines, from 0.
    fn differing_column(
        &self,
        line: &Range<usize>,
        other: &MaskedOutput<'_>,
        theirs: &Range<usize>,
    ) -> Option<usize> {
        let (one, two) = (&self.bytes[line.clone()], &other.bytes[theirs.clone()]);
        if one == two || self.hides(line) || other.hides(theirs) {
            return None;
        }
        let is_free = |word: &Range<usize>, other_word: &Range<usize>| {
            self.varies(line.start + word.start, word.len())
                || other.varies(theirs.start + other_word.start, other_word.len())
        };
        let (words_of_one, words_of_two) = (words(one), words(two));
        let count = words_of_one.len().max(words_of_two.len());
        (0..count).find_map(
            |index| match (words_of_one.get(index), words_of_two.get(index)) {
                (Some(a), Some(b)) if one[a.clone()] == two[b.clone()] || is_free(a, b) => None,
                (Some(word), _) | (None, Some(word)) => Some(word.start),
                (None, None) => None,
            },
        )
    }

    /// True if one mask covers a line.
    fn hides(&self, line: &Range<usize>) -> bool {
        let mut masked = self.masked.iter();
        masked.any(|mask| mask.start <= line.start as u64 && line.end as u64 <= mask.end)
    }

    /// True if a byte of the `length` bytes from `start` on is masked.
    fn varies(&self, start: usize, length: usize) -> bool {
        let (start, end) = (start as u64, (start + length) as u64);
        let mut masked = self.masked.iter();
        masked.any(|mask| mask.start < end && start < mask.end)
    }
}

/// Returns the lines with their newlines.
fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines
        .map(|line| {
            start += line.len();
            start - line.len()..start
        })
        .collect()
}

/// Returns the words of a line: names and numbers with their signs and points, and every other
/// byte.
fn words(line: &[u8]) -> Vec<Range<usize>> {
    let is_in_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut in_word = false;
    for (index, byte) in line.iter().enumerate() {
        match found.last_mut() {
            Some(last) if in_word && is_in_word(*byte) => last.end = index + 1,
            _ => found.push(index..index + 1),
        }
        in_word = is_in_word(*byte);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differs(first: &str, again: &str, second: &str) -> Option<(usize, usize)> {
        let masked = varying_ranges(first.as_bytes(), again.as_bytes()).expect("same lines");
        let first = MaskedOutput {
            bytes: first.as_bytes(),
            masked: &masked,
        };
        let second = MaskedOutput {
            bytes: second.as_bytes(),
            masked: &[],
        };
        let found = first.first_difference(&second)?;
        Some((found.line, found.column))
    }

    #[test]
    fn varying_words_are_equal_to_all() {
        assert_eq!(differs("pid 4242\n", "pid 4343\n", "pid 9\n"), None);
        let other_word = differs("pid=4242, x\n", "pid=4343, x\n", "pid=9, y\n");
        assert_eq!(other_word, Some((1, 11)));
        assert_eq!(differs("a -12\nb\n", "a 13\nb\n", "a 0x1f\nb\n"), None);
        assert_eq!(differs("a 12\nb\n", "a 13\nb\n", "a 14\nc\n"), Some((2, 1)));
        assert_eq!(differs("x\n", "x y\n", "z z z\n"), None);
    }

    #[test]
    fn a_difference_elsewhere_is_found() {
        assert_eq!(differs("a\n", "a\n", "a\n"), None);
        assert_eq!(differs("a b\n", "a b\n", "a c\n"), Some((1, 3)));
        assert_eq!(differs("a\n", "a\n", "a\nb\n"), Some((2, 1)));
        assert_eq!(differs("", "", "b"), Some((1, 1)));
        assert_eq!(differs("a", "a", "a\n"), Some((1, 2)));
        assert_eq!(varying_ranges(b"a\n", b"a\nb\n"), None);
    }
}
