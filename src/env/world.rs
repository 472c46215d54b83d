//! The `World` of a real run.
//!
//! Invariant: an answer depends on the configuration and the host's files alone. The clock stands
//! still; a program that measures time sees none pass.

use super::host::{HostView, read_file_at};
use super::sink::Sink;
use crate::exec::{Errno, STAT_BYTES, World};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

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
    /// homi's own standard input. A terminal counts as no input: nobody types at a program that is
    /// run symbolically.
    pub fn inherited() -> Self {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            return Self::Bytes(Vec::new());
        }
        if let Ok(own) = stdin.as_fd().try_clone_to_owned() {
            let mut file = File::from(own);
            if file.metadata().is_ok_and(|found| found.is_file()) {
                let start = file.stream_position().unwrap_or(0);
                return Self::File(file, start);
            }
        }
        Self::Reader(Box::new(stdin))
    }
}

/// What a world is made of.
pub struct WorldConfig {
    /// The host directory that programs see, and in which they start.
    pub root: PathBuf,
    pub stdin: StandardInput,
    pub stdout: Sink,
    pub stderr: Sink,
    /// uid, euid, gid, egid.
    pub ids: [u32; 4],
    /// Nanoseconds since 1970.
    pub clock_ns: u64,
}

impl WorldConfig {
    /// A view of `root` with the user's ids, no input, no output, and the clock at 2023-11-14
    /// 22:13:20 UTC.
    pub fn new(root: PathBuf) -> Self {
        use nix::unistd;
        Self {
            root,
            stdin: StandardInput::Bytes(Vec::new()),
            stdout: Sink::none(),
            stderr: Sink::none(),
            ids: [
                unistd::getuid().as_raw(),
                unistd::geteuid().as_raw(),
                unistd::getgid().as_raw(),
                unistd::getegid().as_raw(),
            ],
            clock_ns: 1_700_000_000_000_000_000,
        }
    }
}

/// The outside of all states of a run.
pub struct HostWorld {
    host: HostView,
    stdin: StandardInput,
    /// What has been read from a reader.
    stdin_bytes: Vec<u8>,
    stdin_ended: bool,
    stdout: Sink,
    stderr: Sink,
    ids: [u32; 4],
    clock_ns: u64,
    warnings: Vec<String>,
    warned: BTreeSet<String>,
}

impl HostWorld {
    /// Fails if the root is no directory that can be read.
    pub fn new(config: WorldConfig) -> io::Result<Self> {
        Ok(Self {
            host: HostView::new(&config.root)?,
            stdin: config.stdin,
            stdin_bytes: Vec::new(),
            stdin_ended: false,
            stdout: config.stdout,
            stderr: config.stderr,
            ids: config.ids,
            clock_ns: config.clock_ns,
            warnings: Vec::new(),
            warned: BTreeSet::new(),
        })
    }

    pub fn host(&self) -> &HostView {
        &self.host
    }

    /// The warnings since the last call, in order.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Reads from the reader until `end` bytes are there or it ends.
    fn fill_stdin(&mut self, end: u64) -> Result<(), Errno> {
        let StandardInput::Reader(reader) = &mut self.stdin else {
            return Ok(());
        };
        let mut buffer = [0; 1 << 16];
        while !self.stdin_ended && (self.stdin_bytes.len() as u64) < end {
            match reader.read(&mut buffer) {
                Ok(0) => self.stdin_ended = true,
                Ok(count) => self.stdin_bytes.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Errno(nix::libc::EIO)),
            }
        }
        Ok(())
    }
}

impl World for HostWorld {
    fn host_stat(&mut self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno> {
        self.host.stat(path, follow)
    }

    fn host_read(&mut self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.host.read(path, length, offset)
    }

    fn host_readlink(&mut self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        self.host.readlink(path)
    }

    fn host_readdir(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno> {
        self.host.readdir(path, index)
    }

    fn host_getcwd(&mut self) -> Result<Vec<u8>, Errno> {
        Ok(self.host.root().as_os_str().as_bytes().to_vec())
    }

    fn stdin_read(&mut self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.fill_stdin(offset.saturating_add(length))?;
        let bytes = match &self.stdin {
            StandardInput::File(file, start) => {
                return read_file_at(file, length, start.saturating_add(offset));
            }
            StandardInput::Bytes(bytes) => bytes,
            StandardInput::Reader(_) => &self.stdin_bytes,
        };
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes[place(offset)..place(offset.saturating_add(length))].to_vec())
    }

    fn stdin_is_file(&mut self) -> bool {
        match &self.stdin {
            StandardInput::Bytes(bytes) => !bytes.is_empty(),
            StandardInput::File(..) => true,
            StandardInput::Reader(_) => false,
        }
    }

    fn host_id(&mut self, which: u32) -> u32 {
        self.ids.get(which as usize).copied().unwrap_or(0)
    }

    fn clock_ns(&mut self) -> u64 {
        self.clock_ns
    }

    fn output(&mut self, stream: u32, bytes: &[u8]) {
        let sink = match stream {
            2 => &mut self.stderr,
            _ => &mut self.stdout,
        };
        if let Some(text) = sink.write(bytes) {
            self.warnings.push(text);
        }
    }

    fn warning(&mut self, text: &str) {
        self.warnings.push(text.to_string());
    }

    fn warning_once(&mut self, key: &str, text: &str) {
        if self.warned.insert(key.to_string()) {
            self.warnings.push(text.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn world(stdin: StandardInput) -> (tempfile::TempDir, HostWorld) {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = WorldConfig::new(directory.path().to_path_buf());
        config.stdin = stdin;
        let world = HostWorld::new(config).expect("a world");
        (directory, world)
    }

    #[test]
    fn standard_input_can_be_read_at_any_offset_and_again() {
        let text = b"hello world".to_vec();
        let reader = Box::new(io::Cursor::new(text.clone()));
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(b"skip hello world").expect("written");
        let inputs = [
            (StandardInput::Bytes(text), true),
            (StandardInput::Reader(reader), false),
            (StandardInput::File(file, 5), true),
        ];
        for (stdin, is_file) in inputs {
            let (_keep, mut world) = world(stdin);
            assert_eq!(world.stdin_is_file(), is_file);
            assert_eq!(world.stdin_read(5, 6), Ok(b"world".to_vec()));
            assert_eq!(world.stdin_read(100, 0), Ok(b"hello world".to_vec()));
            assert_eq!(world.stdin_read(1, 11), Ok(vec![]));
            assert_eq!(world.stdin_read(u64::MAX, u64::MAX), Ok(vec![]));
        }
    }

    #[test]
    fn warnings_once_come_once() {
        let (_keep, mut world) = world(StandardInput::Bytes(Vec::new()));
        world.warning_once("a", "first");
        world.warning_once("a", "first");
        world.warning("second");
        assert_eq!(world.take_warnings(), ["first", "second"]);
        assert!(world.take_warnings().is_empty());
    }

    #[test]
    fn a_missing_root_is_an_error() {
        let config = WorldConfig::new(PathBuf::from("/nonexistent/directory"));
        assert!(HostWorld::new(config).is_err());
    }
}
