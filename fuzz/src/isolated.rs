//! One input in a child process that may crash, while the fuzzer goes on and sees what code the
//! child covered.
//!
//! libFuzzer counts edges in one section of the program's memory. Its pages are made shared before
//! the first fork, so the child counts where the parent looks.

use std::sync::Once;

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Returned,
    /// A panic of Rust code.
    Panicked,
    /// Processor time used up, in homi's own code.
    Hung,
    /// Any other end: a signal, an exit from below, time used up before [`on_own_time`].
    Died(i32),
}

const PANICKED: i32 = 71;
const FROM_BELOW: i32 = 72;
const HUNG: i32 = 73;

/// Processor seconds of one child: for LLVM's reader, and for all.
const READING_TIME: u64 = 3;
const TIME: u64 = 12;
/// Address space of one child, in bytes. `homi __lower` has more; here three fuzzers share a
/// machine.
const MEMORY: u64 = 4 << 30;

#[cfg(fuzzing)]
unsafe extern "C" {
    static __start___sancov_cntrs: u8;
    static __stop___sancov_cntrs: u8;
}

/// Makes the whole pages among libFuzzer's counters shared with children.
fn share_counters() {
    #[cfg(fuzzing)]
    // SAFETY: both symbols are addresses that the linker makes. The pages between them hold
    // counters only; they are replaced by shared pages of the same content before anybody else has
    // started.
    unsafe {
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let start = (&raw const __start___sancov_cntrs as usize).next_multiple_of(page);
        let end = &raw const __stop___sancov_cntrs as usize / page * page;
        if start >= end {
            return;
        }
        let content = std::slice::from_raw_parts(start as *const u8, end - start).to_vec();
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let at = libc::mmap(start as *mut _, content.len(), access, flags, -1, 0);
        assert_eq!(at as usize, start, "the counters' pages cannot be shared");
        std::ptr::copy_nonoverlapping(content.as_ptr(), start as *mut u8, content.len());
    }
}

/// What Rust says of an exception of C++ that reaches it: a crash of LLVM.
const FOREIGN: &str = "panic in a function that cannot unwind";

/// Runs `work` in a child process. Its messages are kept from the terminal unless `HOMI_FUZZ_SHOW`
/// is set.
pub fn run(work: impl FnOnce()) -> End {
    static ONCE: Once = Once::new();
    ONCE.call_once(share_counters);
    // SAFETY: the fuzzer's other threads hold no lock that the child needs; it leaves by `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork fails");
    if child == 0 {
        prepare_child();
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.to_string();
            eprintln!("{text}");
            // SAFETY: ends the process, nothing follows.
            unsafe {
                libc::_exit(if text.ends_with(FOREIGN) {
                    FROM_BELOW
                } else {
                    PANICKED
                })
            }
        }));
        work();
        // SAFETY: as above. No destructors, no flush of the parent's streams.
        unsafe { libc::_exit(0) }
    }
    let mut status = 0;
    // SAFETY: waits for our own child.
    while unsafe { libc::waitpid(child, &mut status, 0) } < 0 {}
    match (libc::WIFEXITED(status), libc::WIFSIGNALED(status)) {
        (true, _) if libc::WEXITSTATUS(status) == 0 => End::Returned,
        (true, _) if libc::WEXITSTATUS(status) == PANICKED => End::Panicked,
        (true, _) if libc::WEXITSTATUS(status) == HUNG => End::Hung,
        (_, true) => End::Died(libc::WTERMSIG(status)),
        _ => End::Died(0),
    }
}

fn limit(resource: libc::__rlimit_resource_t, value: u64) {
    let limit = libc::rlimit {
        rlim_cur: value,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: a plain system call on a live structure.
    unsafe { libc::setrlimit(resource, &limit) };
}

/// To be called in the child once LLVM has read its input: time that is used up from here on is
/// homi's.
pub fn on_own_time() {
    extern "C" fn give_up(_: libc::c_int) {
        // SAFETY: `_exit` may be called in a signal handler.
        unsafe { libc::_exit(HUNG) }
    }
    // SAFETY: the handler does nothing but leave.
    unsafe { libc::signal(libc::SIGXCPU, give_up as *const () as libc::sighandler_t) };
    limit(libc::RLIMIT_CPU, TIME);
}

/// The signals' default ends instead of libFuzzer's reports, limits, silence.
fn prepare_child() {
    let signals = [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGILL,
        libc::SIGFPE,
        libc::SIGABRT,
        libc::SIGXCPU,
        libc::SIGALRM,
        libc::SIGTERM,
        libc::SIGINT,
    ];
    // SAFETY: plain system calls of a child with one thread.
    unsafe {
        for signal in signals {
            libc::signal(signal, libc::SIG_DFL);
        }
        limit(libc::RLIMIT_CPU, READING_TIME);
        limit(libc::RLIMIT_AS, MEMORY);
        limit(libc::RLIMIT_CORE, 0);
        if std::env::var_os("HOMI_FUZZ_SHOW").is_none() {
            let null = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
            libc::dup2(null, 1);
            libc::dup2(null, 2);
        }
    }
}
