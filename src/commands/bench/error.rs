//! Errors of studies.

/// Error in the request or the execution of a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The study file or the command line is invalid.
    #[error("{0}")]
    Request(String),
    /// An external operation failed: a file, the disk.
    #[error("{0}")]
    Failed(String),
}

pub(super) type Result<T> = std::result::Result<T, StudyError>;

/// Returns the error of an invalid request.
pub(super) fn request<T>(text: impl Into<String>) -> Result<T> {
    Err(StudyError::Request(text.into()))
}

/// Returns the error of a failed operation on a file.
pub(super) fn failed(
    what: &str,
    path: &std::path::Path,
    error: &dyn std::fmt::Display,
) -> StudyError {
    StudyError::Failed(format!("cannot {what} {}: {error}", path.display()))
}
