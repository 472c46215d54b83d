//! Argument of a strategy after its name and a colon: a number, a keyword, or a file of weights.

use crate::weights::features::{BranchNumbers, Weights};

/// Weights of the features of branches.
pub type BranchWeights = Weights<BranchNumbers>;

/// Kind of argument that a strategy accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    Nothing,
    /// A positive integer.
    Number,
    /// This keyword.
    Keyword(&'static str),
    /// A file of weights of branches; the bundled weights are the default.
    Weights,
}

/// Argument of a strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    Nothing,
    Number(u64),
    Keyword(&'static str),
    File(String),
}

impl Argument {
    /// Returns the number; `None` for other arguments.
    pub fn number(&self) -> Option<u64> {
        match self {
            Argument::Number(number) => Some(*number),
            _ => None,
        }
    }
}
