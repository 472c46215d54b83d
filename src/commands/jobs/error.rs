//! Errors of jobs and their job directory.

use std::io;
use std::path::Path;

/// Reason why a job was not done or a job directory was not opened.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The request is invalid.
    #[error("{0}")]
    Request(String),
    /// An operation failed.
    #[error("{0}")]
    Failed(String),
}

pub(super) type Result<T> = std::result::Result<T, JobError>;

/// Returns the error of a failed operation on a file.
pub(super) fn failed(what: &str, path: &Path, error: &io::Error) -> JobError {
    JobError::Failed(format!("cannot {what} {}: {error}", path.display()))
}

pub(super) fn request<T>(text: String) -> Result<T> {
    Err(JobError::Request(text))
}
