//! Queries of types.

use super::*;

impl Type {
    pub fn kind(self) -> LLVMTypeKind {
        ffi!(LLVMGetTypeKind(self.0))
    }

    pub fn int_width(self) -> u32 {
        ffi!(LLVMGetIntTypeWidth(self.0))
    }

    pub fn is_sized(self) -> bool {
        ffi!(LLVMTypeIsSized(self.0)) != 0
    }

    pub fn struct_elements(self) -> Vec<Type> {
        let count = ffi!(LLVMCountStructElementTypes(self.0)) as usize;
        let mut list = vec![std::ptr::null_mut(); count];
        ffi!(LLVMGetStructElementTypes(self.0, list.as_mut_ptr()));
        list.into_iter().map(Type).collect()
    }

    /// Element type of an array or vector.
    pub fn element(self) -> Type {
        Type(ffi!(LLVMGetElementType(self.0)))
    }

    pub fn array_length(self) -> u64 {
        ffi!(LLVMGetArrayLength2(self.0))
    }

    pub fn vector_length(self) -> u32 {
        ffi!(LLVMGetVectorSize(self.0))
    }

    pub fn is_variadic(self) -> bool {
        ffi!(LLVMIsFunctionVarArg(self.0)) != 0
    }

    pub fn return_type(self) -> Type {
        Type(ffi!(LLVMGetReturnType(self.0)))
    }

    pub fn parameter_types(self) -> Vec<Type> {
        let count = ffi!(LLVMCountParamTypes(self.0)) as usize;
        let mut list = vec![std::ptr::null_mut(); count];
        ffi!(LLVMGetParamTypes(self.0, list.as_mut_ptr()));
        list.into_iter().map(Type).collect()
    }

    /// The integer type of `width` bits in this type's context.
    pub fn integer(self, width: u32) -> Type {
        let context = ffi!(LLVMGetTypeContext(self.0));
        Type(ffi!(LLVMIntTypeInContext(context, width)))
    }

    /// LLVM's spelling.
    pub fn describe(self) -> String {
        owned_message(ffi!(LLVMPrintTypeToString(self.0)))
    }
}
