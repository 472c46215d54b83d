//! System call filters for 32-bit programs, on processors that run them in addition to 64-bit ones.
//!
//! Such a program uses i386's system call numbers, and the kernel gives a filter the architecture.
//! The compiled filters know one architecture and kill all others, so a part for i386 precedes
//! them. Numbers: Linux, arch/x86/entry/syscalls/syscall_32.tbl.

use libc::sock_filter;

/// Calls that one filter refuses.
pub(super) struct Refused {
    /// Always.
    calls: &'static [u32],
    /// A call, and the bits of its first argument with which it is refused.
    with_bits: Option<(u32, u32)>,
    errno: i32,
}

const CLONE: u32 = 120;

/// Calls that could leave the fence, as for native programs.
pub(super) const ESCAPES: Refused = Refused {
    calls: &[
        21, 22, 52, 217, 428, 429, 430, 431, 432, 433, 442, // mounts
        61, 310, 346, // chroot, unshare, setns
        26, 347, 348, 434, 438, // other processes
        336, 357, 374, 425, 426, // perf events, bpf, userfaultfd, io_uring
        286, 287, 288, // keys
        342, 87, 115, 131, // open_by_handle_at, swapping, quotas
        88, 128, 129, 283, 350, // reboot, kernels, modules
        25, 79, 124, 264, 343, 404, 405, // clocks
        51, 74, 121, // acct, names of the host
        113, 166, // virtual 8086 mode
    ],
    with_bits: Some((CLONE, libc::CLONE_NEWUSER as u32)),
    errno: libc::EPERM,
};

/// `socketcall`, `socket`, `socketpair`.
pub(super) const SOCKETS: Refused = Refused {
    calls: &[102, 359, 360],
    with_bits: None,
    errno: libc::EAFNOSUPPORT,
};

/// `clone3`, whose flags are in memory.
pub(super) const MISSING: Refused = Refused {
    calls: &[435],
    with_bits: None,
    errno: libc::ENOSYS,
};

/// The kernel's name for i386.
const ARCHITECTURE: u32 = 0x4000_0003;

/// Offsets in `struct seccomp_data` of the call's number, the architecture, and the low half of the
/// first argument.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
const FIRST_ARGUMENT_AT: u32 = 16;

/// A filter that does so for i386, and what it did for all else.
pub(super) fn with(filter: &[sock_filter], refused: &Refused) -> Vec<sock_filter> {
    let part = part(refused);
    let mut whole = vec![
        load(ARCHITECTURE_AT),
        jump(libc::BPF_JEQ, ARCHITECTURE, 1, 0),
        // Conditional jumps go 255 instructions far.
        instruction(libc::BPF_JMP | libc::BPF_JA, part.len() as u32, 0, 0),
    ];
    whole.extend(part);
    whole.extend_from_slice(filter);
    whole
}

fn part(refused: &Refused) -> Vec<sock_filter> {
    let no = answer(libc::SECCOMP_RET_ERRNO | refused.errno as u32);
    let mut part = vec![load(NUMBER_AT)];
    for call in refused.calls {
        part.extend([jump(libc::BPF_JEQ, *call, 0, 1), no]);
    }
    if let Some((call, bits)) = refused.with_bits {
        part.extend([
            jump(libc::BPF_JEQ, call, 0, 3),
            load(FIRST_ARGUMENT_AT),
            jump(libc::BPF_JSET, bits, 0, 1),
            no,
        ]);
    }
    part.push(answer(libc::SECCOMP_RET_ALLOW));
    part
}

fn load(at: u32) -> sock_filter {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, at, 0, 0)
}

fn jump(test: u32, value: u32, if_so: u8, if_not: u8) -> sock_filter {
    let code = libc::BPF_JMP | test | libc::BPF_K;
    instruction(code, value, if_so, if_not)
}

fn answer(value: u32) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, value, 0, 0)
}

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    }
}
