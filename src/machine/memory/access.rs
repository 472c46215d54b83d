//! Reads and writes of up to 16 bytes at a concrete address.
//!
//! Invariant: every path checks bounds against one live object before it touches a byte. Concrete
//! accesses go through the access cache and build no terms; the rest assembles values byte by byte
//! and leaves it to `expr` to see that neighboring bytes belong to one term.

use super::bytes::{ByteValue, FILLS, byte_of, byte_shown, constant_or_term};
use super::cache::AccessCache;
use super::chunk::CHUNK_SIZE;
use super::contents::{Contents, Piece};
use super::object::{AccessResult, Bytes, ObjectKey, ObjectRef, meets};
use super::settling::{assemble, byte_at, is_settled};
use super::{Memory, Value};
use homi_solver::term::Terms;

impl Memory {
    /// The little-endian value of `bytes` (1 to 8) bytes at `address`; `None` if some byte is
    /// symbolic.
    #[inline(always)]
    pub fn read_word(&self, address: u64, bytes: u32) -> AccessResult<Option<u64>> {
        if let Some(cache) = self.cache.get() {
            if let Some(value) = cache.read(address, bytes) {
                return Ok(Some(value));
            }
        }
        self.read_word_slowly(address, bytes)
    }

    #[cold]
    #[inline(never)]
    fn read_word_slowly(&self, address: u64, bytes: u32) -> AccessResult<Option<u64>> {
        if self
            .cache
            .get()
            .is_some_and(|cache| cache.is_symbolic(address))
        {
            return Ok(None);
        }
        let found = self.bytes_at(address).filter(|found| {
            let offset = address.wrapping_sub(found.base);
            offset <= found.size
                && found.size - offset >= u64::from(bytes)
                && !meets(found.hole, offset, bytes.into())
        });
        let Some(place) = found else {
            if self.crossing(address, bytes.into()).is_some() {
                // Callers that have the terms read it in parts.
                return Ok(None);
            }
            return Err(self.access_error(address, u64::from(bytes)));
        };
        let (contents, offset) = (place.contents, address - place.base);
        if self.remember(address, &place, offset)
            && let Some(cache) = self.cache.get()
            && let Some(value) = cache.read(address, bytes)
        {
            return Ok(Some(value));
        }
        if !is_settled(contents, offset, offset + u64::from(bytes)) {
            return Ok(None);
        }
        let mut value = 0u64;
        for index in (0..bytes).rev() {
            match byte_shown(contents, offset + u64::from(index)) {
                ByteValue::Concrete(byte) => value = value << 8 | u64::from(byte),
                ByteValue::Term(_) => {
                    self.remember_symbolic(&place, offset + u64::from(index));
                    return Ok(None);
                }
            }
        }
        Ok(Some(value))
    }

    /// Notes the symbolic bytes around a symbolic one, so that the next look at them costs less.
    fn remember_symbolic(&self, place: &Bytes<'_>, offset: u64) {
        let (base, contents) = (place.base, place.contents);
        if let Some(cache) = self.cache.get()
            && let Piece::Chunk(chunk) = contents.piece(offset)
        {
            let start = contents.chunk_bounds(offset).0;
            let run = chunk.symbolic_run((offset - start) as usize);
            let first = base + start + run.start as u64;
            cache.remember_symbolic(base + offset, first, run.len() as u16);
        }
    }

    /// Puts the piece at `offset` into the cache for reading if it is all concrete; whether it did.
    fn remember(&self, address: u64, place: &Bytes<'_>, offset: u64) -> bool {
        let contents = place.contents;
        if offset >= place.size || place.hole.1 != 0 {
            return false;
        }
        let bytes = match contents.piece(offset) {
            Piece::Chunk(chunk) if chunk.is_concrete() => chunk.raw(),
            Piece::Fill(fill) => FILLS[usize::from(fill)].as_ptr().cast_mut(),
            Piece::Chunk(_) => return false,
        };
        let (start, end) = contents.chunk_bounds(offset);
        if !is_settled(contents, start, end) {
            return false;
        }
        // Nothing beyond what may be accessed without a query.
        let end = end.min(place.size);
        let cache = self.cache.get_or_init(AccessCache::new);
        cache.remember(
            address,
            place.base + start,
            (end - start) as u32,
            bytes,
            false,
        );
        true
    }

    /// The value of `bytes` (1 to 16) bytes, little endian.
    #[inline(always)]
    pub fn read(&self, terms: &Terms, address: u64, bytes: u32) -> AccessResult<Value> {
        if bytes <= 8
            && let Some(cache) = self.cache.get()
            && let Some(value) = cache.read(address, bytes)
        {
            return Ok(Value::Concrete(u128::from(value)));
        }
        if let Some(first) = self.crossing(address, bytes.into()) {
            return self.read_across(terms, address, bytes, first as u32);
        }
        let (object, contents) = self.check_found(address, u64::from(bytes))?;
        Ok(assemble(terms, contents, address - object.base, bytes))
    }

    /// Reads where the address may be invalid, as one of many that a pointer may have. The reason
    /// for a failure is not computed, which would scan all objects.
    pub fn read_if_there(&self, terms: &Terms, address: u64, bytes: u32) -> Option<Value> {
        match self.crossing(address, bytes.into()) {
            Some(_) => self.read(terms, address, bytes).ok(),
            None => {
                let (object, contents) = self.found(address, bytes.into())?;
                Some(assemble(terms, contents, address - object.base, bytes))
            }
        }
    }

    /// Reads from two mappings, `first` bytes from the one below.
    fn read_across(
        &self,
        terms: &Terms,
        address: u64,
        bytes: u32,
        first: u32,
    ) -> AccessResult<Value> {
        let low = self.read(terms, address, first)?;
        let high = self.read(terms, address + u64::from(first), bytes - first)?;
        Ok(match (low, high) {
            (Value::Concrete(low), Value::Concrete(high)) => {
                Value::Concrete(high << (8 * first) | low)
            }
            (low, high) => {
                let term = |value: Value, bytes: u32| match value {
                    Value::Concrete(value) => terms.constant(8 * bytes, value),
                    Value::Term(term) => term,
                };
                Value::Term(terms.concat(term(high, bytes - first), term(low, first)))
            }
        })
    }

    /// The byte at an address.
    pub fn read_byte(&self, terms: &Terms, address: u64) -> AccessResult<ByteValue> {
        let (object, contents) = self.check_found(address, 1)?;
        Ok(byte_at(terms, contents, address - object.base))
    }

    /// Writes the low `bytes` (1 to 8) bytes of `value`, little endian.
    #[inline(always)]
    pub fn write_word(&mut self, address: u64, bytes: u32, value: u64) -> AccessResult<()> {
        if let Some(cache) = self.cache.get_mut() {
            if cache.write(address, bytes, value) {
                return Ok(());
            }
        }
        self.write_word_slowly(address, bytes, value)
    }

    /// Copies 1 to [`CHUNK_SIZE`] concrete bytes, which may overlap, between two chunks; false (and
    /// the same bytes in memory) if another way is needed.
    pub fn copy_few(&mut self, target: u64, source: u64, len: u64) -> bool {
        if !(1..=CHUNK_SIZE as u64).contains(&len) {
            return false;
        }
        let len = len as u32;
        if let Some(cache) = self.cache.get_mut()
            && cache.copy(target, source, len)
        {
            return true;
        }
        // An access to one byte of each end brings both into the cache. The target's is written
        // back, so that its chunk is this address space's own.
        let Ok(Some(_)) = self.read_word(source, 1) else {
            return false;
        };
        let Ok(Some(byte)) = self.read_word(target, 1) else {
            return false;
        };
        self.write_word(target, 1, byte).is_ok()
            && (self.cache.get_mut()).is_some_and(|cache| cache.copy(target, source, len))
    }

    #[cold]
    #[inline(never)]
    fn write_word_slowly(&mut self, address: u64, bytes: u32, value: u64) -> AccessResult<()> {
        let (object, contents) = self.check_found(address, u64::from(bytes))?;
        if object.read_only {
            return self.check_writable(address, u64::from(bytes)).map(|_| ());
        }
        let offset = address - object.base;
        let after = offset + u64::from(bytes);
        if !is_settled(contents, offset, after) {
            // Callers that have the terms settle first.
            return Err(self.access_error(address, u64::from(bytes)));
        }
        let (start, end) = contents.chunk_bounds(offset);
        let whole = is_settled(contents, start, end);
        let value = value.to_le_bytes();
        let source = &value[..bytes.min(8) as usize];
        if after > end {
            self.put(&object, offset, source);
            return Ok(());
        }
        if let Some(cache) = self.cache.get_mut() {
            cache.forget_piece(object.base + start, end - start);
            cache.grow_if_full();
        }
        let Some(contents) = self.contents_mut(&object) else {
            return Ok(());
        };
        let chunk = contents.chunk_mut(offset);
        chunk.write((offset - start) as usize, source);
        // The path to the chunk is unshared now, so it may be written again without asking.
        if whole && chunk.is_concrete() && object.hole.1 == 0 {
            let (pointer, end) = (chunk.raw(), end.min(object.size));
            let cache = self.cache.get_or_init(AccessCache::new);
            cache.remember(
                address,
                object.base + start,
                (end - start) as u32,
                pointer,
                true,
            );
        }
        Ok(())
    }

    /// Writes a value of `bytes` (1 to 16) bytes, little endian.
    pub fn write(
        &mut self,
        terms: &Terms,
        address: u64,
        bytes: u32,
        value: Value,
    ) -> AccessResult<()> {
        if let Some(first) = self.crossing(address, bytes.into()) {
            self.check_writable(address, first)?;
            self.check_writable(address + first, u64::from(bytes) - first)?;
            for index in 0..bytes {
                let byte = match value {
                    Value::Concrete(value) => ByteValue::Concrete((value >> (8 * index)) as u8),
                    Value::Term(term) => byte_of(terms, term, index),
                };
                self.write_byte(terms, address + u64::from(index), byte)?;
            }
            return Ok(());
        }
        if self.reaches_layers(address) {
            self.settle(terms, address, bytes.into());
        }
        let term = match value {
            Value::Concrete(value) if bytes <= 8 => {
                return self.write_word(address, bytes, value as u64);
            }
            Value::Concrete(value) => {
                let object = self.check_writable(address, u64::from(bytes))?;
                let bytes = &value.to_le_bytes()[..bytes.min(16) as usize];
                self.put(&object, address - object.base, bytes);
                return Ok(());
            }
            Value::Term(term) => term,
        };
        let object = self.check_writable(address, u64::from(bytes))?;
        for index in 0..bytes {
            let part = byte_of(terms, term, index);
            self.put_byte(&object, address - object.base + u64::from(index), part);
        }
        Ok(())
    }

    /// Writes one byte, which may be a term.
    pub fn write_byte(
        &mut self,
        terms: &Terms,
        address: u64,
        value: ByteValue,
    ) -> AccessResult<()> {
        let object = self.check_writable(address, 1)?;
        self.settle(terms, address, 1);
        let value = match value {
            ByteValue::Term(term) => constant_or_term(terms, term),
            concrete => concrete,
        };
        self.put_byte(&object, address - object.base, value);
        Ok(())
    }

    /// Returns true if the object at an address has layers.
    fn reaches_layers(&self, address: u64) -> bool {
        let found = self.layered.then(|| self.check_found(address, 1));
        found.is_some_and(|found| found.is_ok_and(|found| found.1.layers().is_some()))
    }

    // ---- unchecked parts ----

    /// Writes concrete bytes into an object; the range has been checked.
    pub(super) fn put(&mut self, object: &ObjectRef, offset: u64, bytes: &[u8]) {
        let mut done = 0usize;
        while done < bytes.len() {
            let at = offset + done as u64;
            let Some((start, end)) = self.piece_bounds(object, at) else {
                return;
            };
            let count = ((end - at) as usize).min(bytes.len() - done);
            if let Some(contents) = self.contents_mut(object) {
                let chunk = contents.chunk_mut(at);
                chunk.write((at - start) as usize, &bytes[done..done + count]);
            }
            done += count;
        }
    }

    pub(super) fn put_byte(&mut self, object: &ObjectRef, offset: u64, value: ByteValue) {
        let Some((start, _)) = self.piece_bounds(object, offset) else {
            return;
        };
        let Some(contents) = self.contents_mut(object) else {
            return;
        };
        let chunk = contents.chunk_mut(offset);
        let index = (offset - start) as usize;
        match value {
            ByteValue::Concrete(byte) => chunk.write(index, &[byte]),
            ByteValue::Term(term) => chunk.set_term(index, term),
        }
    }

    /// The bounds of the piece at an offset that is about to change; the cache forgets the piece.
    pub(super) fn piece_bounds(&self, object: &ObjectRef, offset: u64) -> Option<(u64, u64)> {
        if offset >= object.capacity {
            return None;
        }
        let start = offset / CHUNK_SIZE as u64 * CHUNK_SIZE as u64;
        let end = (start + CHUNK_SIZE as u64).min(object.capacity);
        if let Some(cache) = self.cache.get() {
            cache.forget_piece(object.base + start, end - start);
        }
        Some((start, end))
    }

    /// The contents of an object that `locate` or `check` gave.
    pub(super) fn contents_of(&self, object: &ObjectRef) -> AccessResult<&Contents> {
        let found = match object.key {
            ObjectKey::Class { class, index } => {
                self.class_object(class, index).map(|found| &found.contents)
            }
            ObjectKey::Fixed(start) => self.fixed.get(&start).map(|found| &found.contents),
            ObjectKey::Frame { .. } => None,
        };
        match found {
            Some(contents) => Ok(contents),
            None => self.check_found(object.base, 0).map(|found| found.1),
        }
    }
}
