//! System calls that a replayed program may not make, as seccomp filters.
//!
//! Tables, one per answer. The first two apply in every fence: what could leave it, and sockets
//! (the network namespace does not cover sockets in the file system). The last applies with
//! Landlock only, whose access rules know files' contents but not their attributes, other processes
//! or truncation on older kernels.

use std::collections::BTreeMap;

use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

use super::kind::SandboxKind;
use super::narrow;

/// Stands in a compiled filter where the program's own process id will be.
pub(super) const OWN_PROCESS: u32 = 0x7a3d_51c9;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// System calls that are refused with EPERM everywhere.
pub(super) const ESCAPES: &[i64] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_mount_setattr,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_open_by_handle_at,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_acct,
];

/// Refused with EAFNOSUPPORT everywhere, as the modeled kernel does.
pub(super) const SOCKETS: &[i64] = &[libc::SYS_socket, libc::SYS_socketpair];

/// Refused with EPERM where Landlock is the fence.
const ATTRIBUTES: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_truncate,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_pidfd_send_signal,
    libc::SYS_process_madvise,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setaffinity,
    libc::SYS_ioprio_set,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// The older names of calls above, which only some processors have.
#[cfg(target_arch = "x86_64")]
const OLDER_ATTRIBUTES: &[i64] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER_ATTRIBUTES: &[i64] = &[];

/// Calls that send a signal to the process given first.
pub(super) const SIGNALS: &[i64] = &[
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
];

/// The compiled filters of a kind; all are installed, the strictest answer wins.
pub(super) fn filters(kind: SandboxKind) -> Result<Vec<Vec<libc::sock_filter>>, String> {
    if kind == SandboxKind::None {
        return Ok(Vec::new());
    }
    let mut escapes = always(ESCAPES);
    let new_user = libc::CLONE_NEWUSER as u64;
    escapes.insert(libc::SYS_clone, vec![flags(0, new_user, new_user)?]);
    if kind == SandboxKind::Landlock {
        escapes.extend(always(ATTRIBUTES));
        escapes.extend(always(OLDER_ATTRIBUTES));
        for call in SIGNALS {
            escapes.insert(*call, vec![others_process()?]);
        }
        // Limits of other processes.
        let others = vec![compare(0, SeccompCmpOp::Ne, 0)?];
        escapes.insert(libc::SYS_prlimit64, vec![rule(others)?]);
        // Truncation through a read-only open, which old Landlock does not see.
        let bits = (libc::O_TRUNC | libc::O_ACCMODE) as u64;
        let wanted = libc::O_TRUNC as u64;
        escapes.insert(libc::SYS_openat, vec![flags(2, bits, wanted)?]);
        #[cfg(target_arch = "x86_64")]
        escapes.insert(libc::SYS_open, vec![flags(1, bits, wanted)?]);
    }
    // Their flags are in memory; libc falls back to the older calls.
    let mut missing = always(&[libc::SYS_clone3]);
    if kind == SandboxKind::Landlock {
        missing.extend(always(&[libc::SYS_openat2]));
    }
    let filters = vec![
        (compile(escapes, libc::EPERM)?, narrow::ESCAPES),
        (
            compile(always(SOCKETS), libc::EAFNOSUPPORT)?,
            narrow::SOCKETS,
        ),
        (compile(missing, libc::ENOSYS)?, narrow::MISSING),
    ];
    // Landlock leaves some calls to the filters, and those rules exist for the machine's native
    // programs only.
    let admits_narrow = cfg!(target_arch = "x86_64") && kind.has_namespaces();
    let filters = filters.into_iter().map(|(filter, of_32_bits)| {
        if admits_narrow {
            narrow::with(&filter, &of_32_bits)
        } else {
            filter
        }
    });
    Ok(filters.collect())
}

fn always(calls: &[i64]) -> Rules {
    calls.iter().map(|call| (*call, Vec::new())).collect()
}

fn compare(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompCondition, String> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
        .map_err(|error| error.to_string())
}

fn rule(conditions: Vec<SeccompCondition>) -> Result<SeccompRule, String> {
    SeccompRule::new(conditions).map_err(|error| error.to_string())
}

/// The argument's bits under `mask` equal `value`.
fn flags(argument: u8, mask: u64, value: u64) -> Result<SeccompRule, String> {
    rule(vec![compare(
        argument,
        SeccompCmpOp::MaskedEq(mask),
        value,
    )?])
}

/// The first argument is neither this process nor 0, its own group.
fn others_process() -> Result<SeccompRule, String> {
    rule(vec![
        compare(0, SeccompCmpOp::Ne, u64::from(OWN_PROCESS))?,
        compare(0, SeccompCmpOp::Ne, 0)?,
    ])
}

fn compile(rules: Rules, errno: i32) -> Result<Vec<libc::sock_filter>, String> {
    let architecture: TargetArch = std::env::consts::ARCH
        .try_into()
        .map_err(|_| "system call filters are not supported on this processor".to_string())?;
    let answer = SeccompAction::Errno(errno as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, answer, architecture)
        .map_err(|error| error.to_string())?;
    let program: seccompiler::BpfProgram = filter
        .try_into()
        .map_err(|error: seccompiler::BackendError| error.to_string())?;
    let instructions = program.into_iter().map(|instruction| libc::sock_filter {
        code: instruction.code,
        jt: instruction.jt,
        jf: instruction.jf,
        k: instruction.k,
    });
    Ok(instructions.collect())
}
