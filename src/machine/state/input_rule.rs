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
    /// The part of homi that chose the path's input.
    pub chosen_by: InputChooser,
    /// True if the native image ends otherwise on the path's input, which becomes a test then.
    pub is_disputed: bool,
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
            chosen_by: InputChooser::default(),
            is_disputed: false,
            follows: None,
        }
    }
}

/// A part of homi that chooses inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum InputChooser {
    /// The symbolic search.
    #[default]
    Search,
    /// The user or an earlier run, whose test is followed.
    Seed,
    /// Interpreted fuzzing.
    Fuzzing,
    /// Fuzzing in the native image.
    NativeFuzzing,
    /// Another fuzzer, by `--sync`.
    Sync,
}

impl InputRule {
    /// Name of the part that chose the path's input, as `coverage.jsonl` has it.
    pub fn chooser_name(&self) -> &'static str {
        match self.chosen_by {
            InputChooser::Search if self.follows.is_some() => "seed",
            InputChooser::Search => "search",
            InputChooser::Seed => "seed",
            InputChooser::Fuzzing => "fuzzing",
            InputChooser::NativeFuzzing => "native fuzzing",
            InputChooser::Sync => "sync",
        }
    }
}
