//! The host of a real run.
//!
//! Invariant: an answer depends on the configuration and the host's files alone. So the clock is
//! the configured moment, always; that a program sees time pass is the modeled kernel's work, which
//! adds to it (runtime/kernel/time.c).

use super::view::{HostView, read_file_at};
use crate::exec::{Errno, Host, InputKind, STAT_BYTES};
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Concrete standard input.
pub enum StandardInput {
    /// A file with these bytes; without any, no input.
    Bytes(Vec<u8>),
    /// A file, from this offset in bytes on.
    File(File, u64),
    /// A stream, read as far as some state asks for; all states see the same bytes.
    Reader(Box<dyn Read + Send>),
}

impl StandardInput {
    /// Returns homi's standard input. A terminal counts as empty: a symbolic run has no user typing
    /// at the program.
    pub fn inherited() -> Self {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            return Self::Bytes(Vec::new());
        }
        if let Ok(own) = stdin.as_fd().try_clone_to_owned() {
            let mut file = File::from(own);
            let found = file.metadata();
            if found.as_ref().is_ok_and(is_null) {
                return Self::Bytes(Vec::new());
            }
            if found.is_ok_and(|found| found.is_file()) {
                let start = file.stream_position().unwrap_or(0);
                return Self::File(file, start);
            }
        }
        Self::Reader(Box::new(stdin))
    }
}

/// Returns true if this is `/dev/null`.
fn is_null(found: &Metadata) -> bool {
    let null = std::fs::metadata("/dev/null");
    null.is_ok_and(|null| found.file_type().is_char_device() && found.rdev() == null.rdev())
}

/// Configuration of a host.
pub struct HostConfig {
    /// The host directory that programs see, and in which they start.
    pub root: PathBuf,
    /// A directory that programs do not see, where homi writes.
    pub hidden: Option<PathBuf>,
    pub stdin: StandardInput,
    /// User and group that the program runs as: uid, euid, gid, egid.
    pub ids: [u32; 4],
    /// Time of the clock, in nanoseconds since 1970.
    pub clock_ns: u64,
}

impl HostConfig {
    /// Returns a view of `root` for a program that runs as a user and the group of the same number.
    /// The user that runs homi has no influence. There is no input, and the clock is at 2023-11-14
    /// 22:13:20 UTC.
    pub fn new(root: PathBuf, user: u32) -> Self {
        Self {
            root,
            hidden: None,
            stdin: StandardInput::Bytes(Vec::new()),
            ids: [user; 4],
            clock_ns: 1_700_000_000_000_000_000,
        }
    }
}

/// The host that the programs of a run read, one call at a time.
pub struct RealHost {
    root: PathBuf,
    view: Mutex<HostView>,
    stdin: Mutex<Input>,
    ids: [u32; 4],
    clock_ns: u64,
}

/// Standard input and how far it was read.
struct Input {
    source: StandardInput,
    /// Bytes of standard input that were read from a reader so far.
    bytes: Vec<u8>,
    ended: bool,
}

impl RealHost {
    /// Fails if the root is not a directory that can be read.
    pub fn new(config: HostConfig) -> io::Result<Self> {
        let mut view = HostView::new(&config.root)?.with_system_data();
        if let Some(hidden) = &config.hidden {
            view = view.without(hidden);
        }
        Ok(Self {
            root: view.root().to_path_buf(),
            view: Mutex::new(view),
            stdin: Mutex::new(Input {
                source: config.stdin,
                bytes: Vec::new(),
                ended: false,
            }),
            ids: config.ids,
            clock_ns: config.clock_ns,
        })
    }

    fn view(&self) -> MutexGuard<'_, HostView> {
        locked(&self.view)
    }
}

/// The cached data stay valid if a thread panicked while adding to it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Input {
    /// Reads from the reader until `end` bytes are there or it ends.
    fn fill(&mut self, end: u64) -> Result<(), Errno> {
        let StandardInput::Reader(reader) = &mut self.source else {
            return Ok(());
        };
        let mut buffer = [0; 1 << 16];
        while !self.ended && (self.bytes.len() as u64) < end {
            match reader.read(&mut buffer) {
                Ok(0) => self.ended = true,
                Ok(count) => self.bytes.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Errno(nix::libc::EIO)),
            }
        }
        Ok(())
    }

    fn read(&mut self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.fill(offset.saturating_add(length))?;
        let bytes = match &self.source {
            StandardInput::File(file, start) => {
                return read_file_at(file, length, start.saturating_add(offset));
            }
            StandardInput::Bytes(bytes) => bytes,
            StandardInput::Reader(_) => &self.bytes,
        };
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes[place(offset)..place(offset.saturating_add(length))].to_vec())
    }
}

impl Host for RealHost {
    fn stat(&self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno> {
        self.view().stat(path, follow)
    }

    fn read(&self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.view().read(path, length, offset)
    }

    fn readlink(&self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        self.view().readlink(path)
    }

    fn readdir(&self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno> {
        self.view().readdir(path, index)
    }

    fn getcwd(&self) -> Result<Vec<u8>, Errno> {
        Ok(self.root.as_os_str().as_bytes().to_vec())
    }

    fn stdin_read(&self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        locked(&self.stdin).read(length, offset)
    }

    fn stdin_kind(&self) -> InputKind {
        match &locked(&self.stdin).source {
            StandardInput::Bytes(bytes) if bytes.is_empty() => InputKind::Null,
            StandardInput::Bytes(_) | StandardInput::File(..) => InputKind::File,
            StandardInput::Reader(_) => InputKind::Stream,
        }
    }

    fn id(&self, which: u32) -> u32 {
        self.ids.get(which as usize).copied().unwrap_or(0)
    }

    fn clock_ns(&self) -> u64 {
        self.clock_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn host(stdin: StandardInput) -> (tempfile::TempDir, RealHost) {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = HostConfig::new(directory.path().to_path_buf(), 1000);
        config.stdin = stdin;
        let host = RealHost::new(config).expect("a host");
        (directory, host)
    }

    #[test]
    fn standard_input_can_be_read_at_any_offset_and_again() {
        let text = b"hello world".to_vec();
        let reader = Box::new(io::Cursor::new(text.clone()));
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(b"skip hello world").expect("written");
        let inputs = [
            (StandardInput::Bytes(text), InputKind::File),
            (StandardInput::Reader(reader), InputKind::Stream),
            (StandardInput::File(file, 5), InputKind::File),
        ];
        for (stdin, kind) in inputs {
            let (_keep, host) = host(stdin);
            assert_eq!(host.stdin_kind(), kind);
            assert_eq!(host.stdin_read(5, 6), Ok(b"world".to_vec()));
            assert_eq!(host.stdin_read(100, 0), Ok(b"hello world".to_vec()));
            assert_eq!(host.stdin_read(1, 11), Ok(vec![]));
            assert_eq!(host.stdin_read(u64::MAX, u64::MAX), Ok(vec![]));
        }
    }

    #[test]
    fn a_missing_root_is_an_error() {
        let config = HostConfig::new(PathBuf::from("/nonexistent/directory"), 1000);
        assert!(RealHost::new(config).is_err());
    }
}
