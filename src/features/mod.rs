//! Features of branches and of states, and the weights that make a search of them.
//!
//! Owns: the tables of features, vectors of weights over one of them, the file of weights, what a
//! vector prefers in words. Never: a path, a state, the program; a feature is a function of a
//! record of numbers. Data come from `concolic` and `search`, which fill the records and choose by
//! scores.
//!
//! Cha, Hong, Lee and Oh, *Automatically Generating Search Heuristics for Concolic Testing* (ICSE
//! 2018): a heuristic is a vector of weights; the score of a branch is the sum of the weights of
//! the features that it has, and the branch with the highest score is negated next.
//!
//! To add a set of features, write a file with its record and its table and name it in `SETS`.

mod branch;
#[cfg(test)]
mod branch_tests;
mod error;
mod file;
mod over_all;
mod set;
mod state;
mod weights;
mod words;

pub use branch::{BRANCH, BranchNumbers, CodeFacts};
pub use error::WeightsError;
pub use file::{ProgramMark, WeightsFile};
pub use over_all::{AgreedFeature, OverAll};
pub use set::{Described, Feature, FeatureSet, SETS, SetRow};
pub use state::{STATE, STATE_NUMBERS, STATE_STATISTICS, StateBits, StateNumbers, Tenths};
pub use weights::Weights;
pub use words::Preferences;
