//! Bytes of contents as values, without the layers above them.

use super::Value;
use super::chunk::CHUNK_SIZE;
use super::contents::{Contents, Piece};
use homi_solver::term::{Term, Terms};

/// Pieces that represent a fill, by its byte, so that reads of untouched memory are cached too.
pub(super) static FILLS: [[u8; CHUNK_SIZE]; 256] = {
    let mut fills = [[0; CHUNK_SIZE]; 256];
    let mut byte = 0;
    while byte < 256 {
        fills[byte] = [byte as u8; CHUNK_SIZE];
        byte += 1;
    }
    fills
};

/// One byte of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteValue {
    Concrete(u8),
    /// A term of 8 bits.
    Term(Term),
}

/// The byte that the chunk at an offset below the size shows, without layers.
pub(super) fn byte_shown(contents: &Contents, offset: u64) -> ByteValue {
    match contents.piece(offset) {
        Piece::Fill(fill) => ByteValue::Concrete(fill),
        Piece::Chunk(chunk) => {
            let index = (offset - contents.chunk_bounds(offset).0) as usize;
            match chunk.term(index) {
                Some(term) => ByteValue::Term(term),
                None => ByteValue::Concrete(chunk.bytes()[index]),
            }
        }
    }
}

pub(super) fn constant_or_term(terms: &Terms, term: Term) -> ByteValue {
    match terms.as_const(term) {
        Some(value) => ByteValue::Concrete(value as u8),
        None => ByteValue::Term(term),
    }
}

/// Byte `index` (from the least significant) of a term.
pub(super) fn byte_of(terms: &Terms, term: Term, index: u32) -> ByteValue {
    constant_or_term(terms, terms.extract(term, 8 * index, 8))
}

/// The little-endian value that chunks show of `bytes` bytes at an offset that has been checked.
pub(super) fn assemble_shown(terms: &Terms, contents: &Contents, offset: u64, bytes: u32) -> Value {
    // Runs of concrete bytes become one constant each: low part first.
    let mut value: Option<Term> = None;
    let (mut run, mut run_bytes) = (0u128, 0u32);
    let flush = |value: Option<Term>, run: u128, run_bytes: u32| {
        if run_bytes == 0 {
            return value;
        }
        let constant = terms.constant(8 * run_bytes, run);
        Some(value.map_or(constant, |low| terms.concat(constant, low)))
    };
    for index in 0..bytes {
        match byte_shown(contents, offset + u64::from(index)) {
            ByteValue::Concrete(byte) => {
                run |= u128::from(byte) << (8 * run_bytes);
                run_bytes += 1;
            }
            ByteValue::Term(term) => {
                let low = flush(value, run, run_bytes);
                (run, run_bytes) = (0, 0);
                value = Some(low.map_or(term, |low| terms.concat(term, low)));
            }
        }
    }
    match value {
        None => Value::Concrete(run),
        Some(_) => match flush(value, run, run_bytes) {
            Some(term) => terms
                .as_const(term)
                .map_or(Value::Term(term), Value::Concrete),
            None => Value::Concrete(0),
        },
    }
}
