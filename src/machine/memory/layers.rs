//! Writes at a symbolic offset that reach too many bytes to make a term of each.
//!
//! Idea: such a write is kept as a layer over the bytes, in order. A byte that is read at a known
//! offset looks through the layers above it; a read at a symbolic offset does so with a comparison
//! of two offsets per layer, whatever the object's size. Before a chunk of 256 bytes is written in
//! another way, it is settled: the layers are applied to its bytes, and it records how many layers
//! it shows. So a write costs one layer, and one chunk per later write elsewhere. Invariant: the
//! value of a byte is its chunk's value, changed by the layers that the chunk does not show yet, in
//! order.

use super::Value;
use super::chunk::CHUNK_SIZE;
use homi_ir::ops::{BinOp, CmpOp};
use homi_solver::term::{Term, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;

const CHUNK: u64 = CHUNK_SIZE as u64;

/// A write at a symbolic offset.
pub struct Layer {
    /// Offset of the write, 64 bits: one of `first`, `first + step`, ... up to `last`.
    pub offset: Term,
    pub first: u64,
    pub last: u64,
    pub step: u64,
    /// Number of bytes written, 1 to 16.
    pub bytes: u32,
    pub value: Value,
}

/// The layers of one object.
#[derive(Clone, Default)]
pub struct Layers {
    writes: Vec<Arc<Layer>>,
    /// Number of writes that the bytes of each chunk show; 0 for an absent chunk.
    shown: BTreeMap<u64, usize>,
}

impl Layer {
    /// Returns true if the write may change a byte of `from..to`.
    fn reaches(&self, from: u64, to: u64) -> bool {
        self.first < to && from < self.last + u64::from(self.bytes)
    }

    /// Byte `index` of what is written.
    fn part(&self, terms: &Terms, index: u32) -> Term {
        match self.value {
            Value::Concrete(value) => terms.constant(8, value >> (8 * index) & 0xff),
            Value::Term(term) => terms.extract(term, 8 * index, 8),
        }
    }

    /// The byte at offset `at` after the write, `old` before it.
    pub fn byte_after(&self, terms: &Terms, at: u64, old: Term) -> Term {
        let starts =
            (0..self.bytes).filter_map(|index| Some((index, at.checked_sub(index.into())?)));
        starts
            .filter(|(_, start)| (self.first..=self.last).contains(start))
            .filter(|(_, start)| (start - self.first) % self.step == 0)
            .fold(old, |old, (index, start)| {
                let here = terms.eq_const(self.offset, start.into());
                terms.ite(here, self.part(terms, index), old)
            })
    }

    fn with_terms(&self, map: &dyn Fn(Term) -> Term) -> Layer {
        Layer {
            offset: map(self.offset),
            value: match self.value {
                Value::Term(term) => Value::Term(map(term)),
                concrete => concrete,
            },
            ..*self
        }
    }
}

impl Layers {
    pub fn push(&mut self, layer: Layer) {
        self.writes.push(Arc::new(layer));
    }

    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// Says that the chunk of an offset shows all of them.
    pub fn show_all(&mut self, offset: u64) {
        self.shown.insert(offset / CHUNK, self.writes.len());
    }

    /// The bytes that writes may have changed: first offset and one past the last.
    pub fn extent(&self) -> (u64, u64) {
        let first = self.writes.iter().map(|layer| layer.first).min();
        let ends = self.writes.iter();
        let end = ends.map(|layer| layer.last + u64::from(layer.bytes)).max();
        (first.unwrap_or(0), end.unwrap_or(0))
    }

    /// The writes that the chunk of `offset` does not show and that may change a byte of `from..to`
    /// in it.
    pub fn above(&self, from: u64, to: u64) -> impl Iterator<Item = &Layer> {
        let shown = self.shown.get(&(from / CHUNK)).copied().unwrap_or(0);
        let writes = self.writes[shown..].iter().map(Arc::as_ref);
        writes.filter(move |layer| layer.reaches(from, to))
    }

    pub fn for_each_term(&self, enter: &mut dyn FnMut(usize) -> bool, visit: &mut dyn FnMut(Term)) {
        for layer in &self.writes {
            if enter(Arc::as_ptr(layer) as usize) {
                visit(layer.offset);
                if let Value::Term(term) = layer.value {
                    visit(term);
                }
            }
        }
    }

    pub fn with_terms(&self, map: &dyn Fn(Term) -> Term) -> Layers {
        let writes = self.writes.iter();
        Layers {
            writes: writes
                .map(|layer| Arc::new(layer.with_terms(map)))
                .collect(),
            shown: self.shown.clone(),
        }
    }

    /// The value of `bytes` bytes at a symbolic offset in `range` (first and last), `shown` being
    /// what the chunks show there.
    pub fn read(
        &self,
        terms: &Terms,
        offset: Term,
        (first, last, step): (u64, u64, u64),
        bytes: u32,
        shown: Term,
    ) -> Term {
        let end = last.saturating_add(bytes.into());
        let mut value = shown;
        for (number, layer) in self.writes.iter().enumerate() {
            if !layer.reaches(first, end) {
                continue;
            }
            let size = u64::from(bytes);
            let whole = layer.bytes == bytes
                && CHUNK % size == 0
                && [step, layer.step, first, layer.first]
                    .iter()
                    .all(|place| place % size == 0);
            if whole {
                // Both are elements of one array: the same one or different ones.
                let written = match layer.value {
                    Value::Concrete(value) => terms.constant(8 * bytes, value),
                    Value::Term(term) => term,
                };
                let here = terms.eq(offset, layer.offset);
                let here = terms.and(here, self.hides(terms, number, offset, (first, end)));
                value = terms.ite(here, written, value);
                continue;
            }
            let plus = |term: Term, index: u32| {
                terms.bin(BinOp::Add, term, terms.constant(64, index.into()))
            };
            let mut parts: Vec<Term> = (0..bytes).map(|k| terms.extract(value, 8 * k, 8)).collect();
            for (k, part) in parts.iter_mut().enumerate() {
                let at = plus(offset, k as u32);
                let visible = self.hides(terms, number, at, (first, end));
                for index in 0..layer.bytes {
                    let here = terms.eq(at, plus(layer.offset, index));
                    *part = terms.ite(terms.and(here, visible), layer.part(terms, index), *part);
                }
            }
            value = parts[1..]
                .iter()
                .fold(parts[0], |low, &high| terms.concat(high, low));
        }
        value
    }

    /// Returns whether write `number` is above the chunk of the offset (in `from..to`), 1 bit.
    fn hides(&self, terms: &Terms, number: usize, offset: Term, (from, to): (u64, u64)) -> Term {
        let mut above = terms.bool(true);
        let chunks = self.shown.range(from / CHUNK..to.div_ceil(CHUNK));
        let mut chunks = chunks
            .filter(|entry| *entry.1 > number)
            .map(|entry| *entry.0)
            .peekable();
        while let Some(start) = chunks.next() {
            let mut end = start + 1;
            while chunks.next_if_eq(&end).is_some() {
                end += 1;
            }
            let distance = terms.bin(
                BinOp::Sub,
                offset,
                terms.constant(64, u128::from(start * CHUNK)),
            );
            let length = terms.constant(64, u128::from((end - start) * CHUNK));
            above = terms.and(above, terms.cmp(CmpOp::Uge, distance, length));
        }
        above
    }
}
