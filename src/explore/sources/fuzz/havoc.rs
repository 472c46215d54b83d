//! Stacked edits of bytes: bits, numbers of all widths in both byte orders, decimal numbers, blocks
//! that are copied, removed and moved, pieces of a donor, and tokens.
//!
//! Idea: one edit seldom leads further, many at once reach what lies several steps away. AFL calls
//! this stage havoc.

use super::dictionary::Dictionary;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::ops::Range;

/// Binary logarithm of most edits at once.
const MOST_STACKED: u32 = 6;
/// Limits of types, and their neighbors, which programs compare with; cut to the edited width.
const INTERESTING: &[i64] = &[
    0,
    1,
    -1,
    2,
    3,
    4,
    7,
    8,
    9,
    10,
    15,
    16,
    31,
    32,
    63,
    64,
    99,
    100,
    127,
    -128,
    128,
    255,
    256,
    511,
    512,
    1000,
    1023,
    1024,
    4095,
    4096,
    32767,
    -32768,
    32768,
    65535,
    65536,
    99999,
    100_000,
    0x7fff_ffff,
    -0x8000_0000,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    i64::MAX,
    i64::MIN,
];
/// Largest change of a number by addition.
const MOST_ADDED: u64 = 35;
/// Longest block in one of two cases; the others may be as long as the text.
const SHORT_BLOCK: usize = 16;

/// Texts and tokens that edits draw from.
#[derive(Clone, Copy)]
pub(super) struct Sources<'s> {
    pub(super) dictionary: &'s Dictionary,
    /// Bytes of another input.
    pub(super) donor: Option<&'s [u8]>,
    /// Most bytes of the result.
    pub(super) room: usize,
}

/// Makes 1 to 64 edits.
pub(super) fn edit(bytes: &mut Vec<u8>, sources: Sources<'_>, generator: &mut Pcg64) {
    for _ in 0..1u32 << generator.random_range(0..=MOST_STACKED) {
        edit_once(bytes, sources, generator);
        bytes.truncate(sources.room);
    }
}

/// Puts the end of a donor behind a beginning of the bytes.
pub(super) fn splice(bytes: &mut Vec<u8>, donor: &[u8], generator: &mut Pcg64) {
    let (cut, from) = (position(bytes, generator), position(donor, generator));
    bytes.truncate(cut);
    bytes.extend_from_slice(&donor[from..]);
}

fn edit_once(bytes: &mut Vec<u8>, sources: Sources<'_>, generator: &mut Pcg64) {
    if bytes.is_empty() {
        insert_some(bytes, sources, generator);
        return;
    }
    match generator.random_range(0..18) {
        0 => {
            let bit = 1 << generator.random_range(0..8);
            *any(bytes, generator) ^= bit;
        }
        1 => *any(bytes, generator) = generator.random(),
        2 => *any(bytes, generator) = generator.random_range(b' '..=b'~'),
        3 | 16 => number(bytes, generator, &|_, generator| interesting(generator)),
        4 | 17 => number(bytes, generator, &|old, generator| {
            old.wrapping_add(added(generator))
        }),
        5 => decimal(bytes, generator),
        6 | 7 => {
            let block = block(bytes, generator);
            bytes.drain(block);
        }
        8 | 9 => {
            let copied = bytes[block(bytes, generator)].to_vec();
            put(bytes, &copied, generator);
        }
        10 => {
            let length = generator.random_range(1..=SHORT_BLOCK);
            let filling = *any(bytes, generator);
            put(bytes, &vec![filling; length], generator);
        }
        11 => {
            let block = block(bytes, generator);
            let moved: Vec<u8> = bytes.drain(block).collect();
            let place = position(bytes, generator);
            bytes.splice(place..place, moved);
        }
        12 | 13 => match sources.dictionary.draw_any(generator) {
            Some(token) => put(bytes, token, generator),
            None => insert_some(bytes, sources, generator),
        },
        _ => match sources.donor.filter(|donor| !donor.is_empty()) {
            Some(donor) => put(bytes, &donor[block(donor, generator)], generator),
            None => insert_some(bytes, sources, generator),
        },
    }
}

/// Inserts a token or some characters.
fn insert_some(bytes: &mut Vec<u8>, sources: Sources<'_>, generator: &mut Pcg64) {
    let place = position(bytes, generator);
    match sources.dictionary.draw_any(generator) {
        Some(token) if generator.random_bool(0.5) => {
            bytes.splice(place..place, token.iter().copied());
        }
        _ => bytes.insert(place, generator.random_range(b' '..=b'~')),
    }
}

/// A byte of a text that is not empty.
fn any<'b>(bytes: &'b mut [u8], generator: &mut Pcg64) -> &'b mut u8 {
    let place = generator.random_range(0..bytes.len());
    &mut bytes[place]
}

/// A place between bytes, or at an end.
fn position(bytes: &[u8], generator: &mut Pcg64) -> usize {
    generator.random_range(0..=bytes.len())
}

/// A block of at least one byte of a text that is not empty; short ones are as likely as all.
fn block(bytes: &[u8], generator: &mut Pcg64) -> Range<usize> {
    let most = if generator.random_bool(0.5) {
        bytes.len().min(SHORT_BLOCK)
    } else {
        bytes.len()
    };
    let length = generator.random_range(1..=most);
    let start = generator.random_range(0..=bytes.len() - length);
    start..start + length
}

/// Puts a block over others or in between.
fn put(bytes: &mut Vec<u8>, new: &[u8], generator: &mut Pcg64) {
    let place = position(bytes, generator);
    let old = if generator.random_bool(0.5) {
        bytes.len().min(place + new.len())
    } else {
        place
    };
    bytes.splice(place..old, new.iter().copied());
}

fn interesting(generator: &mut Pcg64) -> u64 {
    INTERESTING[generator.random_range(0..INTERESTING.len())] as u64
}

/// A small number or its negative.
fn added(generator: &mut Pcg64) -> u64 {
    let added = generator.random_range(1..=MOST_ADDED);
    if generator.random_bool(0.5) {
        added
    } else {
        added.wrapping_neg()
    }
}

/// Changes a binary number of 1, 2, 4 or 8 bytes in one of the byte orders.
fn number(bytes: &mut [u8], generator: &mut Pcg64, change: &dyn Fn(u64, &mut Pcg64) -> u64) {
    let widths = [1, 2, 4, 8];
    let fitting = widths.iter().filter(|width| **width <= bytes.len()).count();
    let width = widths[generator.random_range(0..fitting)];
    let place = generator.random_range(0..=bytes.len() - width);
    let field = &mut bytes[place..place + width];
    let is_big = generator.random_bool(0.5);
    if is_big {
        field.reverse();
    }
    let mut old = [0; 8];
    old[..width].copy_from_slice(field);
    let new = change(u64::from_le_bytes(old), generator).to_le_bytes();
    field.copy_from_slice(&new[..width]);
    if is_big {
        field.reverse();
    }
}

/// Changes a decimal number in the text, or writes one.
fn decimal(bytes: &mut Vec<u8>, generator: &mut Pcg64) {
    let from = generator.random_range(0..bytes.len());
    let is_digit = |place: &usize| bytes[*place].is_ascii_digit();
    let start = (from..bytes.len()).chain(0..from).find(is_digit);
    let start = start.unwrap_or(from);
    let start = (0..start)
        .rev()
        .take_while(is_digit)
        .last()
        .unwrap_or(start);
    let length = bytes[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    let end = start + length.count();
    let old: Option<i64> = std::str::from_utf8(&bytes[start..end])
        .ok()
        .and_then(|text| text.parse().ok());
    let new = match old {
        Some(old) if generator.random_bool(0.5) => old.wrapping_add(added(generator) as i64),
        _ => interesting(generator) as i64,
    };
    bytes.splice(start..end, new.to_string().into_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(dictionary: &Dictionary) -> Sources<'_> {
        Sources {
            dictionary,
            donor: Some(b"donor"),
            room: 64,
        }
    }

    #[test]
    fn results_fit_and_equal_seeds_give_equal_bytes() {
        let dictionary = Dictionary::of_texts(&["token"]);
        let run = || {
            let mut generator = Pcg64::new(3, 4);
            let mut bytes = b"abc 12".to_vec();
            let mut sum = 0u64;
            for _ in 0..5_000 {
                edit(&mut bytes, sources(&dictionary), &mut generator);
                assert!(bytes.len() <= 64);
                sum = bytes
                    .iter()
                    .fold(sum, |sum, byte| sum.wrapping_mul(31) + u64::from(*byte));
            }
            sum
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn numbers_change_in_both_byte_orders_and_as_decimals() {
        let mut generator = Pcg64::new(3, 4);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..20_000 {
            let mut bytes = vec![0; 4];
            number(&mut bytes, &mut generator, &|_, generator| {
                interesting(generator)
            });
            seen.insert(bytes);
        }
        assert!(seen.contains(0x7fff_ffffu32.to_be_bytes().as_slice()));
        assert!(seen.contains(0x7fff_ffffu32.to_le_bytes().as_slice()));
        let mut decimals = std::collections::BTreeSet::new();
        for _ in 0..2_000 {
            let mut text = b"a[41]=x".to_vec();
            decimal(&mut text, &mut generator);
            decimals.insert(text);
        }
        for wanted in ["a[42]=x", "a[40]=x", "a[4096]=x", "a[-1]=x"] {
            assert!(decimals.contains(wanted.as_bytes()), "{wanted}");
        }
    }

    #[test]
    fn a_splice_joins_a_beginning_and_an_end() {
        let mut generator = Pcg64::new(3, 4);
        for _ in 0..100 {
            let mut bytes = b"abcd".to_vec();
            splice(&mut bytes, b"wxyz", &mut generator);
            let first = bytes.iter().take_while(|byte| **byte < b'w').count();
            assert!(b"abcd".starts_with(&bytes[..first]) && b"wxyz".ends_with(&bytes[first..]));
        }
    }
}
