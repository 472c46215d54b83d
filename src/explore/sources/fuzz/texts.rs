//! The texts of an input, which a program may read as a language: where they end, where one of
//! their tokens does.

use super::dictionary::is_name;
use super::input::{Input, Part, Purpose};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::ops::Range;

/// A text that is not an argument is chosen with this probability, where there are both.
const NO_ARGUMENT: f64 = 0.25;
/// Padding of a text that is not an argument.
const LINE_END: u8 = b'\n';

/// One of the input's texts: as a rule an argument, if there is one.
pub(super) fn choose_text(input: &Input, generator: &mut Pcg64) -> Option<usize> {
    let is_text = |part: &Part| part.purpose() == Purpose::Contents && part.bytes.len() > 1;
    let texts = (0..input.parts.len()).filter(|number| is_text(&input.parts[*number]));
    let texts: Vec<usize> = texts.collect();
    let arguments = texts.iter().copied();
    let arguments: Vec<usize> = arguments
        .filter(|number| input.parts[*number].is_argument())
        .collect();
    let chosen = if arguments.is_empty() || generator.random_bool(NO_ARGUMENT) {
        &texts
    } else {
        &arguments
    };
    (!chosen.is_empty()).then(|| chosen[generator.random_range(0..chosen.len())])
}

/// The text up to its NUL, or without the ends of lines that fill it up.
pub(super) fn written(part: &Part) -> &[u8] {
    let end = part.bytes.iter().position(|byte| *byte == 0);
    let text = &part.bytes[..end.unwrap_or(part.bytes.len())];
    let last = text.iter().rposition(|byte| *byte != LINE_END);
    &text[..last.map_or(0, |last| last + 1)]
}

/// Puts a text into an object, whose last byte stays a string's end if it is an argument.
pub(super) fn write(part: &mut Part, mut text: Vec<u8>) {
    let (filling, kept) = if part.is_argument() {
        (0, 1)
    } else {
        (LINE_END, 0)
    };
    text.truncate(part.bytes.len() - kept);
    part.bytes.fill(filling);
    part.bytes[..text.len()].copy_from_slice(&text);
}

/// A place between two tokens, or at an end.
pub(super) fn boundary(text: &[u8], generator: &mut Pcg64) -> usize {
    let place = generator.random_range(0..=text.len());
    let is_inside = |place: usize| {
        place > 0 && place < text.len() && is_name(text[place - 1]) && is_name(text[place])
    };
    let mut places = place..=text.len();
    places
        .find(|place| !is_inside(*place))
        .unwrap_or(text.len())
}

/// The token that begins at a place: a name or number, or one sign.
pub(super) fn token_at(text: &[u8], place: usize) -> Range<usize> {
    let rest = &text[place.min(text.len())..];
    let name = rest.iter().take_while(|byte| is_name(**byte)).count();
    let length = match name {
        0 => rest.len().min(1),
        name => name,
    };
    place..place + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_not_broken() {
        let mut generator = Pcg64::new(1, 2);
        for _ in 0..100 {
            assert!([0, 2, 3, 5].contains(&boundary(b"ab+cd", &mut generator)));
        }
        assert_eq!(token_at(b"ab+cd", 0), 0..2);
        assert_eq!(token_at(b"ab+cd", 2), 2..3);
        assert_eq!(token_at(b"ab+cd", 5), 5..5);
    }
}
