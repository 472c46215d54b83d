//! Flow graphs: of blocks, and of whatever else control goes over; their dominators and
//! loops; which registers are live.

mod blocks;
mod dominance;
mod edges;
mod live;
mod loops;

pub use blocks::{Backwards, BlockFlow};
pub use dominance::Dominance;
pub use edges::Edges;
pub use live::{live_across_call, live_before};
pub use loops::{Loop, is_reducible, loops};

/// A node of a flow graph.
pub type Node = u32;

/// A directed graph.
pub trait Flow {
    fn node_count(&self) -> usize;
    /// Returns the successors of a node.
    fn after(&self, node: Node) -> &[Node];
    /// Returns the predecessors of a node.
    fn before(&self, node: Node) -> &[Node];
}
