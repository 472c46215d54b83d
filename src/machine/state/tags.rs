//! Marks that the runner of a state puts on it.
//!
//! Invariant: execution does not depend on them; a fork has its parent's marks until it gets
//! others.

/// The marks of one state.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    /// Number given by the engine in order of creation; 0 is the initial state.
    pub sequence: u64,
    /// The node of the tree of paths below which the state runs, where subsumption keeps one.
    pub tree_node: Option<u32>,
}
