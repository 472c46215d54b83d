//! The length of standard input: a fuzzed input may be shorter or longer than the run's arguments
//! say. Its own arguments then have another `--sym-stdin`.
//!
//! Invariant: an executed input has as many bytes of standard input as its arguments say.

use super::input::Input;

/// The name of the object with the bytes of standard input.
const STANDARD_INPUT: &str = "stdin";
/// The option that makes it symbolic, with one dash or two.
const OPTION: &[u8] = b"-sym-stdin";
/// Most bytes of standard input.
const MOST: usize = 8192;
/// Least number of bytes that a mutation may add.
const ROOM: usize = 16;

/// Arguments of a program with symbolic standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lengths {
    arguments: Vec<Vec<u8>>,
    /// The place of the number of bytes in the arguments.
    number: usize,
}

impl Lengths {
    /// Returns `None` if the arguments do not make standard input symbolic, once.
    pub fn of(arguments: &[Vec<u8>]) -> Option<Lengths> {
        let is_option = |word: &Vec<u8>| {
            let word = word.strip_prefix(b"-").unwrap_or(word);
            word == OPTION || word == &OPTION[1..]
        };
        let mut places = (0..arguments.len()).filter(|place| is_option(&arguments[*place]));
        let number = places.next()? + 1;
        (places.next().is_none() && number < arguments.len()).then(|| Lengths {
            arguments: arguments.to_vec(),
            number,
        })
    }

    /// Gives the text of standard input zeros behind it, for mutations to use.
    pub fn widen(&self, input: &mut Input) {
        if let Some(part) = input.part_named(STANDARD_INPUT) {
            let bytes = &mut input.parts[part].bytes;
            let text = text_length(bytes);
            bytes.resize((text + ROOM.max(text / 2)).min(MOST.max(text)), 0);
        }
    }

    /// Cuts standard input behind its text. Returns the input's arguments.
    pub fn cut(&self, input: &mut Input) -> Vec<Vec<u8>> {
        let mut arguments = self.arguments.clone();
        if let Some(part) = input.part_named(STANDARD_INPUT) {
            let bytes = &mut input.parts[part].bytes;
            bytes.resize(text_length(bytes).max(1), 0);
            arguments[self.number] = bytes.len().to_string().into_bytes();
        }
        arguments
    }
}

/// Most ends of lines that stay at the end of a text: some stages fill objects up with them.
const LINE_ENDS: usize = 2;

/// The number of bytes before the padding at the end.
fn text_length(bytes: &[u8]) -> usize {
    let last = |padding: u8| move |byte: &u8| *byte != padding;
    let text = bytes.iter().rposition(last(0)).map_or(0, |last| last + 1);
    let lines = bytes[..text].iter().rposition(last(b'\n'));
    let filled = lines.map_or(0, |last| last + 1);
    text.min(filled + LINE_ENDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_machine::state::SymbolicObject;
    use homi_solver::term::{ArrayId, Model};

    fn words(text: &str) -> Vec<Vec<u8>> {
        text.split(' ')
            .map(|word| word.as_bytes().to_vec())
            .collect()
    }

    #[test]
    fn standard_input_is_as_long_as_its_text() {
        let object = SymbolicObject {
            array: ArrayId::new(0),
            name: STANDARD_INPUT.into(),
            size: 8,
        };
        let mut input = Input::new(&[object], &Model::new());
        let lengths = Lengths::of(&words("prog --sym-arg 2 -sym-stdin 8")).unwrap();
        lengths.widen(&mut input);
        assert_eq!(input.parts[0].bytes.len(), ROOM);
        input.parts[0].bytes[10] = b'x';
        assert_eq!(
            lengths.cut(&mut input),
            words("prog --sym-arg 2 -sym-stdin 11")
        );
        assert_eq!(input.parts[0].bytes.len(), 11);
    }

    #[test]
    fn padding_is_no_text() {
        assert_eq!(text_length(b"ab\n\n\n\n\0\0"), 4);
        assert_eq!(text_length(b"ab\n\0\0"), 3);
        assert_eq!(text_length(b"\0\0"), 0);
    }

    #[test]
    fn arguments_without_one_symbolic_standard_input_have_no_lengths() {
        assert_eq!(Lengths::of(&words("prog --sym-arg 2")), None);
        assert_eq!(Lengths::of(&words("prog --sym-stdin")), None);
        assert_eq!(
            Lengths::of(&words("prog --sym-stdin 2 --sym-stdin 3")),
            None
        );
    }
}
