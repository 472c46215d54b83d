//! The world of a run: the host as `env` shows it, with warnings going to the run's log.

use crate::env::HostWorld;
use crate::exec::{Errno, STAT_BYTES, World};
use crate::report::Log;
use std::cell::RefCell;

/// Answers come from the host world.
pub(super) struct RunWorld<'r> {
    host: HostWorld,
    log: &'r RefCell<Log>,
}

impl<'r> RunWorld<'r> {
    pub(super) fn new(host: HostWorld, log: &'r RefCell<Log>) -> Self {
        Self { host, log }
    }
}

impl World for RunWorld<'_> {
    fn host_stat(&mut self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno> {
        self.host.host_stat(path, follow)
    }

    fn host_read(&mut self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.host.host_read(path, length, offset)
    }

    fn host_readlink(&mut self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        self.host.host_readlink(path)
    }

    fn host_readdir(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno> {
        self.host.host_readdir(path, index)
    }

    fn host_getcwd(&mut self) -> Result<Vec<u8>, Errno> {
        self.host.host_getcwd()
    }

    fn stdin_read(&mut self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.host.stdin_read(length, offset)
    }

    fn stdin_is_file(&mut self) -> bool {
        self.host.stdin_is_file()
    }

    fn host_id(&mut self, which: u32) -> u32 {
        self.host.host_id(which)
    }

    fn clock_ns(&mut self) -> u64 {
        self.host.clock_ns()
    }

    fn output(&mut self, stream: u32, bytes: &[u8]) {
        self.host.output(stream, bytes);
        for text in self.host.take_warnings() {
            self.log.borrow_mut().warning(&text);
        }
    }

    fn warning(&mut self, text: &str) {
        self.log.borrow_mut().warning(text);
    }

    fn warning_once(&mut self, key: &str, text: &str) {
        self.log.borrow_mut().warning_once(key, text);
    }
}
