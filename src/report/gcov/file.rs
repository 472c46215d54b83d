//! The byte layout that `.gcno` (notes, from the compiler) and `.gcda` (counts, from a run) share.
//!
//! A file is a magic number, the compiler's version, a stamp that ties counts to notes, then tagged
//! records. Integers are 32 bits in the machine's byte order. Since gcc 12 lengths are in bytes and
//! strings are not padded; older layouts differ and are refused by name rather than misread.
//! Written from the description in gcc's gcov-io header and from files; nothing is trusted.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// `gcno` read as a little-endian number.
pub(super) const NOTES_MAGIC: u32 = 0x6763_6e6f;
/// `gcda` read as a little-endian number.
pub(super) const COUNTS_MAGIC: u32 = 0x6763_6461;

pub(super) const TAG_FUNCTION: u32 = 0x0100_0000;
pub(super) const TAG_BLOCKS: u32 = 0x0141_0000;
pub(super) const TAG_ARCS: u32 = 0x0143_0000;
pub(super) const TAG_LINES: u32 = 0x0145_0000;
pub(super) const TAG_ARC_COUNTERS: u32 = 0x01a1_0000;

/// Reason why gcov's data cannot be used.
#[derive(Debug, Error)]
pub enum GcovError {
    #[error(
        "{} has no gcov data; build it with `gcc --coverage -O0 -g` (compile and link), or by \
         `homi cc` with HOMI_CC_COVERAGE=1",
        exe.display()
    )]
    NotInstrumented { exe: PathBuf },
    #[error(
        "{} was built with --coverage, but its notes file {} is missing: keep the .gcno files of the build where they were written",
        exe.display(), notes.display()
    )]
    NotesMissing { exe: PathBuf, notes: PathBuf },
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: not a gcov file", path.display())]
    Magic { path: PathBuf },
    #[error(
        "{}: written by gcov version {version:?}; gcc 12 or newer is needed (clang's --coverage writes an older format)",
        path.display()
    )]
    Version { path: PathBuf, version: String },
    #[error("{}: truncated or corrupt at offset {offset}; delete it and replay again", path.display())]
    Damaged { path: PathBuf, offset: usize },
    #[error(
        "{}: its counts belong to another build than {}; rebuild the program and replay again",
        counts.display(), notes.display()
    )]
    Stamp { counts: PathBuf, notes: PathBuf },
}

/// Reads the fields of one file in order.
pub(super) struct Reader<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    offset: usize,
}

/// One record: its tag and its payload. A negative length means "that many bytes of zeros".
pub(super) struct Record<'a> {
    pub tag: u32,
    pub zeros: usize,
    pub payload: Reader<'a>,
}

impl<'a> Reader<'a> {
    /// Checks magic and version and gives the reader and the stamp.
    pub fn open(
        path: &'a Path,
        bytes: &'a [u8],
        magic: u32,
    ) -> Result<(Reader<'a>, u32), GcovError> {
        let offset = 0;
        let mut reader = Reader {
            path,
            bytes,
            offset,
        };
        if reader.number().ok() != Some(magic) {
            let path = path.to_path_buf();
            return Err(GcovError::Magic { path });
        }
        let version = reader.number()?.to_be_bytes();
        // "B22*": the letter counts tens from A = 0, then units, then the minor version.
        let major = (i32::from(version[0]) - i32::from(b'A')) * 10 + i32::from(version[1])
            - i32::from(b'0');
        if !(12..=39).contains(&major) {
            return Err(GcovError::Version {
                path: path.to_path_buf(),
                version: String::from_utf8_lossy(&version).into_owned(),
            });
        }
        let stamp = reader.number()?;
        reader.number()?; // checksum of the object's functions; the stamp says as much
        Ok((reader, stamp))
    }

    pub fn damaged(&self) -> GcovError {
        GcovError::Damaged {
            path: self.path.to_path_buf(),
            offset: self.offset,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.offset >= self.bytes.len()
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], GcovError> {
        let end = self.offset.checked_add(count);
        let Some(taken) = end.and_then(|end| self.bytes.get(self.offset..end)) else {
            return Err(self.damaged());
        };
        self.offset += count;
        Ok(taken)
    }

    pub fn number(&mut self) -> Result<u32, GcovError> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b)))
    }

    /// A 64-bit counter: low half first.
    pub fn counter(&mut self) -> Result<u64, GcovError> {
        let low = u64::from(self.number()?);
        Ok(u64::from(self.number()?) << 32 | low)
    }

    /// A string; the length counts the terminating NUL, 0 means an absent string.
    pub fn string(&mut self) -> Result<String, GcovError> {
        let length = self.number()? as usize;
        let bytes = self.take(length)?;
        let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    /// The next record, or None at the end of the file (which a zero tag also marks).
    pub fn record(&mut self) -> Result<Option<Record<'a>>, GcovError> {
        if self.is_empty() {
            return Ok(None);
        }
        let tag = self.number()?;
        if tag == 0 {
            return Ok(None);
        }
        let length = self.number()? as i32;
        let (present, zeros) = match usize::try_from(length) {
            Ok(length) => (length, 0),
            Err(_) => (0, length.unsigned_abs() as usize),
        };
        let offset = self.offset;
        self.take(present)?;
        let payload = Reader {
            path: self.path,
            bytes: &self.bytes[..offset + present],
            offset,
        };
        Ok(Some(Record {
            tag,
            zeros,
            payload,
        }))
    }
}

/// Reads a whole file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, GcovError> {
    std::fs::read(path).map_err(|source| GcovError::Read {
        path: path.to_path_buf(),
        source,
    })
}
