//! homi's side of a run: starts the keeper, feeds and reads the streams, waits for the report.

use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::SandboxError;
use super::fence::{self, Step};
use super::keeper::{self, REPORT_ENDED, REPORT_FAILED, Report};
use super::kind::SandboxKind;
use super::left::{LeftFile, files_below};
use super::plan::{Job, Limits, Observation, Plan, RunEnvironment, Stream};
use super::scratch::Scratch;
use super::stream::{self, Input, Output};
use super::watch::TOUCHED;
use super::{filter, landlock};

/// Time after the time limit that the keeper may take before homi kills it.
const KEEPER_GRACE_PERIOD: Duration = Duration::from_secs(5);

/// Interval at which interrupts are checked.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(200);

/// End of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit(i32),
    /// The signal's number.
    Signal(i32),
    Timeout,
}

/// Result of one run.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub ending: Ending,
    pub seconds: f64,
    /// At most `Limits::output` bytes each.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Content of the pipe for reports.
    pub reports: String,
    /// The first thing that the program did outside of its private directory, such as `reads
    /// /etc/passwd`, if that was observed.
    pub touched: Option<String>,
    /// The files that it left, if they were read and are not too many.
    pub left: Option<Vec<LeftFile>>,
}

/// A fence that programs can be run in, one after the other.
pub struct Sandbox {
    kind: SandboxKind,
    /// Set from outside (Ctrl-C): the current run ends at once.
    interrupt: Arc<AtomicBool>,
    scratch: Scratch,
    filters: Vec<Vec<libc::sock_filter>>,
}

impl Sandbox {
    /// Prepares a fence of that kind; `probe` tells whether it works here.
    pub fn new(kind: SandboxKind) -> Result<Sandbox, SandboxError> {
        let filters = filter::filters(kind).map_err(|text| SandboxError::Io {
            what: "cannot compile the system call filter".into(),
            source: std::io::Error::other(text),
        })?;
        Ok(Sandbox {
            kind,
            interrupt: Arc::default(),
            scratch: Scratch::new(kind)?,
            filters,
        })
    }

    /// Makes runs end with `SandboxError::Interrupted` once the flag is set.
    pub fn interrupt_with(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }

    pub fn kind(&self) -> SandboxKind {
        self.kind
    }

    /// The private directory's path, as programs see it.
    pub fn work(&self) -> PathBuf {
        self.scratch.work()
    }

    /// Directory of homi's files that programs can read, but not list or write.
    pub fn shared(&self) -> &Path {
        self.scratch.root()
    }

    /// A new directory in `shared` that a program can write to when its job says so.
    pub fn new_writable(&self, name: &str) -> Result<PathBuf, SandboxError> {
        self.scratch.new_directory(name)
    }

    /// Sets the fence up around nothing.
    pub fn probe(&self) -> Result<(), SandboxError> {
        let limits = Limits::default();
        self.start(None, &limits).map(|_| ())
    }

    /// Runs the program to its end or its limits.
    pub fn run(&self, job: &Job) -> Result<Outcome, SandboxError> {
        self.start(Some(job), &job.limits)
    }

    fn start(&self, job: Option<&Job>, limits: &Limits) -> Result<Outcome, SandboxError> {
        self.scratch.new_work()?;
        let plain = Stream::Plain;
        let input = Input::new(job.map_or(&plain, |job| &job.stdin))?;
        let stdout = Output::new(job.map_or(&plain, |job| &job.stdout), limits.output)?;
        let stderr = Output::new(&plain, limits.output)?;
        let (status_read, status_write) = stream::pipe("status pipe")?;
        let observation = job.map_or_else(Observation::default, |job| job.observation);
        let reports = if observation.accesses || job.is_some_and(|job| job.reports) {
            Some(stream::pipe("pipe for reports")?)
        } else {
            None
        };
        let hold = if observation.files {
            Some(stream::pipe("pipe that holds the files")?)
        } else {
            None
        };
        let landlock = match self.kind {
            SandboxKind::Landlock => {
                let mut writable = vec![self.scratch.work()];
                writable.extend(job.and_then(|job| job.writable.clone()));
                Some(landlock::ruleset(&writable)?)
            }
            _ => None,
        };
        let number =
            |descriptor: &Option<OwnedFd>| descriptor.as_ref().map_or(-1, AsRawFd::as_raw_fd);
        let around = RunEnvironment {
            kind: self.kind,
            stdio: [
                input.program_end.as_raw_fd(),
                number(&stdout.program_end),
                number(&stderr.program_end),
            ],
            status: status_write.as_raw_fd(),
            reports: reports.as_ref().map_or(-1, |pipe| pipe.1.as_raw_fd()),
            hold: hold.as_ref().map_or(-1, |pipe| pipe.0.as_raw_fd()),
            landlock: number(&landlock),
            filters: self.filters.clone(),
            work: self.scratch.work(),
            devices: self.scratch.devices(),
            device_nodes: self.scratch.device_nodes.clone(),
        };
        let plan = Plan::new(job, limits, around);
        let started = Instant::now();
        let pid = keeper::raw_fork(fence::clone_flags(self.kind));
        if pid == 0 {
            keeper::keep(&plan);
        }
        if pid < 0 {
            let source = std::io::Error::last_os_error();
            let step = "new namespaces or processes";
            return Err(SandboxError::SetUp { step, source });
        }
        let mut keeper = Keeper { pid, done: false };
        drop(status_write);
        let reports = reports.map(|(read, _)| read);
        let hold = hold.map(|(_, write)| write);
        let Input { program_end, held } = input;
        drop(program_end);
        let mut outputs = [stdout, stderr];
        for output in &mut outputs {
            output.program_end = None;
        }
        let deadline = started + limits.timeout + KEEPER_GRACE_PERIOD;
        let report = read_all(status_read, &mut outputs, deadline, &self.interrupt)?;
        let seconds = started.elapsed().as_secs_f64();
        keeper.done = report.is_some();
        let left = hold.as_ref().and_then(|_| self.files_left(keeper.pid));
        drop((hold, keeper, held));
        let report = report.ok_or(SandboxError::KeeperDied)?;
        let [stdout, stderr] = outputs.map(Output::finish);
        let reports = reports.map_or_else(String::new, read_reports);
        let touched = reports.lines().find_map(|line| line.strip_prefix(TOUCHED));
        Ok(Outcome {
            ending: ending(report, job)?,
            seconds,
            stdout,
            stderr,
            touched: touched.map(str::to_string),
            left,
            reports,
        })
    }

    /// Returns the files in the private directory, which with namespaces only the keeper sees.
    fn files_left(&self, keeper: libc::pid_t) -> Option<Vec<LeftFile>> {
        let work = self.scratch.work();
        if !self.kind.has_namespaces() {
            return files_below(&work);
        }
        let inside = work.strip_prefix("/").unwrap_or(&work);
        files_below(&Path::new(&format!("/proc/{keeper}/root")).join(inside))
    }
}

/// The keeper's process; waited for when dropped.
struct Keeper {
    pid: libc::pid_t,
    /// The keeper has reported and ends by itself, after it has ended the rest.
    done: bool,
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if !self.done {
            // SAFETY: our own child, not waited for yet, so the number is still its own.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
        }
        let mut status = 0;
        // SAFETY: writes one int; our own child.
        while unsafe { libc::waitpid(self.pid, &mut status, 0) } < 0
            && fence::errno() == libc::EINTR
        {}
    }
}

/// Reads the outputs and the keeper's report. None: it died, or did not answer in time.
fn read_all(
    status: OwnedFd,
    outputs: &mut [Output; 2],
    mut deadline: Instant,
    interrupt: &AtomicBool,
) -> Result<Option<Report>, SandboxError> {
    let mut status = Some(File::from(status));
    let mut report = None;
    loop {
        let mut polled = Vec::new();
        let sources = outputs.iter().map(Output::open_source);
        let all = status.as_ref().map(AsFd::as_fd).into_iter();
        let all = [all.clone().next()].into_iter().chain(sources);
        let mut indices = Vec::new();
        for (index, descriptor) in all.enumerate() {
            if let Some(descriptor) = descriptor {
                polled.push(PollFd::new(descriptor, PollFlags::POLLIN));
                indices.push(index);
            }
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if polled.is_empty() || left.is_zero() {
            return Ok(report);
        }
        if interrupt.load(Ordering::Relaxed) {
            return Err(SandboxError::Interrupted);
        }
        // A signal may come just before poll, which then would not notice.
        let wait = (left + Duration::from_millis(1)).min(INTERRUPT_INTERVAL);
        let wait = PollTimeout::try_from(wait).unwrap_or(PollTimeout::MAX);
        match poll(&mut polled, wait) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(SandboxError::io("poll")(error.into())),
        }
        let ready = polled.iter().map(|fd| fd.any().unwrap_or(false));
        let ready: Vec<usize> = indices
            .iter()
            .zip(ready)
            .filter(|(_, r)| *r)
            .map(|(p, _)| *p)
            .collect();
        for index in ready {
            if index > 0 {
                outputs[index - 1].read_some();
                continue;
            }
            if let Some(mut pipe) = status.take() {
                report = read_report(&mut pipe);
                if report.is_none() {
                    return Ok(None);
                }
                // Everything is about to be closed; a process that fled must not hold us up.
                deadline = deadline.min(Instant::now() + Duration::from_millis(500));
            }
        }
    }
}

/// Reads the pipe without waiting for its end: some process may still hold it open.
fn read_reports(pipe: OwnedFd) -> String {
    let mut bytes = vec![0; 4096];
    let mut length = 0;
    // SAFETY: a descriptor of our own and flags.
    let waits = unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) } < 0;
    let mut pipe = File::from(pipe);
    while let Some(room) = bytes
        .get_mut(length..)
        .filter(|room| !waits && !room.is_empty())
    {
        match pipe.read(room) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    bytes.truncate(length);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn read_report(pipe: &mut File) -> Option<Report> {
    let mut bytes = [0; size_of::<Report>()];
    pipe.read_exact(&mut bytes).ok()?;
    let word = |i: usize| u32::from_ne_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
    Some(Report {
        what: word(0),
        detail: word(4),
        value: word(8) as i32,
    })
}

fn ending(report: Report, job: Option<&Job>) -> Result<Ending, SandboxError> {
    if report.what == REPORT_FAILED {
        let source = std::io::Error::from_raw_os_error(report.value);
        return Err(match (Step::from_number(report.detail), job) {
            (Some((Step::Exec, _)), Some(job)) => SandboxError::Start {
                exe: job.exe.display().to_string(),
                source,
            },
            (step, _) => SandboxError::SetUp {
                step: step.map_or("unknown step", |(_, text)| text),
                source,
            },
        });
    }
    let status = report.value;
    Ok(if report.what != REPORT_ENDED {
        return Err(SandboxError::KeeperDied);
    } else if report.detail != 0 {
        Ending::Timeout
    } else if libc::WIFSIGNALED(status) {
        Ending::Signal(libc::WTERMSIG(status))
    } else {
        Ending::Exit(libc::WEXITSTATUS(status))
    })
}
