//! Words that the program knows: the short strings among its constants (names of options, keywords,
//! formats).

use crate::program::{GlobalInit, Origin, Program};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::BTreeSet;

/// Bytes of the shortest and the longest word.
const SHORTEST: usize = 2;
const LONGEST: usize = 24;
/// Most words taken; programs with more have tables of names.
const MOST: usize = 4096;

/// The words, in order.
#[derive(Debug, Default)]
pub struct Tokens {
    words: Vec<Vec<u8>>,
}

impl Tokens {
    /// The words in the user's own constants.
    pub fn of(program: &Program) -> Self {
        let own = program.globals.iter();
        let own = own.filter(|global| global.origin == Origin::Program && global.constant);
        let mut words = BTreeSet::new();
        for global in own {
            if let GlobalInit::Bytes { bytes, relocations } = &global.init
                && relocations.is_empty()
            {
                words.extend(bytes.split(|byte| *byte == 0).filter(|word| is_word(word)));
            }
        }
        let words = words.into_iter().take(MOST).map(<[u8]>::to_vec);
        Self {
            words: words.collect(),
        }
    }

    #[cfg(test)]
    pub(super) fn from_words(words: &[&str]) -> Self {
        let words = words.iter().map(|word| word.as_bytes().to_vec());
        Self {
            words: words.collect(),
        }
    }

    /// All words, in order.
    pub(super) fn words(&self) -> &[Vec<u8>] {
        &self.words
    }

    /// One word, if there is any.
    pub(super) fn draw(&self, generator: &mut Pcg64) -> Option<&[u8]> {
        let count = self.words.len();
        (count > 0).then(|| &*self.words[generator.random_range(0..count)])
    }
}

/// Printable without blanks: messages are not words.
fn is_word(bytes: &[u8]) -> bool {
    (SHORTEST..=LONGEST).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_short_and_have_no_blanks() {
        assert!(is_word(b"time-style") && is_word(b"[:"));
        assert!(!is_word(b"x") && !is_word(b"Try it") && !is_word(&[b'a'; 25]) && !is_word(b"a\n"));
    }
}
