//! The `.ktest` file: what a test gives to the program, as named byte strings in order of creation.
//!
//! Invariant: `KTest::from_bytes(b)?.to_bytes() == b` for every file that KLEE (any version) wrote.
//! All integers are 32-bit big endian; strings are a length and that many bytes, no terminator.
//! Reading never trusts a length: nothing is allocated before the bytes are known to be there.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// The newest format version, which new tests have.
pub const CURRENT_VERSION: u32 = 3;

/// Larger files are refused before they are read, in bytes. A test holds a program's inputs; KLEE
/// itself refuses symbolic objects above 4 GiB, and real ones are a few KiB.
pub const LARGEST_FILE: u64 = 1 << 30;

const MAGIC: &[u8; 5] = b"KTEST";
const OLD_MAGIC: &[u8; 5] = b"BOUT\n";

/// One symbolic object's concrete content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The name given to `klee_make_symbolic`, or by the POSIX model (`arg00`, `A_data`, ...).
    pub name: Vec<u8>,
    /// The content, in memory order.
    pub bytes: Vec<u8>,
}

impl Object {
    /// The name for messages; bytes that are not UTF-8 are replaced.
    pub fn name_text(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }
}

/// The first five bytes of a file. Kept so that an old file is written back as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Magic {
    #[default]
    KTest,
    /// `BOUT\n`, which KLEE wrote before 2009 and still reads.
    Bout,
}

/// A whole `.ktest` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KTest {
    pub magic: Magic,
    /// 1 to 3. Version 1 lacks the two `sym_argv` fields in the file.
    pub version: u32,
    /// `args[0]` is the bitcode file's name, the rest the program's arguments as typed
    /// (`--sym-arg`, `3`).
    pub args: Vec<Vec<u8>>,
    /// Written as 0 by every KLEE; kept on reading.
    pub sym_argvs: u32,
    /// Written as 0 by every KLEE; kept on reading.
    pub sym_argv_len: u32,
    /// Objects in the order in which the program made them symbolic.
    pub objects: Vec<Object>,
}

/// Reason why bytes are not a `.ktest` file. Offsets are in bytes from the file's start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormatError {
    #[error(
        "not a .ktest file: it starts with {found:?} where \"KTEST\" (or the old \"BOUT\\n\") is expected"
    )]
    Magic { found: String },
    #[error(
        "version {version} at offset 5 is not one of 1 to {CURRENT_VERSION}, the versions this homi reads"
    )]
    Version { version: u32 },
    #[error("truncated at offset {offset}: {what} needs {needed} bytes and {left} are left")]
    Truncated {
        what: String,
        offset: usize,
        needed: u64,
        left: u64,
    },
    #[error("{count} bytes after the last object, at offset {offset}")]
    Trailing { offset: usize, count: usize },
}

/// Reason why a `.ktest` file cannot be read or written; names the file.
#[derive(Debug, Error)]
pub enum KTestError {
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(
        "{} is a directory, where one test is expected, such as {}",
        path.display(), path.join("test000001.ktest").display()
    )]
    Directory { path: PathBuf },
    #[error("cannot write {}: {source}", path.display())]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: {size} bytes is more than a .ktest file may have ({LARGEST_FILE})", path.display())]
    TooLarge { path: PathBuf, size: u64 },
    #[error("{}: {source}", path.display())]
    Format { path: PathBuf, source: FormatError },
}

impl KTest {
    /// A test of the current version without objects. `args[0]` is the bitcode file's name.
    pub fn new<I>(args: I) -> KTest
    where
        I: IntoIterator,
        I::Item: Into<Vec<u8>>,
    {
        KTest {
            magic: Magic::KTest,
            version: CURRENT_VERSION,
            args: args.into_iter().map(Into::into).collect(),
            sym_argvs: 0,
            sym_argv_len: 0,
            objects: Vec::new(),
        }
    }

    /// Appends one object.
    pub fn push(&mut self, name: impl Into<Vec<u8>>, bytes: impl Into<Vec<u8>>) {
        self.objects.push(Object {
            name: name.into(),
            bytes: bytes.into(),
        });
    }

    /// The first object of that name.
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|o| o.name == name.as_bytes())
    }

    /// Parses a whole file's content.
    pub fn from_bytes(bytes: &[u8]) -> Result<KTest, FormatError> {
        let mut reader = Reader { bytes, offset: 0 };
        let magic = match reader.take(|| "the magic".into(), 5) {
            Ok(found) if found == MAGIC => Magic::KTest,
            Ok(found) if found == OLD_MAGIC => Magic::Bout,
            Ok(found) => return Err(bad_magic(found)),
            // A short prefix of the magic is a cut-off file; anything else short is not ours.
            Err(error) if MAGIC.starts_with(bytes) || OLD_MAGIC.starts_with(bytes) => {
                return Err(error);
            }
            Err(_) => return Err(bad_magic(bytes)),
        };
        let version = reader.number(|| "the version".into())?;
        if !(1..=CURRENT_VERSION).contains(&version) {
            return Err(FormatError::Version { version });
        }
        let arg_count = reader.number(|| "the number of arguments".into())?;
        let mut args = Vec::new();
        for i in 0..arg_count {
            args.push(reader.string(|| format!("argument {i} of {arg_count}"))?);
        }
        let (mut sym_argvs, mut sym_argv_len) = (0, 0);
        if version >= 2 {
            sym_argvs = reader.number(|| "symArgvs".into())?;
            sym_argv_len = reader.number(|| "symArgvLen".into())?;
        }
        let object_count = reader.number(|| "the number of objects".into())?;
        let mut objects: Vec<Object> = Vec::new();
        for i in 0..object_count {
            let name = reader.string(|| format!("the name of object {i} of {object_count}"))?;
            let text = || {
                format!(
                    "the content of object {i} of {object_count} ({:?})",
                    String::from_utf8_lossy(&name)
                )
            };
            let bytes = reader.string(text)?;
            objects.push(Object { name, bytes });
        }
        let count = bytes.len() - reader.offset;
        if count > 0 {
            let offset = reader.offset;
            return Err(FormatError::Trailing { offset, count });
        }
        Ok(KTest {
            magic,
            version,
            args,
            sym_argvs,
            sym_argv_len,
            objects,
        })
    }

    /// The file's content, in the test's own version. Counts and lengths above 2^32-1 cannot occur
    /// for tests that were read; the engine's objects are bounded far below.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(match self.magic {
            Magic::KTest => MAGIC,
            Magic::Bout => OLD_MAGIC,
        });
        put_number(&mut out, self.version as usize);
        put_number(&mut out, self.args.len());
        for arg in &self.args {
            put_string(&mut out, arg);
        }
        if self.version >= 2 {
            put_number(&mut out, self.sym_argvs as usize);
            put_number(&mut out, self.sym_argv_len as usize);
        }
        put_number(&mut out, self.objects.len());
        for object in &self.objects {
            put_string(&mut out, &object.name);
            put_string(&mut out, &object.bytes);
        }
        out
    }

    /// Reads and parses the file at `path`.
    pub fn read(path: &Path) -> Result<KTest, KTestError> {
        let owned = || path.to_path_buf();
        let failed = |source| KTestError::Read {
            path: owned(),
            source,
        };
        let metadata = std::fs::metadata(path).map_err(failed)?;
        if metadata.is_dir() {
            return Err(KTestError::Directory { path: owned() });
        }
        let size = metadata.len();
        if size > LARGEST_FILE {
            let path = owned();
            return Err(KTestError::TooLarge { path, size });
        }
        let bytes = std::fs::read(path).map_err(failed)?;
        KTest::from_bytes(&bytes).map_err(|source| KTestError::Format {
            path: owned(),
            source,
        })
    }

    /// Writes the file under a temporary name next to `path` and renames it, so that a full disk or
    /// a kill leaves either the whole test or none.
    pub fn write(&self, path: &Path) -> Result<(), KTestError> {
        let failed = |source| KTestError::Write {
            path: path.to_path_buf(),
            source,
        };
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".tmp");
        let temporary = PathBuf::from(temporary);
        let written = std::fs::write(&temporary, self.to_bytes())
            .and_then(|()| std::fs::rename(&temporary, path));
        if written.is_err() {
            // Best effort: the error that matters is the one returned.
            let _ = std::fs::remove_file(&temporary);
        }
        written.map_err(failed)
    }
}

fn bad_magic(found: &[u8]) -> FormatError {
    let found = String::from_utf8_lossy(&found[..found.len().min(5)]).into_owned();
    FormatError::Magic { found }
}

fn put_number(out: &mut Vec<u8>, value: usize) {
    out.extend_from_slice(&(value as u32).to_be_bytes());
}

fn put_string(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len());
    out.extend_from_slice(bytes);
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// The next `count` bytes; `what` names them for the error.
    fn take(
        &mut self,
        what: impl FnOnce() -> String,
        count: usize,
    ) -> Result<&'a [u8], FormatError> {
        let rest = &self.bytes[self.offset..];
        if count > rest.len() {
            return Err(FormatError::Truncated {
                what: what(),
                offset: self.offset,
                needed: count as u64,
                left: rest.len() as u64,
            });
        }
        self.offset += count;
        Ok(&rest[..count])
    }

    fn number(&mut self, what: impl FnOnce() -> String) -> Result<u32, FormatError> {
        let bytes = self.take(what, 4)?;
        Ok(bytes.iter().fold(0, |value, b| value << 8 | u32::from(*b)))
    }

    fn string(&mut self, what: impl Fn() -> String) -> Result<Vec<u8>, FormatError> {
        let length = self.number(|| format!("the length of {}", what()))?;
        Ok(self.take(what, length as usize)?.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Written out by hand from the format's description, not by our own writer.
    const BY_HAND: &[u8] = b"KTEST\0\0\0\x03\
        \0\0\0\x03\0\0\0\x04a.bc\0\0\0\x09--sym-arg\0\0\0\x012\
        \0\0\0\0\0\0\0\0\
        \0\0\0\x02\0\0\0\x05arg00\0\0\0\x03x\xff\0\0\0\0\x01n\0\0\0\x04\x01\0\0\0";

    #[test]
    fn a_file_written_by_hand_parses() {
        let test = KTest::from_bytes(BY_HAND).unwrap();
        assert_eq!(test.args, [&b"a.bc"[..], b"--sym-arg", b"2"]);
        assert_eq!(test.objects.len(), 2);
        assert_eq!(test.object("arg00").unwrap().bytes, b"x\xff\0");
        assert_eq!(test.object("n").unwrap().bytes, [1, 0, 0, 0]);
        assert_eq!(test.to_bytes(), BY_HAND);
    }

    #[test]
    fn old_magic_and_version_1_are_kept() {
        let bytes = b"BOUT\n\0\0\0\x01\0\0\0\x01\0\0\0\x01p\0\0\0\x01\0\0\0\x01o\0\0\0\x01z";
        let test = KTest::from_bytes(bytes).unwrap();
        assert_eq!((test.version, test.magic), (1, Magic::Bout));
        assert_eq!(test.to_bytes(), bytes);
    }

    #[test]
    fn errors_name_what_and_where() {
        let text = |bytes: &[u8]| KTest::from_bytes(bytes).unwrap_err().to_string();
        assert!(text(b"\x7fELF\x02\x01").starts_with("not a .ktest file"));
        assert!(text(b"#!/bin/sh").starts_with("not a .ktest file"));
        assert!(text(b"").contains("truncated at offset 0"));
        assert!(text(b"KTEST\0\0\0\x04").contains("version 4"));
        // A length of 4 GiB - 1 must neither allocate nor overflow.
        let huge = b"KTEST\0\0\0\x03\0\0\0\x01\xff\xff\xff\xff";
        assert!(text(huge).contains("argument 0 of 1 needs 4294967295 bytes and 0 are left"));
        let cut = &BY_HAND[..BY_HAND.len() - 1];
        assert!(text(cut).contains("the content of object 1 of 2 (\"n\") needs 4 bytes and 3"));
        let mut long = BY_HAND.to_vec();
        long.push(7);
        assert!(text(&long).contains("1 bytes after the last object"));
    }

    #[test]
    fn files_are_written_whole_and_errors_name_them() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("test000001.ktest");
        let mut test = KTest::new(["p.bc"]);
        test.push("a", [1, 2]);
        test.write(&path).unwrap();
        assert_eq!(KTest::read(&path).unwrap(), test);
        let entries = std::fs::read_dir(directory.path()).unwrap().count();
        assert_eq!(entries, 1, "no temporary file is left");

        std::fs::write(&path, &test.to_bytes()[..20]).unwrap();
        let text = KTest::read(&path).unwrap_err().to_string();
        assert!(
            text.contains("test000001.ktest: truncated at offset"),
            "{text}"
        );
        let text = test.write(&directory.path().join("no/such")).unwrap_err();
        assert!(text.to_string().contains("cannot write"), "{text}");
    }

    #[test]
    fn a_sparse_huge_file_is_refused_unread() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("huge.ktest");
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(LARGEST_FILE + 1).unwrap();
        let error = KTest::read(&path).unwrap_err();
        assert!(matches!(error, KTestError::TooLarge { .. }), "{error}");
    }

    fn any_ktest() -> impl Strategy<Value = KTest> {
        let bytes = || proptest::collection::vec(any::<u8>(), 0..20);
        let objects = proptest::collection::vec((bytes(), bytes()), 0..6);
        let args = proptest::collection::vec(bytes(), 0..5);
        (any::<bool>(), 1..=3u32, args, any::<(u32, u32)>(), objects).prop_map(
            |(old, version, args, (argvs, length), objects)| KTest {
                magic: if old { Magic::Bout } else { Magic::KTest },
                version,
                args,
                sym_argvs: if version >= 2 { argvs } else { 0 },
                sym_argv_len: if version >= 2 { length } else { 0 },
                objects: objects
                    .into_iter()
                    .map(|(name, bytes)| Object { name, bytes })
                    .collect(),
            },
        )
    }

    proptest! {
        #[test]
        fn round_trip(test in any_ktest()) {
            let bytes = test.to_bytes();
            prop_assert_eq!(KTest::from_bytes(&bytes).unwrap(), test);
        }

        #[test]
        fn every_proper_prefix_is_an_error_at_its_end(test in any_ktest()) {
            let bytes = test.to_bytes();
            for length in 0..bytes.len() {
                match KTest::from_bytes(&bytes[..length]) {
                    Err(FormatError::Truncated { offset, left, .. }) => {
                        prop_assert_eq!(offset as u64 + left, length as u64);
                    }
                    other => prop_assert!(false, "{length}: {other:?}"),
                }
            }
        }

        #[test]
        fn arbitrary_bytes_never_panic(tail in proptest::collection::vec(any::<u8>(), 0..64)) {
            let mut bytes = b"KTEST\0\0\0\x03".to_vec();
            bytes.extend(tail);
            if let Ok(test) = KTest::from_bytes(&bytes) {
                prop_assert_eq!(test.to_bytes(), bytes);
            }
        }
    }
}
