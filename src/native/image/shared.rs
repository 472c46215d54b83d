//! Memory that homi shares with the process of an image.

use super::compared::Comparisons;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::ptr::NonNull;

pub(super) const PATH_SIZE: usize = 4096;
pub(super) const ANSWER_SIZE: usize = 65536;
const MEMORY_SIZE: usize = 1 << 20;
const ARGUMENTS_SIZE: usize = 65536;
const OBJECTS_SIZE: usize = 1 << 20;

/// Bytes of a page of memory.
const PAGE: usize = 4096;

/// `struct shared` of runtime/image/image.h.
#[repr(C)]
pub(super) struct Shared {
    pub work: i64,
    pub objects_size: u32,
    pub ended: u32,
    pub status: i32,
    pub unknown: u32,
    pub what: [u8; 128],
    pub call: u32,
    pub path_size: u32,
    pub first: u64,
    pub second: u64,
    pub result: i64,
    pub answer_size: u32,
    pub remembered: u32,
    pub arguments_size: u32,
    pub arguments: [u8; ARGUMENTS_SIZE],
    pub path: [u8; PATH_SIZE],
    pub answer: [u8; ANSWER_SIZE],
    pub memory: [u8; MEMORY_SIZE],
    pub objects: [u8; OBJECTS_SIZE],
}

/// The mapping: the struct, one byte for each branch side, comparisons; each in whole pages.
pub(super) struct SharedMemory {
    start: NonNull<u8>,
    length: usize,
    sides: usize,
    /// The memory as a file.
    pub file: File,
}

// SAFETY: the mapping belongs to the value, and is reached only through `&self` and `&mut self`.
unsafe impl Send for SharedMemory {}

impl SharedMemory {
    /// Maps memory for a program with this number of branch sides.
    pub fn new(sides: usize) -> io::Result<SharedMemory> {
        let length = comparisons_at(sides) + size_of::<Comparisons>().next_multiple_of(PAGE);
        // SAFETY: a constant name; the new descriptor belongs to the file.
        let file = unsafe {
            let descriptor = libc::memfd_create(c"homi-image".as_ptr(), libc::MFD_CLOEXEC);
            if descriptor < 0 {
                return Err(io::Error::last_os_error());
            }
            File::from_raw_fd(descriptor)
        };
        file.set_len(length as u64)?;
        // SAFETY: a new mapping at an address that the kernel chooses.
        let mapped = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if mapped == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(mapped.cast()).ok_or_else(io::Error::last_os_error)?;
        Ok(SharedMemory {
            start,
            length,
            sides,
            file,
        })
    }

    /// The struct. The process writes it only while an execution is under way.
    pub fn shared(&mut self) -> &mut Shared {
        // SAFETY: the mapping is as long, its start is aligned to a page, every pattern of bits is
        // a value of the type, and the borrow of `self` is the only one in this process.
        unsafe { &mut *self.start.as_ptr().cast() }
    }

    /// How often the last execution took each branch side; 0 only if it did not.
    pub fn sides(&self) -> &[u8] {
        // SAFETY: as many bytes lie behind the struct's pages.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().add(SIDES_AT), self.sides) }
    }

    /// The comparisons of the last execution that recorded them.
    pub fn comparisons(&self) -> &Comparisons {
        let at = comparisons_at(self.sides);
        // SAFETY: the mapping has room for them there, at the start of a page, and every pattern of
        // bits is a value of the type.
        unsafe { &*self.start.as_ptr().add(at).cast() }
    }
}

/// Offset of the bytes of the branch sides.
const SIDES_AT: usize = size_of::<Shared>().next_multiple_of(PAGE);

/// Offset of the comparisons.
fn comparisons_at(sides: usize) -> usize {
    SIDES_AT + sides.max(1).next_multiple_of(PAGE)
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: mapped by `new` with this length; no reference outlives `self`.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.length) };
    }
}

/// Writes strings with a NUL behind each. Returns the number of bytes, or `None` if they are too
/// many.
pub(super) fn write_strings(to: &mut [u8], strings: &[Vec<u8>]) -> Option<u32> {
    let mut at = 0;
    for string in strings {
        to.get_mut(at..at + string.len())?.copy_from_slice(string);
        *to.get_mut(at + string.len())? = 0;
        at += string.len() + 1;
    }
    u32::try_from(at).ok()
}

/// Writes objects as runtime/image/engine.c reads them. Returns the number of bytes, or `None` if
/// they are too many.
pub(super) fn write_objects<'a>(
    to: &mut [u8],
    objects: impl Iterator<Item = (&'a str, &'a [u8])>,
) -> Option<u32> {
    let mut at = 0;
    for (name, bytes) in objects {
        let sizes = [name.len() as u32, bytes.len() as u32];
        let sizes = sizes.map(u32::to_le_bytes);
        for part in [&sizes[0][..], &sizes[1][..], name.as_bytes(), bytes] {
            to.get_mut(at..at + part.len())?.copy_from_slice(part);
            at += part.len();
        }
    }
    u32::try_from(at).ok()
}
