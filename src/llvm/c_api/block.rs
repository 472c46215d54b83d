//! Queries of basic blocks.

use super::*;

impl Block {
    /// LLVM's pointer.
    pub fn raw(self) -> LLVMBasicBlockRef {
        self.0
    }

    /// The function that the block belongs to.
    pub fn function(self) -> Value {
        Value(ffi!(LLVMGetBasicBlockParent(self.0)))
    }

    /// The block must not change while the iterator lives.
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        let first = some(ffi!(LLVMGetFirstInstruction(self.0)));
        std::iter::successors(first, |current| {
            some(ffi!(LLVMGetNextInstruction(*current)))
        })
        .map(Value)
    }

    pub fn terminator(self) -> Option<Value> {
        some(ffi!(LLVMGetBasicBlockTerminator(self.0))).map(Value)
    }
}
