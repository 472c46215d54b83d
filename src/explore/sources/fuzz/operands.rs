//! Replacements of bytes of an input that were compared with something else: one operand of a
//! comparison stands in the input, and the other one takes its place.
//!
//! Idea: much of an input reaches comparisons as it is, or in one of few encodings, so a magic
//! number or a keyword needs no search (Aschermann et al., "REDQUEEN", NDSS 2019).
//!
//! Invariant: which replacements there are depends on the input and its comparisons alone.

use super::corpus::{Corpus, EntryId};
use super::input::{Input, Part, Purpose};
use super::mutate::Mutator;
use homi_native::image::{ComparedAs, Comparison};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// Most replacements of one input, most places of one operand, most that wait in all, and most that
/// are remembered as tried.
const MOST_OF_INPUT: usize = 256;
const MOST_PLACES: usize = 4;
const MOST_WAITING: usize = 1 << 14;
const MOST_TRIED: usize = 1 << 17;
/// Longest text that is searched for operands, in bytes.
const LONGEST_TEXT: usize = 1024;
/// Shortest text that is learned as a token, and shortest integer whose bytes are one.
const SHORTEST_TOKEN: usize = 2;
const SHORTEST_NUMBER: usize = 4;

/// Bytes to put in the place of others of an entry of the corpus.
#[derive(Clone, PartialEq, Debug)]
struct Replacement {
    entry: EntryId,
    part: usize,
    place: Range<usize>,
    bytes: Vec<u8>,
}

/// Replacements that wait for their execution.
#[derive(Debug, Default)]
pub struct Replacements {
    waiting: Vec<Replacement>,
    /// Hashes of contents that were made.
    tried: HashSet<u64>,
}

/// An operand as bytes of an input, what replaces it, and the order in which it is tried.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Encoded {
    rank: u8,
    old: Vec<u8>,
    new: Vec<u8>,
    form: Form,
}

/// Place in an input at which an encoded operand may stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Form {
    /// Anywhere, and what replaces it has as many bytes.
    Binary,
    /// In the text, without regard to case.
    Text,
    /// In the text, as a whole number.
    Digits,
}

impl Replacements {
    /// Adds the replacements in an entry of the corpus, whose execution compared these operands.
    /// The mutator learns tokens.
    pub fn add(
        &mut self,
        entry: EntryId,
        input: &Input,
        comparisons: &[Comparison],
        mutator: &mut Mutator,
    ) {
        let mut seen = HashSet::new();
        let encoded = comparisons.iter().flat_map(encodings);
        let mut encoded: Vec<Encoded> = encoded.filter(|one| seen.insert(one.clone())).collect();
        encoded.sort_by_key(|one| one.rank);
        let mut found = Vec::new();
        for one in &encoded {
            for (number, part) in input.parts.iter().enumerate() {
                if part.purpose() == Purpose::Status {
                    continue;
                }
                let places = places(part, one);
                if !places.is_empty() && is_token(one) && !contains(&part.bytes, &one.new) {
                    mutator.learn_token(&one.new);
                }
                found.extend(places.into_iter().map(|place| Replacement {
                    entry,
                    part: number,
                    place,
                    bytes: one.new.clone(),
                }));
            }
            if found.len() >= MOST_OF_INPUT {
                break;
            }
        }
        if self.tried.len() > MOST_TRIED {
            self.tried.clear();
        }
        found.truncate(MOST_OF_INPUT);
        found.retain(|one| {
            let mut hasher = DefaultHasher::new();
            (one.part, one.contents(input)).hash(&mut hasher);
            self.tried.insert(hasher.finish())
        });
        // The last one is the next: the input's first.
        self.waiting.extend(found.into_iter().rev());
        let more = self.waiting.len().saturating_sub(MOST_WAITING);
        self.waiting.drain(..more);
    }

    /// The next input with a replacement, of the latest entries first.
    pub fn next(&mut self, corpus: &Corpus) -> Option<Input> {
        while let Some(next) = self.waiting.pop() {
            if let Some(known) = corpus.input(next.entry) {
                let mut input = known.clone();
                if let Some(contents) = next.contents(known) {
                    input.parts[next.part].write(&contents);
                    return Some(input);
                }
            }
        }
        None
    }
}

impl Replacement {
    /// The new contents of the part; `None` if the entry has become shorter.
    fn contents(&self, input: &Input) -> Option<Vec<u8>> {
        let part = input.parts.get(self.part)?;
        let mut bytes = part.bytes.clone();
        if self.place.len() != self.bytes.len() {
            bytes.truncate(part.written().len());
        }
        if self.place.end > bytes.len() {
            return None;
        }
        bytes.splice(self.place.clone(), self.bytes.iter().copied());
        Some(bytes)
    }
}

/// Both operands as bytes, with the other one as their replacement.
fn encodings(comparison: &Comparison) -> Vec<Encoded> {
    let (left, right) = (&comparison.left, &comparison.right);
    let mut all = Vec::new();
    for (old, new) in [(left, right), (right, left)] {
        if comparison.kind == ComparedAs::Texts {
            all.push(Encoded {
                rank: 0,
                old: old.clone(),
                new: new.clone(),
                form: Form::Text,
            });
            continue;
        }
        let (old_value, value) = (number(old), number(new));
        number_encodings(old_value, value, old.len(), &mut all);
        if comparison.kind == ComparedAs::Order {
            for near in [value.wrapping_add(1), value.wrapping_sub(1)] {
                number_encodings(old_value, near, old.len(), &mut all);
            }
        }
    }
    all.retain(|one| !one.old.is_empty() && one.old != one.new);
    all
}

fn number(bytes: &[u8]) -> u64 {
    let bytes = bytes.iter().take(8).rev();
    bytes.fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// An integer of `width` bytes in all its forms.
fn number_encodings(old: u64, new: u64, width: usize, all: &mut Vec<Encoded>) {
    for size in [8, 4, 2, 1] {
        if size > width || !fits(old, size, width) || !fits(new, size, width) {
            continue;
        }
        let mut old = old.to_le_bytes()[..size].to_vec();
        let mut new = new.to_le_bytes()[..size].to_vec();
        for _ in 0..2 {
            all.push(Encoded {
                rank: if size == 1 { 3 } else { 1 },
                old: old.clone(),
                new: new.clone(),
                form: Form::Binary,
            });
            old.reverse();
            new.reverse();
        }
    }
    let shift = 64 - 8 * width.clamp(1, 8) as u32;
    let signed = |value: u64| ((value << shift) as i64 >> shift).to_string();
    let forms = [
        (old.to_string(), new.to_string()),
        (signed(old), signed(new)),
        (format!("{old:x}"), format!("{new:x}")),
    ];
    all.extend(forms.map(|(old, new)| Encoded {
        rank: 2,
        old: old.into_bytes(),
        new: new.into_bytes(),
        form: Form::Digits,
    }));
}

/// True if `size` bytes hold a value of `width` bytes, with or without a sign.
fn fits(value: u64, size: usize, width: usize) -> bool {
    let shift = 64 - 8 * size as u32;
    let whole = 64 - 8 * width.clamp(1, 8) as u32;
    let with_sign = (value << whole) as i64 >> whole;
    value << shift >> shift == value || (with_sign << shift) >> shift == with_sign
}

/// The first places of an operand in a part.
fn places(part: &Part, operand: &Encoded) -> Vec<Range<usize>> {
    let written = part.written().len();
    let is_zero = operand.old.iter().all(|byte| *byte == 0);
    let end = match operand.form {
        Form::Binary if !is_zero => part.bytes.len(),
        _ => written,
    };
    let text = &part.bytes[..end.min(LONGEST_TEXT)];
    let size = operand.old.len();
    let is_here = |place: &usize| {
        let found = &text[*place..*place + size];
        match operand.form {
            Form::Binary => found == operand.old,
            Form::Text => found.eq_ignore_ascii_case(&operand.old),
            Form::Digits => {
                let digit = |place: usize| text.get(place).is_some_and(u8::is_ascii_hexdigit);
                let joins = *place > 0 && digit(place - 1) || digit(place + size);
                !joins && found.eq_ignore_ascii_case(&operand.old)
            }
        }
    };
    let starts = (0..(text.len() + 1).saturating_sub(size)).filter(is_here);
    let ranges = starts.map(|place| place..place + size);
    ranges.take(MOST_PLACES).collect()
}

/// True if the replacement is worth trying elsewhere, too.
fn is_token(operand: &Encoded) -> bool {
    let bytes = &operand.new;
    match operand.form {
        Form::Text => bytes.len() >= SHORTEST_TOKEN,
        Form::Binary => bytes.len() >= SHORTEST_NUMBER && bytes.iter().all(u8::is_ascii_graphic),
        Form::Digits => false,
    }
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    !wanted.is_empty() && text.windows(wanted.len()).any(|part| part == wanted)
}

#[cfg(test)]
mod tests {
    use super::super::dictionary::Dictionary;
    use super::*;

    fn compared(kind: ComparedAs, left: &[u8], right: &[u8]) -> Comparison {
        let (left, right) = (left.to_vec(), right.to_vec());
        Comparison { kind, left, right }
    }

    /// Contents of standard input after each replacement, without what fills them up.
    fn replaced(text: &[u8], comparison: Comparison) -> (Vec<Vec<u8>>, Mutator) {
        let mut bytes = text.to_vec();
        bytes.resize(text.len() + 32, 0);
        let input = Input::of_objects([("stdin".to_string(), bytes)]);
        let mut corpus = Corpus::default();
        let entry = corpus.add_executed(input.clone(), &[], 1).expect("an id");
        let mut mutator = Mutator::new(Dictionary::of_texts(&[]));
        let mut all = Replacements::default();
        all.add(entry, &input, &[comparison], &mut mutator);
        let mut made = Vec::new();
        while let Some(input) = all.next(&corpus) {
            made.push(input.parts[0].written().to_vec());
        }
        (made, mutator)
    }

    #[test]
    fn integers_are_found_in_their_encodings() {
        use ComparedAs::{Equal, Order};
        let number = |value: u32| value.to_le_bytes();
        let equal = |old, new| compared(Equal, &number(old), &number(new));
        let made = |text: &[u8], comparison| replaced(text, comparison).0;
        assert_eq!(
            made(b"..\x01\x02\x03\x04.", equal(0x0403_0201, 0x4443_4241)),
            [b"..ABCD."]
        );
        assert_eq!(
            made(b"..\x04\x03\x02\x01.", equal(0x0403_0201, 0x4443_4241)),
            [b"..DCBA."]
        );
        assert_eq!(made(b"a=12;", equal(12, 4711)), [b"a=4711;".to_vec()]);
        assert_eq!(made(b"a=-2;", equal(-2i32 as u32, 7)), [b"a=7;"]);
        assert_eq!(made(b"a=1f;", equal(0x1f, 0xabc)), [b"a=abc;".to_vec()]);
        assert_eq!(made(b"a=312;", equal(12, 4711)), Vec::<Vec<u8>>::new());
        let order = compared(Order, &number(9), &number(100));
        let all = made(b"[9]", order);
        for wanted in [b"[99]".as_slice(), b"[100]", b"[101]"] {
            assert!(all.iter().any(|one| one == wanted), "{all:?}");
        }
        assert_eq!(
            made(b"(x)", equal(u32::from(b'x'), u32::from(b'y'))),
            [b"(y)"]
        );
    }

    #[test]
    fn texts_of_other_lengths_take_the_place_and_are_learned() {
        let comparison = compared(ComparedAs::Texts, b"ID", b"function");
        let (made, mut mutator) = replaced(b"id x", comparison);
        assert_eq!(made, [b"function x"]);
        assert!(!mutator.learn_token(b"function"), "known");
        assert!(
            mutator.learn_token(b"ID"),
            "unknown, as it stands in the input"
        );
    }
}
