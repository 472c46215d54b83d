//! Why a study cannot be made or gone on with.

/// What is wrong, in words for the person who wrote the study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The study's file or the command line says something that makes no sense.
    #[error("{0}")]
    Request(String),
    /// Something outside failed: a file, the disk.
    #[error("{0}")]
    Failed(String),
}

pub(super) type Result<T> = std::result::Result<T, StudyError>;

/// What is wrong with the request.
pub(super) fn request<T>(text: impl Into<String>) -> Result<T> {
    Err(StudyError::Request(text.into()))
}

/// What failed, at which file.
pub(super) fn failed(
    what: &str,
    path: &std::path::Path,
    error: &dyn std::fmt::Display,
) -> StudyError {
    StudyError::Failed(format!("cannot {what} {}: {error}", path.display()))
}
