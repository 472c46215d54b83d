//! Bytes with the layers above them applied, and chunks that absorb their layers.
//!
//! Invariant: settling changes no value that is read; it only moves what layers say into chunks.

use super::bytes::{ByteValue, assemble_shown, byte_shown, constant_or_term};
use super::contents::Contents;
use super::layers::{Layer, Layers};
use super::object::{AccessResult, ObjectRef};
use super::{Memory, Value};
use homi_solver::term::Terms;

/// Returns true if the chunks of `from..to` show all writes.
pub(super) fn is_settled(contents: &Contents, from: u64, to: u64) -> bool {
    let Some(layers) = contents.layers() else {
        return true;
    };
    let mut at = from;
    while at < to {
        let end = contents.chunk_bounds(at).1.min(to);
        if layers.above(at, end).next().is_some() {
            return false;
        }
        at = end.max(at + 1);
    }
    true
}

/// The byte at an offset below the size.
pub(super) fn byte_at(terms: &Terms, contents: &Contents, offset: u64) -> ByteValue {
    let shown = byte_shown(contents, offset);
    let Some(layers) = contents.layers() else {
        return shown;
    };
    let mut above = layers.above(offset, offset + 1).peekable();
    if above.peek().is_none() {
        return shown;
    }
    let mut byte = match shown {
        ByteValue::Concrete(byte) => terms.constant(8, byte.into()),
        ByteValue::Term(term) => term,
    };
    for layer in above {
        byte = layer.byte_after(terms, offset, byte);
    }
    constant_or_term(terms, byte)
}

/// The little-endian value of `bytes` bytes at an offset that has been checked.
#[inline(always)]
pub(super) fn assemble(terms: &Terms, contents: &Contents, offset: u64, bytes: u32) -> Value {
    if is_settled(contents, offset, offset + u64::from(bytes)) {
        return assemble_shown(terms, contents, offset, bytes);
    }
    assemble_through_layers(terms, contents, offset, bytes)
}

#[cold]
#[inline(never)]
fn assemble_through_layers(terms: &Terms, contents: &Contents, offset: u64, bytes: u32) -> Value {
    let byte = |index: u32| match byte_at(terms, contents, offset + u64::from(index)) {
        ByteValue::Concrete(byte) => terms.constant(8, byte.into()),
        ByteValue::Term(term) => term,
    };
    let value = (1..bytes).fold(byte(0), |low, index| terms.concat(byte(index), low));
    match terms.as_const(value) {
        Some(value) => Value::Concrete(value),
        None => Value::Term(value),
    }
}

impl Memory {
    /// Applies all layers to the bytes `address..address + len`, as far as they exist. Called
    /// before an operation that reads bytes without layers.
    pub fn settle(&mut self, terms: &Terms, address: u64, len: u64) {
        if !self.layered {
            return;
        }
        let Ok(object) = self.locate(address) else {
            return;
        };
        let from = address - object.base;
        let to = from.saturating_add(len).min(object.capacity);
        let contents = self.contents_of(&object).ok();
        let Some((first, end)) = contents.and_then(Contents::layers).map(Layers::extent) else {
            return;
        };
        let to = to.min(end);
        let mut at = from.max(first);
        while at < to {
            // An error means that there is no such object, which `locate` has just found.
            let Ok(end) = self.settle_chunk(terms, &object, at) else {
                return;
            };
            at = end;
        }
    }

    /// Settles the chunk of an offset; where the next one starts.
    fn settle_chunk(
        &mut self,
        terms: &Terms,
        object: &ObjectRef,
        offset: u64,
    ) -> AccessResult<u64> {
        let contents = self.contents_of(object)?;
        let (start, end) = contents.chunk_bounds(offset);
        let mut changed = Vec::new();
        if !is_settled(contents, start, end) {
            for at in start..end {
                let (old, new) = (byte_shown(contents, at), byte_at(terms, contents, at));
                if old != new {
                    changed.push((at, new));
                }
            }
        }
        for (at, byte) in changed {
            self.put_byte(object, at, byte);
        }
        if let Some(contents) = self.contents_mut(object) {
            contents.show_layers(start);
        }
        Ok(end)
    }

    /// A write that becomes a layer. The object has been checked.
    pub(super) fn add_layer(&mut self, object: &ObjectRef, layer: Layer) {
        self.layered = true;
        self.forget_object(object.base, object.capacity);
        if let Some(contents) = self.contents_mut(object) {
            contents.add_layer(layer);
        }
    }

    /// Layers that an object has.
    pub fn layer_count(&self, object: &ObjectRef) -> usize {
        let contents = self.contents_of(object);
        contents.map_or(0, |contents| contents.layers().map_or(0, Layers::len))
    }
}
