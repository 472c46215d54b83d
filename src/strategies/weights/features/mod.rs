//! Features of branches, and the weights that make a strategy of them.
//!
//! Owns: the table of features, vectors of weights over it, the file of weights, what a vector
//! prefers in words. Never: a path, a state, the program; a feature is a function of a record of
//! numbers. Data come from `concolic`, which fills the records and chooses by scores.
//!
//! Cha, Hong, Lee and Oh, *Automatically Generating Search Heuristics for Concolic Testing* (ICSE
//! 2018): a heuristic is a vector of weights; the score of a branch is the sum of the weights of
//! the features that it has, and the branch with the highest score is negated next.

mod branch;
#[cfg(test)]
mod branch_tests;
mod error;
mod file;
mod over_all;
mod set;
mod weights;
mod words;

pub use branch::{BRANCH, BranchNumbers, CodeFacts};
pub use error::WeightsError;
pub use file::{ProgramMark, WeightsFile};
pub use over_all::{AgreedFeature, OverAll};
pub use set::{Feature, FeatureSet};
pub use weights::Weights;
pub use words::Preferences;
