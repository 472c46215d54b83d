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

mod decimal;
mod layout;
#[cfg(lazy_llvm)]
pub(super) mod library;
mod ordering;
mod sanitizer;

use decimal::words_of_decimal;
pub use layout::DataLayout;

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

impl Block {
    /// LLVM's pointer.
    pub fn raw(self) -> LLVMBasicBlockRef {
        self.0
    }
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

impl ModuleRef {
    pub fn context(self) -> LLVMContextRef {
        ffi!(LLVMGetModuleContext(self.0))
    }

    pub fn functions(self) -> Vec<Value> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstFunction(self.0)));
        while let Some(function) = next {
            list.push(Value(function));
            next = some(ffi!(LLVMGetNextFunction(function)));
        }
        list
    }

    pub fn globals(self) -> Vec<Value> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstGlobal(self.0)));
        while let Some(global) = next {
            list.push(Value(global));
            next = some(ffi!(LLVMGetNextGlobal(global)));
        }
        list
    }

    pub fn aliases(self) -> Vec<Value> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstGlobalAlias(self.0)));
        while let Some(alias) = next {
            list.push(Value(alias));
            next = some(ffi!(LLVMGetNextGlobalAlias(alias)));
        }
        list
    }

    pub fn indirect_functions(self) -> Vec<Value> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstGlobalIFunc(self.0)));
        while let Some(symbol) = next {
            list.push(Value(symbol));
            next = some(ffi!(LLVMGetNextGlobalIFunc(symbol)));
        }
        list
    }

    pub fn function(self, name: &str) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        some(ffi!(LLVMGetNamedFunction(self.0, name.as_ptr()))).map(Value)
    }

    pub fn global(self, name: &str) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        some(ffi!(LLVMGetNamedGlobal(self.0, name.as_ptr()))).map(Value)
    }

    pub fn alias(self, name: &str) -> Option<Value> {
        some(ffi!(LLVMGetNamedGlobalAlias(
            self.0,
            name.as_ptr().cast(),
            name.len()
        )))
        .map(Value)
    }

    pub fn target_triple(self) -> String {
        let pointer = ffi!(LLVMGetTarget(self.0));
        if pointer.is_null() {
            return String::new();
        }
        ffi!(CStr::from_ptr(pointer)).to_string_lossy().into_owned()
    }

    pub fn data_layout(self) -> DataLayout {
        DataLayout::of(self)
    }

    /// Uses `llvm.dbg.declare` calls instead of debug records, so that names of locals can be read.
    pub fn use_debug_intrinsics(self) {
        ffi!(LLVMSetIsNewDbgInfoFormat(self.0, 0));
    }

    /// Declares a function.
    pub fn add_function(self, name: &str, function_type: Type) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        Some(Value(ffi!(LLVMAddFunction(
            self.0,
            name.as_ptr(),
            function_type.0
        ))))
    }

    /// Declares a function of 32-bit integers.
    pub fn add_word_function(self, name: &str, parameters: usize) -> Option<Value> {
        let word = ffi!(LLVMInt32TypeInContext(self.context()));
        let mut parameters = vec![word; parameters];
        let count = parameters.len() as u32;
        let ty = ffi!(LLVMFunctionType(word, parameters.as_mut_ptr(), count, 0));
        self.add_function(name, Type(ty))
    }

    /// Declares a global variable.
    pub fn add_global(self, name: &str, value_type: Type) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        Some(Value(ffi!(LLVMAddGlobal(
            self.0,
            value_type.0,
            name.as_ptr()
        ))))
    }
}

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
                is(ffi!(LLVMGetNSW(self.0)), crate::ir::ops::NO_SIGNED_WRAP)
                    | is(ffi!(LLVMGetNUW(self.0)), crate::ir::ops::NO_UNSIGNED_WRAP)
            }
            Op::LLVMUDiv | Op::LLVMSDiv | Op::LLVMLShr | Op::LLVMAShr => {
                is(ffi!(LLVMGetExact(self.0)), crate::ir::ops::EXACT)
            }
            Op::LLVMOr => is(ffi!(LLVMGetIsDisjoint(self.0)), crate::ir::ops::DISJOINT),
            Op::LLVMZExt | Op::LLVMUIToFP => {
                is(ffi!(LLVMGetNNeg(self.0)), crate::ir::ops::NON_NEGATIVE)
            }
            Op::LLVMGetElementPtr => self.address_promises(),
            _ => 0,
        }
    }

    /// The promises of a getelementptr: LLVM's bits are 1 for `inbounds`, 2 for `nusw` (which
    /// `inbounds` includes), 4 for `nuw`.
    fn address_promises(self) -> u8 {
        let flags = ffi!(LLVMGEPGetNoWrapFlags(self.0));
        let is = |flag: u32, promise: u8| if flags & flag != 0 { promise } else { 0 };
        is(1, crate::ir::ops::IN_BOUNDS)
            | is(2, crate::ir::ops::NO_SIGNED_WRAP)
            | is(4, crate::ir::ops::NO_UNSIGNED_WRAP)
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

    // Globals and functions.

    pub fn is_declaration(self) -> bool {
        ffi!(LLVMIsDeclaration(self.0)) != 0
    }

    /// The section that a global is to lie in; empty if it does not matter.
    pub fn section(self) -> String {
        let name = ffi!(LLVMGetSection(self.0));
        if name.is_null() {
            return String::new();
        }
        let name = ffi!(CStr::from_ptr(name));
        name.to_string_lossy().into_owned()
    }

    pub fn linkage(self) -> LLVMLinkage {
        ffi!(LLVMGetLinkage(self.0))
    }

    /// Returns true if only parts of the same shared object see the value.
    pub fn is_hidden(self) -> bool {
        self.visibility() == LLVMVisibility::LLVMHiddenVisibility
    }

    pub fn visibility(self) -> LLVMVisibility {
        ffi!(LLVMGetVisibility(self.0))
    }

    /// Returns true if an optimizer has worked on the function: clang keeps every function of -O0
    /// from being inlined, and LLVM's optimizer marks functions whose address is not compared.
    pub fn is_optimised(self) -> bool {
        use inkwell::llvm_sys::LLVMUnnamedAddr;
        !self.has_function_attribute("noinline")
            || ffi!(LLVMGetUnnamedAddress(self.0)) != LLVMUnnamedAddr::LLVMNoUnnamedAddr
    }

    pub fn set_linkage(self, linkage: LLVMLinkage) {
        ffi!(LLVMSetLinkage(self.0, linkage));
    }

    /// Removes the comdat, which a changed linkage may contradict.
    pub fn drop_comdat(self) {
        if ffi!(LLVMIsAGlobalObject(self.0)).is_null() {
            return; // aliases have none of their own
        }
        ffi!(inkwell::llvm_sys::comdat::LLVMSetComdat(
            self.0,
            std::ptr::null_mut()
        ));
    }

    pub fn initializer(self) -> Option<Value> {
        some(ffi!(LLVMGetInitializer(self.0))).map(Value)
    }

    pub fn is_constant_global(self) -> bool {
        ffi!(LLVMIsGlobalConstant(self.0)) != 0
    }

    pub fn is_thread_local(self) -> bool {
        ffi!(LLVMIsThreadLocal(self.0)) != 0
    }

    pub fn alignment(self) -> u32 {
        ffi!(LLVMGetAlignment(self.0))
    }

    /// The type of what a global, alias or function's address points to.
    pub fn global_value_type(self) -> Type {
        Type(ffi!(LLVMGlobalGetValueType(self.0)))
    }

    pub fn aliasee(self) -> Value {
        Value(ffi!(LLVMAliasGetAliasee(self.0)))
    }

    pub fn replace_all_uses_with(self, other: Value) {
        ffi!(LLVMReplaceAllUsesWith(self.0, other.0));
    }

    /// Deletes a function without uses.
    pub fn delete_function(self) {
        ffi!(LLVMDeleteFunction(self.0));
    }

    /// Deletes an indirect function without uses.
    pub fn delete_indirect_function(self) {
        ffi!(LLVMEraseGlobalIFunc(self.0));
    }

    /// Leaves an alias without uses to globaldce; the C interface cannot delete one.
    pub fn abandon_alias(self) {
        self.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    }

    /// Deletes a global variable without uses.
    pub fn delete_global(self) {
        ffi!(LLVMDeleteGlobal(self.0));
    }

    pub fn blocks(self) -> Vec<Block> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstBasicBlock(self.0)));
        while let Some(block) = next {
            list.push(Block(block));
            next = some(ffi!(LLVMGetNextBasicBlock(block)));
        }
        list
    }

    pub fn parameters(self) -> Vec<Value> {
        let count = ffi!(LLVMCountParams(self.0));
        (0..count)
            .map(|index| Value(ffi!(LLVMGetParam(self.0, index))))
            .collect()
    }

    /// Attribute positions: 0 the returned value, 1.. the parameters, `u32::MAX` the function.
    pub fn has_function_attribute(self, name: &str) -> bool {
        let kind = attribute_kind(name);
        !ffi!(LLVMGetEnumAttributeAtIndex(self.0, u32::MAX, kind)).is_null()
    }

    pub fn remove_function_attribute(self, name: &str) {
        let kind = attribute_kind(name);
        ffi!(LLVMRemoveEnumAttributeAtIndex(self.0, u32::MAX, kind));
    }

    pub fn set_text_attribute(self, name: &str, value: &str) {
        let context = ffi!(LLVMGetModuleContext(LLVMGetGlobalParent(self.0)));
        let attribute = ffi!(LLVMCreateStringAttribute(
            context,
            name.as_ptr().cast(),
            name.len() as u32,
            value.as_ptr().cast(),
            value.len() as u32
        ));
        ffi!(LLVMAddAttributeAtIndex(self.0, u32::MAX, attribute));
    }

    pub fn remove_text_attribute(self, name: &str) {
        let (start, length) = (name.as_ptr().cast(), name.len() as u32);
        ffi!(LLVMRemoveStringAttributeAtIndex(
            self.0,
            u32::MAX,
            start,
            length
        ));
    }

    pub fn text_attribute(self, name: &str) -> Option<String> {
        let attribute = ffi!(LLVMGetStringAttributeAtIndex(
            self.0,
            u32::MAX,
            name.as_ptr().cast(),
            name.len() as u32
        ));
        if attribute.is_null() {
            return None;
        }
        let mut length = 0;
        let pointer = ffi!(LLVMGetStringAttributeValue(attribute, &mut length));
        Some(text(pointer, length as usize))
    }

    /// The type of a parameter's `byval` (index from 0), for functions and for calls.
    pub fn byval_type(self, parameter: u32) -> Option<Type> {
        let kind = attribute_kind("byval");
        let attribute = if self.is_instruction() {
            ffi!(LLVMGetCallSiteEnumAttribute(self.0, parameter + 1, kind))
        } else {
            ffi!(LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, kind))
        };
        (!attribute.is_null()).then(|| Type(ffi!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// The `align` attribute of a parameter in bytes, 0 if it has none.
    pub fn parameter_alignment(self, parameter: u32) -> u32 {
        let kind = attribute_kind("align");
        let attribute = if self.is_instruction() {
            ffi!(LLVMGetCallSiteEnumAttribute(self.0, parameter + 1, kind))
        } else {
            ffi!(LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, kind))
        };
        if attribute.is_null() {
            return 0;
        }
        ffi!(LLVMGetEnumAttributeValue(attribute)) as u32
    }

    /// The call carries the attribute itself.
    pub fn has_call_attribute(self, name: &str) -> bool {
        let kind = attribute_kind(name);
        !ffi!(LLVMGetCallSiteEnumAttribute(self.0, u32::MAX, kind)).is_null()
    }

    /// The file of a function, and the directory that the compiler was in.
    pub fn function_file(self) -> Option<(String, String)> {
        let subprogram = some(ffi!(LLVMGetSubprogram(self.0)))?;
        let file = some(file_of(subprogram))?;
        let mut length = 0;
        let directory = ffi!(LLVMDIFileGetDirectory(file, &mut length));
        Some((file_name(subprogram), text(directory, length as usize)))
    }

    pub fn function_position(self) -> Option<SourcePosition> {
        let subprogram = some(ffi!(LLVMGetSubprogram(self.0)))?;
        Some(SourcePosition {
            file: file_name(subprogram),
            line: ffi!(LLVMDISubprogramGetLine(subprogram)),
            column: 0,
        })
    }

    /// Returns the definition of a global variable, if debug information has it.
    pub fn global_position(self, module: ModuleRef) -> Option<SourcePosition> {
        let kind = metadata_kind(module, "dbg");
        let mut count = 0;
        let entries = ffi!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let mut found = None;
        for index in 0..count as u32 {
            if ffi!(LLVMValueMetadataEntriesGetKind(entries, index)) == kind && found.is_none() {
                let expression = ffi!(LLVMValueMetadataEntriesGetMetadata(entries, index));
                found = some(ffi!(LLVMDIGlobalVariableExpressionGetVariable(expression)));
            }
        }
        ffi!(LLVMDisposeValueMetadataEntries(entries));
        let variable = found?;
        let file = some(ffi!(LLVMDIVariableGetFile(variable)))?;
        let mut length = 0;
        let name = ffi!(LLVMDIFileGetFilename(file, &mut length));
        Some(SourcePosition {
            file: text(name, length as usize),
            line: ffi!(LLVMDIVariableGetLine(variable)),
            column: 0,
        })
    }

    // Instructions.

    pub fn position(self) -> Option<SourcePosition> {
        let location = some(ffi!(LLVMInstructionGetDebugLoc(self.0)))?;
        Some(SourcePosition {
            file: file_name(ffi!(LLVMDILocationGetScope(location))),
            line: ffi!(LLVMDILocationGetLine(location)),
            column: ffi!(LLVMDILocationGetColumn(location)),
        })
    }

    /// The text in the one-operand metadata node of this kind, of a global.
    pub fn text_metadata(self, module: ModuleRef, kind: &str) -> Option<String> {
        let kind = metadata_kind(module, kind);
        let mut count = 0;
        let entries = ffi!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let mut found = None;
        for index in 0..count as u32 {
            if ffi!(LLVMValueMetadataEntriesGetKind(entries, index)) != kind {
                continue;
            }
            let node = ffi!(LLVMValueMetadataEntriesGetMetadata(entries, index));
            let value = ffi!(LLVMMetadataAsValue(module.context(), node));
            if ffi!(LLVMGetMDNodeNumOperands(value)) == 1 {
                let mut operand = std::ptr::null_mut();
                ffi!(LLVMGetMDNodeOperands(value, &mut operand));
                if let Some(operand) = some(operand) {
                    let mut length = 0;
                    let pointer = ffi!(LLVMGetMDString(operand, &mut length));
                    found = Some(text(pointer, length as usize));
                }
            }
        }
        ffi!(LLVMDisposeValueMetadataEntries(entries));
        found
    }

    /// The numbers in the metadata node of this kind, of a global; none if it is about others.
    pub fn numbers_metadata(self, module: ModuleRef, kind: &str) -> Vec<u64> {
        let kind = metadata_kind(module, kind);
        let mut count = 0;
        let entries = ffi!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let mut found = Vec::new();
        for index in 0..count as u32 {
            if ffi!(LLVMValueMetadataEntriesGetKind(entries, index)) != kind {
                continue;
            }
            let node = ffi!(LLVMValueMetadataEntriesGetMetadata(entries, index));
            let value = ffi!(LLVMMetadataAsValue(module.context(), node));
            let length = ffi!(LLVMGetMDNodeNumOperands(value)) as usize;
            let mut operands = vec![std::ptr::null_mut(); length];
            ffi!(LLVMGetMDNodeOperands(value, operands.as_mut_ptr()));
            let operands = operands.into_iter().filter_map(some).map(Value);
            let is_number = |value: &Value| value.kind() == LLVMValueKind::LLVMConstantIntValueKind;
            found = operands.filter(is_number).map(Value::const_u64).collect();
        }
        ffi!(LLVMDisposeValueMetadataEntries(entries));
        found
    }

    pub fn set_text_metadata(self, module: ModuleRef, kind: &str, value: &str) {
        let (context, kind) = (module.context(), metadata_kind(module, kind));
        let mut operand = ffi!(LLVMMDStringInContext2(
            context,
            value.as_ptr().cast(),
            value.len()
        ));
        let node = ffi!(LLVMMDNodeInContext2(context, &mut operand, 1));
        ffi!(LLVMGlobalSetMetadata(self.0, kind, node));
    }

    /// The number in the one-operand metadata node of this kind.
    pub fn metadata_number(self, kind: u32) -> Option<u32> {
        let node = some(ffi!(LLVMGetMetadata(self.0, kind)))?;
        let mut operand = std::ptr::null_mut();
        if ffi!(LLVMGetMDNodeNumOperands(node)) != 1 {
            return None;
        }
        ffi!(LLVMGetMDNodeOperands(node, &mut operand));
        let value = Value(some(operand)?);
        (value.kind() == LLVMValueKind::LLVMConstantIntValueKind).then(|| value.const_u64() as u32)
    }

    pub fn set_metadata_number(self, kind: u32, number: u32) {
        let context = ffi!(LLVMGetTypeContext(self.ty().0));
        let i32_type = ffi!(LLVMInt32TypeInContext(context));
        let constant = ffi!(LLVMConstInt(i32_type, u64::from(number), 0));
        let mut operand = ffi!(LLVMValueAsMetadata(constant));
        let node = ffi!(LLVMMDNodeInContext2(context, &mut operand, 1));
        let value = ffi!(LLVMMetadataAsValue(context, node));
        ffi!(LLVMSetMetadata(self.0, kind, value));
    }

    /// The instruction is a copy of another function's, made by inlining.
    pub fn is_inlined(self) -> bool {
        let location = some(ffi!(LLVMInstructionGetDebugLoc(self.0)));
        location.is_some_and(|location| some(ffi!(LLVMDILocationGetInlinedAt(location))).is_some())
    }

    /// The name of the variable that a `llvm.dbg.declare` or `llvm.dbg.value` call describes, and
    /// its address or its value.
    pub fn described_variable(self) -> Option<(Value, String)> {
        let operand = |index: u32| -> Option<LLVMValueRef> {
            let wrapped = self.operand(index).0;
            some(wrapped)
        };
        let address = operand(0)?;
        let mut value = std::ptr::null_mut();
        // A list of values is not a node, and must not be asked for its operands.
        let metadata = ffi!(LLVMValueAsMetadata(address));
        if !matches!(
            ffi!(LLVMGetMetadataKind(metadata)),
            LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind
        ) {
            return None;
        }
        ffi!(LLVMGetMDNodeOperands(address, &mut value));
        let variable = operand(1)?;
        let count = ffi!(LLVMGetMDNodeNumOperands(variable)) as usize;
        let mut fields = vec![std::ptr::null_mut(); count];
        ffi!(LLVMGetMDNodeOperands(variable, fields.as_mut_ptr()));
        // A DILocalVariable's operands are scope, name, file, type...
        let name = some(*fields.get(1)?)?;
        let mut length = 0;
        let pointer = ffi!(LLVMGetMDString(name, &mut length));
        Some((Value(some(value)?), text(pointer, length as usize)))
    }

    pub fn block(self) -> Block {
        Block(ffi!(LLVMGetInstructionParent(self.0)))
    }

    pub fn int_predicate(self) -> LLVMIntPredicate {
        ffi!(LLVMGetICmpPredicate(self.0))
    }

    pub fn float_predicate(self) -> LLVMRealPredicate {
        ffi!(LLVMGetFCmpPredicate(self.0))
    }

    pub fn successors(self) -> Vec<Block> {
        let count = ffi!(LLVMGetNumSuccessors(self.0));
        (0..count)
            .map(|index| Block(ffi!(LLVMGetSuccessor(self.0, index))))
            .collect()
    }

    pub fn is_conditional(self) -> bool {
        ffi!(LLVMIsConditional(self.0)) != 0
    }

    pub fn condition(self) -> Value {
        Value(ffi!(LLVMGetCondition(self.0)))
    }

    pub fn allocated_type(self) -> Type {
        Type(ffi!(LLVMGetAllocatedType(self.0)))
    }

    pub fn gep_source_type(self) -> Type {
        Type(ffi!(LLVMGetGEPSourceElementType(self.0)))
    }

    /// Incoming values and blocks of a phi.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        let count = ffi!(LLVMCountIncoming(self.0));
        (0..count)
            .map(|index| {
                (
                    Value(ffi!(LLVMGetIncomingValue(self.0, index))),
                    Block(ffi!(LLVMGetIncomingBlock(self.0, index))),
                )
            })
            .collect()
    }

    /// Indices of extractvalue and insertvalue.
    pub fn indices(self) -> Vec<u32> {
        let count = ffi!(LLVMGetNumIndices(self.0)) as usize;
        if count == 0 {
            return Vec::new();
        }
        ffi!(std::slice::from_raw_parts(LLVMGetIndices(self.0), count)).to_vec()
    }

    /// The mask of a shufflevector; `None` is an undefined lane.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        let count = ffi!(LLVMGetNumMaskElements(self.0));
        (0..count)
            .map(|index| u32::try_from(ffi!(LLVMGetMaskValue(self.0, index))).ok())
            .collect()
    }

    pub fn atomic_operation(self) -> LLVMAtomicRMWBinOp {
        ffi!(LLVMGetAtomicRMWBinOp(self.0))
    }

    /// Returns the users of a value, once for each use.
    pub fn users(self) -> Vec<Value> {
        let first = some(ffi!(LLVMGetFirstUse(self.0)));
        let uses = std::iter::successors(first, |current| some(ffi!(LLVMGetNextUse(*current))));
        uses.map(|one| Value(ffi!(LLVMGetUser(one)))).collect()
    }

    pub fn is_constant_int(self) -> bool {
        !ffi!(LLVMIsAConstantInt(self.0)).is_null()
    }

    // Exceptions.

    /// A landing pad runs for exceptions that it does not catch, too.
    pub fn is_cleanup(self) -> bool {
        ffi!(LLVMIsCleanup(self.0)) != 0
    }

    /// The clauses of a landing pad: types, or arrays of types that are filters.
    pub fn clauses(self) -> Vec<Value> {
        let count = ffi!(LLVMGetNumClauses(self.0));
        let clauses = (0..count).map(|index| Value(ffi!(LLVMGetClause(self.0, index))));
        clauses.collect()
    }

    /// A function that says what to do with exceptions.
    pub fn has_personality(self) -> bool {
        ffi!(LLVMHasPersonalityFn(self.0)) != 0
    }

    // Calls.

    pub fn called_value(self) -> Value {
        Value(ffi!(LLVMGetCalledValue(self.0)))
    }

    pub fn called_type(self) -> Type {
        Type(ffi!(LLVMGetCalledFunctionType(self.0)))
    }

    pub fn argument_count(self) -> u32 {
        ffi!(LLVMGetNumArgOperands(self.0))
    }

    /// The text and the constraints of inline assembly.
    pub fn assembly(self) -> (String, String) {
        let mut length = 0;
        let pointer = ffi!(LLVMGetInlineAsmAsmString(self.0, &mut length));
        let template = text(pointer, length);
        let pointer = ffi!(LLVMGetInlineAsmConstraintString(self.0, &mut length));
        (template, text(pointer, length))
    }

    /// Returns true if inline assembly has its operands in Intel's order.
    pub fn is_intel_assembly(self) -> bool {
        let syntax = ffi!(LLVMGetInlineAsmDialect(self.0));
        syntax == inkwell::llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel
    }

    pub fn block_address(self) -> (Value, Block) {
        (
            Value(ffi!(LLVMGetBlockAddressFunction(self.0))),
            Block(ffi!(LLVMGetBlockAddressBasicBlock(self.0))),
        )
    }
}

impl Block {
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
