//! The last chunks that a state touched, found by one multiplication and two comparisons.
//!
//! A cache begins small, since most states run few instructions before they fork. One that has
//! replaced many entries becomes large: an interpreter touches more than the small one holds.
//!
//! Invariant: an entry's pointer leads to the bytes of the piece that the address space holds at
//! `start` now: an all-concrete chunk, or a static array that equals a fill. `writable` entries
//! lead to a chunk that no other address space shares (nor any node above it) and whose object may
//! be written. Whatever changes a piece's identity (unsharing, symbolic bytes, freeing) forgets it
//! here first, and cloning an address space takes back `writable` from all entries. A clone may
//! copy the cache while both are equal.

use super::chunk::CHUNK_SIZE;
use std::cell::Cell;

/// Entries of a cache as a power of two: at first, and after many replacements.
const FEW: u32 = 6;
const MANY: u32 = 10;
/// Replaced entries after which a cache becomes large.
const REPLACEMENTS: u32 = 8192;
/// Words with a bit per entry of a large cache.
const WORDS: usize = (1 << MANY) / u64::BITS as usize;
/// Objects of up to this many pieces are forgotten piece by piece.
const FEW_PIECES: u64 = 8;

#[derive(Clone, Copy)]
struct Entry {
    start: u64,
    /// Length in bytes; 0 for an empty entry and for symbolic bytes.
    len: u32,
    writable: bool,
    /// Number of symbolic bytes from `start` on, all of one piece.
    symbolic: u16,
    bytes: *mut u8,
}

const EMPTY: Entry = Entry {
    start: 0,
    len: 0,
    writable: false,
    symbolic: 0,
    bytes: std::ptr::null_mut(),
};

/// The cache of one address space.
#[derive(Clone)]
pub(super) struct AccessCache {
    /// `1 << (64 - shift)` entries.
    entries: Box<[Cell<Entry>]>,
    shift: u32,
    /// Entries that were replaced by entries of other pieces.
    replaced: Cell<u32>,
    /// A bit per entry that may be writable, so that a fork need not look at the others.
    maybe_writable: [Cell<u64>; WORDS],
}

impl AccessCache {
    pub fn new() -> Box<Self> {
        Box::new(Self::of(FEW))
    }

    /// An empty cache with `1 << exponent` entries.
    fn of(exponent: u32) -> Self {
        AccessCache {
            entries: vec![Cell::new(EMPTY); 1 << exponent].into(),
            shift: u64::BITS - exponent,
            replaced: Cell::new(0),
            maybe_writable: [const { Cell::new(0) }; WORDS],
        }
    }

    /// A copy, unless it is large.
    pub fn small_copy(&self) -> Option<Box<Self>> {
        (self.shift == u64::BITS - FEW).then(|| Box::new(self.clone()))
    }

    /// Becomes large, and empty, if that pays.
    pub fn grow_if_full(&mut self) {
        if self.shift == u64::BITS - FEW && self.replaced.get() >= REPLACEMENTS {
            *self = Self::of(MANY);
        }
    }

    /// The entry of the block that an address is in.
    #[inline(always)]
    fn index(&self, address: u64) -> usize {
        ((address >> 8).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline(always)]
    fn entry(&self, address: u64) -> &Cell<Entry> {
        let index = self.index(address);
        debug_assert!(index < self.entries.len());
        // SAFETY: the index has 64 - `shift` bits, and there are as many entries (see the field).
        unsafe { self.entries.get_unchecked(index) }
    }

    /// A pointer to `bytes` bytes at `address` if the cache has them.
    #[inline(always)]
    fn find(&self, address: u64, bytes: u32, for_write: bool) -> Option<*mut u8> {
        let entry = self.entry(address).get();
        let offset = address.wrapping_sub(entry.start);
        let len = u64::from(entry.len);
        let usable =
            offset < len && len - offset >= u64::from(bytes) && (entry.writable || !for_write);
        // SAFETY: offset < len, and the entry's pointer has `len` bytes behind it.
        usable.then(|| unsafe { entry.bytes.add(offset as usize) })
    }

    /// The little-endian value of `bytes` (1 to 8) bytes.
    #[inline(always)]
    pub fn read(&self, address: u64, bytes: u32) -> Option<u64> {
        let pointer = self.find(address, bytes, false)?;
        // SAFETY: `find` gives a pointer to `bytes` readable bytes of a live piece (see the
        // invariant).
        unsafe {
            Some(match bytes {
                1 => u64::from(*pointer),
                2 => u64::from(pointer.cast::<u16>().read_unaligned()),
                4 => u64::from(pointer.cast::<u32>().read_unaligned()),
                8 => pointer.cast::<u64>().read_unaligned(),
                _ => {
                    let mut value = [0u8; 8];
                    std::ptr::copy_nonoverlapping(
                        pointer,
                        value.as_mut_ptr(),
                        bytes.min(8) as usize,
                    );
                    u64::from_le_bytes(value)
                }
            })
        }
    }

    /// Writes the low `bytes` (1 to 8) bytes of a value; false if the cache cannot.
    #[inline(always)]
    pub fn write(&mut self, address: u64, bytes: u32, value: u64) -> bool {
        let Some(pointer) = self.find(address, bytes, true) else {
            return false;
        };
        // SAFETY: `find` gives a pointer to `bytes` bytes of a chunk that this address space alone
        // owns; the bytes are in an `UnsafeCell`, and no reference to them lives during this call.
        unsafe {
            match bytes {
                1 => *pointer = value as u8,
                2 => pointer.cast::<u16>().write_unaligned(value as u16),
                4 => pointer.cast::<u32>().write_unaligned(value as u32),
                8 => pointer.cast::<u64>().write_unaligned(value),
                _ => {
                    let value = value.to_le_bytes();
                    std::ptr::copy_nonoverlapping(value.as_ptr(), pointer, bytes.min(8) as usize);
                }
            }
        }
        true
    }

    /// Copies `len` bytes, which may overlap; false (and no change) if the cache has not both ends.
    #[inline]
    pub fn copy(&mut self, target: u64, source: u64, len: u32) -> bool {
        let (Some(from), Some(to)) = (self.find(source, len, false), self.find(target, len, true))
        else {
            return false;
        };
        // SAFETY: `find` gives pointers to `len` bytes; the bytes of the target are in a chunk that
        // this address space alone owns, and no reference to either lives during this call.
        unsafe { std::ptr::copy(from, to, len as usize) };
        true
    }

    /// Remembers the piece of `len` bytes at `start`, under the block of `address`.
    pub fn remember(&self, address: u64, start: u64, len: u32, bytes: *mut u8, writable: bool) {
        let index = self.index(address);
        let entry = &self.entries[index];
        let is_replaced = entry.get().len != 0 && entry.get().start != start;
        self.replaced
            .set(self.replaced.get().saturating_add(is_replaced.into()));
        entry.set(Entry {
            start,
            len,
            writable,
            bytes,
            ..EMPTY
        });
        if writable {
            let word = &self.maybe_writable[index / u64::BITS as usize];
            word.set(word.get() | 1 << (index % u64::BITS as usize));
        }
    }

    /// Remembers, under the block of `address`, that all of the `len` bytes from `start` on are
    /// symbolic.
    pub fn remember_symbolic(&self, address: u64, start: u64, len: u16) {
        self.entry(address).set(Entry {
            start,
            symbolic: len,
            ..EMPTY
        });
    }

    /// Returns true if the byte at `address` is among the cached symbolic ones.
    pub fn is_symbolic(&self, address: u64) -> bool {
        let entry = self.entry(address).get();
        address.wrapping_sub(entry.start) < u64::from(entry.symbolic)
    }

    /// Forgets the piece (of at most 256 bytes) at `start`.
    pub fn forget_piece(&self, start: u64, len: u64) {
        for address in [start, start + len.saturating_sub(1)] {
            let entry = self.entry(address);
            if entry.get().start.wrapping_sub(start) < len {
                entry.set(EMPTY);
            }
        }
    }

    /// Forgets all pieces of an object of `len` bytes at `start`.
    pub fn forget_object(&self, start: u64, len: u64) {
        if len <= FEW_PIECES * CHUNK_SIZE as u64 {
            for offset in (0..len).step_by(CHUNK_SIZE) {
                self.forget_piece(start + offset, (len - offset).min(CHUNK_SIZE as u64));
            }
        } else {
            self.forget_range(start, start + len);
        }
    }

    /// Forgets all pieces that start in `start..end`.
    fn forget_range(&self, start: u64, end: u64) {
        for entry in &self.entries {
            let first = entry.get().start;
            if first >= start && first < end {
                entry.set(EMPTY);
            }
        }
    }

    pub fn take_back_writes(&self) {
        let words = self.entries.len() / u64::BITS as usize;
        let groups = self.entries.chunks(u64::BITS as usize);
        for (word, entries) in self.maybe_writable[..words].iter().zip(groups) {
            let mut left = word.take();
            while left != 0 {
                let entry = &entries[left.trailing_zeros() as usize];
                entry.set(Entry {
                    writable: false,
                    ..entry.get()
                });
                left &= left - 1;
            }
        }
    }
}
