//! Features of branches, and weights that turn them into a strategy.
//!
//! Owns: the table of features, vectors of weights over it, the weight file, the description of a
//! vector. Never: a path, a state, the program; a feature is a function of a record of numbers.
//! Data come from `concolic`, which fills in the records and chooses by scores.
//!
//! Cha, Hong, Lee and Oh, *Automatically Generating Search Heuristics for Concolic Testing* (ICSE
//! 2018): a heuristic is a vector of weights. The score of a branch is the sum of the weights of
//! its features, and the branch with the highest score is negated next.

mod branch;
#[cfg(test)]
mod branch_tests;
mod error;
mod file;
mod over_all;
mod preferences;
mod set;
mod weights;

pub use branch::{BRANCH, BranchNumbers, CodeFacts};
pub use error::WeightsError;
pub use file::{ProgramMark, WeightsFile};
pub use over_all::{AgreedFeature, OverAll};
pub use preferences::Preferences;
pub use set::{Feature, FeatureSet};
pub use weights::Weights;
