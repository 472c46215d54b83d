//! What a path remembers of its allocations beside the blocks themselves, where an option asks for
//! it: who made the blocks that live, and how many calls have failed on purpose.

use crate::ir::program::FuncId;
use crate::solver::term::ArrayId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The calls that led to an allocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockOrigin {
    /// Code index of each call in its caller, and the callee, outermost first.
    pub calls: Vec<(u32, FuncId)>,
    /// Code index of the call of the allocating function in the last of them.
    pub pc: u32,
}

/// What a path remembers of its allocations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HeapRecord {
    /// By address, who made a block that lives.
    pub origins: BTreeMap<u64, Arc<BlockOrigin>>,
    /// Allocations that could have failed since one did, and those that have failed so far.
    pub calls: u32,
    pub failures: u32,
    /// The symbolic object that says which call fails next.
    pub choice: Option<ArrayId>,
}
