//! Open states on disk: the one form in which a state that waits leaves the process that had it.
//!
//! Owns: the tree of decisions, the other data of a state, the file of a checkpoint. Never: the
//! re-execution of a state (`sources`), the time of a checkpoint (`engine`), its other contents
//! (`engine` and `session`). Data come from states and go back to `sources` as nodes of a tree.
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
