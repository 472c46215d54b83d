//! Reads and writes of any number of bytes from a concrete address on.
//!
//! Invariant: as for single values, bounds are checked against one live object before a byte is
//! touched, and bytes with layers above them are settled before they are written.

use super::Memory;
use super::bytes::{ByteValue, FILLS, byte_shown, constant_or_term};
use super::contents::Piece;
use super::object::{AccessResult, ObjectRef};
use super::settling::{byte_at, is_settled};
use homi_ir::ops::CmpOp;
use homi_solver::term::{ArrayId, Byte, Term, Terms};
use std::ops::Range;

impl Memory {
    /// Writes raw bytes, read-only objects included: how initial contents get in.
    pub fn initialise(&mut self, address: u64, bytes: &[u8]) -> AccessResult<()> {
        let object = self.check(address, bytes.len() as u64)?;
        self.put(&object, address - object.base, bytes);
        Ok(())
    }

    /// Writes raw bytes.
    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> AccessResult<()> {
        let object = self.check_writable(address, bytes.len() as u64)?;
        self.put(&object, address - object.base, bytes);
        Ok(())
    }

    /// Returns ranges of offsets below `object`'s size that have all of its different contents: of
    /// parts that several places share, such as unset bytes, one place.
    pub fn distinct_ranges(&self, object: &ObjectRef) -> Vec<Range<u64>> {
        match self.found(object.base, 1) {
            Some((_, contents)) if contents.layers().is_none() => {
                let starts = contents.distinct_parts().into_iter();
                starts
                    .map(|start| start..contents.chunk_bounds(start).1)
                    .collect()
            }
            _ => std::iter::once(0..object.capacity).collect(),
        }
    }

    /// The concrete bytes from `address` on, as far as they lie in one piece: empty if the byte
    /// there is symbolic, never beyond the object.
    pub fn concrete_slice(&self, address: u64) -> AccessResult<&[u8]> {
        let (object, contents) = self.check_found(address, 1)?;
        let offset = address - object.base;
        let (start, end) = contents.chunk_bounds(offset);
        if !is_settled(contents, start, end) {
            return Ok(&[]);
        }
        let end = end.min(object.size);
        let range = (offset - start) as usize..(end - start) as usize;
        Ok(match contents.piece(offset) {
            Piece::Fill(fill) => &FILLS[usize::from(fill)][range],
            Piece::Chunk(chunk) => {
                let stop = chunk
                    .first_term(range.start, range.end)
                    .unwrap_or(range.end);
                &chunk.bytes()[range.start..stop]
            }
        })
    }

    /// `len` bytes; `None` if some are symbolic.
    pub fn read_bytes(&self, address: u64, len: u64) -> AccessResult<Option<Vec<u8>>> {
        let (object, contents) = self.check_found(address, len)?;
        let offset = address - object.base;
        if !is_settled(contents, offset, offset + len) {
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0));
        let mut done = 0;
        while done < len {
            let at = offset + done;
            let (start, end) = contents.chunk_bounds(at);
            let stop = end.min(offset + len);
            match contents.piece(at) {
                Piece::Fill(fill) => bytes.resize(bytes.len() + (stop - at) as usize, fill),
                Piece::Chunk(chunk) => {
                    let range = (at - start) as usize..(stop - start) as usize;
                    if !chunk.range_is_concrete(range.start, range.end) {
                        return Ok(None);
                    }
                    bytes.extend_from_slice(&chunk.bytes()[range]);
                }
            }
            done = stop - offset;
        }
        Ok(Some(bytes))
    }

    /// Gives each byte from `address` on a value if its index is below `len` (64 bits); other bytes
    /// stay. `values` has as many bytes as `len` may be, and the first `sure` are below it in any
    /// case. The caller has checked that the bytes exist if they are.
    pub fn write_bytes_below(
        &mut self,
        terms: &Terms,
        address: u64,
        len: Term,
        sure: u64,
        values: &[ByteValue],
    ) -> AccessResult<()> {
        let object = self.locate(address)?;
        if object.read_only {
            return self.check_writable(address, 0).map(|_| ());
        }
        self.settle(terms, address, values.len() as u64);
        let start = address - object.base;
        let term = |byte: ByteValue| match byte {
            ByteValue::Concrete(byte) => terms.constant(8, byte.into()),
            ByteValue::Term(term) => term,
        };
        for (index, &value) in values.iter().enumerate() {
            let index = index as u64;
            let at = start + index;
            if at >= object.capacity {
                break;
            }
            let value = if index < sure {
                value
            } else {
                let old = byte_shown(self.contents_of(&object)?, at);
                let here = terms.cmp(CmpOp::Ult, terms.constant(64, index.into()), len);
                constant_or_term(terms, terms.ite(here, term(value), term(old)))
            };
            self.put_byte(&object, at, value);
        }
        Ok(())
    }

    /// The bytes from `address` on, at most `len` and none beyond what the object keeps.
    pub fn bytes_from(
        &self,
        terms: &Terms,
        address: u64,
        len: u64,
    ) -> AccessResult<Vec<ByteValue>> {
        let object = self.locate(address)?;
        let contents = self.contents_of(&object)?;
        let start = address - object.base;
        let end = start.saturating_add(len).min(object.capacity);
        Ok((start..end)
            .map(|at| byte_at(terms, contents, at))
            .collect())
    }

    /// The whole object at `base` becomes the bytes of a symbolic array.
    pub fn make_symbolic(&mut self, terms: &Terms, base: u64, array: ArrayId) -> AccessResult<()> {
        let object = self.locate(base)?;
        self.settle(terms, base, object.capacity);
        for offset in 0..object.size {
            let index = offset as u32;
            let term = terms.symbol(Byte { array, index });
            self.put_byte(&object, offset, ByteValue::Term(term));
        }
        Ok(())
    }
}
