//! Options that parse one by one and make no sense together.

/// A contradiction among the options, with what to change.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(pub String);
