//! Job as a separate process: its log, its limits, its end.
//!
//! Invariant: a job and its descendants are one process group. The group ends when homi ends, for
//! any reason, and when it reaches a limit: it gets a request to terminate first and is killed
//! later.

use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits of a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) time: Duration,
    /// Limit of the group's resident memory in bytes.
    pub(super) memory: u64,
}

/// Reason why homi ended a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    Time,
    Memory,
    /// The user stopped the study.
    Interrupt,
}

/// Result of a job's process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) cause: Option<Cause>,
    pub(super) wall: Duration,
    /// User and system time of the process and of the children that it waited for.
    pub(super) cpu: Duration,
}

/// Time that a job gets to write tests after the request to end.
const GRACE: Duration = Duration::from_secs(20);
/// Maximum interval between checks of a job; the first checks come sooner, because jobs may be
/// short.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
const SHORTEST_PAUSE: Duration = Duration::from_millis(5);

/// Runs a command to its end, with both output streams in the log.
pub(super) fn run(
    command: &mut Command,
    log: &Path,
    limits: Limits,
    interrupt: &AtomicBool,
) -> io::Result<Ended> {
    let output = File::options().create(true).append(true).open(log)?;
    command
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output)
        .process_group(0);
    let parent = nix::unistd::getpid();
    // SAFETY: only async-signal-safe calls are made between fork and exec; none allocates.
    unsafe {
        command.pre_exec(move || {
            nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
            if nix::unistd::getppid() == parent {
                Ok(())
            } else {
                // The parent died before the death signal was set.
                Err(io::ErrorKind::Interrupted.into())
            }
        });
    }
    let begin = Instant::now();
    let child = command.spawn()?;
    watch(child, begin, limits, interrupt)
}

fn watch(
    mut child: Child,
    begin: Instant,
    limits: Limits,
    interrupt: &AtomicBool,
) -> io::Result<Ended> {
    let group = Pid::from_raw(child.id() as i32);
    let mut cause = None;
    let mut asked: Option<Instant> = None;
    let mut pause = SHORTEST_PAUSE;
    while !is_over(group)? {
        if cause.is_none() {
            cause = exceeded(group, begin, limits, interrupt);
            match cause {
                None => {}
                Some(Cause::Time) => {
                    let _ = killpg(group, Signal::SIGTERM);
                    asked = Some(Instant::now());
                }
                Some(Cause::Memory | Cause::Interrupt) => kill(group),
            }
        }
        let lasts = asked.is_some_and(|asked| asked.elapsed() > GRACE);
        if lasts || (asked.is_some() && interrupt.load(Ordering::Relaxed)) {
            kill(group);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
    let wall = begin.elapsed();
    let cpu = cpu_time(group);
    // Processes that the job left behind must not continue.
    kill(group);
    Ok(Ended {
        status: child.wait()?,
        cause,
        wall,
        cpu,
    })
}

fn kill(group: Pid) {
    // The group may be gone.
    let _ = killpg(group, Signal::SIGKILL);
}

/// True if the process has ended; it remains waitable.
fn is_over(process: Pid) -> io::Result<bool> {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT | WaitPidFlag::WNOHANG;
    Ok(waitid(Id::Pid(process), flags)? != WaitStatus::StillAlive)
}

fn exceeded(group: Pid, begin: Instant, limits: Limits, interrupt: &AtomicBool) -> Option<Cause> {
    if interrupt.load(Ordering::Relaxed) {
        return Some(Cause::Interrupt);
    }
    if begin.elapsed() > limits.time {
        return Some(Cause::Time);
    }
    // The memory of the group is measured only for longer jobs, because it costs time.
    let is_short = begin.elapsed() < LONGEST_PAUSE;
    (!is_short && resident_of_group(group) > limits.memory).then_some(Cause::Memory)
}

/// Returns the fields of `/proc/PID/stat` after the name, which may contain blanks: state, parent,
/// group and so on.
fn fields(process: &str) -> Option<Vec<u64>> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(") ")?;
    Some(
        rest.split(' ')
            .map(|field| field.trim().parse().unwrap_or(0))
            .collect(),
    )
}

/// Returns the resident memory in bytes of all processes of a group.
fn resident_of_group(group: Pid) -> u64 {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let wanted = u64::from(group.as_raw().unsigned_abs());
    let of_group = processes
        .filter(|name| name.starts_with(|c: char| c.is_ascii_digit()))
        .filter(|name| fields(name).and_then(|fields| fields.get(2).copied()) == Some(wanted));
    of_group
        .map(|name| homi_ir::util::resident::resident_of(&name))
        .sum()
}

/// Returns user and system time from `/proc/PID/stat`, with the time of waited-for children.
fn cpu_time(process: Pid) -> Duration {
    let fields = fields(&process.to_string()).unwrap_or_default();
    let ticks: u64 = fields.iter().skip(11).take(4).sum();
    let a_second = nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK);
    let a_second = a_second
        .ok()
        .flatten()
        .and_then(|ticks| u32::try_from(ticks).ok());
    Duration::from_millis(1000 * ticks) / a_second.unwrap_or(100).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::util::waiting::{HANGS_AFTER, processes_with, wait_until};

    fn shell(script: &str, limits: Limits) -> (Ended, String) {
        let place = tempfile::tempdir().unwrap();
        let log = place.path().join("log");
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let ended = run(&mut command, &log, limits, &AtomicBool::new(false)).unwrap();
        (ended, std::fs::read_to_string(log).unwrap())
    }

    const LIMITS: Limits = Limits {
        time: HANGS_AFTER,
        memory: 1 << 30,
    };

    #[test]
    fn both_streams_are_in_the_log() {
        let (ended, log) = shell("echo out; echo err >&2; exit 3", LIMITS);
        assert_eq!((ended.status.code(), ended.cause), (Some(3), None));
        assert_eq!(log, "out\nerr\n");
    }

    #[test]
    fn time_ends_a_job_and_what_it_started() {
        // A value that no other process has on its command line.
        let child = format!("87654.{}", std::process::id());
        let script = format!("trap 'echo asked; exit 0' TERM; echo begun; sleep {child} & wait");
        // On a slow machine the job may not have started when the signal arrives.
        let mut times = (0..8).map(|doubled| Duration::from_millis(300 << doubled));
        let log = times.find_map(|time| {
            let (ended, log) = shell(&script, Limits { time, ..LIMITS });
            assert_eq!(ended.cause, Some(Cause::Time));
            wait_until("its child", || processes_with(&child) == 0);
            log.starts_with("begun").then_some(log)
        });
        assert_eq!(log.as_deref(), Some("begun\nasked\n"));
    }

    #[test]
    fn memory_ends_a_job() {
        let limits = Limits {
            memory: 100 << 20,
            ..LIMITS
        };
        let script = "exec python3 -c 'import time; x = bytearray(200 << 20); time.sleep(50)'";
        let (ended, _) = shell(script, limits);
        assert_eq!(ended.cause, Some(Cause::Memory));
    }

    #[test]
    fn cpu_time_is_counted() {
        let (ended, _) = shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done", LIMITS);
        assert!(ended.cpu >= Duration::from_millis(20), "{ended:?}");
    }
}
