//! The fence itself, as the two forked processes put it up: namespaces and mounts in the keeper;
//! files, limits, user, Landlock and the call filter in the program's process just before exec.
//!
//! System calls only: see the invariant in `mod.rs`.

use std::ffi::CStr;

use nix::mount::{MsFlags, mount};

use super::filter::OWN_PROCESS;
use super::kind::SandboxKind;
use super::plan::{Plan, PlannedFile, PlannedNode, REPORT_DESCRIPTOR};

/// The steps that can fail, for the message.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Fork,
    IdMaps,
    PrivateMounts,
    MountWork,
    MountWritable,
    MountDevices,
    ReadOnly,
    Writable,
    Descriptors,
    Directory,
    Files,
    Limits,
    User,
    Privileges,
    Landlock,
    Filter,
    Exec,
}

impl Step {
    const ALL: [(Step, &'static str); 17] = [
        (Step::Fork, "a new process"),
        (Step::IdMaps, "mapping the user into a new namespace"),
        (Step::PrivateMounts, "making the mounts private"),
        (Step::MountWork, "mounting the private directory"),
        (
            Step::MountWritable,
            "mounting the directory for gcov's counts",
        ),
        (Step::MountDevices, "mounting a private /dev"),
        (Step::ReadOnly, "making the file system read only"),
        (Step::Writable, "making the private directory writable"),
        (Step::Descriptors, "passing the standard streams"),
        (Step::Directory, "entering the private directory"),
        (Step::Files, "writing the test's files"),
        (Step::Limits, "setting resource limits"),
        (Step::User, "becoming an unprivileged user"),
        (Step::Privileges, "giving up privileges"),
        (Step::Landlock, "restricting with Landlock"),
        (Step::Filter, "installing the system call filter"),
        (Step::Exec, "starting the program"),
    ];

    /// The step with that number and its text.
    pub fn from_number(number: u32) -> Option<(Step, &'static str)> {
        Step::ALL
            .into_iter()
            .find(|(step, _)| *step as u32 == number)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Failure {
    pub step: Step,
    pub errno: i32,
}

type Done = Result<(), Failure>;

/// The error number of the last system call that failed.
pub(super) fn errno() -> i32 {
    // SAFETY: the location is always valid and thread-local.
    unsafe { *libc::__errno_location() }
}

/// The result of a raw call: -1 is a failure with errno.
fn raw(step: Step, result: impl Into<i64>) -> Done {
    if result.into() == -1 {
        let errno = errno();
        return Err(Failure { step, errno });
    }
    Ok(())
}

fn nix_result(step: Step, result: nix::Result<()>) -> Done {
    result.map_err(|error| Failure {
        step,
        errno: error as i32,
    })
}

/// The flags of the keeper's clone.
pub(super) fn clone_flags(kind: SandboxKind) -> libc::c_int {
    let spaces = libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS;
    match kind {
        SandboxKind::RootNamespaces => spaces,
        SandboxKind::UserNamespaces => spaces | libc::CLONE_NEWUSER,
        SandboxKind::Landlock | SandboxKind::None => 0,
    }
}

/// The keeper's part of the fence.
pub(super) fn around_keeper(plan: &Plan) -> Done {
    if plan.kind == SandboxKind::UserNamespaces {
        write_file(Step::IdMaps, c"/proc/self/setgroups", b"deny")?;
        write_file(
            Step::IdMaps,
            c"/proc/self/uid_map",
            plan.maps.user.to_bytes(),
        )?;
        write_file(
            Step::IdMaps,
            c"/proc/self/gid_map",
            plan.maps.group.to_bytes(),
        )?;
    }
    if plan.kind.has_namespaces() {
        mount_everything(plan)?;
    }
    if plan.kind.has_namespaces() && plan.observation.is_elsewhere {
        let name = c"elsewhere";
        // SAFETY: a text and its length; the name is the namespace's own. Without it, it is the
        // host's, and homi does not see that the program prints it.
        unsafe { libc::sethostname(name.as_ptr(), name.count_bytes()) };
    }
    Ok(())
}

const NOTHING: Option<&CStr> = None;

fn mount_everything(plan: &Plan) -> Done {
    let bind = |step, from: &CStr, to: &CStr, more| {
        nix_result(
            step,
            mount(Some(from), to, NOTHING, MsFlags::MS_BIND | more, NOTHING),
        )
    };
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    let mounted = mount(NOTHING, c"/", NOTHING, private, NOTHING);
    nix_result(Step::PrivateMounts, mounted)?;
    let mounts = &plan.mounts;
    let careful = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let options = Some(mounts.work_options.as_c_str());
    let mounted = mount(
        Some(c"tmpfs"),
        mounts.work.as_c_str(),
        Some(c"tmpfs"),
        careful,
        options,
    );
    nix_result(Step::MountWork, mounted)?;
    if let Some(writable) = &mounts.writable {
        bind(Step::MountWritable, writable, writable, MsFlags::empty())?;
    }
    for (device, file) in &mounts.device_nodes {
        bind(Step::MountDevices, device, file, MsFlags::empty())?;
    }
    bind(
        Step::MountDevices,
        &mounts.devices,
        c"/dev",
        MsFlags::MS_REC,
    )?;
    // In a container parts of /proc may be hidden, and then a new one is refused. The old one does
    // no harm when read only.
    let _ = mount(
        Some(c"proc"),
        c"/proc",
        Some(c"proc"),
        careful | MsFlags::MS_NOEXEC,
        NOTHING,
    );
    let read_only = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID;
    set_mount(Step::ReadOnly, c"/", libc::AT_RECURSIVE, read_only, 0)?;
    let clear = libc::MOUNT_ATTR_RDONLY;
    set_mount(Step::Writable, &mounts.work, 0, 0, clear)?;
    if let Some(writable) = &mounts.writable {
        set_mount(Step::Writable, writable, 0, 0, clear)?;
    }
    Ok(())
}

fn set_mount(step: Step, path: &CStr, flags: libc::c_int, set: u64, clear: u64) -> Done {
    // SAFETY: all fields are integers for which zero is valid.
    let mut attributes: libc::mount_attr = unsafe { std::mem::zeroed() };
    attributes.attr_set = set;
    attributes.attr_clr = clear;
    // SAFETY: the path is a C string and the size is the structure's size.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    raw(step, result)
}

fn write_file(step: Step, path: &CStr, bytes: &[u8]) -> Done {
    // SAFETY: a C string and flags.
    let file = unsafe { libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC) };
    raw(step, file)?;
    write_all(step, file, bytes)
}

/// Writes all bytes to a file and closes it.
fn write_all(step: Step, file: libc::c_int, mut bytes: &[u8]) -> Done {
    while !bytes.is_empty() {
        // SAFETY: the slice is valid for its length.
        let written = unsafe { libc::write(file, bytes.as_ptr().cast(), bytes.len()) };
        raw(step, written as i64)?;
        bytes = bytes.get(written as usize..).unwrap_or_default();
    }
    // SAFETY: opened by the caller, not used afterwards.
    unsafe { libc::close(file) };
    Ok(())
}

/// Closes all descriptors of the keeper except its own pipes. Inherited descriptors would
/// keep the streams of other programs open.
pub(super) fn leave_descriptors(plan: &Plan) {
    let reports = if plan.observation.accesses {
        plan.reports
    } else {
        -1
    };
    let mut kept = [plan.status, plan.hold, reports];
    kept.sort_unstable();
    let mut first = 0;
    for descriptor in kept {
        let Ok(descriptor) = u32::try_from(descriptor) else {
            continue;
        };
        if first < descriptor {
            // SAFETY: this process has no other use for them.
            unsafe { libc::syscall(libc::SYS_close_range, first, descriptor - 1, 0) };
        }
        first = descriptor + 1;
    }
    // SAFETY: as above.
    unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) };
}

/// The program's part of the fence, up to exec.
pub(super) fn around_program(plan: &Plan) -> Done {
    // SAFETY: starts a session, so that the group can be killed and no terminal is shared.
    raw(Step::Privileges, unsafe { libc::setsid() })?;
    reset_signals();
    pass_descriptors(plan)?;
    // SAFETY: a C string.
    let entered = unsafe { libc::chdir(plan.mounts.work.as_ptr()) };
    raw(Step::Directory, entered)?;
    // SAFETY: no pointers.
    unsafe { libc::umask(0o022) };
    if plan.was_root && plan.kind.changes_user() {
        change_user(plan)?;
    }
    // Where no namespace ends with the keeper, a program that never ends would outlive a killed
    // homi. After the change of user, which forgets it. SAFETY: no pointers.
    let result = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    raw(Step::Privileges, result)?;
    for file in &plan.files {
        make_file(file)?;
    }
    for (resource, soft, hard) in &plan.limits {
        lower_limit(*resource, *soft, *hard)?;
    }
    // SAFETY: no pointers.
    let result = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    raw(Step::Privileges, result)?;
    if plan.kind == SandboxKind::None {
        return Ok(());
    }
    drop_capabilities()?;
    if plan.landlock >= 0 {
        // SAFETY: a ruleset's descriptor and no flags.
        let result = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, plan.landlock, 0) };
        raw(Step::Landlock, result)?;
    }
    install_filters(plan)
}

fn reset_signals() {
    for signal in 1..=64 {
        // SAFETY: the default action needs no handler; refused for some numbers, which is fine.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    // SAFETY: the set is initialized before use.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
    }
}

/// The three streams to 0, 1 and 2; everything else closes at exec.
fn pass_descriptors(plan: &Plan) -> Done {
    let mut high = [0; 3];
    for (slot, descriptor) in high.iter_mut().zip(plan.stdio) {
        // SAFETY: no pointers. Out of the way first: one of them may be 0, 1 or 2 itself.
        *slot = unsafe { libc::fcntl(descriptor, libc::F_DUPFD, 64) };
        raw(Step::Descriptors, *slot)?;
    }
    for (target, descriptor) in (0..).zip(high) {
        // SAFETY: no pointers.
        raw(Step::Descriptors, unsafe { libc::dup2(descriptor, target) })?;
    }
    // SAFETY: no pointers. Marks, rather than closes: the status pipe is needed up to exec.
    let result = unsafe {
        libc::syscall(libc::SYS_close_range, 3, u32::MAX, 4 /* CLOEXEC */)
    };
    raw(Step::Descriptors, result)?;
    if plan.is_reporting {
        // SAFETY: no pointers. The copy stays open at exec.
        let result = unsafe { libc::dup2(plan.reports, REPORT_DESCRIPTOR) };
        raw(Step::Descriptors, result)?;
    }
    Ok(())
}

fn change_user(plan: &Plan) -> Done {
    // Raw calls: libc's wrappers would signal other threads, which exist only in homi.
    // SAFETY: no pointers but a null one for an empty list.
    unsafe {
        raw(Step::User, libc::syscall(libc::SYS_setgroups, 0, 0))?;
        let group = plan.group;
        raw(
            Step::User,
            libc::syscall(libc::SYS_setresgid, group, group, group),
        )?;
        let user = plan.user;
        raw(
            Step::User,
            libc::syscall(libc::SYS_setresuid, user, user, user),
        )
    }
}

/// The header and the two halves of the capability sets, as capset(2) wants them.
fn drop_capabilities() -> Done {
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    let data = [0u32; 6];
    // SAFETY: the kernel reads two and six words.
    let result = unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), data.as_ptr()) };
    raw(Step::Privileges, result)
}

/// Never raises: a lower limit of the surroundings stays.
fn lower_limit(resource: libc::__rlimit_resource_t, soft: u64, hard: u64) -> Done {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: reads and writes one structure.
    unsafe {
        raw(Step::Limits, libc::getrlimit(resource, &mut limit))?;
        limit.rlim_max = limit.rlim_max.min(hard);
        limit.rlim_cur = limit.rlim_max.min(soft);
        raw(Step::Limits, libc::setrlimit(resource, &limit))
    }
}

fn make_file(file: &PlannedFile) -> Done {
    let step = Step::Files;
    for parent in &file.parents {
        // SAFETY: a C string. That it exists already is fine; else the next call fails.
        unsafe { libc::mkdir(parent.as_ptr(), 0o755) };
    }
    let path = file.path.as_ptr();
    // SAFETY: C strings.
    unsafe {
        match &file.node {
            PlannedNode::File(content) => {
                let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
                let descriptor = libc::open(path, flags, 0o600);
                raw(step, descriptor)?;
                write_all(step, descriptor, content)?;
            }
            PlannedNode::Directory => raw(step, libc::mkdir(path, 0o700))?,
            PlannedNode::Fifo => raw(step, libc::mkfifo(path, 0o600))?,
            PlannedNode::Link(target) => return raw(step, libc::symlink(target.as_ptr(), path)),
        }
        if let Some((access, modification)) = file.times {
            let time = |seconds| libc::timespec {
                tv_sec: seconds,
                tv_nsec: 0,
            };
            let times = [time(access), time(modification)];
            // A time that the file system cannot hold is not worth failing for.
            libc::utimensat(libc::AT_FDCWD, path, times.as_ptr(), 0);
        }
        raw(step, libc::chmod(path, file.mode & 0o777))
    }
}

/// Filters have some hundred instructions.
const LONGEST_FILTER: usize = 1024;

fn install_filters(plan: &Plan) -> Done {
    // SAFETY: no pointers.
    let own = unsafe { libc::getpid() } as u32;
    for filter in &plan.filters {
        let mut copy = [NO_INSTRUCTION; LONGEST_FILTER];
        let Some(space) = copy.get_mut(..filter.len()) else {
            let (step, errno) = (Step::Filter, libc::E2BIG);
            return Err(Failure { step, errno });
        };
        for (to, from) in space.iter_mut().zip(filter) {
            *to = *from;
            if to.k == OWN_PROCESS {
                to.k = own;
            }
        }
        let program = libc::sock_fprog {
            len: filter.len() as u16,
            filter: copy.as_mut_ptr(),
        };
        // SAFETY: the kernel copies `len` instructions, which `copy` holds.
        let result = unsafe {
            libc::prctl(
                libc::PR_SET_SECCOMP,
                libc::SECCOMP_MODE_FILTER,
                &raw const program,
            )
        };
        raw(Step::Filter, result)?;
    }
    Ok(())
}

const NO_INSTRUCTION: libc::sock_filter = libc::sock_filter {
    code: 0,
    jt: 0,
    jf: 0,
    k: 0,
};
