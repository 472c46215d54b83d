//! What stands behind a strategy's name and a colon: a number, a word, a file of weights.

use crate::strategies::weights::features::{BranchNumbers, Weights};

/// Weights of the features of branches.
pub type BranchWeights = Weights<BranchNumbers>;

/// What may stand behind a strategy's name and a colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    Nothing,
    /// A number above 0.
    Number,
    /// This word.
    Word(&'static str),
    /// A file of weights of branches; without one there are the weights in the box.
    Weights,
}

/// What stood there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    Nothing,
    Number(u64),
    Word(&'static str),
    File(String),
}

impl Argument {
    /// The number, if it is one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Argument::Number(number) => Some(*number),
            _ => None,
        }
    }
}
