//! Errors of a session.

use homi_build::harness::HarnessError;
use homi_ir::program::HashError;
use homi_llvm::LoadError;
use homi_machine::{exec, host};
use homi_native::testcase::WriteError;
use homi_native::testcase::ktest::KTestError;
use homi_report::{DirectoryError, IncompleteOutput};
use homi_strategies::campaign::StoreError;
use homi_strategies::weights::features::WeightsError;
use homi_strategies::weights::learn_search::JournalError;
use std::io;
use std::path::PathBuf;

/// Reason why a session failed. Each message says what failed and where; `source` has the cause if
/// the message does not name it.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The request is invalid, or the program's symbolic arguments are; the caller must correct it.
    #[error("{0}")]
    Request(String),
    /// Something that the run needs is not there.
    #[error("{0}")]
    Missing(String),
    /// The program cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A function cannot be called without a harness of the user's.
    #[error(transparent)]
    Harness(#[from] HarnessError),
    /// The program cannot be run at all.
    #[error(transparent)]
    Executor(#[from] exec::SetupError),
    /// The program's arguments or environment cannot be set up.
    #[error(transparent)]
    Arguments(#[from] host::SetupError),
    /// The environment file is none.
    #[error("invalid environment file {}", path.display())]
    Environment {
        path: PathBuf,
        source: host::SetupError,
    },
    /// There is no output directory, or it cannot be written.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The learning data cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The files of tests cannot be begun.
    #[error(transparent)]
    Tests(#[from] WriteError),
    /// A file of earlier tests cannot be read.
    #[error("cannot use a seed")]
    Seed(#[source] KTestError),
    /// The weights of a search cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The results of learning trials cannot be written or read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The program cannot be hashed for the learning data.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// The host failed homi itself.
    #[error("{what}")]
    Io { what: String, source: io::Error },
    /// The run is over, and an output that was asked for is not whole.
    #[error(transparent)]
    Output(IncompleteOutput),
    /// A test could not be written, which ended the run.
    #[error("the run stopped: a test could not be written; the earlier tests are valid")]
    Stopped(#[source] WriteError),
}

impl SessionError {
    /// Converts an error of the host to an error that names the failed operation.
    pub(super) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}
