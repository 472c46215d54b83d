//! Sizes and offsets of types, as a module's data layout says.

use super::{ModuleRef, Type};
use inkwell::llvm_sys::target::*;

/// A module's data layout.
#[derive(Clone, Copy)]
pub struct DataLayout(LLVMTargetDataRef);

impl DataLayout {
    pub(super) fn of(module: ModuleRef) -> Self {
        Self(ffi!(LLVMGetModuleDataLayout(module.0)))
    }

    /// Bytes from one array element to the next.
    pub fn allocation_size(self, ty: Type) -> u64 {
        ffi!(LLVMABISizeOfType(self.0, ty.0))
    }

    /// The alignment that the ABI gives to a type, in bytes.
    pub fn alignment(self, ty: Type) -> u32 {
        ffi!(LLVMABIAlignmentOfType(self.0, ty.0))
    }

    /// Byte offset of a struct's element.
    pub fn element_offset(self, ty: Type, index: u32) -> u64 {
        ffi!(LLVMOffsetOfElement(self.0, ty.0, index))
    }

    pub fn pointer_bytes(self) -> u32 {
        ffi!(LLVMPointerSize(self.0))
    }

    pub fn is_little_endian(self) -> bool {
        ffi!(LLVMByteOrder(self.0)) == LLVMByteOrdering::LLVMLittleEndian
    }
}
