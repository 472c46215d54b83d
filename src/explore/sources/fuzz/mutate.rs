//! Mutations of an input: a few edits, each of one object.
//!
//! The edits are common in text fuzzers: characters set, inserted and removed, strings of the
//! program, pieces of common syntax, brackets around a part, names of symbolic files, contents of
//! another object. Characters suit programs that read command lines and text: mostly letters,
//! digits and signs.

use super::dictionary::Dictionary;
use super::input::{Input, Part, Purpose};
use super::syntax;
use super::token_mutations::TokenMutations;
use rand::RngExt;
use rand_pcg::Pcg64;

/// Signs that mean something to parsers of options, numbers, expressions and patterns.
const SIGNS: &[u8] = b"--+=:.,%\\/[]()*?^$|{}<>!&;#@~_'\"";
const BLANKS: &[u8] = b" \t\n";
/// A further edit follows with this probability.
const MORE: f64 = 0.6;
const MOST_EDITS: usize = 8;
/// Probability in per mille that an edit of a status object is kept.
const STATUS_PER_MILLE: u32 = 50;
/// Longest text that is put between brackets or said twice, in bytes.
const LONGEST_PART: usize = 4;
/// Numbers are mostly counts and choices.
const SMALL: u64 = 6;

/// Changes inputs.
#[derive(Debug)]
pub struct Mutator {
    dictionary: Dictionary,
    token_mutations: TokenMutations,
}

impl Mutator {
    pub fn new(dictionary: Dictionary) -> Self {
        Self {
            token_mutations: TokenMutations::new(&dictionary),
            dictionary,
        }
    }

    /// Returns the tokens of the program.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Adds tokens that the user gives to the dictionary.
    pub fn add_tokens(&mut self, tokens: &[Vec<u8>]) {
        self.dictionary = std::mem::take(&mut self.dictionary).with(tokens);
    }

    /// Adds a value that an execution compared with its input to the dictionary; true if it is new.
    pub fn learn_token(&mut self, token: &[u8]) -> bool {
        self.dictionary.learn(token)
    }

    /// Makes at least one edit; `donor` is another input from which contents may be taken.
    pub fn mutate(&self, input: &mut Input, donor: Option<&Input>, generator: &mut Pcg64) {
        if input.is_empty() {
            return;
        }
        for _ in 0..MOST_EDITS {
            self.edit(input, donor, generator);
            if !generator.random_bool(MORE) {
                break;
            }
        }
    }

    /// Writes token mutations of the program's tokens into a text of the input, or of one in which
    /// that led to something; false if it has none.
    pub fn apply_token_mutations(
        &mut self,
        input: &mut Input,
        donor: Option<&Input>,
        generator: &mut Pcg64,
    ) -> bool {
        self.token_mutations
            .apply(&self.dictionary, input, donor, generator)
    }

    /// The latest input with token mutations, as its path had it, if it covered something first.
    pub fn note_token_mutations(&mut self, found: Option<&Input>) {
        self.token_mutations.note(found);
    }

    fn edit(&self, input: &mut Input, donor: Option<&Input>, generator: &mut Pcg64) {
        let chosen = generator.random_range(0..input.parts.len());
        match input.parts[chosen].purpose() {
            Purpose::Number => set_number(&mut input.parts[chosen], generator),
            Purpose::Status if generator.random_range(0..1000) >= STATUS_PER_MILLE => {}
            Purpose::Status => set_one(&mut input.parts[chosen].bytes, generator),
            Purpose::Contents if generator.random_range(0..10) == 0 => {
                let from = donor.unwrap_or(input);
                let other = generator.random_range(0..from.parts.len());
                let bytes = from.parts[other].bytes.clone();
                write_at(&mut input.parts[chosen].bytes, 0, &bytes);
            }
            Purpose::Contents => {
                let file = input.parts[generator.random_range(0..input.parts.len())].file_name();
                let file = file.map(<[u8]>::to_vec);
                self.edit_text(&mut input.parts[chosen].bytes, file.as_deref(), generator);
            }
        }
    }

    /// `file` is the name of a symbolic file of the input.
    fn edit_text(&self, bytes: &mut Vec<u8>, file: Option<&[u8]>, generator: &mut Pcg64) {
        if bytes.is_empty() {
            return;
        }
        let position = place(bytes, generator);
        match generator.random_range(0..20) {
            0..5 => bytes[position] = character(generator),
            5 | 6 => {
                bytes.insert(position, character(generator));
                bytes.pop();
            }
            7 => {
                bytes.remove(position);
                bytes.push(0);
            }
            8 => bytes[position] = bytes[generator.random_range(0..bytes.len())],
            9 => {
                let length = generator.random_range(0..=bytes.len());
                bytes.fill(0);
                bytes[..length].fill_with(|| character(generator));
            }
            10 | 11 => self.write_token(bytes, position, generator),
            12 | 13 => insert_at(bytes, position, syntax::piece(generator)),
            14 => write_at(bytes, position, syntax::piece(generator)),
            15 => {
                let (open, close) = syntax::pair(generator);
                let end = generator.random_range(position..=bytes.len());
                insert_at(bytes, end.min(position + LONGEST_PART), close);
                insert_at(bytes, position, open);
            }
            16 => {
                let end = bytes.len().min(position + LONGEST_PART);
                let end = generator.random_range(position..=end);
                let repeated = bytes[position..end].to_vec();
                insert_at(bytes, end, &repeated);
            }
            17 if file.is_some() => {
                let end = bytes.len().min(position + 1);
                bytes[end..].fill(0);
                write_at(bytes, position, file.unwrap_or_default());
            }
            _ => self.write_assignment(bytes, generator),
        }
    }

    /// A token as an option or an operand, perhaps shortened as long options may be, perhaps with a
    /// value.
    fn write_assignment(&self, bytes: &mut [u8], generator: &mut Pcg64) {
        let Some(token) = self.dictionary.draw(generator) else {
            return;
        };
        let dashes = generator.random_range(0..3);
        let length = if generator.random_bool(0.25) {
            generator.random_range(1..=token.len())
        } else {
            token.len()
        };
        let value = match (generator.random_bool(0.5)).then(|| generator.random_bool(0.5)) {
            Some(true) => self.dictionary.draw(generator),
            Some(false) => Some(syntax::piece(generator)),
            None => None,
        };
        bytes.fill(0);
        write_at(bytes, 0, &syntax::argument(dashes, &token[..length], value));
    }

    fn write_token(&self, bytes: &mut [u8], position: usize, generator: &mut Pcg64) {
        if let Some(token) = self.dictionary.draw(generator) {
            write_at(bytes, position, token);
        }
    }
}

/// Puts bytes at a position, as far as there is room.
fn write_at(bytes: &mut [u8], position: usize, new: &[u8]) {
    for (place, byte) in bytes.iter_mut().skip(position).zip(new) {
        *place = *byte;
    }
}

/// Puts bytes in between; what does not fit is cut off at the end.
fn insert_at(bytes: &mut Vec<u8>, position: usize, new: &[u8]) {
    let length = bytes.len();
    let position = position.min(length);
    bytes.splice(position..position, new.iter().copied());
    bytes.truncate(length);
}

/// Returns the position of a change in a text: usually within the string that it begins with, or
/// just behind it.
fn place(bytes: &[u8], generator: &mut Pcg64) -> usize {
    let end = bytes.iter().position(|byte| *byte == 0);
    let length = end.unwrap_or(bytes.len());
    match generator.random_range(0..8) {
        0 => generator.random_range(0..bytes.len()),
        _ => generator.random_range(0..=length.min(bytes.len() - 1)),
    }
}

fn set_one(bytes: &mut [u8], generator: &mut Pcg64) {
    if !bytes.is_empty() {
        let position = generator.random_range(0..bytes.len());
        bytes[position] = generator.random();
    }
}

/// A small number, or any byte in it.
fn set_number(part: &mut Part, generator: &mut Pcg64) {
    if generator.random_range(0..4) == 0 {
        set_one(&mut part.bytes, generator);
    } else {
        let number = generator.random_range(0..SMALL).to_le_bytes();
        part.bytes.fill(0);
        write_at(&mut part.bytes, 0, &number);
    }
}

fn character(generator: &mut Pcg64) -> u8 {
    match generator.random_range(0..20) {
        0..7 => SIGNS[generator.random_range(0..SIGNS.len())],
        7..11 => generator.random_range(b'0'..=b'9'),
        11..16 => generator.random_range(b'a'..=b'z'),
        16 => generator.random_range(b'A'..=b'Z'),
        17 => BLANKS[generator.random_range(0..BLANKS.len())],
        18 => 0,
        _ => generator.random(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_machine::state::SymbolicObject;
    use homi_solver::term::{ArrayId, Model};

    fn object(number: u32, name: &str, size: u32) -> SymbolicObject {
        SymbolicObject {
            array: ArrayId::new(number as usize),
            name: name.into(),
            size,
        }
    }

    #[test]
    fn sizes_stay_and_equal_seeds_give_equal_inputs() {
        let objects = [
            object(0, "arg00", 11),
            object(1, "n_args", 4),
            object(2, "A_data_stat", 144),
            object(3, "empty", 0),
        ];
        let original = Input::new(&objects, &Model::new());
        let mutator = Mutator::new(Dictionary::default());
        let run = || {
            let (mut generator, mut input) = (Pcg64::new(7, 1), original.clone());
            for _ in 0..2_000 {
                mutator.mutate(&mut input, Some(&original), &mut generator);
            }
            input
        };
        let input = run();
        assert_eq!(input, run());
        assert_ne!(input, original);
        for (part, object) in input.parts.iter().zip(&objects) {
            assert_eq!(part.bytes.len(), object.size as usize);
        }
        assert_eq!(Input::new(&objects, &input.model()), input);
    }

    #[test]
    fn tokens_are_cut_at_the_end_of_an_object() {
        let mut bytes = *b"abcdef";
        write_at(&mut bytes, 4, b"long");
        assert_eq!(&bytes, b"abcdlo");
        let mut bytes = b"abcdef".to_vec();
        insert_at(&mut bytes, 2, b"\\(");
        assert_eq!(bytes, b"ab\\(cd");
        insert_at(&mut bytes, 9, b"x");
        assert_eq!(bytes, b"ab\\(cd");
    }
}
