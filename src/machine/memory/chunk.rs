//! Up to 256 bytes of an object: concrete bytes plus, where needed, a sparse overlay of byte terms.
//!
//! Invariant: a byte whose overlay bit is set is symbolic and its concrete byte is 0. Chunks are
//! shared by reference count and changed only by an owner that is alone (`unshare`). The bytes lie
//! in an `UnsafeCell` because the access cache writes them through a raw pointer while it knows
//! that the chunk is not shared.

use homi_solver::term::Term;
use std::cell::UnsafeCell;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a full chunk.
pub const CHUNK_SIZE: usize = 256;
const MASK_WORDS: usize = CHUNK_SIZE / 64;
/// Symbolic bytes in a row that are looked at on each side.
const LONG_RUN: usize = 32;

/// The symbolic bytes of a chunk: a bit per byte and the terms of the set bits in order.
#[derive(Clone, Default, Debug)]
pub struct Overlay {
    mask: [u64; MASK_WORDS],
    terms: Vec<Term>,
}

impl Overlay {
    fn contains(&self, index: usize) -> bool {
        self.mask[index / 64] >> (index % 64) & 1 != 0
    }

    /// Number of set bits below `index`.
    fn rank(&self, index: usize) -> usize {
        let word = index / 64;
        let before: u32 = self.mask[..word].iter().map(|bits| bits.count_ones()).sum();
        let below = self
            .mask
            .get(word)
            .map_or(0, |bits| (bits & ((1u64 << (index % 64)) - 1)).count_ones());
        (before + below) as usize
    }

    pub fn get(&self, index: usize) -> Option<Term> {
        self.contains(index).then(|| self.terms[self.rank(index)])
    }

    fn set(&mut self, index: usize, term: Term) {
        let rank = self.rank(index);
        if self.contains(index) {
            self.terms[rank] = term;
        } else {
            self.mask[index / 64] |= 1 << (index % 64);
            self.terms.insert(rank, term);
        }
    }

    fn clear(&mut self, start: usize, end: usize) {
        let (first, last) = (self.rank(start), self.rank(end));
        if first == last {
            return;
        }
        self.terms.drain(first..last);
        for index in start..end {
            self.mask[index / 64] &= !(1 << (index % 64));
        }
    }

    /// The first symbolic index at or after `start` and below `end`.
    fn next(&self, start: usize, end: usize) -> Option<usize> {
        let mut word = start / 64;
        let mut bits = *self.mask.get(word)? & (u64::MAX << (start % 64));
        loop {
            if bits != 0 {
                let index = word * 64 + bits.trailing_zeros() as usize;
                return (index < end).then_some(index);
            }
            word += 1;
            bits = *self.mask.get(word)?;
        }
    }
}

/// A chunk of `B` bytes (`[u8; N]` when made, `[u8]` afterwards).
pub struct Chunk<B: ?Sized = [u8]> {
    overlay: Option<Box<Overlay>>,
    bytes: UnsafeCell<B>,
}

// SAFETY: the bytes are written only through `&mut Chunk` or, by the access cache, through a
// pointer to a chunk that one `Memory` alone owns; a `Memory` is not `Sync`, so no other thread
// reads meanwhile.
unsafe impl<B: ?Sized + Send> Sync for Chunk<B> {}

/// A shared chunk.
pub type ChunkRef = Arc<Chunk>;

fn sized<const N: usize>(source: &[u8], fill: u8, overlay: Option<Box<Overlay>>) -> ChunkRef {
    let mut bytes = [fill; N];
    bytes[..source.len()].copy_from_slice(source);
    Arc::new(Chunk {
        overlay,
        bytes: UnsafeCell::new(bytes),
    })
}

/// A chunk that holds at least `len` bytes (it may be a little longer): `source`, then `fill`.
fn build(len: usize, source: &[u8], fill: u8, overlay: Option<Box<Overlay>>) -> ChunkRef {
    debug_assert!(len <= CHUNK_SIZE && source.len() <= len);
    match len {
        0..=8 => sized::<8>(source, fill, overlay),
        9..=16 => sized::<16>(source, fill, overlay),
        17..=32 => sized::<32>(source, fill, overlay),
        33..=64 => sized::<64>(source, fill, overlay),
        65..=128 => sized::<128>(source, fill, overlay),
        _ => sized::<CHUNK_SIZE>(source, fill, overlay),
    }
}

impl Chunk {
    /// A chunk that is all symbolic.
    pub fn symbolic(terms: Vec<Term>) -> ChunkRef {
        let len = terms.len();
        let mut mask = [0; MASK_WORDS];
        for index in 0..len {
            mask[index / 64] |= 1 << (index % 64);
        }
        let overlay = Overlay { mask, terms };
        build(len, &[], 0, (len > 0).then(|| Box::new(overlay)))
    }

    pub fn filled(len: usize, fill: u8) -> ChunkRef {
        build(len, &[], fill, None)
    }

    /// Returns the concrete bytes; those at symbolic positions are 0.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: writers hold `&mut self` or are the access cache of the one `Memory` that owns
        // this chunk; that cache writes during calls on `&mut Memory` only, when no such borrow
        // lives.
        unsafe { &*self.bytes.get() }
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut()
    }

    /// Returns a pointer to the bytes, for the access cache.
    pub fn raw(&self) -> *mut u8 {
        self.bytes.get().cast::<u8>()
    }

    pub fn is_concrete(&self) -> bool {
        self.overlay.is_none()
    }

    pub fn term(&self, index: usize) -> Option<Term> {
        self.overlay.as_ref()?.get(index)
    }

    /// The first symbolic byte of `start..end`.
    pub fn first_term(&self, start: usize, end: usize) -> Option<usize> {
        self.overlay.as_ref()?.next(start, end)
    }

    /// True if no byte of `start..end` is symbolic.
    pub fn range_is_concrete(&self, start: usize, end: usize) -> bool {
        match &self.overlay {
            None => true,
            Some(overlay) => overlay.next(start, end).is_none(),
        }
    }

    /// A run of symbolic bytes with this one in it; empty if it is concrete, shorter than it could
    /// be if it is long.
    pub fn symbolic_run(&self, index: usize) -> Range<usize> {
        let symbolic = |index: &usize| self.overlay.as_ref().is_some_and(|o| o.contains(*index));
        let first = (index.saturating_sub(LONG_RUN)..index).rev();
        let first = first.take_while(symbolic).last().unwrap_or(index);
        let last = (index..(index + LONG_RUN).min(CHUNK_SIZE)).take_while(symbolic);
        last.last().map_or(index..index, |last| first..last + 1)
    }

    /// The symbolic bytes of `start..end` in order.
    pub fn for_each_term(&self, start: usize, end: usize, visit: &mut dyn FnMut(usize, Term)) {
        if let Some(overlay) = &self.overlay {
            let mut from = start;
            while let Some(index) = overlay.next(from, end) {
                visit(index, overlay.terms[overlay.rank(index)]);
                from = index + 1;
            }
        }
    }

    /// All terms of the chunk.
    pub fn terms(&self) -> &[Term] {
        self.overlay.as_ref().map_or(&[], |overlay| &overlay.terms)
    }

    /// Returns the chunk with mapped terms; `None` if it has no terms.
    pub fn with_terms(&self, map: &dyn Fn(Term) -> Term) -> Option<ChunkRef> {
        let mut overlay = self.overlay.clone()?;
        overlay.terms.iter_mut().for_each(|term| *term = map(*term));
        let bytes = self.bytes();
        Some(build(bytes.len(), bytes, 0, Some(overlay)))
    }

    pub fn set_term(&mut self, index: usize, term: Term) {
        self.bytes_mut()[index] = 0;
        self.overlay.get_or_insert_default().set(index, term);
    }

    /// Makes `start..end` concrete, with contents still to be written.
    fn concretise(&mut self, start: usize, end: usize) {
        if let Some(overlay) = &mut self.overlay {
            overlay.clear(start, end);
            if overlay.terms.is_empty() {
                self.overlay = None;
            }
        }
    }

    pub fn write(&mut self, start: usize, source: &[u8]) {
        self.concretise(start, start + source.len());
        self.bytes_mut()[start..start + source.len()].copy_from_slice(source);
    }

    pub fn fill(&mut self, start: usize, end: usize, value: u8) {
        self.concretise(start, end);
        self.bytes_mut()[start..end].fill(value);
    }
}

/// The chunk, copied first if it is shared.
pub fn unshare(chunk: &mut ChunkRef) -> &mut Chunk {
    if Arc::get_mut(chunk).is_none() {
        let bytes = chunk.bytes();
        *chunk = build(bytes.len(), bytes, 0, chunk.overlay.clone());
    }
    // The clone above made this reference the only one.
    Arc::get_mut(chunk).unwrap_or_else(|| unreachable!("a fresh chunk is not shared"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_solver::term::{Byte, Terms};

    #[test]
    fn the_overlay_keeps_terms_in_order_of_their_bytes() {
        let terms = Terms::new();
        let array = terms.array("x", 0, 256);
        let term = |index| terms.symbol(Byte { array, index });
        let mut chunk = Chunk::filled(256, 7);
        let owned = unshare(&mut chunk);
        for index in [255usize, 0, 64, 63, 128, 65] {
            owned.set_term(index, term(index as u32));
        }
        for index in 0..256 {
            let expected = [255, 0, 64, 63, 128, 65].contains(&index);
            assert_eq!(owned.term(index), expected.then(|| term(index as u32)));
        }
        assert!(owned.range_is_concrete(66, 128));
        assert!(!owned.range_is_concrete(66, 129));
        assert_eq!(owned.symbolic_run(64), 63..66);
        assert_eq!(owned.symbolic_run(255), 255..256);
        assert!(owned.symbolic_run(127).is_empty());
        owned.write(60, &[1; 6]);
        let mut left = Vec::new();
        owned.for_each_term(0, 256, &mut |index, _| left.push(index));
        assert_eq!(left, [0, 128, 255]);
        owned.fill(0, 256, 3);
        assert!(owned.is_concrete());
        assert_eq!(owned.bytes(), &[3; 256]);
    }

    #[test]
    fn unsharing_copies_bytes_and_terms() {
        let terms = Terms::new();
        let array = terms.array("x", 0, 1);
        let term = terms.symbol(Byte { array, index: 0 });
        let mut first = Chunk::filled(5, 9);
        unshare(&mut first).set_term(2, term);
        let mut second = first.clone();
        unshare(&mut second).write(2, &[1]);
        assert_eq!(first.term(2), Some(term));
        assert_eq!(second.term(2), None);
        assert_eq!(&second.bytes()[..5], &[9, 9, 1, 9, 9]);
    }
}
