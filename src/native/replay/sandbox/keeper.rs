//! The process between homi and the program: with namespaces it is their process 1. It sets up the
//! fence, starts the program, waits for it with the time limit, and kills the remaining processes.
//!
//! Runs after a raw fork of a possibly threaded process: system calls only, no allocation, no
//! panic.

use std::ffi::CStr;

use super::fence::{self, Failure, Step, errno};
use super::plan::Plan;
use super::watch::{self, Watch};

/// The one report of a keeper.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Report {
    /// `REPORT_FAILED`, `REPORT_ENDED` or another of these constants.
    pub what: u32,
    /// The failed step's number, or 1 if the time was up.
    pub detail: u32,
    /// errno, or the program's wait status.
    pub value: i32,
}

pub(super) const REPORT_FAILED: u32 = 1;
pub(super) const REPORT_ENDED: u32 = 2;

/// Time that the program has to write its counts after the warning signal.
const GRACE_MILLISECONDS: i64 = 1_000;
/// Time that a killed process may take to disappear before the keeper stops waiting.
const KILL_MILLISECONDS: i64 = 2_000;

/// The raw call: libc's `fork` would run handlers that take locks.
pub(super) fn raw_fork(flags: libc::c_int) -> libc::pid_t {
    let flags = libc::c_long::from(flags | libc::SIGCHLD);
    // SAFETY: without CLONE_VM and with a null stack this is fork: the child has its own copy of
    // everything and runs only code that needs no lock and no allocation.
    unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) as libc::pid_t }
}

/// Forks; the child has the number `process` unless it is 0 or the kernel refuses.
fn fork_as(process: libc::pid_t) -> libc::pid_t {
    if process != 0 {
        // SAFETY: zeros are the defaults of all fields.
        let mut arguments: libc::clone_args = unsafe { std::mem::zeroed() };
        arguments.exit_signal = libc::SIGCHLD as u64;
        arguments.set_tid = (&raw const process) as u64;
        arguments.set_tid_size = 1;
        let size = size_of::<libc::clone_args>();
        // SAFETY: a fork like `raw_fork`; the kernel reads the arguments and the number, which
        // outlive the call.
        let forked = unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size) };
        if forked >= 0 {
            return forked as libc::pid_t;
        }
    }
    raw_fork(0)
}

fn exit(status: i32) -> ! {
    // SAFETY: ends the process without running any handler.
    unsafe { libc::_exit(status) }
}

fn report(plan: &Plan, report: Report) {
    let bytes = (&raw const report).cast();
    // SAFETY: `report` is valid for its size; the descriptor is the status pipe's.
    unsafe { libc::write(plan.status, bytes, size_of::<Report>()) };
}

fn fail(plan: &Plan, failure: Failure) -> ! {
    report(
        plan,
        Report {
            what: REPORT_FAILED,
            detail: failure.step as u32,
            value: failure.errno,
        },
    );
    exit(1)
}

fn milliseconds_now() -> i64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: writes one timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
}

/// Ends the process if a panic, which would be a bug, unwinds towards homi's own frames: their
/// destructors (temporary directories!) belong to homi's process alone.
struct NeverUnwind;

impl Drop for NeverUnwind {
    fn drop(&mut self) {
        exit(70)
    }
}

/// The keeper's whole life.
pub(super) fn keep(plan: &Plan) -> ! {
    let _guard = NeverUnwind;
    // SAFETY: plain system calls on this process; the set is initialized before use.
    let child_ended = unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGCHLD);
        libc::sigprocmask(libc::SIG_SETMASK, &set, std::ptr::null_mut());
        // An ignored SIGCHLD would lose the program's status.
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        set
    };
    if let Err(failure) = fence::around_keeper(plan) {
        fail(plan, failure);
    }
    let program = fork_as(plan.process);
    if program < 0 {
        let errno = errno();
        let step = Step::Fork;
        fail(plan, Failure { step, errno });
    }
    if program == 0 {
        start_program(plan);
    }
    fence::leave_descriptors(plan);
    wait(plan, program, &child_ended)
}

fn wait(plan: &Plan, program: libc::pid_t, child_ended: &libc::sigset_t) -> ! {
    // With namespaces -1 is all processes inside, else the program's own group.
    let everyone = if plan.kind.has_namespaces() {
        -1
    } else {
        -program
    };
    let mut deadline = milliseconds_now() + plan.timeout.as_millis() as i64;
    let mut watch = Watch::new();
    let mut phase = 0;
    loop {
        let mut status = 0;
        // SAFETY: writes one int.
        let pid = unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG | libc::__WALL) };
        if pid > 0 && libc::WIFSTOPPED(status) {
            watch.stopped(plan, pid, status);
            continue;
        }
        if pid == program {
            report(
                plan,
                Report {
                    what: REPORT_ENDED,
                    detail: u32::from(phase > 0),
                    value: status,
                },
            );
            break;
        }
        if pid > 0 {
            continue;
        }
        let left = deadline - milliseconds_now();
        if left <= 0 {
            phase += 1;
            let (signal, patience) = match (phase, plan.warning_signal) {
                (1, Some(signal)) => (signal, GRACE_MILLISECONDS),
                (1 | 2, _) => (libc::SIGKILL, KILL_MILLISECONDS),
                _ => break, // not even killed; homi gives up on it as well
            };
            if signal == libc::SIGKILL {
                phase = 2;
            }
            // SAFETY: see `everyone`; the keeper itself is not among them.
            unsafe { libc::kill(everyone, signal) };
            deadline = milliseconds_now() + patience;
            continue;
        }
        let left = libc::timespec {
            tv_sec: left / 1_000,
            tv_nsec: left % 1_000 * 1_000_000,
        };
        // SAFETY: waits for a blocked signal; both pointers are valid.
        unsafe { libc::sigtimedwait(child_ended, std::ptr::null_mut(), &left) };
    }
    // With namespaces the kernel kills what is left when process 1 ends.
    if !plan.kind.has_namespaces() || plan.hold >= 0 {
        // SAFETY: see `everyone`.
        unsafe { libc::kill(everyone, libc::SIGKILL) };
    }
    if plan.hold >= 0 {
        let mut byte = 0u8;
        // SAFETY: reads up to one byte into one; returns when homi closes its end.
        unsafe { libc::read(plan.hold, (&raw mut byte).cast(), 1) };
    }
    exit(0)
}

/// In the program's process: the inner fence, then exec.
fn start_program(plan: &Plan) -> ! {
    if plan.observation.accesses {
        // The filters refuse the call later.
        watch::let_watch();
    }
    if let Err(failure) = fence::around_program(plan) {
        fail(plan, failure);
    }
    let Some(exe) = &plan.exe else {
        exit(0);
    };
    let exe: &CStr = exe;
    // SAFETY: both arrays end with a null pointer and point to strings that the plan owns.
    unsafe { libc::execve(exe.as_ptr(), plan.argv.as_ptr(), plan.environment.as_ptr()) };
    let errno = errno();
    let step = Step::Exec;
    fail(plan, Failure { step, errno })
}
