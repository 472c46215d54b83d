//! Edits of a text's tokens, whatever its language: tokens are replaced by others of their class,
//! inserted, removed and swapped; statements, contents of brackets and ends of texts are taken from
//! the text or from another one.
//!
//! Idea: such an edit leaves the rest of the text as its language wants it, so interpreters accept
//! many results (Salls et al., "Token-Level Fuzzing", USENIX Security 2021). A word is often one of
//! the text's own, since names mean something only where they were defined.

use super::dictionary::Dictionary;
use super::lex::{Class, Token, bracketed_at, statements, tokens};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::ops::Range;

/// Binary logarithm of most edits at once.
const MOST_STACKED: u32 = 3;
/// Probability of one edit alone: most others leave nothing that the language allows.
const ONE_EDIT: f64 = 0.5;
/// Longest run of tokens that is removed, said twice or moved.
const LONGEST_RUN: usize = 6;
/// A word comes from the text itself with this probability.
const OWN_WORD: f64 = 0.5;
/// An operand is replaced by one of any class with this probability.
const OTHER_OPERAND: f64 = 0.5;
const OPERANDS: &[Class] = &[Class::Word, Class::Number, Class::Quoted];
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "=", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "!", "^", "&", "|",
    "~", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "$", "#", "@", "\\", "++", "--",
    "+=", "<<", ">>", "()", "[]", "{}",
];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "10",
    "-1",
    "1.5",
    "1e9",
    "0x10",
    "255",
    "256",
    "65536",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "1e999",
    "07",
];
const QUOTED: &[&str] = &["\"\"", "\"a\"", "'a'", "\"%d\"", "\"\\n\"", "''"];
const WORDS: &[&str] = &["a", "b", "x", "f"];

/// Edits one text.
pub(super) struct TokenEdits<'s> {
    pub(super) dictionary: &'s Dictionary,
    /// Tokens of another text.
    donor: Vec<Token<'s>>,
}

impl<'s> TokenEdits<'s> {
    /// Prepares edits that take tokens from a dictionary and from another text.
    pub(super) fn new(dictionary: &'s Dictionary, donor: Option<&'s [u8]>) -> Self {
        let donor = donor.map(tokens).unwrap_or_default();
        Self { dictionary, donor }
    }

    /// Returns the text after 1 to 8 edits.
    pub(super) fn edit(&self, text: &'s [u8], generator: &mut Pcg64) -> Vec<u8> {
        let mut all = tokens(text);
        let stacked = if generator.random_bool(ONE_EDIT) {
            0
        } else {
            generator.random_range(1..=MOST_STACKED)
        };
        for _ in 0..1u32 << stacked {
            self.edit_once(&mut all, generator);
        }
        spelled(&all)
    }

    fn edit_once(&self, all: &mut Vec<Token<'s>>, generator: &mut Pcg64) {
        let place = generator.random_range(0..=all.len());
        match generator.random_range(0..13) {
            0..3 | 12 if place < all.len() => {
                let is_blank = all[place].class == Class::Blank && place + 1 < all.len();
                let place = place + usize::from(is_blank);
                let class = match all[place].class {
                    Class::Word | Class::Number | Class::Quoted
                        if generator.random_bool(OTHER_OPERAND) =>
                    {
                        OPERANDS[generator.random_range(0..OPERANDS.len())]
                    }
                    class => class,
                };
                all[place] = self.other(all, class, generator);
            }
            3 | 4 => {
                let classes = [Class::Word, Class::Number, Class::Operator, Class::Quoted];
                let class = classes[generator.random_range(0..classes.len())];
                all.insert(place, self.other(all, class, generator));
            }
            5 => {
                let run = run(all, generator);
                all.drain(run);
            }
            6 => {
                let copied = all[run(all, generator)].to_vec();
                all.splice(place..place, copied);
            }
            7 => {
                let run = run(all, generator);
                let moved: Vec<Token<'_>> = all.drain(run).collect();
                let place = generator.random_range(0..=all.len());
                all.splice(place..place, moved);
            }
            8 => {
                let run = run(all, generator);
                let (open, close) = PAIRS[generator.random_range(0..PAIRS.len())];
                all.insert(run.end, Token::of(close.as_bytes()));
                all.insert(run.start, Token::of(open.as_bytes()));
            }
            9 => self.join(all, place, generator),
            10 => self.take_statement(all, generator),
            _ => self.take_contents(all, generator),
        }
    }

    /// A token of a class: from this text, the other one, the dictionary, or one that many
    /// languages have.
    fn other(&self, all: &[Token<'s>], class: Class, generator: &mut Pcg64) -> Token<'s> {
        let own = class == Class::Word && generator.random_bool(OWN_WORD);
        let found = match generator.random_range(0..4) {
            _ if own => of_class(all, class, generator),
            0 => of_class(all, class, generator),
            1 => of_class(&self.donor, class, generator),
            2 if class != Class::Blank => self.dictionary.draw_any(generator).map(Token::of),
            _ => None,
        };
        found.unwrap_or_else(|| {
            let usual = match class {
                Class::Word => WORDS,
                Class::Number => NUMBERS,
                Class::Quoted => QUOTED,
                Class::Operator => OPERATORS,
                Class::Blank => &[" ", "\n", "\t"],
            };
            let text = usual[generator.random_range(0..usual.len())];
            Token {
                class,
                text: text.as_bytes(),
            }
        })
    }

    /// Puts the end of the other text behind the text's beginning.
    fn join(&self, all: &mut Vec<Token<'s>>, place: usize, generator: &mut Pcg64) {
        let from = generator.random_range(0..=self.donor.len());
        all.truncate(place);
        all.extend_from_slice(&self.donor[from..]);
    }

    /// Puts a statement of either text before another one, or in its place.
    fn take_statement(&self, all: &mut Vec<Token<'s>>, generator: &mut Pcg64) {
        let donor = self.donor_or(all, generator);
        let Some(new) = any(&statements(&donor), generator) else {
            return;
        };
        let old = any(&statements(all), generator).unwrap_or(0..0);
        let end = if generator.random_bool(0.5) {
            old.end
        } else {
            old.start
        };
        all.splice(old.start..end, donor[new].iter().copied());
    }

    /// Puts the contents of brackets of either text into other brackets.
    fn take_contents(&self, all: &mut Vec<Token<'s>>, generator: &mut Pcg64) {
        let donor = self.donor_or(all, generator);
        let new = bracketed_at(&donor, generator.random_range(0..=donor.len()));
        let old = bracketed_at(all, generator.random_range(0..=all.len()));
        if let (Some(new), Some(old)) = (new, old) {
            all.splice(old, donor[new].iter().copied());
        }
    }

    fn donor_or(&self, all: &[Token<'s>], generator: &mut Pcg64) -> Vec<Token<'s>> {
        if self.donor.is_empty() || generator.random_bool(0.5) {
            all.to_vec()
        } else {
            self.donor.clone()
        }
    }
}

const PAIRS: &[(&str, &str)] = &[("(", ")"), ("[", "]"), ("{", "}"), ("\"", "\"")];

fn any(ranges: &[Range<usize>], generator: &mut Pcg64) -> Option<Range<usize>> {
    (!ranges.is_empty()).then(|| ranges[generator.random_range(0..ranges.len())].clone())
}

/// A short run of tokens, which is empty where there are none.
fn run(all: &[Token<'_>], generator: &mut Pcg64) -> Range<usize> {
    let length = generator.random_range(0..=all.len().min(LONGEST_RUN));
    let start = generator.random_range(0..=all.len() - length);
    start..start + length
}

/// A token of a class, searched from a place at random.
fn of_class<'t>(all: &[Token<'t>], class: Class, generator: &mut Pcg64) -> Option<Token<'t>> {
    let (before, after) = all.split_at(generator.random_range(0..=all.len()));
    let mut tokens = after.iter().chain(before);
    tokens.find(|token| token.class == class).copied()
}

/// The text of tokens, with blanks between words that would become one.
fn spelled(all: &[Token<'_>]) -> Vec<u8> {
    let is_word = |token: &Token<'_>| matches!(token.class, Class::Word | Class::Number);
    let mut text = Vec::new();
    for (number, token) in all.iter().enumerate() {
        if number > 0 && is_word(token) && is_word(&all[number - 1]) {
            text.push(b' ');
        }
        text.extend_from_slice(token.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn tokens_stay_whole_and_come_from_all_sources() {
        let dictionary = Dictionary::of_texts(&["while"]);
        let edits = TokenEdits::new(&dictionary, Some(b"alpha[beta]; gamma"));
        let mut generator = Pcg64::new(1, 2);
        let results: BTreeSet<Vec<u8>> = (0..20_000)
            .map(|_| edits.edit(b"one = f(two);\nprint one\n", &mut generator))
            .collect();
        let has = |wanted: &str| {
            let wanted = wanted.as_bytes();
            results
                .iter()
                .any(|text| text.windows(wanted.len()).any(|part| part == wanted))
        };
        for wanted in [
            "two = f(",
            "= f(beta);",
            "print two",
            "while",
            "alpha[two]",
            "(one)",
            "print alpha",
        ] {
            assert!(has(wanted), "{wanted}");
        }
        assert!(!has("on e") && !has("prin t"));
        for _ in 0..100 {
            TokenEdits::new(&dictionary, None).edit(b"", &mut generator);
        }
    }
}
