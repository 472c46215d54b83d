//! Record of a path's allocations in addition to the blocks, for options that ask for it: origins
//! of live blocks, and the number of injected failures.

use homi_ir::program::FuncId;
use homi_solver::term::ArrayId;
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

/// Record of a path's allocations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HeapRecord {
    /// Origins of live blocks, by address.
    pub origins: BTreeMap<u64, Arc<BlockOrigin>>,
    /// Number of allocations that could have failed since one did, and number of failed ones.
    pub calls: u32,
    pub failures: u32,
    /// The symbolic object that says which call fails next.
    pub choice: Option<ArrayId>,
}
