//! Open states on disk: the one form in which a state that waits leaves the process that had it.
//!
//! Owns: the tree of decisions, what is kept of a state besides, the file of a checkpoint. Never:
//! how a state is found again (`sources`), when a checkpoint is written (`engine`), what else is in
//! it (`engine` and `session`). Data come from states and go back to `sources` as places in a tree.
//!
//! Invariant: a state is its list of decisions, the number of its instructions and what it waits
//! for. The decisions name nothing of the process: equal programs, options and versions make the
//! same state of them.

mod collector;
mod file;
mod open;
mod tree;

pub use collector::Collector;
pub use file::{CheckpointError, Found, exists, read, read_head, remove, write};
pub use open::{Frontier, OpenState, Waits};
pub use tree::{DecisionTree, NodeId};
