//! What can be wrong with units and their book.

use std::io;
use std::path::Path;

/// Why a unit is not done, or a book not gone on with.
#[derive(Debug, thiserror::Error)]
pub enum UnitError {
    /// What was asked for makes no sense.
    #[error("{0}")]
    Request(String),
    /// It could not be done.
    #[error("{0}")]
    Failed(String),
}

pub(super) type Result<T> = std::result::Result<T, UnitError>;

/// An operation on a file failed.
pub(super) fn failed(what: &str, path: &Path, error: &io::Error) -> UnitError {
    UnitError::Failed(format!("cannot {what} {}: {error}", path.display()))
}

pub(super) fn request<T>(text: String) -> Result<T> {
    Err(UnitError::Request(text))
}
