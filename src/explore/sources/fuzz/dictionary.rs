//! Tokens that the program knows: the short strings among its constants (names of options,
//! keywords, formats).

use crate::ir::program::{Function, GlobalInit, Origin, Program};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::BTreeSet;

/// Bytes of the shortest and the longest token.
const SHORTEST: usize = 2;
const LONGEST: usize = 24;
/// Most tokens taken; programs with more have tables of names.
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

/// Sorted tokens of a program, as a fuzzing dictionary, and its tables of names.
#[derive(Debug, Default)]
pub struct Dictionary {
    tokens: Vec<Vec<u8>>,
    /// The names in each table of the program: an array that points at some.
    tables: Vec<Vec<Vec<u8>>>,
    reads_language: bool,
}

impl Dictionary {
    /// Returns the tokens in the constants of the user code.
    pub fn of(program: &Program) -> Self {
        let own = program.globals.iter();
        let own = own.filter(|global| global.origin == Origin::Program && global.constant);
        let mut tokens = BTreeSet::new();
        for global in own {
            if let GlobalInit::Bytes { bytes, relocations } = &global.init
                && relocations.is_empty()
            {
                tokens.extend(
                    bytes
                        .split(|byte| *byte == 0)
                        .filter(|token| is_token(token)),
                );
            }
        }
        let all_tokens = tokens.iter().copied().collect();
        let tokens = tokens.iter().take(MOST).map(|token| token.to_vec());
        Self {
            tokens: tokens.collect(),
            tables: tables(program),
            reads_language: reads_language(program, &all_tokens),
        }
    }

    /// True if the program seems to read a language: it has a parser made by yacc, or many of the
    /// keywords that languages share.
    pub fn reads_language(&self) -> bool {
        self.reads_language
    }

    #[cfg(test)]
    pub(super) fn of_texts(tokens: &[&str]) -> Self {
        let tokens = tokens.iter().map(|token| token.as_bytes().to_vec());
        Self {
            tokens: tokens.collect(),
            tables: Vec::new(),
            reads_language: false,
        }
    }

    /// The names in each table.
    pub(super) fn tables(&self) -> &[Vec<Vec<u8>>] {
        &self.tables
    }

    /// All tokens, in order.
    pub(super) fn tokens(&self) -> &[Vec<u8>] {
        &self.tokens
    }

    /// One token, if there is any.
    pub(super) fn draw(&self, generator: &mut Pcg64) -> Option<&[u8]> {
        let count = self.tokens.len();
        (count > 0).then(|| &*self.tokens[generator.random_range(0..count)])
    }
}

fn reads_language(program: &Program, tokens: &BTreeSet<&[u8]>) -> bool {
    let mut own = program.functions.iter();
    let is_parser =
        |function: &Function| function.origin == Origin::Program && function.name.ends_with(PARSER);
    let known = KEYWORDS.iter();
    own.any(is_parser)
        || known
            .filter(|token| tokens.contains(token.as_bytes()))
            .count()
            >= MANY
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
        let texts = texts.filter(|text| is_token(text) && text.iter().all(|byte| is_name(*byte)));
        texts.map(<[u8]>::to_vec).collect()
    });
    let tables = names.filter(|names| names.len() >= SMALLEST_TABLE);
    tables.map(|names| names.into_iter().collect()).collect()
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Printable without blanks: messages are not tokens.
fn is_token(bytes: &[u8]) -> bool {
    (SHORTEST..=LONGEST).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_short_and_have_no_blanks() {
        assert!(is_token(b"time-style") && is_token(b"[:"));
        assert!(
            !is_token(b"x") && !is_token(b"Try it") && !is_token(&[b'a'; 25]) && !is_token(b"a\n")
        );
    }
}
