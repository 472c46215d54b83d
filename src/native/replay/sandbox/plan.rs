//! The program to run, first as the caller describes it (`Job`), then as the forked process needs
//! it (`Plan`): strings with their NULs, pointers in arrays, filters compiled, nothing left to
//! allocate.

use std::ffi::{CString, OsStr};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::kind::SandboxKind;

/// Descriptor of the pipe for reports, which the program's descriptors do not reach.
pub const REPORT_DESCRIPTOR: RawFd = 250;

/// Limits of the program.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Wall time; CPU time is limited to a second more.
    pub timeout: Duration,
    /// Address space of each process, in bytes.
    pub memory: u64,
    /// The largest file, in bytes.
    pub file_size: u64,
    /// All files of the private directory together, in bytes (namespaces only).
    pub disk: u64,
    /// Processes of the program's user.
    pub processes: u64,
    /// Number of bytes of each output stream that are kept.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            timeout: Duration::from_secs(5),
            memory: 4 << 30,
            file_size: 64 << 20,
            disk: 64 << 20,
            processes: 256,
            output: 1 << 20,
        }
    }
}

/// Kinds of standard streams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stream {
    /// /dev/null as input, a pipe that homi reads as output.
    #[default]
    Plain,
    /// A regular file with this content and these permission bits.
    File { content: Vec<u8>, mode: u32 },
    /// A pipe that holds the content and then ends.
    Pipe { content: Vec<u8> },
    /// A terminal; as input, one on which the content was typed and then end of file.
    Terminal { content: Vec<u8> },
}

/// Kinds of files in the private directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    File(Vec<u8>),
    Directory,
    Fifo,
    Link(Vec<u8>),
}

/// One file that is there when the program starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The file's path, relative to the private directory.
    pub path: Vec<u8>,
    pub node: Node,
    /// Permission bits.
    pub mode: u32,
    /// Seconds since 1970 of last access and modification, if they matter.
    pub times: Option<(i64, i64)>,
}

/// Parts of a run that homi observes or changes beyond its outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// The first access outside of the private directory is reported, as are signals to other
    /// processes and sockets.
    pub accesses: bool,
    /// The files that the program leaves in its private directory are read.
    pub files: bool,
    /// The program has another user and another name of the host, where namespaces allow that.
    pub is_elsewhere: bool,
}

/// User and group of a program that is elsewhere.
const ELSEWHERE: u32 = 54_321;

/// One run of a program in a sandbox.
#[derive(Clone, Debug)]
pub struct Job {
    /// An absolute path that the program's user can execute.
    pub exe: PathBuf,
    /// Arguments, argv[0] included.
    pub argv: Vec<Vec<u8>>,
    /// Environment variables as NAME=value.
    pub environment: Vec<Vec<u8>>,
    pub stdin: Stream,
    pub stdout: Stream,
    pub files: Vec<InputFile>,
    /// A writable directory outside of the private one (gcov's counts).
    pub writable: Option<PathBuf>,
    /// Sent to all processes at the time limit, a moment before they are killed.
    pub warning_signal: Option<i32>,
    /// The program gets a pipe's end as descriptor `REPORT_DESCRIPTOR`, on which what is loaded
    /// into it tells homi how far it came.
    pub reports: bool,
    pub observation: Observation,
    /// Process number of the program; 0: the next one. Without namespaces and rights for it, it is
    /// the next one, too.
    pub process: libc::pid_t,
    pub limits: Limits,
}

/// A `Job` ready for the forked process.
pub(super) struct Plan {
    pub kind: SandboxKind,
    /// The program to run; None only tries whether the fence can be set up.
    pub exe: Option<CString>,
    pub argv: Vec<*const libc::c_char>,
    pub environment: Vec<*const libc::c_char>,
    /// Keeps the pointed-to strings alive.
    _strings: Vec<CString>,
    pub files: Vec<PlannedFile>,
    pub stdio: [RawFd; 3],
    pub status: RawFd,
    /// The program's end of the pipe for reports; -1 if there is none.
    pub reports: RawFd,
    /// The program gets that end; else only the keeper does.
    pub is_reporting: bool,
    /// The keeper ends when the other end of this pipe is closed; -1 if it does not wait.
    pub hold: RawFd,
    pub observation: Observation,
    pub user: u32,
    pub group: u32,
    /// homi itself is root: the user can be changed for good.
    pub was_root: bool,
    pub maps: IdMaps,
    pub mounts: Mounts,
    pub landlock: RawFd,
    pub filters: Vec<Vec<libc::sock_filter>>,
    pub limits: Vec<(libc::__rlimit_resource_t, u64, u64)>,
    pub timeout: Duration,
    pub warning_signal: Option<i32>,
    pub process: libc::pid_t,
}

/// Content of /proc/self/{uid_map,gid_map}.
pub(super) struct IdMaps {
    pub user: CString,
    pub group: CString,
}

/// The mounts that namespaces need.
pub(super) struct Mounts {
    pub work: CString,
    pub work_options: CString,
    pub writable: Option<CString>,
    pub devices: CString,
    /// Devices to mount: the real one and its file in `devices`.
    pub device_nodes: Vec<(CString, CString)>,
}

pub(super) struct PlannedFile {
    /// Directories above it, outermost first.
    pub parents: Vec<CString>,
    pub path: CString,
    pub node: PlannedNode,
    pub mode: u32,
    pub times: Option<(i64, i64)>,
}

pub(super) enum PlannedNode {
    File(Vec<u8>),
    Directory,
    Fifo,
    Link(CString),
}

/// A C string; cut at the first NUL, as the program would see it.
pub(super) fn c_string(bytes: &[u8]) -> CString {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

pub(super) fn c_path(path: &Path) -> CString {
    c_string(path.as_os_str().as_bytes())
}

fn planned(file: &InputFile) -> PlannedFile {
    let path = Path::new(OsStr::from_bytes(&file.path));
    let above = path.ancestors().skip(1);
    let mut parents: Vec<CString> = above
        .filter(|p| !p.as_os_str().is_empty())
        .map(c_path)
        .collect();
    parents.reverse();
    PlannedFile {
        parents,
        path: c_string(&file.path),
        node: match &file.node {
            Node::File(content) => PlannedNode::File(content.clone()),
            Node::Directory => PlannedNode::Directory,
            Node::Fifo => PlannedNode::Fifo,
            Node::Link(target) => PlannedNode::Link(c_string(target)),
        },
        mode: file.mode,
        times: file.times,
    }
}

/// The parts of a plan that the surroundings, not the job, decide.
pub(super) struct RunEnvironment {
    pub kind: SandboxKind,
    pub stdio: [RawFd; 3],
    pub status: RawFd,
    pub reports: RawFd,
    pub hold: RawFd,
    pub landlock: RawFd,
    pub filters: Vec<Vec<libc::sock_filter>>,
    pub work: PathBuf,
    pub devices: PathBuf,
    pub device_nodes: Vec<(PathBuf, PathBuf)>,
}

/// User nobody and group nogroup, the same number everywhere in Linux.
const NOBODY: u32 = 65_534;

/// Returns the user and group that programs run as, and true if homi is root: then `NOBODY`.
pub(super) fn program_user() -> (u32, u32, bool) {
    let (user, group) = (nix::unistd::geteuid(), nix::unistd::getegid());
    if user.is_root() {
        (NOBODY, NOBODY, true)
    } else {
        (user.as_raw(), group.as_raw(), false)
    }
}

impl Plan {
    pub fn new(job: Option<&Job>, limits: &Limits, around: RunEnvironment) -> Plan {
        let mut strings: Vec<CString> = Vec::new();
        let mut pointers = |list: &[Vec<u8>]| -> Vec<*const libc::c_char> {
            let mut array = Vec::new();
            for item in list {
                let string = c_string(item);
                // The bytes live on the heap and do not move with the CString.
                array.push(string.as_ptr());
                strings.push(string);
            }
            array.push(std::ptr::null());
            array
        };
        let argv = pointers(job.map_or(&[], |job| &job.argv));
        let environment = pointers(job.map_or(&[], |job| &job.environment));
        let observation = job.map_or_else(Observation::default, |job| job.observation);
        let (mut user, mut group, was_root) = program_user();
        if observation.is_elsewhere && around.kind.has_namespaces() {
            (user, group) = (ELSEWHERE, ELSEWHERE);
        }
        let (outer_user, outer_group) = (nix::unistd::geteuid(), nix::unistd::getegid());
        let seconds = limits.timeout.as_secs() + 1;
        // Processes count per user: without a separate user or namespace the limit would hit those
        // of others.
        let separate_user =
            was_root && around.kind != SandboxKind::None || around.kind.has_namespaces();
        let processes = if separate_user {
            limits.processes
        } else {
            libc::RLIM_INFINITY
        };
        let disk = limits.disk;
        let c_pair = |(a, b): &(PathBuf, PathBuf)| (c_path(a), c_path(b));
        Plan {
            kind: around.kind,
            exe: job.map(|job| c_path(&job.exe)),
            argv,
            environment,
            _strings: strings,
            files: job.map_or_else(Vec::new, |job| job.files.iter().map(planned).collect()),
            stdio: around.stdio,
            status: around.status,
            reports: around.reports,
            is_reporting: job.is_some_and(|job| job.reports),
            hold: around.hold,
            observation,
            user,
            group,
            was_root,
            maps: IdMaps {
                user: c_string(format!("{user} {outer_user} 1").as_bytes()),
                group: c_string(format!("{group} {outer_group} 1").as_bytes()),
            },
            mounts: Mounts {
                work: c_path(&around.work),
                work_options: c_string(
                    format!("size={disk},nr_inodes=16384,mode=755,uid={user},gid={group}")
                        .as_bytes(),
                ),
                writable: job.and_then(|job| job.writable.as_deref().map(c_path)),
                devices: c_path(&around.devices),
                device_nodes: around.device_nodes.iter().map(c_pair).collect(),
            },
            landlock: around.landlock,
            filters: around.filters,
            limits: vec![
                (libc::RLIMIT_CPU, seconds, seconds + 1),
                (libc::RLIMIT_AS, limits.memory, limits.memory),
                (libc::RLIMIT_FSIZE, limits.file_size, limits.file_size),
                (libc::RLIMIT_NPROC, processes, processes),
                (libc::RLIMIT_CORE, 0, 0),
            ],
            timeout: limits.timeout,
            warning_signal: job.and_then(|job| job.warning_signal),
            process: job.map_or(0, |job| job.process),
        }
    }
}
