//! Reads and writes at a symbolic offset within one object.
//!
//! Idea: a read from concrete bytes is a `Table` term over them; where some bytes are symbolic,
//! their offsets come first as a chain of if-then-else. A write makes every byte in reach an
//! if-then-else over the positions that hit it (or a layer above them all, see `layers`, if it
//! reaches many); a read right after such writes compares its offset with theirs instead. Bits of
//! the offset that are known to be zero (an index times an element size) thin out the candidates.

use super::bytes::{ByteValue, assemble_shown, byte_of, byte_shown, constant_or_term};
use super::contents::{Contents, Piece, Update};
use super::layers::Layer;
use super::object::{AccessResult, ObjectRef};
use super::sparse::read_sparse;
use super::{Memory, Value};
use homi_ir::ops::{BinOp, CmpOp};
use homi_solver::term::{Node, Term, Terms};

impl Memory {
    /// The value of `bytes` (1 to 16) bytes at `offset` (a 64-bit term, known to be in `range`,
    /// first and last offset, with `range.1 + bytes` within the object's capacity).
    pub fn read_symbolic(
        &self,
        terms: &Terms,
        object: &ObjectRef,
        offset: Term,
        range: (u64, u64),
        bytes: u32,
    ) -> AccessResult<Value> {
        let contents = self.contents_of(object)?;
        let value = read_contents(terms, contents, offset, range, bytes);
        Ok(terms
            .as_const(value)
            .map_or(Value::Term(value), Value::Concrete))
    }

    /// Writes a value of `bytes` (1 to 16) bytes at `offset` (a 64-bit term, known to be in `range`
    /// as above). Every byte in a small range becomes a term; a large one costs one layer.
    pub fn write_symbolic(
        &mut self,
        terms: &Terms,
        object: &ObjectRef,
        offset: Term,
        range: (u64, u64),
        bytes: u32,
        value: Value,
    ) -> AccessResult<()> {
        if object.read_only {
            return Err(self.read_only_error(*object, object.base + range.0, bytes.into()));
        }
        let object = *object;
        let (first, step) = candidates(terms, offset, range);
        let reach = (range.1 - range.0).saturating_add(bytes.into());
        if reach > EAGER_REACH {
            let layer = Layer {
                offset,
                first,
                last: range.1,
                step,
                bytes,
                value,
            };
            self.add_layer(&object, layer);
            return Ok(());
        }
        self.settle(terms, object.base + range.0, reach);
        let parts: Vec<Term> = (0..bytes)
            .map(|index| match value {
                Value::Concrete(value) => terms.constant(8, value >> (8 * index) & 0xff),
                Value::Term(term) => terms.extract(term, 8 * index, 8),
            })
            .collect();
        // From here on the chunks are shared with `before`: nothing may write to them behind our
        // back.
        self.forget_object(object.base, object.capacity);
        let before = self.contents_of(&object)?.clone();
        for at in first..range.1.saturating_add(u64::from(bytes)) {
            let old = byte_shown(self.contents_of(&object)?, at);
            let mut new = match old {
                ByteValue::Concrete(byte) => terms.constant(8, u128::from(byte)),
                ByteValue::Term(term) => term,
            };
            for (index, &part) in parts.iter().enumerate() {
                let Some(start) = at.checked_sub(index as u64) else {
                    continue;
                };
                if start < first || start > range.1 || (start - first) % step != 0 {
                    continue;
                }
                let here = terms.cmp(CmpOp::Eq, offset, terms.constant(64, u128::from(start)));
                new = terms.ite(here, part, new);
            }
            self.put_byte(&object, at, constant_or_term(terms, new));
        }
        if let Some(contents) = self.contents_mut(&object) {
            contents.set_update(Update::new(offset, (first, step), bytes, value, before));
        }
        Ok(())
    }

    /// Returns whether more than `most` of the bytes `from..to` (offsets in the object) are
    /// symbolic, ignoring layers.
    pub fn has_more_symbolic_bytes(
        &self,
        object: &ObjectRef,
        (from, to): (u64, u64),
        most: u64,
    ) -> AccessResult<bool> {
        let contents = self.contents_of(object)?;
        let to = to.min(object.capacity);
        let (mut at, mut count) = (from, 0);
        while at < to && count <= most {
            let (start, end) = contents.chunk_bounds(at);
            let end = end.min(to);
            if let Piece::Chunk(chunk) = contents.piece(at) {
                let (first, last) = ((at - start) as usize, (end - start) as usize);
                chunk.for_each_term(first, last, &mut |_, _| count += 1);
            }
            at = end;
        }
        Ok(count > most)
    }
}

/// Writes that reach more bytes than this become a layer; the others make a term of each byte.
const EAGER_REACH: u64 = 1040;

/// The elements of `bytes` (up to 8) bytes at `first`, `first + step`, ... up to `last`; nothing if
/// one is symbolic.
fn concrete_elements(
    contents: &Contents,
    (first, last, step): (u64, u64, u64),
    bytes: u32,
) -> Option<Vec<u64>> {
    let mut elements = Vec::with_capacity(((last - first) / step + 1) as usize);
    let mut at = first;
    while at <= last {
        let (start, end) = contents.chunk_bounds(at);
        let piece = contents.piece(at);
        let shown: Option<(&[u8], u8)> = match piece {
            Piece::Fill(fill) => Some((&[], fill)),
            Piece::Chunk(chunk) if chunk.is_concrete() => Some((chunk.bytes(), 0)),
            Piece::Chunk(_) => None,
        };
        let (slice, fill) = shown?;
        // Elements that lie in this chunk as a whole, then one that does not.
        while at <= last && at + u64::from(bytes) <= end {
            let element = match slice.get((at - start) as usize..) {
                Some(rest) if !slice.is_empty() => little_endian(&rest[..bytes as usize]),
                _ => little_endian(&[fill; 8][..bytes as usize]),
            };
            elements.push(element);
            at += step;
        }
        if at <= last && at < end {
            let mut parts = [0; 8];
            for (index, part) in parts[..bytes as usize].iter_mut().enumerate() {
                match byte_shown(contents, at + index as u64) {
                    ByteValue::Concrete(byte) => *part = byte,
                    ByteValue::Term(_) => return None,
                }
            }
            elements.push(little_endian(&parts));
            at += step;
        }
    }
    Some(elements)
}

fn little_endian(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// The value at a symbolic offset of contents, as `Memory::read_symbolic` has it.
fn read_contents(
    terms: &Terms,
    contents: &Contents,
    offset: Term,
    range: (u64, u64),
    bytes: u32,
) -> Term {
    let (first, step) = candidates(terms, offset, range);
    if let Some(update) = contents.update()
        && update.answers(first, step, bytes)
    {
        let written = match update.value {
            Value::Concrete(value) => terms.constant(8 * bytes, value),
            Value::Term(term) => term,
        };
        let here = terms.cmp(CmpOp::Eq, offset, update.offset);
        let before = read_contents(terms, &update.before, offset, range, bytes);
        return terms.ite(here, written, before);
    }
    let shown = read_shown(terms, contents, offset, (first, range.1, step), bytes);
    match contents.layers() {
        Some(layers) => layers.read(terms, offset, (first, range.1, step), bytes, shown),
        None => shown,
    }
}

/// Spans of offsets from which on a read looks at runs of bytes instead of each.
const LEAST_SPARSE: u64 = 1 << 16;

/// The value at a symbolic offset of an object whose layers do not matter.
pub(super) fn read_shown(
    terms: &Terms,
    contents: &Contents,
    offset: Term,
    (first, last, step): (u64, u64, u64),
    bytes: u32,
) -> Term {
    let index = || index_term(terms, offset, first, step);
    if last - first >= LEAST_SPARSE
        && let Some(value) = read_sparse(terms, contents, offset, (first, last, step), bytes)
    {
        return value;
    }
    if bytes <= 8
        && let Some(elements) = concrete_elements(contents, (first, last, step), bytes)
    {
        return terms.table(&elements, 8 * bytes, index());
    }
    let offsets = (first..=last).step_by(step as usize);
    let mut symbolic: Vec<(u64, Term)> = Vec::new();
    let mut concrete: Vec<u128> = Vec::new();
    for at in offsets {
        match assemble_shown(terms, contents, at, bytes) {
            Value::Concrete(value) => concrete.push(value),
            Value::Term(term) => {
                concrete.push(0);
                symbolic.push((at, term));
            }
        }
    }
    let width = 8 * bytes;
    let mut value = if symbolic.len() == concrete.len() {
        // No concrete candidate: the last one needs no condition.
        match symbolic.pop() {
            Some((_, term)) => term,
            None => terms.constant(width, 0),
        }
    } else {
        table(terms, &concrete, width, index())
    };
    for &(at, term) in symbolic.iter().rev() {
        let here = terms.cmp(CmpOp::Eq, offset, terms.constant(64, u128::from(at)));
        value = terms.ite(here, term, value);
    }
    value
}

/// The first offset in the range that the term can have, and the distance to the next: from its
/// known low bits.
fn candidates(terms: &Terms, offset: Term, range: (u64, u64)) -> (u64, u64) {
    let (bits, low) = known_low_bits(terms, offset, 0);
    let step = 1u64 << bits.min(16);
    let residue = low & (step - 1);
    let first = range.0 + (residue.wrapping_sub(range.0) & (step - 1));
    (first, step)
}

/// The least distance of two values that the term can have, as its known low bits tell: a power of
/// two.
pub fn known_step(terms: &Terms, term: Term) -> u64 {
    1 << known_low_bits(terms, term, 0).0.min(16)
}

/// Returns the number of known low bits of a term, and their value.
fn known_low_bits(terms: &Terms, term: Term, depth: u32) -> (u32, u64) {
    if let Some(value) = terms.as_const(term) {
        return (64, value as u64);
    }
    if depth > 8 {
        return (0, 0);
    }
    let of = |t| known_low_bits(terms, t, depth + 1);
    match terms.node(term) {
        Node::Bin(BinOp::Add, a, b) => {
            let ((n, x), (m, y)) = (of(a), of(b));
            (n.min(m), x.wrapping_add(y))
        }
        Node::Bin(BinOp::Mul, a, b) => {
            for (constant, other) in [(a, b), (b, a)] {
                if let Some(value) = terms.as_const(constant) {
                    let value = value as u64;
                    let (known, low) = of(other);
                    let zeros = if value == 0 {
                        63
                    } else {
                        value.trailing_zeros()
                    };
                    return ((known + zeros).min(63), low.wrapping_mul(value));
                }
            }
            (0, 0)
        }
        Node::Bin(BinOp::Shl, a, b) => match terms.as_const(b) {
            Some(shift) if shift < 64 => {
                let (known, low) = of(a);
                ((known + shift as u32).min(63), low << shift)
            }
            _ => (0, 0),
        },
        Node::Concat(_, low) => {
            let width = terms.width(low);
            let (known, value) = of(low);
            (known.min(width), value)
        }
        Node::Zext { term: inner, .. } | Node::Sext { term: inner, .. } => {
            let (known, value) = of(inner);
            (known.min(terms.width(inner)), value)
        }
        _ => (0, 0),
    }
}

/// `(offset - first) / step` as a term.
fn index_term(terms: &Terms, offset: Term, first: u64, step: u64) -> Term {
    let distance = terms.bin(BinOp::Sub, offset, terms.constant(64, u128::from(first)));
    if step == 1 {
        return distance;
    }
    let shift = terms.constant(64, u128::from(step.trailing_zeros()));
    terms.bin(BinOp::LShr, distance, shift)
}

/// A constant table of elements of `width` (8 to 128) bits.
fn table(terms: &Terms, elements: &[u128], width: u32, index: Term) -> Term {
    let part = |shift: u32, width: u32| {
        let elements: Vec<u64> = elements
            .iter()
            .map(|element| (element >> shift) as u64 & homi_ir::ops::mask64(width))
            .collect();
        terms.table(&elements, width, index)
    };
    if width <= 64 {
        part(0, width)
    } else {
        terms.concat(part(64, width - 64), part(0, 64))
    }
}

/// Byte `index` of a value.
pub fn value_byte(terms: &Terms, value: Value, index: u32) -> ByteValue {
    match value {
        Value::Concrete(value) => ByteValue::Concrete((value >> (8 * index)) as u8),
        Value::Term(term) => byte_of(terms, term, index),
    }
}
