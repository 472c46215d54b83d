//! The engine's side of the SMT process.
//!
//! Invariant: a query never takes longer than twice its time limit (plus a second for starting):
//! after that the process is killed and the next query starts another one. A process that cannot
//! be started is reported in the first answer and not tried for ever: after three failures in a row
//! every query is answered with that error at once.
//!
//! Protocol, little-endian 32-bit words. Greeting: GREETING, memory limit in MiB. Query: number
//! of words that follow, time limit in ms, limit in the solver's units, number of bytes, encoding.
//! Reply: number of words that follow, status, units that it took, then one word per byte if
//! satisfiable.

use super::{GREETING, status};
use crate::backend::{Answer, Backend};
use crate::oracle::UnknownReason;
use crate::tuning::Tuning;
use homi_ir::util::installation;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

/// Z3 in a child process.
pub struct ChildBackend {
    executable: PathBuf,
    time_limit: Duration,
    unit_limit: u32,
    units: u32,
    memory_limit: u64,
    give_up: Option<Arc<AtomicBool>>,
    process: Option<Process>,
    starts: u64,
    failures: u32,
    failure: String,
    /// Failed starts in a row after which no more are tried.
    starts_tried: u32,
    /// Time between two looks at `give_up`.
    look_interval: Duration,
}

/// Reason why a reply did not come.
enum ChildFailure {
    Late,
    Exited,
    Failed(String),
}

impl ChildBackend {
    /// A back end that starts `executable __solver` when it is first asked. Limits are per query
    /// and in bytes.
    pub fn new(executable: &Path, time_limit: Duration, memory_limit: u64) -> ChildBackend {
        let tuning = Tuning::default();
        ChildBackend {
            executable: executable.to_path_buf(),
            time_limit,
            unit_limit: 0,
            units: 0,
            memory_limit,
            give_up: None,
            process: None,
            starts: 0,
            failures: 0,
            failure: String::new(),
            starts_tried: tuning.smt_starts,
            look_interval: Duration::from_millis(tuning.smt_look_interval),
        }
    }

    /// Uses these tuning constants instead of the defaults.
    pub fn tuned(mut self, tuning: &Tuning) -> ChildBackend {
        self.starts_tried = tuning.smt_starts;
        self.look_interval = Duration::from_millis(tuning.smt_look_interval);
        self
    }

    /// Queries that are under way when the flag is set are given up at once; later ones have
    /// their time.
    pub fn giving_up_on(mut self, flag: Option<Arc<AtomicBool>>) -> ChildBackend {
        self.give_up = flag;
        self
    }

    fn start(&mut self) -> Result<Process, String> {
        let describe = |error: std::io::Error| {
            format!(
                "cannot start {} __solver: {error}",
                self.executable.display()
            )
        };
        let mut child = installation::command(&self.executable)
            .arg("__solver")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(describe)?;
        self.starts += 1;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the solver process has no pipes".to_string());
        };
        let megabytes = (self.memory_limit >> 20).clamp(16, u64::from(u32::MAX)) as u32;
        let mut greeting = GREETING.to_le_bytes().to_vec();
        greeting.extend(megabytes.to_le_bytes());
        input.write_all(&greeting).map_err(describe)?;
        Ok(Process {
            child,
            input,
            output,
        })
    }

    fn ask(&mut self, words: &[u32], bytes: usize) -> Result<Vec<u32>, ChildFailure> {
        let time_limit = self.time_limit;
        let give_up = self.give_up.clone().filter(|flag| !is_set(flag));
        if self.process.is_none() {
            self.process = Some(self.start().map_err(ChildFailure::Failed)?);
        }
        let Some(process) = &mut self.process else {
            return Err(ChildFailure::Exited);
        };
        let milliseconds = time_limit.as_millis().clamp(1, u128::from(u32::MAX)) as u32;
        let mut message = Vec::with_capacity(words.len() * 4 + 16);
        let count = words.len() as u32 + 3;
        for word in [count, milliseconds, self.unit_limit, bytes as u32] {
            message.extend(word.to_le_bytes());
        }
        for word in words {
            message.extend(word.to_le_bytes());
        }
        process
            .input
            .write_all(&message)
            .map_err(|_| ChildFailure::Exited)?;
        let limits = ReadLimits {
            deadline: Instant::now() + time_limit * 2 + Duration::from_secs(1),
            give_up: give_up.as_deref(),
            look_interval: self.look_interval,
        };
        let count = read_words(&mut process.output, 1, limits)?[0] as usize;
        if count < 2 || count > bytes + 2 {
            return Err(ChildFailure::Exited);
        }
        read_words(&mut process.output, count, limits)
    }

    fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            // Both fail only if the process has ended already.
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}

fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed)
}

/// Limits of the wait for a reply.
#[derive(Clone, Copy)]
struct ReadLimits<'f> {
    deadline: Instant,
    give_up: Option<&'f AtomicBool>,
    /// Time between two looks at the flag.
    look_interval: Duration,
}

fn read_words(
    output: &mut ChildStdout,
    count: usize,
    limits: ReadLimits<'_>,
) -> Result<Vec<u32>, ChildFailure> {
    let mut buffer = vec![0; count * 4];
    let mut filled = 0;
    while filled < buffer.len() {
        let left = limits.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || limits.give_up.is_some_and(is_set) {
            return Err(ChildFailure::Late);
        }
        let wait = left.min(limits.look_interval).as_millis() as u64 + 1;
        let timeout = PollTimeout::try_from(wait).unwrap_or(PollTimeout::MAX);
        let mut descriptors = [PollFd::new(output.as_fd(), PollFlags::POLLIN)];
        match poll(&mut descriptors, timeout) {
            Ok(0) => continue,
            // A signal to this process (Ctrl-C) is not the solver's business.
            Err(nix::errno::Errno::EINTR) => continue,
            Err(error) => return Err(ChildFailure::Failed(error.to_string())),
            Ok(_) => {}
        }
        match output.read(&mut buffer[filled..]) {
            Ok(0) => return Err(ChildFailure::Exited),
            Ok(read) => filled += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return Err(ChildFailure::Exited),
        }
    }
    let words = buffer.chunks_exact(4);
    Ok(words
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect())
}

impl Backend for ChildBackend {
    fn solve(&mut self, words: &[u32], bytes: usize) -> Answer {
        if self.failures >= self.starts_tried {
            return Answer::Unknown(UnknownReason::BackendFailure(self.failure.clone()));
        }
        let unknown = Answer::Unknown;
        self.units = 0;
        match self.ask(words, bytes) {
            Ok(reply) => {
                self.failures = 0;
                self.units = reply[1];
                match reply[0] {
                    status::SAT if reply.len() == bytes + 2 => {
                        Answer::Sat(reply[2..].iter().map(|&word| word as u8).collect())
                    }
                    status::UNSAT => Answer::Unsat,
                    status::TIMEOUT => unknown(UnknownReason::Timeout),
                    status::MEMORY => unknown(UnknownReason::Memory),
                    status::INCOMPLETE => unknown(UnknownReason::Incomplete),
                    other => unknown(UnknownReason::BackendFailure(format!("status {other}"))),
                }
            }
            Err(ChildFailure::Late) => {
                self.kill();
                unknown(UnknownReason::Timeout)
            }
            Err(ChildFailure::Exited) => {
                let greeted = self.process.is_some();
                self.kill();
                // A process that dies over a query has run into its memory limit, as a rule.
                self.failures += 1;
                self.failure = format!("{} __solver died", self.executable.display());
                if greeted && self.failures < self.starts_tried {
                    unknown(UnknownReason::Memory)
                } else {
                    unknown(UnknownReason::BackendFailure(self.failure.clone()))
                }
            }
            Err(ChildFailure::Failed(why)) => {
                self.kill();
                self.failures += 1;
                self.failure.clone_from(&why);
                unknown(UnknownReason::BackendFailure(why))
            }
        }
    }

    fn set_limits(&mut self, time: Duration, units: u32) {
        self.time_limit = time;
        self.unit_limit = units;
    }

    fn units(&self) -> u32 {
        self.units
    }

    /// Ends the process: the next query starts a small one.
    fn trim(&mut self) {
        self.kill();
    }

    fn process(&self) -> Option<u32> {
        self.process.as_ref().map(|process| process.child.id())
    }

    fn starts(&self) -> u64 {
        self.starts
    }
}

impl Drop for ChildBackend {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(answer: Answer) -> String {
        match answer {
            Answer::Unknown(reason) => reason.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_missing_program_is_an_answer_and_not_tried_for_ever() {
        let missing = Path::new("/nonexistent/homi");
        let mut backend = ChildBackend::new(missing, Duration::from_secs(1), 1 << 28);
        for _ in 0..5 {
            let text = failure(backend.solve(&[0, 0, 0], 0));
            assert!(text.contains("/nonexistent/homi"), "{text}");
        }
        assert_eq!(backend.starts(), 0);
    }

    #[test]
    fn a_program_that_never_answers_is_killed_in_time() {
        // `yes __solver` writes text without end: a count that is too large, hence no solver.
        let mut backend = ChildBackend::new(Path::new("yes"), Duration::from_millis(50), 1 << 28);
        let answer = backend.solve(&[0, 0, 0], 0);
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
        assert_eq!(backend.process(), None);
        assert_eq!(backend.starts(), 1);
    }
}
