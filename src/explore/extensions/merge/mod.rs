//! Paths that meet again become one: a state that stands for several.
//!
//! Owns: which states can become one and what the one is; who waits at `klee_close_merge` for whom.
//! Never: runs a state, asks a solver of its own (it is lent one). The extension (`merging`) takes
//! states that have closed a merge out of the run, and gives it back those that go on.
//!
//! Invariant: the inputs of the one state are those of the two, and with each input it does what
//! that one of the two did which the input belongs to. So the conditions of the two must exclude
//! each other.

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
