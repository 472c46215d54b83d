//! Merging of paths into one state that represents several.
//!
//! Owns: which states can be merged and the merged state; the groups of states that wait at
//! `klee_close_merge`. Never: runs a state or owns a solver (the caller lends one). The extension
//! (`merging`) takes states that have closed a merge out of the run and returns the states that
//! continue.
//!
//! Invariant: the inputs of the merged state are the inputs of both states. With each input it
//! behaves as the state to which the input belongs, so the conditions of the two must exclude each
//! other.

mod apart;
mod conditions;
mod merge_states;
mod merging;
mod registers;
#[cfg(test)]
mod tests;
mod waiting;

pub use apart::Apart;
pub use merge_states::{Means, merge_states};
pub use merging::Merging;
pub use registers::LiveRegisters;
pub use waiting::{Group, Groups, Waiting};
