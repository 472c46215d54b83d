//! The keeper's view of a program's system calls: the first one that reaches out of the private
//! directory is reported.
//!
//! System calls only, no allocation: see the invariant in `mod.rs`. A call that cannot be judged
//! counts as one that reaches out.

use super::filter::{ESCAPES, SIGNALS, SOCKETS};
use super::plan::Plan;
use super::watched_calls::{Access, OTHERS_MEMORY, PATH_CALLS, PathCall};
use super::watched_path::{Path, is_harmless, is_readable, read_text};

/// Beginning of the line about an access outside.
pub(super) const TOUCHED: &str = "touched: ";

/// Processes and threads that are followed.
const MOST_PROCESSES: usize = 256;

/// `op` of a call that begins.
const ENTRY: u8 = 1;
/// The architecture of calls with 64-bit numbers.
const X86_64: u32 = 0xc000_003e;

/// `struct ptrace_syscall_info` of a call that begins.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Call {
    op: u8,
    padding: [u8; 3],
    architecture: u32,
    instruction: u64,
    stack: u64,
    number: u64,
    arguments: [u64; 6],
}

/// State of the observation.
pub(super) struct Watch {
    processes: [libc::pid_t; MOST_PROCESSES],
    count: usize,
    has_told: bool,
}

/// Lets the keeper see this process's calls from its exec on.
pub(super) fn let_watch() {
    // SAFETY: no pointers. Without it, the keeper sees nothing, which `Watch::stopped` would have
    // begun with; nothing is reported then, and `Outcome::touched` cannot tell.
    if unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) } < 0 {
        // SAFETY: ends the process without running any handler.
        unsafe { libc::_exit(126) };
    }
}

impl Watch {
    pub(super) fn new() -> Self {
        Self {
            processes: [0; MOST_PROCESSES],
            count: 0,
            has_told: false,
        }
    }

    /// Looks at a stopped process and lets it go on.
    pub(super) fn stopped(&mut self, plan: &Plan, pid: libc::pid_t, status: libc::c_int) {
        let signal = libc::WSTOPSIG(status);
        let mut delivered = 0;
        if self.count == 0 {
            set_options(pid);
            self.add(plan, pid);
        } else if signal == libc::SIGTRAP | 0x80 {
            self.call(plan, pid);
        } else if status >> 16 != 0 {
            // A new process, or an exec: it reports itself.
        } else if !self.knows(pid as u64) {
            self.add(plan, pid);
            delivered = if signal == libc::SIGSTOP { 0 } else { signal };
        } else if !is_group_stop(pid) {
            delivered = signal;
        }
        // SAFETY: no pointers; a process that was killed meanwhile is gone.
        unsafe { libc::ptrace(libc::PTRACE_SYSCALL, pid, 0, delivered as libc::c_long) };
    }

    fn knows(&self, pid: u64) -> bool {
        self.processes[..self.count]
            .iter()
            .any(|known| *known as u64 == pid)
    }

    fn add(&mut self, plan: &Plan, pid: libc::pid_t) {
        match self.processes.get_mut(self.count) {
            Some(slot) => {
                *slot = pid;
                self.count += 1;
            }
            None => self.tell(plan, b"starts too many processes", b""),
        }
    }

    /// Judges a call that begins.
    fn call(&mut self, plan: &Plan, pid: libc::pid_t) {
        let mut call = Call::default();
        let size = size_of::<Call>();
        // SAFETY: the kernel writes at most `size` bytes into the structure.
        let read = unsafe { libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, pid, size, &raw mut call) };
        if self.has_told || read > 0 && call.op != ENTRY {
            return;
        }
        if read <= 0 || call.architecture != X86_64 {
            return self.tell(plan, b"makes calls that homi cannot judge", b"");
        }
        let number = call.number as i64;
        if SOCKETS.contains(&number) {
            self.tell(plan, b"opens a socket", b"");
        } else if ESCAPES.contains(&number) {
            self.tell(plan, b"asks for rights over the machine", b"");
        } else if OTHERS_MEMORY.contains(&number) {
            self.tell(plan, b"uses memory that processes share by a number", b"");
        } else if SIGNALS.contains(&number) && !self.knows(call.arguments[0] & 0xffff_ffff) {
            self.tell(plan, b"signals another process", b"");
        }
        for one in PATH_CALLS.iter().filter(|one| one.number == number) {
            self.path(plan, pid, one, &call.arguments);
        }
    }

    /// Judges the path of a call.
    fn path(&mut self, plan: &Plan, pid: libc::pid_t, one: &PathCall, arguments: &[u64; 6]) {
        let mut text = [0; Path::MOST];
        let Some(path) = read_text(pid, arguments[one.path], &mut text) else {
            return;
        };
        if path.is_empty() {
            return;
        }
        let is_change = match one.access {
            Access::Read => false,
            Access::Change => true,
            Access::Open(flags) => opens_to_write(arguments[flags]),
            Access::OpenHow(how) => {
                let mut flags = [0; 8];
                let read = read_text(pid, arguments[how], &mut flags).is_some();
                !read || opens_to_write(u64::from_ne_bytes(flags))
            }
            Access::Target => {
                if path[0] == b'/' || path.windows(2).any(|two| two == b"..") {
                    self.tell(plan, b"links to ", path);
                }
                return;
            }
        };
        let directory = one.directory.map(|argument| arguments[argument]);
        let mut whole = Path::new();
        if !whole.resolve(pid, directory, path) {
            return self.tell(plan, b"uses a path that homi cannot follow: ", path);
        }
        let whole = whole.bytes();
        if is_below(whole, plan.mounts.work.to_bytes()) || is_harmless(whole) {
            return;
        }
        if is_change {
            self.tell(plan, b"changes ", whole);
        } else if !is_readable(whole) && !is_own(plan, whole) {
            self.tell(plan, b"reads ", whole);
        }
    }

    /// Writes the line, once.
    fn tell(&mut self, plan: &Plan, what: &[u8], path: &[u8]) {
        if std::mem::replace(&mut self.has_told, true) {
            return;
        }
        for bytes in [TOUCHED.as_bytes(), what, path, b"\n"] {
            // SAFETY: the slice is valid for its length. A pipe has room for some pages.
            unsafe { libc::write(plan.reports, bytes.as_ptr().cast(), bytes.len()) };
        }
    }
}

fn set_options(pid: libc::pid_t) {
    let options = libc::PTRACE_O_TRACESYSGOOD
        | libc::PTRACE_O_TRACEFORK
        | libc::PTRACE_O_TRACEVFORK
        | libc::PTRACE_O_TRACECLONE
        | libc::PTRACE_O_TRACEEXEC
        | libc::PTRACE_O_EXITKILL;
    // SAFETY: no pointers.
    unsafe { libc::ptrace(libc::PTRACE_SETOPTIONS, pid, 0, options as libc::c_long) };
}

/// True if a process is stopped as a whole, and not to get a signal.
fn is_group_stop(pid: libc::pid_t) -> bool {
    // SAFETY: an all-zero structure, which the kernel fills.
    unsafe {
        let mut information: libc::siginfo_t = std::mem::zeroed();
        libc::ptrace(libc::PTRACE_GETSIGINFO, pid, 0, &raw mut information) < 0
    }
}

fn opens_to_write(flags: u64) -> bool {
    let access = flags & libc::O_ACCMODE as u64;
    access != libc::O_RDONLY as u64 || flags & (libc::O_CREAT | libc::O_TRUNC) as u64 != 0
}

/// True if a path is a directory or below it.
fn is_below(path: &[u8], directory: &[u8]) -> bool {
    let rest = path.strip_prefix(directory);
    rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

/// True if a path is the program, or in its directory: it finds its libraries there.
fn is_own(plan: &Plan, path: &[u8]) -> bool {
    let exe = plan.exe.as_ref().map_or(&b""[..], |exe| exe.to_bytes());
    let end = exe.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    let is_system_directory = end <= 1;
    !is_system_directory && is_below(path, &exe[..end])
}
