//! Environment of execution outside a state: the host that it reads, and the receiver of its
//! output. `env` implements the first for runs, `session` the second.
//!
//! Invariant: the host is only read, and every answer is a function of its arguments (and of the
//! host's files, which are fixed for the run), never of time or of which state asks first.

use super::console::{Console, KeptConsole};

/// A negative answer: the Linux errno value (positive number here).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Errno(pub i32);

/// The bytes of an x86-64 `struct stat`.
pub const STAT_BYTES: usize = 144;

/// Host as programs read it. The threads of a run share one.
pub trait Host: Sync {
    /// The kernel's `struct stat` of a host path (absolute, normalized).
    fn stat(&self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno>;
    /// Up to `length` bytes of a host file from `offset`; empty at its end.
    fn read(&self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno>;
    /// The target of a symbolic link.
    fn readlink(&self, path: &[u8]) -> Result<Vec<u8>, Errno>;
    /// Entry `index` of a directory by sorted name with `.` and `..`, as a `struct linux_dirent64`;
    /// `None` after the last.
    fn readdir(&self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno>;
    /// The directory the program starts in, without a NUL.
    fn getcwd(&self) -> Result<Vec<u8>, Errno>;
    /// Concrete standard input, as `pread`.
    fn stdin_read(&self, length: u64, offset: u64) -> Result<Vec<u8>, Errno>;
    /// Returns the kind of the standard input, without reading any of it.
    fn stdin_kind(&self) -> InputKind;
    /// User and group: 0 uid, 1 euid, 2 gid, 3 egid.
    fn id(&self, which: u32) -> u32;
    /// Nanoseconds since 1970 on the deterministic clock.
    fn clock_ns(&self) -> u64;
}

/// Kind of the standard input. `homi/engine.h` defines the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// `/dev/null`.
    Null = 0,
    /// A file, which has a size.
    File = 1,
    /// A stream, which may deliver input at any time or never.
    Stream = 2,
}

/// The outside of all states, for one call of the executor.
pub struct World<'w> {
    /// Host that programs read.
    pub host: &'w dyn Host,
    /// Receiver of output and warnings.
    pub console: &'w mut dyn Console,
}

/// A host without files; for tests and programs without libc.
#[derive(Default, Debug)]
pub struct EmptyHost {
    /// Standard input: a file with these bytes; without any, no input.
    pub stdin: Vec<u8>,
}

const ENOENT: Errno = Errno(2);

impl Host for EmptyHost {
    fn stat(&self, _: &[u8], _: bool) -> Result<[u8; STAT_BYTES], Errno> {
        Err(ENOENT)
    }

    fn read(&self, _: &[u8], _: u64, _: u64) -> Result<Vec<u8>, Errno> {
        Err(ENOENT)
    }

    fn readlink(&self, _: &[u8]) -> Result<Vec<u8>, Errno> {
        Err(ENOENT)
    }

    fn readdir(&self, _: &[u8], _: u64) -> Result<Option<Vec<u8>>, Errno> {
        Err(ENOENT)
    }

    fn getcwd(&self) -> Result<Vec<u8>, Errno> {
        Ok(b"/".to_vec())
    }

    fn stdin_read(&self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        let start = (offset as usize).min(self.stdin.len());
        let end = start.saturating_add(length as usize).min(self.stdin.len());
        Ok(self.stdin[start..end].to_vec())
    }

    fn stdin_kind(&self) -> InputKind {
        if self.stdin.is_empty() {
            InputKind::Null
        } else {
            InputKind::File
        }
    }

    fn id(&self, _: u32) -> u32 {
        1000
    }

    fn clock_ns(&self) -> u64 {
        1_600_000_000_000_000_000
    }
}

/// A world with an empty host that keeps what the program prints; for tests and programs without
/// libc.
#[derive(Default, Debug)]
pub struct EmptyWorld {
    /// Host that is read.
    pub host: EmptyHost,
    /// Printed output.
    pub console: KeptConsole,
}

impl EmptyWorld {
    /// The two, for a call of the executor.
    pub fn view(&mut self) -> World<'_> {
        World {
            host: &self.host,
            console: &mut self.console,
        }
    }
}
