//! Runs one program natively so that it can change nothing outside a private directory.
//!
//! There are three kinds of fence; the first that works on this machine is taken. Namespaces (as
//! root, or of an unprivileged user) give separate processes, network and IPC, a file system that
//! is read only except for the private directory (a tmpfs of limited size), and a minimal /dev.
//! Landlock with seccomp forbids writes, network and signals outside by the kernel's access rules,
//! and calls that change attributes. The third kind is not a fence, and only for users who insist.
//!
//! All fences have an unprivileged user (65534 if homi is root), no new privileges, a system call
//! filter, and limits on time, memory, file size and processes. The whole process group ends with
//! the program.
//!
//! Invariant: between fork and exec (`keeper`, `fence`) nothing allocates or takes a lock; a `Plan`
//! prepares everything before. homi's tests fork from many threads.

mod choosing;
mod fence;
mod filter;
mod keeper;
mod kind;
mod landlock;
mod left;
mod narrow;
mod plan;
mod run;
mod scratch;
mod stream;
mod watch;
mod watched_calls;
mod watched_path;

pub use choosing::{available, choose};
pub use kind::SandboxKind;
pub use left::{LeftFile, LeftNode};
pub use plan::{InputFile, Job, Limits, Node, Observation, REPORT_DESCRIPTOR, Stream};
pub use run::{Ending, Outcome, Sandbox};

use thiserror::Error;

/// Reason why a program could not run at all. The behavior of a program that ran is an `Outcome`.
#[derive(Debug, Error)]
pub enum SandboxError {
    #[error(
        "no sandbox is available here, and the program could damage files: {reasons}; run as root, \
         allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, \
         user.max_user_namespaces>0), use a kernel with Landlock, or add --unsafe-no-sandbox to \
         run the program with your rights"
    )]
    Unavailable { reasons: String },
    #[error("cannot set up the sandbox: {step}: {source}")]
    SetUp {
        step: &'static str,
        source: std::io::Error,
    },
    #[error("cannot start {exe}: {source}")]
    Start { exe: String, source: std::io::Error },
    #[error(
        "the sandbox's user cannot enter the temporary directory {}: {source}; set TMPDIR to a \
         directory that everyone may enter (mode 755)",
        directory.display()
    )]
    Closed {
        directory: std::path::PathBuf,
        source: std::io::Error,
    },
    #[error("interrupted")]
    Interrupted,
    #[error("the sandbox's keeper process died")]
    KeeperDied,
    #[error("{what}: {source}")]
    Io {
        what: String,
        source: std::io::Error,
    },
}

impl SandboxError {
    fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> SandboxError {
        let what = what.into();
        move |source| SandboxError::Io { what, source }
    }
}

#[cfg(test)]
mod observation_tests;
#[cfg(test)]
mod tests;
