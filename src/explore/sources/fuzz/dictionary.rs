//! Tokens that the program knows: the short strings among its constants (names of options,
//! keywords, formats).

use homi_ir::program::{Function, GlobalInit, Origin, Program};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::{BTreeSet, VecDeque};

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

/// Most tokens learned while inputs are executed; the oldest leave.
const MOST_LEARNED: usize = 1024;

/// Sorted tokens of a program, as a fuzzing dictionary, and its tables of names.
#[derive(Debug, Default)]
pub struct Dictionary {
    tokens: Vec<Vec<u8>>,
    /// The names in each table of the program: an array that points at some.
    tables: Vec<Vec<Vec<u8>>>,
    reads_language: bool,
    /// Tokens that the user gave, among the others.
    given: Vec<Vec<u8>>,
    /// Values that executions compared with the input, in the order in which they were learned.
    learned: VecDeque<Vec<u8>>,
    known: BTreeSet<Vec<u8>>,
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
            given: Vec::new(),
            learned: VecDeque::new(),
            known: BTreeSet::new(),
        }
    }

    /// Adds the tokens that the user gives.
    pub fn with(mut self, given: &[Vec<u8>]) -> Self {
        let tokens = std::mem::take(&mut self.tokens).into_iter();
        let tokens: BTreeSet<Vec<u8>> = tokens.chain(given.iter().cloned()).collect();
        self.tokens = tokens.into_iter().collect();
        self.given.extend_from_slice(given);
        self
    }

    /// Adds a value that an execution compared with its input, such as a keyword or a number's
    /// bytes; true if it was not known.
    pub fn learn(&mut self, token: &[u8]) -> bool {
        let fits = (1..=LONGEST).contains(&token.len());
        let is_new = fits
            && !self.known.contains(token)
            && self
                .tokens
                .binary_search_by(|one| (**one).cmp(token))
                .is_err();
        if is_new {
            if self.learned.len() == MOST_LEARNED
                && let Some(oldest) = self.learned.pop_front()
            {
                self.known.remove(&oldest);
            }
            self.known.insert(token.to_vec());
            self.learned.push_back(token.to_vec());
        }
        is_new
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
            ..Self::default()
        }
    }

    /// The names in each table.
    pub(super) fn tables(&self) -> &[Vec<Vec<u8>>] {
        &self.tables
    }

    /// All tokens, in order.
    pub fn tokens(&self) -> &[Vec<u8>] {
        &self.tokens
    }

    /// A token of the program, or a value that executions compared; both are as likely.
    pub(super) fn draw_any(&self, generator: &mut Pcg64) -> Option<&[u8]> {
        let count = self.learned.len();
        if count > 0 && (self.tokens.is_empty() || generator.random_bool(0.5)) {
            return self
                .learned
                .get(generator.random_range(0..count))
                .map(|token| &**token);
        }
        self.draw(generator)
    }

    /// One token, if there is any: in half of the cases one that the user gave, if there are some.
    pub(super) fn draw(&self, generator: &mut Pcg64) -> Option<&[u8]> {
        let given = self.given.len();
        if given > 0 && generator.random_bool(0.5) {
            return Some(&self.given[generator.random_range(0..given)]);
        }
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

    #[test]
    fn learned_values_are_drawn_once_known_and_bounded() {
        let mut dictionary = Dictionary::of_texts(&["for"]);
        assert!(!dictionary.learn(b"for") && !dictionary.learn(b"") && !dictionary.learn(&[1; 99]));
        assert!(dictionary.learn(b"magic") && !dictionary.learn(b"magic"));
        let mut generator = Pcg64::new(1, 2);
        let drawn: BTreeSet<Vec<u8>> = (0..100)
            .filter_map(|_| dictionary.draw_any(&mut generator).map(<[u8]>::to_vec))
            .collect();
        assert_eq!(drawn.len(), 2);
        for number in 0..2 * MOST_LEARNED as u32 {
            dictionary.learn(&number.to_le_bytes());
        }
        assert_eq!(
            (dictionary.learned.len(), dictionary.known.len()),
            (MOST_LEARNED, MOST_LEARNED)
        );
        assert!(dictionary.learn(b"magic"), "forgotten");
    }

    #[test]
    fn what_the_user_gives_is_drawn_as_often_as_the_program_s() {
        let mut generator = Pcg64::new(1, 2);
        let given = [b"let".to_vec(), b"for".to_vec()];
        let dictionary = Dictionary::of_texts(&["for", "if", "while"]).with(&given);
        assert_eq!(
            dictionary.tokens(),
            ["for", "if", "let", "while"].map(str::as_bytes)
        );
        let draws = (0..1_000).filter(|_| dictionary.draw(&mut generator) == Some(b"let"));
        assert!((300..450).contains(&draws.count()));
    }
}
