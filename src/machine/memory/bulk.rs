//! Copies and fills of any length, piece by piece, without terms for concrete bytes.
//!
//! Invariant: both ranges are checked as a whole before the first byte moves, so a failed copy
//! changes nothing. Symbolic bytes move as the terms they are.

use super::Memory;
use super::bytes::{ByteValue, constant_or_term};
use super::chunk::CHUNK_SIZE;
use super::contents::Piece;
use super::object::{AccessResult, ObjectRef};
use homi_solver::term::{Term, Terms};
use std::ops::Range;

/// Bytes from which on chunks are shared instead of copied. A shared chunk is copied at the next
/// write, and the access cache starts empty.
const LEAST_SHARED: u64 = 4 * CHUNK_SIZE as u64;

/// At most one chunk of bytes taken out of an object.
struct Segment {
    len: usize,
    bytes: [u8; CHUNK_SIZE],
    terms: Vec<(usize, Term)>,
    /// The byte that all of them are, if they come from a fill.
    fill: Option<u8>,
}

impl Memory {
    /// Copies `len` bytes from `source` to `target`; the ranges may overlap (memmove). A caller for
    /// which overlap is a bug asks [`ranges_overlap`] first. Both ranges have been settled, here
    /// and below.
    pub fn copy(&mut self, target: u64, source: u64, len: u64) -> AccessResult<()> {
        if len == 0 {
            return Ok(());
        }
        let cut = self.crossing(source, len);
        if let Some(first) = cut.or_else(|| self.crossing(target, len)) {
            // The parts are checked one by one: what lies before a bad one has been copied.
            self.copy(target, source, first)?;
            return self.copy(target + first, source + first, len - first);
        }
        let from = self.check(source, len)?;
        let to = self.check_writable(target, len)?;
        if target == source {
            return Ok(());
        }
        self.copy_checked((&from, source), (&to, target), len)
    }

    /// Copies the first `len` bytes of one object to another's, whatever their sizes are known to
    /// be; both keep as many bytes (realloc).
    pub fn copy_contents(&mut self, target: u64, source: u64, len: u64) -> AccessResult<()> {
        let (from, to) = (self.locate(source)?, self.locate(target)?);
        let len = len.min(from.capacity).min(to.capacity);
        self.copy_checked((&from, from.base), (&to, to.base), len)
    }

    fn copy_checked(
        &mut self,
        (from, source): (&ObjectRef, u64),
        (to, target): (&ObjectRef, u64),
        len: u64,
    ) -> AccessResult<()> {
        let (from_offset, to_offset) = (source - from.base, target - to.base);
        let whole = whole_chunks(from_offset, len);
        if from_offset == to_offset && from.key != to.key && !whole.is_empty() {
            let shared = whole.clone();
            let head = shared.start - from_offset;
            self.copy_bytes((from, from_offset), (to, to_offset), head, false)?;
            self.share(from, to, whole)?;
            let tail = from_offset + len - shared.end;
            return self.copy_bytes((from, shared.end), (to, shared.end), tail, false);
        }
        let backwards = target > source && target - source < len;
        self.copy_bytes((from, from_offset), (to, to_offset), len, backwards)
    }

    /// Shares chunks that lie at the same place of both.
    fn share(&mut self, from: &ObjectRef, to: &ObjectRef, range: Range<u64>) -> AccessResult<()> {
        let contents = self.contents_of(from)?.clone();
        // What is shared may no longer be written past the tree.
        self.forget_object(from.base, from.capacity);
        self.forget_object(to.base, to.capacity);
        if let Some(target) = self.contents_mut(to) {
            target.share(&contents, range.start, range.end);
        }
        Ok(())
    }

    fn copy_bytes(
        &mut self,
        (from, from_offset): (&ObjectRef, u64),
        (to, to_offset): (&ObjectRef, u64),
        len: u64,
        backwards: bool,
    ) -> AccessResult<()> {
        if backwards {
            let mut left = len;
            while left > 0 {
                // The part of the piece that holds the last byte left.
                let last = from_offset + left - 1;
                let start = (last / CHUNK_SIZE as u64 * CHUNK_SIZE as u64).max(from_offset);
                let count = last + 1 - start;
                let segment = self.take(from, start, count)?;
                left -= count;
                self.place_segment(to, to_offset + left, &segment);
            }
        } else {
            let mut done = 0;
            while done < len {
                let start = from_offset + done;
                let end = (start / CHUNK_SIZE as u64 + 1) * CHUNK_SIZE as u64;
                let count = (end - start).min(len - done);
                let segment = self.take(from, start, count)?;
                self.place_segment(to, to_offset + done, &segment);
                done += count;
            }
        }
        Ok(())
    }

    /// `count` bytes that lie in one piece of an object.
    fn take(&self, object: &ObjectRef, offset: u64, count: u64) -> AccessResult<Segment> {
        let contents = self.contents_of(object)?;
        let mut segment = Segment {
            len: count as usize,
            bytes: [0; CHUNK_SIZE],
            terms: Vec::new(),
            fill: None,
        };
        match contents.piece(offset) {
            Piece::Fill(fill) => {
                segment.bytes[..segment.len].fill(fill);
                segment.fill = Some(fill);
            }
            Piece::Chunk(chunk) => {
                let start = (offset % CHUNK_SIZE as u64) as usize;
                let end = start + segment.len;
                segment.bytes[..segment.len].copy_from_slice(&chunk.bytes()[start..end]);
                chunk.for_each_term(start, end, &mut |index, term| {
                    segment.terms.push((index - start, term));
                });
            }
        }
        Ok(segment)
    }

    fn place_segment(&mut self, object: &ObjectRef, offset: u64, segment: &Segment) {
        match segment.fill {
            Some(fill) => self.put_fill(object, offset, segment.len as u64, fill),
            None => self.put(object, offset, &segment.bytes[..segment.len]),
        }
        for &(index, term) in &segment.terms {
            self.put_byte(object, offset + index as u64, ByteValue::Term(term));
        }
    }

    /// Sets `len` bytes at `target` to `value`.
    pub fn fill(
        &mut self,
        terms: &Terms,
        target: u64,
        value: ByteValue,
        len: u64,
    ) -> AccessResult<()> {
        if len == 0 {
            return Ok(());
        }
        if let Some(first) = self.crossing(target, len) {
            self.fill(terms, target, value, first)?;
            return self.fill(terms, target + first, value, len - first);
        }
        let object = self.check_writable(target, len)?;
        self.settle(terms, target, len);
        let offset = target - object.base;
        let value = match value {
            ByteValue::Term(term) => constant_or_term(terms, term),
            concrete => concrete,
        };
        match value {
            ByteValue::Concrete(byte) => self.put_fill(&object, offset, len, byte),
            ByteValue::Term(_) => {
                for index in offset..offset + len {
                    self.put_byte(&object, index, value);
                }
            }
        }
        Ok(())
    }

    fn put_fill(&mut self, object: &ObjectRef, offset: u64, len: u64, value: u8) {
        if len <= CHUNK_SIZE as u64 && len < object.capacity {
            // Short fills stay out of the tree of fills: the chunk is likely to be written again.
            self.put(object, offset, &[value; CHUNK_SIZE][..len as usize]);
            return;
        }
        self.forget_object(object.base, object.capacity);
        if let Some(contents) = self.contents_mut(object) {
            contents.fill(offset, offset + len, value);
        }
    }
}

/// The whole chunks of a range, from where it is worth sharing them.
fn whole_chunks(offset: u64, len: u64) -> Range<u64> {
    const CHUNK: u64 = CHUNK_SIZE as u64;
    let (first, last) = (
        offset.next_multiple_of(CHUNK),
        (offset + len) / CHUNK * CHUNK,
    );
    if last.saturating_sub(first) >= LEAST_SHARED {
        first..last
    } else {
        0..0
    }
}

/// True if `len` bytes at `a` and at `b` share a byte.
pub fn ranges_overlap(a: u64, b: u64, len: u64) -> bool {
    a.abs_diff(b) < len
}
