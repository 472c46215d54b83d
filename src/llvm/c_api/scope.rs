//! Lexical scopes of debug information.
//!
//! Invariant: an instruction that was inlined is where its outermost call is.

use super::*;

/// Tag of DWARF for a block.
const BLOCK: u16 = 0x0b;
/// Index of a block's operand that is the scope around it.
const PARENT: usize = 1;

/// A function or a block of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scope(LLVMMetadataRef);

impl Scope {
    pub(super) fn of_node(node: LLVMValueRef) -> Scope {
        Scope(ffi!(LLVMValueAsMetadata(node)))
    }

    pub fn is_block(self) -> bool {
        ffi!(LLVMGetDINodeTag(self.0)) == BLOCK
    }

    /// Returns the scope around a block.
    fn around(self, context: LLVMContextRef) -> Option<Scope> {
        if !self.is_block() {
            return None;
        }
        let node = ffi!(LLVMMetadataAsValue(context, self.0));
        let operand = variable::operands(node).get(PARENT).copied()?;
        Some(Scope::of_node(some(operand)?))
    }
}

impl Value {
    /// Returns the scope of an instruction; none for one without a line.
    pub fn scope(self) -> Option<Scope> {
        let mut location = some(ffi!(LLVMInstructionGetDebugLoc(self.0)))?;
        while let Some(call) = some(ffi!(LLVMDILocationGetInlinedAt(location))) {
            location = call;
        }
        if ffi!(LLVMDILocationGetLine(location)) == 0 {
            return None;
        }
        some(ffi!(LLVMDILocationGetScope(location))).map(Scope)
    }

    /// Returns a scope of a function and those around it, innermost first.
    pub fn scopes_around(self, scope: Scope) -> Vec<Scope> {
        let context = ffi!(LLVMGetTypeContext(LLVMTypeOf(self.0)));
        std::iter::successors(Some(scope), |inner| inner.around(context)).collect()
    }
}
