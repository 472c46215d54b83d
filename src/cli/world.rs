//! The world of a run: the host as `env` shows it, with warnings going to the run's log.

use crate::env::HostWorld;
use crate::exec::{Errno, STAT_BYTES, World};
use crate::report::SharedLog;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Answers come from the host world.
pub(super) struct RunWorld<'r> {
    host: HostWorld,
    log: &'r SharedLog,
}

impl<'r> RunWorld<'r> {
    pub(super) fn new(host: HostWorld, log: &'r SharedLog) -> Self {
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
            self.log.lock().warning(&text);
        }
    }

    fn warning(&mut self, text: &str) {
        self.log.lock().warning(text);
    }

    fn warning_once(&mut self, key: &str, text: &str) {
        self.log.lock().warning_once(key, text);
    }
}

/// The world of one thread of a run: all threads see the same, one call at a time.
pub(super) struct SharedWorld<'r, 'w> {
    world: &'w Mutex<RunWorld<'r>>,
}

impl<'r, 'w> SharedWorld<'r, 'w> {
    pub(super) fn new(world: &'w Mutex<RunWorld<'r>>) -> Self {
        Self { world }
    }

    fn world(&self) -> MutexGuard<'_, RunWorld<'r>> {
        // A call that panicked has at most printed a part of its output.
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World for SharedWorld<'_, '_> {
    fn host_stat(&mut self, path: &[u8], follow: bool) -> Result<[u8; STAT_BYTES], Errno> {
        self.world().host_stat(path, follow)
    }

    fn host_read(&mut self, path: &[u8], length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.world().host_read(path, length, offset)
    }

    fn host_readlink(&mut self, path: &[u8]) -> Result<Vec<u8>, Errno> {
        self.world().host_readlink(path)
    }

    fn host_readdir(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, Errno> {
        self.world().host_readdir(path, index)
    }

    fn host_getcwd(&mut self) -> Result<Vec<u8>, Errno> {
        self.world().host_getcwd()
    }

    fn stdin_read(&mut self, length: u64, offset: u64) -> Result<Vec<u8>, Errno> {
        self.world().stdin_read(length, offset)
    }

    fn stdin_is_file(&mut self) -> bool {
        self.world().stdin_is_file()
    }

    fn host_id(&mut self, which: u32) -> u32 {
        self.world().host_id(which)
    }

    fn clock_ns(&mut self) -> u64 {
        self.world().clock_ns()
    }

    fn output(&mut self, stream: u32, bytes: &[u8]) {
        self.world().output(stream, bytes);
    }

    fn warning(&mut self, text: &str) {
        self.world().warning(text);
    }

    fn warning_once(&mut self, key: &str, text: &str) {
        self.world().warning_once(key, text);
    }
}
