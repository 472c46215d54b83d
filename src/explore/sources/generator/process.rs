//! The command, and the threads that write to it and read from it.
//!
//! A run never waits for the command: requests that the command does not take are dropped, and its
//! responses stay in a queue until a run looks. A full queue makes the command wait.

use homi_report::SharedLog;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

/// Lines that wait in either direction.
const MOST_REQUESTS: usize = 8;
const MOST_RESPONSES: usize = 256;
/// Limit on a line in bytes; a longer line is an error of the command.
const LONGEST_LINE: u64 = 1 << 20;

/// Time that homi waits, `MOMENTS` times, for a command that is about to end.
const MOMENT: Duration = Duration::from_millis(10);
const MOMENTS: u32 = 20;

/// The command while it runs.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    requests: Option<SyncSender<String>>,
    responses: Receiver<String>,
    /// True if the process has ended, or can no longer be written to or read from.
    over: Arc<AtomicBool>,
}

impl Process {
    /// Starts a shell command in a separate process group, so that its children end with it.
    pub(super) fn start(command: &str) -> std::io::Result<Self> {
        let mut child = Command::new("/bin/sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let over = Arc::new(AtomicBool::new(false));
        let (requests, to_write) = sync_channel::<String>(MOST_REQUESTS);
        let (sender, responses) = sync_channel(MOST_RESPONSES);
        if let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) {
            let ended = Arc::clone(&over);
            std::thread::spawn(move || {
                for line in to_write {
                    // Rust ignores SIGPIPE: a command that has gone is an error here.
                    if input
                        .write_all(line.as_bytes())
                        .and_then(|()| input.flush())
                        .is_err()
                    {
                        ended.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            });
            let ended = Arc::clone(&over);
            std::thread::spawn(move || {
                read_lines(output, &sender);
                ended.store(true, Ordering::Relaxed);
            });
        }
        Ok(Self {
            child,
            requests: Some(requests),
            responses,
            over,
        })
    }

    /// Hands over a line; false if it has no room for it.
    pub(super) fn say(&self, line: String) -> bool {
        self.requests
            .as_ref()
            .is_some_and(|requests| requests.try_send(line).is_ok())
    }

    /// The next line that it said, after at most so long.
    pub(super) fn on_event(&self, wait: Duration) -> Option<String> {
        match self.responses.try_recv() {
            Ok(line) => Some(line),
            Err(TryRecvError::Empty) if !wait.is_zero() => self.responses.recv_timeout(wait).ok(),
            Err(_) => None,
        }
    }

    /// True if no further response can come.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Returns the command's exit status, if it has ended.
    pub(super) fn ended(&mut self) -> Option<std::process::ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Returns the command's exit status. A process closes its output a moment before it has a
    /// status, so this waits a little.
    pub(super) fn ended_soon(&mut self) -> Option<std::process::ExitStatus> {
        for _ in 0..MOMENTS {
            if let Some(status) = self.ended() {
                return Some(status);
            }
            std::thread::sleep(MOMENT);
        }
        None
    }
}

impl Process {
    /// Ends the command and its child processes.
    pub(super) fn end(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Ok(group) = i32::try_from(self.child.id()) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.requests = None;
        // A command that ends by itself at the end of its requests has a moment for it.
        self.ended_soon();
        self.end();
    }
}

fn read_lines(output: impl Read, sender: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        if sender.send(line).is_err() {
            return;
        }
    }
}

/// Warns of what a command does, each thing once.
pub(super) fn warn(log: &SharedLog, key: &str, text: &str) {
    let key = format!("ask: {key}");
    log.lock()
        .warning_once(&key, &format!("--input-generator: {text}"));
}
