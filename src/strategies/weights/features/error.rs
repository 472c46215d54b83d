//! Errors of weights and their files.

use std::io;
use std::path::{Path, PathBuf};

/// Reason why weights, or a weight file, cannot be used. Messages name a remedy unless it is
/// obvious.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The vector and the set differ in length.
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
    /// The file does not have the format of `homi learn-search`.
    #[error(
        "{} is no file of weights: {cause}. `homi learn-search` writes such files",
        path.display()
    )]
    Format {
        path: PathBuf,
        cause: serde_json::Error,
    },
    /// The contents of the file cannot be used here.
    #[error("the weights {}: {what}", path.display())]
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
