//! Tries each token of the program in each form that command lines have: `token`, `--token`,
//! `token=1`, `--to=other`, and `[:token:]` as a character class; then each letter as an option:
//! `-w`, `-w1`.
//!
//! Idea: an edit at random writes a certain token as a certain kind of argument once in some ten
//! thousand fuzzing runs. Programs have some hundred tokens and command lines few forms, so all
//! pairs are soon tried; then the sweep draws new values.

use super::dictionary::Dictionary;
use super::input::Input;
use super::syntax;
use rand::RngExt;
use rand_pcg::Pcg64;

/// Value behind an option and its equals sign.
#[derive(Clone, Copy)]
enum Value {
    None,
    Fixed(&'static [u8]),
    Token,
    Piece,
}

impl Value {
    /// The value's text, if there is one.
    fn of<'t>(self, dictionary: &'t Dictionary, generator: &mut Pcg64) -> Option<&'t [u8]> {
        match self {
            Value::None => None,
            Value::Fixed(value) => Some(value),
            Value::Token => Some(dictionary.draw(generator).unwrap_or_default()),
            Value::Piece => Some(syntax::piece(generator)),
        }
    }
}

/// One form of an argument.
#[derive(Clone, Copy)]
enum Form {
    /// An operand, as it is or with a value.
    Operand(Value),
    /// An option, which may be shortened where it has a value.
    Option(Value),
    /// A text behind one dash.
    Dash,
    /// A class of characters.
    Class,
}

const FORMS: &[Form] = &[
    Form::Option(Value::None),
    Form::Operand(Value::Fixed(b"1")),
    Form::Option(Value::Fixed(b"1")),
    Form::Operand(Value::None),
    Form::Class,
    Form::Operand(Value::Token),
    Form::Option(Value::Token),
    Form::Operand(Value::Fixed(b"0")),
    Form::Option(Value::Fixed(b"a")),
    Form::Operand(Value::Piece),
    Form::Option(Value::Piece),
    Form::Dash,
];

/// Values that may follow a one-letter option.
const BEHIND_LETTER: &[Value] = &[
    Value::None,
    Value::Fixed(b"1"),
    Value::Fixed(b"a"),
    Value::Fixed(b"0"),
    Value::Token,
    Value::Piece,
];
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Distance of the forms with which two threads begin.
const FORMS_APART: usize = 5;

/// Letters that a shortened token keeps at least.
const SHORTEST: usize = 2;

/// Position of the sweep in the tokens.
#[derive(Debug)]
pub struct Sweep {
    step: usize,
    /// Forms that others take first.
    ahead: usize,
}

impl Sweep {
    /// The sweep of one of several threads, which begin with different forms.
    pub fn of_thread(number: usize) -> Self {
        Self {
            step: 0,
            ahead: number * FORMS_APART,
        }
    }

    /// True if each token and each letter has been tried in each form.
    pub fn is_through(&self, dictionary: &Dictionary) -> bool {
        self.step >= dictionary.tokens().len() * FORMS.len() + LETTERS.len() * BEHIND_LETTER.len()
    }

    /// Writes the next token or letter in its form into one of the longest arguments; false if
    /// there is none.
    pub fn apply(
        &mut self,
        dictionary: &Dictionary,
        input: &mut Input,
        generator: &mut Pcg64,
    ) -> bool {
        let tokens = dictionary.tokens();
        let arguments = input.parts.iter_mut().filter(|part| part.is_argument());
        let mut arguments: Vec<_> = arguments.map(|part| &mut part.bytes).collect();
        let longest = arguments.iter().map(|bytes| bytes.len()).max();
        arguments.retain(|bytes| Some(bytes.len()) == longest);
        if arguments.is_empty() {
            return false;
        }
        let chosen = generator.random_range(0..arguments.len());
        let of_tokens = tokens.len() * FORMS.len();
        let place = self.step + self.ahead * tokens.len();
        let place = place % (of_tokens + LETTERS.len() * BEHIND_LETTER.len());
        self.step += 1;
        let text = match place.checked_sub(of_tokens) {
            None => {
                let form = FORMS[place / tokens.len()];
                spelt(&tokens[place % tokens.len()], form, dictionary, generator)
            }
            Some(place) => {
                let value = BEHIND_LETTER[place / LETTERS.len()];
                let mut text = vec![b'-', LETTERS[place % LETTERS.len()]];
                text.extend_from_slice(value.of(dictionary, generator).unwrap_or_default());
                text
            }
        };
        let room = &mut arguments[chosen][..];
        room.fill(0);
        // The last byte stays the end of the string.
        let length = text.len().min(room.len().saturating_sub(1));
        room[..length].copy_from_slice(&text[..length]);
        true
    }
}

fn spelt(token: &[u8], form: Form, dictionary: &Dictionary, generator: &mut Pcg64) -> Vec<u8> {
    let (dashes, value) = match form {
        Form::Class => return [b"[:", token, b":]"].concat(),
        Form::Dash => (1, Value::None),
        Form::Operand(value) => (0, value),
        Form::Option(value) => (2, value),
    };
    let may_shorten = dashes == 2 && !matches!(value, Value::None) && token.len() > SHORTEST;
    let kept = if may_shorten && generator.random_bool(0.5) {
        generator.random_range(SHORTEST..token.len())
    } else {
        token.len()
    };
    let value = value.of(dictionary, generator);
    syntax::argument(dashes, &token[..kept], value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_machine::state::SymbolicObject;
    use homi_solver::term::{ArrayId, Model};
    use std::collections::BTreeSet;

    #[test]
    fn all_tokens_come_in_all_forms_in_the_longest_argument() {
        let sizes = [("n_args", 4), ("arg00", 11), ("arg01", 3), ("stdin", 20)];
        let objects = sizes.map(|(name, size)| SymbolicObject {
            array: ArrayId::new(size as usize),
            name: name.into(),
            size,
        });
        let original = Input::new(&objects, &Model::new());
        let dictionary = Dictionary::of_texts(&["skip", "width"]);
        let mut generator = Pcg64::new(1, 2);
        let mut sweep = Sweep::of_thread(1);
        let mut seen = BTreeSet::new();
        while !sweep.is_through(&dictionary) {
            let mut input = original.clone();
            assert!(sweep.apply(&dictionary, &mut input, &mut generator));
            for other in [0, 2, 3] {
                assert_eq!(input.parts[other], original.parts[other]);
            }
            let text = &input.parts[1].bytes;
            assert_eq!((text.len(), text[10]), (11, 0));
            seen.insert(
                String::from_utf8_lossy(text)
                    .trim_end_matches('\0')
                    .to_string(),
            );
        }
        for text in [
            "skip", "--skip", "-skip", "width", "skip=1", "width=0", "[:skip:]", "-w", "-T1",
        ] {
            assert!(seen.contains(text), "{text} of {seen:?}");
        }
        assert!(!sweep.apply(&dictionary, &mut Input::default(), &mut generator));
        assert!(sweep.apply(
            &Dictionary::default(),
            &mut original.clone(),
            &mut generator
        ));
    }
}
