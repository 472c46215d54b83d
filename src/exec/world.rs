//! What execution needs from outside a state. `env` implements it for runs, tests for themselves.
//!
//! Invariant: the host is only read, and every answer is a function of its arguments (and of the
//! host's files, which are taken as fixed for the run), never of time or of which state asks first.

/// A negative answer: the Linux errno value (positive number here).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Errno(pub i32);

/// The bytes of an x86-64 `struct stat`.
pub const STAT_BYTES: usize = 144;

/// The outside of all states.
pub trait World {
    /// The kernel's `struct stat` of a host path (absolute, normalised).
    fn host_stat(&mut self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno>;
    /// Up to `length` bytes of a host file from `offset`; empty at its end.
    fn host_read(&mut self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno>;
    /// The target of a symbolic link.
    fn host_readlink(&mut self, path: &[u8]) -> Result<Vec<u8>, Errno>;
    /// Entry `index` of a directory by sorted name with `.` and `..`, as a `struct linux_dirent64`;
    /// `None` after the last.
    fn host_readdir(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno>;
    /// The directory the program starts in, without a NUL.
    fn host_getcwd(&mut self) -> Result<Vec<u8>, Errno>;
    /// Concrete standard input, as `pread`.
    fn stdin_read(&mut self, length: u64, offset: u64) -> Result<Vec<u8>, Errno>;
    /// Whether standard input is a file, which has a size, and no stream.
    fn stdin_is_file(&mut self) -> bool;
    /// 0 uid, 1 euid, 2 gid, 3 egid.
    fn host_id(&mut self, which: u32) -> u32;
    /// Nanoseconds since 1970 on the deterministic clock.
    fn clock_ns(&mut self) -> u64;
    /// Bytes the program wrote to standard output (1) or standard error (2).
    fn output(&mut self, stream: u32, bytes: &[u8]);
    /// A warning to the user.
    fn warning(&mut self, text: &str);
    /// A warning shown once per `key`.
    fn warning_once(&mut self, key: &str, text: &str);
}

/// A world with an empty host that keeps what the program prints; for tests and programs without
/// libc.
#[derive(Default, Debug)]
pub struct EmptyWorld {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub stdin: Vec<u8>,
    pub warnings: Vec<String>,
}

const ENOENT: Errno = Errno(2);

impl World for EmptyWorld {
    fn host_stat(&mut self, _: &[u8], _: bool) -> Result<[u8; STAT_BYTES], Errno> {
        Err(ENOENT)
    }

    fn host_read(&mut self, _: &[u8], _: u64, _: u64) -> Result<Vec<u8>, Errno> {
        Err(ENOENT)
    }

    fn host_readlink(&mut self, _: &[u8]) -> Result<Vec<u8>, Errno> {
        Err(ENOENT)
    }

    fn host_readdir(&mut self, _: &[u8], _: u64) -> Result<Option<Vec<u8>>, Errno> {
        Err(ENOENT)
    }

    fn host_getcwd(&mut self) -> Result<Vec<u8>, Errno> {
        Ok(b"/".to_vec())
    }

    fn stdin_read(&mut self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        let start = (offset as usize).min(self.stdin.len());
        let end = start.saturating_add(length as usize).min(self.stdin.len());
        Ok(self.stdin[start..end].to_vec())
    }

    fn stdin_is_file(&mut self) -> bool {
        !self.stdin.is_empty()
    }

    fn host_id(&mut self, _: u32) -> u32 {
        1000
    }

    fn clock_ns(&mut self) -> u64 {
        1_600_000_000_000_000_000
    }

    fn output(&mut self, stream: u32, bytes: &[u8]) {
        if stream == 2 {
            self.stderr.extend_from_slice(bytes);
        } else {
            self.stdout.extend_from_slice(bytes);
        }
    }

    fn warning(&mut self, text: &str) {
        self.warnings.push(text.to_string());
    }

    fn warning_once(&mut self, key: &str, text: &str) {
        let line = format!("{key}: {text}");
        if !self.warnings.contains(&line) {
            self.warnings.push(line);
        }
    }
}
