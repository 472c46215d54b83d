//! Code of clang's sanitizers: their instructions have the metadata `nosanitize`.
//!
//! Invariant: only that metadata decides.

use super::{LLVMOpcode, LLVMTypeKind, Value, metadata_kind_of, some};
use inkwell::llvm_sys::core::*;

impl Value {
    /// Returns true for a load of the mark that clang's function sanitizer puts before functions;
    /// without a mark the call is unchecked.
    pub fn loads_function_mark(self) -> bool {
        const MARK: u64 = 0xc105_cafe;
        let Some(first) = some(ffi!(LLVMGetFirstUse(self.0))) else {
            return false;
        };
        let user = Value(ffi!(LLVMGetUser(first)));
        user.is_instruction()
            && user.opcode() == LLVMOpcode::LLVMICmp
            && user.operand(1).ty().kind() == LLVMTypeKind::LLVMIntegerTypeKind
            && user.operand(1).ty().int_width() == 32
            && !ffi!(LLVMIsAConstantInt(user.operand(1).0)).is_null()
            && user.operand(1).const_u64() == MARK
            // Where loads were merged, theirs is gone.
            && (self.is_of_sanitizer() || user.is_of_sanitizer())
    }

    /// An instruction that clang's sanitizers added.
    fn is_of_sanitizer(self) -> bool {
        let context = ffi!(LLVMGetTypeContext(LLVMTypeOf(self.0)));
        let kind = metadata_kind_of(context, "nosanitize");
        !ffi!(LLVMGetMetadata(self.0, kind)).is_null()
    }

    /// A comparison of a sanitizer looks at this value.
    pub fn is_checked_by_sanitizer(self) -> bool {
        let is_check = |user: Value| {
            user.is_instruction() && user.opcode() == LLVMOpcode::LLVMICmp && user.is_of_sanitizer()
        };
        !self.is_constant_int() && self.users().into_iter().any(is_check)
    }
}
