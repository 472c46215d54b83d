//! The world of a run: the host behind the states, with output and warnings going where the user wants.

use crate::exec::{Errno, STAT_BYTES, World};
use crate::report::Log;
use std::cell::RefCell;
use std::fs::File;
use std::io::Write;

/// Where the program's own output goes.
pub enum ProgramOutput {
    /// To homi's standard output and error.
    Terminal,
    /// To these files; one that fails is given up after one warning.
    Files {
        stdout: Option<File>,
        stderr: Option<File>,
    },
}

/// Answers about the host come from `host`; the rest is the run's.
pub struct RunWorld<'r> {
    host: Box<dyn World>,
    output: ProgramOutput,
    log: &'r RefCell<Log>,
}

impl<'r> RunWorld<'r> {
    pub fn new(host: Box<dyn World>, output: ProgramOutput, log: &'r RefCell<Log>) -> Self {
        Self { host, output, log }
    }

    fn to_file(file: &mut Option<File>, bytes: &[u8], log: &RefCell<Log>) {
        if let Some(open) = file
            && let Err(error) = open.write_all(bytes)
        {
            let text = format!("the program's output cannot be kept: {error}");
            log.borrow_mut().warning(&text);
            *file = None;
        }
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
        match (&mut self.output, stream) {
            // A terminal that is gone is no reason to stop.
            (ProgramOutput::Terminal, 2) => {
                self.log.borrow_mut().status.clear();
                let _ = std::io::stderr().write_all(bytes);
            }
            (ProgramOutput::Terminal, _) => {
                self.log.borrow_mut().status.clear();
                let mut stdout = std::io::stdout().lock();
                let _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
            }
            (ProgramOutput::Files { stderr, .. }, 2) => Self::to_file(stderr, bytes, self.log),
            (ProgramOutput::Files { stdout, .. }, _) => Self::to_file(stdout, bytes, self.log),
        }
    }

    fn warning(&mut self, text: &str) {
        self.log.borrow_mut().warning(text);
    }

    fn warning_once(&mut self, key: &str, text: &str) {
        self.log.borrow_mut().warning_once(key, text);
    }
}
