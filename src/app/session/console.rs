//! Routes the program's output to its sinks, and warnings to the run's log.
//!
//! Invariant: all threads of a run share the sinks and the log, one call at a time.

use homi_machine::exec::Console;
use homi_machine::host::Sink;
use homi_report::SharedLog;
use std::sync::{Mutex, PoisonError};

/// The program's standard output and standard error.
pub(super) struct Outputs {
    pub(super) stdout: Sink,
    pub(super) stderr: Sink,
}

/// The console of one thread of a run.
#[derive(Clone, Copy)]
pub(super) struct RunConsole<'r> {
    outputs: &'r Mutex<Outputs>,
    log: &'r SharedLog,
}

impl<'r> RunConsole<'r> {
    pub(super) fn new(outputs: &'r Mutex<Outputs>, log: &'r SharedLog) -> Self {
        Self { outputs, log }
    }
}

impl Console for RunConsole<'_> {
    fn output(&mut self, stream: u32, bytes: &[u8]) {
        // A call that panicked has at most printed a part of its output.
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        let sink = match stream {
            2 => &mut outputs.stderr,
            _ => &mut outputs.stdout,
        };
        if let Some(text) = sink.write(bytes) {
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
