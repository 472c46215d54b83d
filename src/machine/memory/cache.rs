//! The last chunks that a state touched, found by one multiplication and two comparisons.
//!
//! Invariant: an entry's pointer leads to the bytes of the piece that the address space holds at
//! `start` now: an all-concrete chunk, or a static array that equals a fill. `writable` entries
//! lead to a chunk that no other address space shares (nor any node above it) and whose object may
//! be written. Whatever changes a piece's identity (unsharing, symbolic bytes, freeing) forgets it
//! here first, and cloning an address space takes back `writable` from all entries. A clone may
//! copy the cache while both are equal.

use super::chunk::CHUNK_SIZE;
use std::cell::Cell;

const ENTRIES: usize = 64;
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
    entries: [Cell<Entry>; ENTRIES],
    /// A bit per entry that may be writable, so that a fork need not look at the others.
    maybe_writable: Cell<u64>,
}

const _: () = assert!(ENTRIES <= u64::BITS as usize);

#[inline(always)]
fn entry_of(address: u64) -> usize {
    ((address >> 8).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize
}

impl AccessCache {
    pub fn new() -> Box<Self> {
        Box::new(AccessCache {
            entries: std::array::from_fn(|_| Cell::new(EMPTY)),
            maybe_writable: Cell::new(0),
        })
    }

    /// A pointer to `bytes` bytes at `address` if the cache has them.
    #[inline(always)]
    fn find(&self, address: u64, bytes: u32, for_write: bool) -> Option<*mut u8> {
        let entry = self.entries[entry_of(address)].get();
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

    /// Remembers the piece of `len` bytes at `start`, under the block of `address`.
    pub fn remember(&self, address: u64, start: u64, len: u32, bytes: *mut u8, writable: bool) {
        let index = entry_of(address);
        self.entries[index].set(Entry {
            start,
            len,
            writable,
            bytes,
            ..EMPTY
        });
        let bit = u64::from(writable) << index;
        self.maybe_writable.set(self.maybe_writable.get() | bit);
    }

    /// Remembers, under the block of `address`, that all of the `len` bytes from `start` on are
    /// symbolic.
    pub fn remember_symbolic(&self, address: u64, start: u64, len: u16) {
        self.entries[entry_of(address)].set(Entry {
            start,
            symbolic: len,
            ..EMPTY
        });
    }

    /// Returns true if the byte at `address` is among the cached symbolic ones.
    pub fn is_symbolic(&self, address: u64) -> bool {
        let entry = self.entries[entry_of(address)].get();
        address.wrapping_sub(entry.start) < u64::from(entry.symbolic)
    }

    /// Forgets the piece (of at most 256 bytes) at `start`.
    pub fn forget_piece(&self, start: u64, len: u64) {
        for address in [start, start + len.saturating_sub(1)] {
            let entry = &self.entries[entry_of(address)];
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
        let mut left = self.maybe_writable.take();
        while left != 0 {
            let entry = &self.entries[left.trailing_zeros() as usize];
            entry.set(Entry {
                writable: false,
                ..entry.get()
            });
            left &= left - 1;
        }
    }
}
