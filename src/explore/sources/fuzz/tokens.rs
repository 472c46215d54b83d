//! Words that the program knows: the short strings among its constants (names of options, keywords,
//! formats).

use crate::ir::program::{Function, GlobalInit, Origin, Program};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::BTreeSet;

/// Bytes of the shortest and the longest word.
const SHORTEST: usize = 2;
const LONGEST: usize = 24;
/// Most words taken; programs with more have tables of names.
const MOST: usize = 4096;

/// Name of a parser made by yacc or bison, perhaps with a prefix.
const PARSER: &str = "yyparse";
/// Keywords of many languages, and how many a program knows that reads one.
const KEYWORDS: &[&str] = &[
    "and", "begin", "break", "case", "continue", "do", "else", "elseif", "end", "false", "for",
    "function", "if", "in", "local", "not", "or", "print", "repeat", "return", "switch", "then",
    "true", "until", "var", "while",
];
const MANY: usize = 14;
/// Names that a table has at least.
const SMALLEST_TABLE: usize = 4;

/// Tokens of the program for mutations, in order.
#[derive(Debug, Default)]
pub struct Tokens {
    words: Vec<Vec<u8>>,
    /// The names in each table of the program: an array that points at some.
    tables: Vec<Vec<Vec<u8>>>,
    reads_language: bool,
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
        let all_words = words.iter().copied().collect();
        let words = words.iter().take(MOST).map(|word| word.to_vec());
        Self {
            words: words.collect(),
            tables: tables(program),
            reads_language: reads_language(program, &all_words),
        }
    }

    /// True if the program seems to read a language: it has a parser made by yacc, or many of the
    /// keywords that languages share.
    pub fn reads_language(&self) -> bool {
        self.reads_language
    }

    #[cfg(test)]
    pub(super) fn from_words(words: &[&str]) -> Self {
        let words = words.iter().map(|word| word.as_bytes().to_vec());
        Self {
            words: words.collect(),
            tables: Vec::new(),
            reads_language: false,
        }
    }

    /// The names in each table.
    pub(super) fn tables(&self) -> &[Vec<Vec<u8>>] {
        &self.tables
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

fn reads_language(program: &Program, words: &BTreeSet<&[u8]>) -> bool {
    let mut own = program.functions.iter();
    let is_parser =
        |function: &Function| function.origin == Origin::Program && function.name.ends_with(PARSER);
    let known = KEYWORDS.iter();
    own.any(is_parser) || known.filter(|word| words.contains(word.as_bytes())).count() >= MANY
}

/// The tables of names among the program's own data: keywords, functions, options, variables.
fn tables(program: &Program) -> Vec<Vec<Vec<u8>>> {
    let own = program.globals.iter();
    let own = own.filter(|global| global.origin == Origin::Program);
    let names = own.filter_map(|global| match &global.init {
        GlobalInit::Bytes { relocations, .. } => Some(relocations),
        GlobalInit::Zero | GlobalInit::External => None,
    });
    let names = names.map(|relocations| -> BTreeSet<Vec<u8>> {
        let texts = relocations
            .iter()
            .filter_map(|one| program.text_at(&one.value));
        let texts = texts.filter(|text| is_word(text) && text.iter().all(|byte| is_name(*byte)));
        texts.map(<[u8]>::to_vec).collect()
    });
    let tables = names.filter(|names| names.len() >= SMALLEST_TABLE);
    tables.map(|names| names.into_iter().collect()).collect()
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
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
