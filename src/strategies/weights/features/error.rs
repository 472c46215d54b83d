//! Errors of weights and their files.

use std::io;
use std::path::{Path, PathBuf};

/// Reason why weights, or a weight file, cannot be used. Messages name a remedy unless it is
/// obvious.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The vector and the set differ in length.
    #[error("expected {features} weights for the feature set `{set}`, found {weights}")]
    Count {
        set: &'static str,
        features: usize,
        weights: usize,
    },
    /// A weight is infinite or not a number.
    #[error("the weight of `{name}` is not a finite number")]
    NotFinite { name: String },
    /// The file cannot be read or written.
    #[error("cannot {action} the weights {}: {cause}", path.display())]
    File {
        action: &'static str,
        path: PathBuf,
        cause: io::Error,
    },
    /// The file does not have the format of `homi learn-search`.
    #[error(
        "{} is not a weight file: {cause}; `homi learn-search` writes weight files",
        path.display()
    )]
    Format {
        path: PathBuf,
        cause: serde_json::Error,
    },
    /// The contents of the file cannot be used here.
    #[error("cannot use the weights in {}: {what}", path.display())]
    Content { path: PathBuf, what: String },
}

impl WeightsError {
    /// Returns an error that names the file of the weights.
    pub(super) fn in_file(path: &Path, what: impl ToString) -> Self {
        Self::Content {
            path: path.to_path_buf(),
            what: what.to_string(),
        }
    }
}
