//! Learning of weights for a program: Algorithm 2 of Cha, Hong, Lee and Oh, *Automatically
//! Generating Search Heuristics for Concolic Testing* (ICSE 2018), and its trials.
//!
//! Owns: spaces of weights, rounds of Find, Check and Refine, results of trials and their journal,
//! the path records that trials share. Never: an engine, a state, a feature; a given function turns
//! a vector of weights into a search. Data come from `search`'s updates, as an engine sends them,
//! and go to the caller as weights with statistics.
//!
//! A trial is a concolic run by the weights of one vector. Trials of one program negate the same
//! branches repeatedly, and an execution depends only on its path and branch. One engine therefore
//! explores the execution tree for all trials of a thread, and executes only paths that no earlier
//! trial executed.

mod board;
mod in_progress;
mod journal;
mod learning;
#[cfg(test)]
mod learning_tests;
mod plan;
mod progress;
mod round;
mod searcher;
#[cfg(test)]
mod searcher_tests;
mod space;
#[cfg(test)]
mod testing;
mod tree;
mod trial;

pub use board::{Board, Finished, Listener};
pub use journal::{Journal, JournalError, Request};
pub use learning::{Learned, Learning, Next};
pub use plan::Plan;
pub use progress::{Progress, Usage};
pub use round::{Branches, Round};
pub use searcher::{SearcherMaker, TrialSearcher};
pub use trial::{EndedTrial, Phase, Reached, Trial, TrialId};
