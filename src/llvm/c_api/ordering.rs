//! LLVM's atomic orderings of memory accesses.

use super::{LLVMOpcode, Value};
use inkwell::llvm_sys::LLVMAtomicOrdering;
use inkwell::llvm_sys::core::*;

/// Memory order of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryOrder {
    pub is_atomic: bool,
    /// True if effects before a matching release are visible after it.
    pub acquires: bool,
    /// True if effects before it are visible to a thread that acquires it.
    pub releases: bool,
}

impl Value {
    /// The order of a load, a store, an atomic operation or a fence.
    pub fn memory_order(self) -> MemoryOrder {
        use LLVMAtomicOrdering as Order;
        let order = match self.opcode() {
            LLVMOpcode::LLVMAtomicCmpXchg => ffi!(LLVMGetCmpXchgSuccessOrdering(self.0)),
            _ => ffi!(LLVMGetOrdering(self.0)),
        };
        MemoryOrder {
            is_atomic: order != Order::LLVMAtomicOrderingNotAtomic,
            acquires: matches!(
                order,
                Order::LLVMAtomicOrderingAcquire
                    | Order::LLVMAtomicOrderingAcquireRelease
                    | Order::LLVMAtomicOrderingSequentiallyConsistent
            ),
            releases: matches!(
                order,
                Order::LLVMAtomicOrderingRelease
                    | Order::LLVMAtomicOrderingAcquireRelease
                    | Order::LLVMAtomicOrderingSequentiallyConsistent
            ),
        }
    }
}
