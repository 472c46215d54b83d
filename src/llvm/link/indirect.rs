//! Indirect functions (`ifunc`): a symbol whose code a resolver of the program chooses when the
//! program is loaded.
//!
//! Invariant: the resolvers run once, before any constructor, as the dynamic linker does it; the
//! symbol is one function with one address, which forwards to the code that was chosen (variadic:
//! the address is that code's). It is made after branches are numbered and has none.

use super::super::c_api::{LLVMLinkage, ModuleRef, Value};
use super::super::read::tag::{ORIGIN_ATTRIBUTE, origin_name};
use homi_ir::program::Origin;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMValueRef};

/// The function that calls the resolvers; it is run before the constructors.
pub const RESOLVE: &str = "homi.resolve.indirect.functions";

/// Puts functions in the place of a module's indirect functions. A function cannot pass on
/// arguments that it does not know, so code that names a variadic one takes the chosen address
/// itself; in data it stays, and a path that calls it there ends as an unsupported feature.
pub fn bind_indirect_functions(module: ModuleRef) {
    let found = module.indirect_functions();
    if found.is_empty() {
        return;
    }
    let code = Code::new(module);
    for symbol in found {
        code.bind(symbol);
    }
    code.finish();
}

/// The code being made.
struct Code {
    module: ModuleRef,
    builder: LLVMBuilderRef,
    resolve: Value,
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: made by `new`, disposed of once.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

impl Code {
    fn new(module: ModuleRef) -> Code {
        let context = module.context();
        let name = std::ffi::CString::new(RESOLVE).unwrap_or_default();
        // SAFETY: types, a function and a builder of a live module's own context.
        let (builder, resolve) = unsafe {
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), std::ptr::null_mut(), 0, 0);
            let resolve = LLVMAddFunction(module.raw(), name.as_ptr(), ty);
            LLVMAppendBasicBlockInContext(context, resolve, c"".as_ptr());
            (
                LLVMCreateBuilderInContext(context),
                Value::from_raw(resolve),
            )
        };
        resolve.set_text_attribute(ORIGIN_ATTRIBUTE, origin_name(Origin::Runtime));
        Code {
            module,
            builder,
            resolve,
        }
    }

    /// A global for the address of a symbol's code, which the symbol's resolver tells.
    fn resolved_place(&self, symbol: Value) -> LLVMValueRef {
        let context = self.module.context();
        // SAFETY: all values are of the live module; the builder is in a block made in `new`; the
        // resolver takes nothing and returns a pointer, which LLVM's verifier demands.
        unsafe {
            let pointer = LLVMPointerTypeInContext(context, 0);
            let place = LLVMAddGlobal(self.module.raw(), pointer, c"homi.resolved".as_ptr());
            LLVMSetInitializer(place, LLVMConstNull(pointer));
            LLVMSetLinkage(place, LLVMLinkage::LLVMInternalLinkage);
            let resolver = LLVMGetGlobalIFuncResolver(symbol.raw());
            LLVMPositionBuilderAtEnd(self.builder, LLVMGetFirstBasicBlock(self.resolve.raw()));
            let resolver_type = LLVMFunctionType(pointer, std::ptr::null_mut(), 0, 0);
            let none = std::ptr::null_mut();
            let chosen =
                LLVMBuildCall2(self.builder, resolver_type, resolver, none, 0, c"".as_ptr());
            LLVMBuildStore(self.builder, chosen, place);
            place
        }
    }

    /// Every instruction that names the symbol loads the address instead.
    fn bind_in_code(&self, symbol: Value) {
        let place = self.resolved_place(symbol);
        let mut users = Vec::new();
        // SAFETY: the uses of a value of the live module, none of which changes meanwhile.
        unsafe {
            let mut next = LLVMGetFirstUse(symbol.raw());
            while !next.is_null() {
                let user = LLVMGetUser(next);
                if !LLVMIsAInstruction(user).is_null() && !users.contains(&user) {
                    users.push(user);
                }
                next = LLVMGetNextUse(next);
            }
        }
        for user in users {
            self.load_in(user, symbol, place);
        }
        // SAFETY: without uses nothing names the symbol any more.
        if unsafe { LLVMGetFirstUse(symbol.raw()).is_null() } {
            symbol.delete_indirect_function();
        }
    }

    fn load_in(&self, user: LLVMValueRef, symbol: Value, place: LLVMValueRef) {
        // SAFETY: operands and incoming blocks below their counts; a phi's value is loaded at the
        // end of the block it comes from.
        unsafe {
            let pointer = LLVMPointerTypeInContext(self.module.context(), 0);
            for index in 0..LLVMGetNumOperands(user) as u32 {
                if LLVMGetOperand(user, index) != symbol.raw() {
                    continue;
                }
                let before = if LLVMIsAPHINode(user).is_null() {
                    user
                } else {
                    LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, index))
                };
                LLVMPositionBuilderBefore(self.builder, before);
                let target = LLVMBuildLoad2(self.builder, pointer, place, c"".as_ptr());
                LLVMSetOperand(user, index, target);
            }
        }
    }

    /// One symbol: where its code's address is kept, the call of its resolver, the function that
    /// goes there.
    fn bind(&self, symbol: Value) {
        if symbol.global_value_type().is_variadic() {
            return self.bind_in_code(symbol);
        }
        let context = self.module.context();
        let (name, linkage, ty) = (symbol.name(), symbol.linkage(), symbol.global_value_type());
        let empty = c"".as_ptr();
        symbol.set_name("");
        let Some(function) = self.module.add_function(&name, ty) else {
            return symbol.set_name(&name);
        };
        function.set_linkage(linkage);
        function.set_text_attribute(ORIGIN_ATTRIBUTE, origin_name(Origin::Runtime));
        let place = self.resolved_place(symbol);
        // SAFETY: all values are of the live module; the builder is in a block made here.
        unsafe {
            let pointer = LLVMPointerTypeInContext(context, 0);
            let block = LLVMAppendBasicBlockInContext(context, function.raw(), empty);
            LLVMPositionBuilderAtEnd(self.builder, block);
            let target = LLVMBuildLoad2(self.builder, pointer, place, empty);
            let mut arguments: Vec<_> = function
                .parameters()
                .iter()
                .map(|parameter| parameter.raw())
                .collect();
            let count = arguments.len() as u32;
            let result = LLVMBuildCall2(
                self.builder,
                ty.raw(),
                target,
                arguments.as_mut_ptr(),
                count,
                empty,
            );
            match LLVMGetTypeKind(LLVMTypeOf(result)) {
                super::super::c_api::LLVMTypeKind::LLVMVoidTypeKind => {
                    LLVMBuildRetVoid(self.builder)
                }
                _ => LLVMBuildRet(self.builder, result),
            };
        }
        symbol.replace_all_uses_with(function);
        symbol.delete_indirect_function();
    }

    fn finish(&self) {
        // SAFETY: as in `bind`.
        unsafe {
            LLVMPositionBuilderAtEnd(self.builder, LLVMGetFirstBasicBlock(self.resolve.raw()));
            LLVMBuildRetVoid(self.builder);
        }
    }
}
