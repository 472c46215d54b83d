//! Bytes that the model gives a new symbolic object of the path.
//!
//! Invariant: forks have the rule of the state that they fork from.

use super::given::GivenObjects;
use std::sync::Arc;

/// The bytes of new symbolic objects.
#[derive(Clone, Debug)]
pub struct InputRule {
    /// True if new objects are the model's bytes as constants: the path executes one input.
    pub is_given: bool,
    /// `Some` if the path predicts the outcome of a test: the variation of what programs must not
    /// rely on, 0 in the first prediction.
    pub predicts: Option<u16>,
    /// True if new objects get the bytes of the run's first input, else the model's bytes.
    pub begins_objects: bool,
    /// The earlier tests whose path this is, if any: new objects have the bytes of the first.
    pub follows: Option<Arc<Vec<Arc<GivenObjects>>>>,
}

impl Default for InputRule {
    /// The rule of a program's first state: objects are symbolic and begin with the first input.
    fn default() -> Self {
        Self {
            is_given: false,
            predicts: None,
            begins_objects: true,
            follows: None,
        }
    }
}
