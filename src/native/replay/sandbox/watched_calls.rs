//! The system calls that name files, and which of their arguments do.

/// Access of a call to the file of a path.
#[derive(Clone, Copy)]
pub(super) enum Access {
    Read,
    Change,
    /// An open, whose flags are this argument.
    Open(usize),
    /// An open, whose flags are in memory at this argument.
    OpenHow(usize),
    /// The text of a symbolic link, which is no access yet.
    Target,
}

/// A path among the arguments of a call.
pub(super) struct PathCall {
    pub(super) number: i64,
    /// The argument that is the directory of a relative path; the current one without it.
    pub(super) directory: Option<usize>,
    pub(super) path: usize,
    pub(super) access: Access,
}

/// A call whose path is relative to a directory that it names.
const fn at(number: i64, directory: usize, access: Access) -> PathCall {
    PathCall {
        number,
        directory: Some(directory),
        path: directory + 1,
        access,
    }
}

/// A call whose path is relative to the current directory.
const fn on(number: i64, path: usize, access: Access) -> PathCall {
    PathCall {
        number,
        directory: None,
        path,
        access,
    }
}

use Access::{Change, Open, OpenHow, Read, Target};

/// All of them; a call with two paths has two rows.
pub(super) const PATH_CALLS: &[PathCall] = &[
    at(libc::SYS_openat, 0, Open(2)),
    at(libc::SYS_openat2, 0, OpenHow(2)),
    at(libc::SYS_mkdirat, 0, Change),
    at(libc::SYS_mknodat, 0, Change),
    at(libc::SYS_unlinkat, 0, Change),
    at(libc::SYS_renameat, 0, Change),
    at(libc::SYS_renameat, 2, Change),
    at(libc::SYS_renameat2, 0, Change),
    at(libc::SYS_renameat2, 2, Change),
    at(libc::SYS_linkat, 0, Change),
    at(libc::SYS_linkat, 2, Change),
    at(libc::SYS_symlinkat, 1, Change),
    on(libc::SYS_symlinkat, 0, Target),
    at(libc::SYS_fchmodat, 0, Change),
    at(libc::SYS_fchmodat2, 0, Change),
    at(libc::SYS_fchownat, 0, Change),
    at(libc::SYS_utimensat, 0, Change),
    at(libc::SYS_readlinkat, 0, Read),
    at(libc::SYS_faccessat, 0, Read),
    at(libc::SYS_faccessat2, 0, Read),
    at(libc::SYS_newfstatat, 0, Read),
    at(libc::SYS_statx, 0, Read),
    at(libc::SYS_execveat, 0, Read),
    at(libc::SYS_name_to_handle_at, 0, Read),
    at(libc::SYS_inotify_add_watch, 0, Read),
    on(libc::SYS_execve, 0, Read),
    on(libc::SYS_chdir, 0, Read),
    on(libc::SYS_statfs, 0, Read),
    on(libc::SYS_getxattr, 0, Read),
    on(libc::SYS_lgetxattr, 0, Read),
    on(libc::SYS_listxattr, 0, Read),
    on(libc::SYS_llistxattr, 0, Read),
    on(libc::SYS_truncate, 0, Change),
    on(libc::SYS_setxattr, 0, Change),
    on(libc::SYS_lsetxattr, 0, Change),
    on(libc::SYS_removexattr, 0, Change),
    on(libc::SYS_lremovexattr, 0, Change),
    on(libc::SYS_open, 0, Open(1)),
    on(libc::SYS_creat, 0, Change),
    on(libc::SYS_mkdir, 0, Change),
    on(libc::SYS_mknod, 0, Change),
    on(libc::SYS_rmdir, 0, Change),
    on(libc::SYS_unlink, 0, Change),
    on(libc::SYS_rename, 0, Change),
    on(libc::SYS_rename, 1, Change),
    on(libc::SYS_link, 0, Change),
    on(libc::SYS_link, 1, Change),
    on(libc::SYS_symlink, 0, Target),
    on(libc::SYS_symlink, 1, Change),
    on(libc::SYS_chmod, 0, Change),
    on(libc::SYS_chown, 0, Change),
    on(libc::SYS_lchown, 0, Change),
    on(libc::SYS_utime, 0, Change),
    on(libc::SYS_utimes, 0, Change),
    at(libc::SYS_futimesat, 0, Change),
    on(libc::SYS_readlink, 0, Read),
    on(libc::SYS_access, 0, Read),
    on(libc::SYS_stat, 0, Read),
    on(libc::SYS_lstat, 0, Read),
];

/// Calls that open memory, queues or semaphores which outlive the program.
pub(super) const OTHERS_MEMORY: &[i64] = &[
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];
