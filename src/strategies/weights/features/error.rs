//! Why weights cannot be used.

use std::io;
use std::path::{Path, PathBuf};

/// Why weights, or a file of weights, cannot be used; each message says what to do about it where
/// that is not plain.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// A vector has another length than the set.
    #[error("the set `{set}` has {features} features, and there are {weights} weights")]
    Count {
        set: &'static str,
        features: usize,
        weights: usize,
    },
    /// A weight is infinite or not a number.
    #[error("the weight of `{name}` is no finite number")]
    NotFinite { name: String },
    /// The file cannot be read or written.
    #[error("cannot {action} the weights {}: {cause}", path.display())]
    File {
        action: &'static str,
        path: PathBuf,
        cause: io::Error,
    },
    /// The file is not what `homi learn-search` writes.
    #[error(
        "{} is no file of weights: {cause}. `homi learn-search` writes such files",
        path.display()
    )]
    Format {
        path: PathBuf,
        cause: serde_json::Error,
    },
    /// What the file says cannot be used here.
    #[error("the weights {}: {what}", path.display())]
    Content { path: PathBuf, what: String },
}

impl WeightsError {
    /// An error that names the file that the weights came from.
    pub(super) fn in_file(path: &Path, what: impl ToString) -> Self {
        Self::Content {
            path: path.to_path_buf(),
            what: what.to_string(),
        }
    }
}
