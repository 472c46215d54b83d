//! Thin, copyable handles on LLVM's values, types and blocks, with the queries that lowering needs.
//!
//! Invariant: a handle belongs to a live module of the one context that a load owns, and is not
//! kept beyond it; each method is called only on the kind of value that its name says. Rust cannot
//! check that, so the creator of a handle promises it (`from_raw`, unsafe); other handles come from
//! handles. All calls of the lowering code into LLVM's C interface are in this file and in the
//! modules below it and rest on that promise, so the `SAFETY` argument is made once, at [`ffi`].

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::*;
pub use inkwell::llvm_sys::{
    LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind,
    LLVMValueKind, LLVMVisibility,
};
use std::ffi::CStr;

/// One call of LLVM's C interface.
macro_rules! ffi {
    ($call:expr) => {
        // SAFETY: the file's invariant, which the maker of the module's handle promised: handles
        // belong to a live module of one context, used from one thread, and methods are called on
        // the kinds of value that they are for. Pointers to text come with its length or end with
        // a zero byte, pointers to results are to locals.
        unsafe { $call }
    };
}

/// A value: function, global, constant, argument, block or instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(LLVMValueRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(LLVMBasicBlockRef);

/// A module, borrowed from inkwell's owner of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModuleRef(LLVMModuleRef);

mod block;
mod decimal;
mod function;
mod instruction;
mod layout;
#[cfg(lazy_llvm)]
pub(super) mod library;
mod module;
mod ordering;
mod sanitizer;
mod scope;
mod types;
mod variable;

use decimal::words_of_decimal;
pub use layout::DataLayout;
pub use scope::Scope;
pub use variable::Variable;

macro_rules! raw_handles {
    ($($handle:ident = $raw:ident;)+) => {
        $(
            impl $handle {
                /// A handle on something of LLVM's.
                ///
                /// # Safety
                /// The pointer is to a live object of this kind. The handle, and all handles got
                /// from it, are used only while its module and context live, by one thread, and
                /// methods only on the kinds of value or type that they are for.
                pub unsafe fn from_raw(raw: $raw) -> $handle {
                    $handle(raw)
                }

                /// LLVM's pointer.
                pub fn raw(self) -> $raw {
                    self.0
                }
            }
        )+
    };
}

raw_handles! {
    Value = LLVMValueRef;
    Type = LLVMTypeRef;
    ModuleRef = LLVMModuleRef;
}

/// Position of an instruction or function in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourcePosition {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

fn some<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}

/// A string of known length, owned by LLVM.
fn text(pointer: *const libc::c_char, length: usize) -> String {
    if pointer.is_null() || length == 0 {
        return String::new();
    }
    let bytes = ffi!(std::slice::from_raw_parts(pointer.cast::<u8>(), length));
    String::from_utf8_lossy(bytes).into_owned()
}

/// A string that the C interface allocated for us.
fn owned_message(pointer: *mut libc::c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    let message = ffi!(CStr::from_ptr(pointer)).to_string_lossy().into_owned();
    ffi!(LLVMDisposeMessage(pointer));
    message
}

/// The number that the module's context gives to a metadata kind or attribute name.
pub fn metadata_kind(module: ModuleRef, name: &str) -> u32 {
    metadata_kind_of(module.context(), name)
}

fn metadata_kind_of(context: LLVMContextRef, name: &str) -> u32 {
    ffi!(LLVMGetMDKindIDInContext(
        context,
        name.as_ptr().cast(),
        name.len() as u32
    ))
}

fn attribute_kind(name: &str) -> u32 {
    ffi!(LLVMGetEnumAttributeKindForName(
        name.as_ptr().cast(),
        name.len()
    ))
}

/// Returns the source file of a debug scope; null if it has none.
fn file_of(scope: LLVMMetadataRef) -> LLVMMetadataRef {
    if scope.is_null() {
        scope
    } else {
        ffi!(LLVMDIScopeGetFile(scope))
    }
}

fn file_name(scope: LLVMMetadataRef) -> String {
    let file = file_of(scope);
    if file.is_null() {
        return String::new();
    }
    let mut length = 0;
    let pointer = ffi!(LLVMDIFileGetFilename(file, &mut length));
    text(pointer, length as usize)
}

impl Value {
    pub fn kind(self) -> LLVMValueKind {
        ffi!(LLVMGetValueKind(self.0))
    }

    pub fn ty(self) -> Type {
        Type(ffi!(LLVMTypeOf(self.0)))
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let pointer = ffi!(LLVMGetValueName2(self.0, &mut length));
        text(pointer, length)
    }

    pub fn set_name(self, name: &str) {
        ffi!(LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()));
    }

    /// LLVM's spelling of the value (of an instruction: the whole line).
    pub fn describe(self) -> String {
        owned_message(ffi!(LLVMPrintValueToString(self.0)))
            .trim()
            .to_string()
    }

    /// The promises of an integer operation or conversion (see `ops::promises_hold`); 0 for other
    /// values.
    pub fn promises(self) -> u8 {
        use LLVMOpcode as Op;
        if !self.is_instruction() {
            return 0;
        }
        let is = |flag: i32, promise: u8| if flag != 0 { promise } else { 0 };
        match self.opcode() {
            Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul | Op::LLVMShl | Op::LLVMTrunc => {
                is(ffi!(LLVMGetNSW(self.0)), homi_ir::ops::NO_SIGNED_WRAP)
                    | is(ffi!(LLVMGetNUW(self.0)), homi_ir::ops::NO_UNSIGNED_WRAP)
            }
            Op::LLVMUDiv | Op::LLVMSDiv | Op::LLVMLShr | Op::LLVMAShr => {
                is(ffi!(LLVMGetExact(self.0)), homi_ir::ops::EXACT)
            }
            Op::LLVMOr => is(ffi!(LLVMGetIsDisjoint(self.0)), homi_ir::ops::DISJOINT),
            Op::LLVMZExt | Op::LLVMUIToFP => {
                is(ffi!(LLVMGetNNeg(self.0)), homi_ir::ops::NON_NEGATIVE)
            }
            Op::LLVMGetElementPtr => self.address_promises(),
            _ => 0,
        }
    }

    /// The promises of a getelementptr: LLVM's bits are 1 for `inbounds`, 2 for `nusw` (which
    /// `inbounds` includes), 4 for `nuw`.
    pub fn address_promises(self) -> u8 {
        let flags = ffi!(LLVMGEPGetNoWrapFlags(self.0));
        let is = |flag: u32, promise: u8| if flags & flag != 0 { promise } else { 0 };
        is(1, homi_ir::ops::IN_BOUNDS)
            | is(2, homi_ir::ops::NO_SIGNED_WRAP)
            | is(4, homi_ir::ops::NO_UNSIGNED_WRAP)
    }

    pub fn operand_count(self) -> u32 {
        ffi!(LLVMGetNumOperands(self.0)).max(0) as u32
    }

    pub fn operand(self, index: u32) -> Value {
        Value(ffi!(LLVMGetOperand(self.0, index)))
    }

    pub fn is_constant(self) -> bool {
        ffi!(LLVMIsConstant(self.0)) != 0
    }

    /// The low 64 bits of a constant integer.
    pub fn const_u64(self) -> u64 {
        ffi!(LLVMConstIntGetZExtValue(self.0))
    }

    /// A constant integer of any width up to 128, zero-extended.
    pub fn const_u128(self) -> u128 {
        let width = self.ty().int_width();
        if width <= 64 {
            return u128::from(self.const_u64());
        }
        // The C interface has no reader for wide integers; LLVM prints them as signed decimal.
        let printed = self.describe();
        let digits = printed.rsplit(' ').next().unwrap_or("0");
        let value = digits.parse::<i128>().unwrap_or(0) as u128;
        value & (u128::MAX >> (128 - width.min(128)))
    }

    /// The words of a constant integer of any width, the lowest first; bits beyond the width repeat
    /// the sign.
    pub fn const_words(self) -> Vec<u64> {
        let printed = self.describe();
        let digits = printed.rsplit(' ').next().unwrap_or("0");
        words_of_decimal(digits, self.ty().int_width().div_ceil(64) as usize)
    }

    /// The bits of a constant floating-point number of `width` bits.
    pub fn const_float_bits(self, width: u32) -> u128 {
        let integer = self.ty().integer(width);
        Value(ffi!(LLVMConstBitCast(self.0, integer.0))).const_u128()
    }

    pub fn aggregate_element(self, index: u32) -> Option<Value> {
        some(ffi!(LLVMGetAggregateElement(self.0, index))).map(Value)
    }

    /// The bytes of a constant array of i8.
    pub fn const_bytes(self) -> Option<&'static [u8]> {
        if ffi!(LLVMIsConstantString(self.0)) == 0 {
            return None;
        }
        let mut length = 0;
        let pointer = ffi!(LLVMGetAsString(self.0, &mut length));
        // The slice lives as long as the context; callers copy it at once.
        Some(ffi!(std::slice::from_raw_parts(
            pointer.cast::<u8>(),
            length
        )))
    }

    /// The value of the case that goes to successor `index`, which is not 0, the default.
    pub fn switch_case(self, index: u32) -> Value {
        // From LLVM 22 on case values are not operands.
        #[cfg(any(feature = "llvm22", feature = "llvm23"))]
        return Value(ffi!(LLVMGetSwitchCaseValue(self.0, index)));
        #[cfg(not(any(feature = "llvm22", feature = "llvm23")))]
        self.operand(2 * index)
    }

    pub fn const_opcode(self) -> LLVMOpcode {
        ffi!(LLVMGetConstOpcode(self.0))
    }

    pub fn opcode(self) -> LLVMOpcode {
        ffi!(LLVMGetInstructionOpcode(self.0))
    }

    pub fn is_instruction(self) -> bool {
        !ffi!(LLVMIsAInstruction(self.0)).is_null()
    }

    pub fn is_inline_assembly(self) -> bool {
        !ffi!(LLVMIsAInlineAsm(self.0)).is_null()
    }
}
