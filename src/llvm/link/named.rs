//! Functions and variables of the C library that a program asks for by name (`dlsym`).
//!
//! Idea: the runtime is cut down to what the program needs before it runs. So each string of a
//! program that calls `dlsym` keeps the definition of that name, and a table tells the runtime its
//! address.

use super::super::c_api::{LLVMLinkage, ModuleRef, Value};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;

/// The runtime's table (runtime/glibc/dynamic_loading.c): names and addresses by turns, then null.
pub const TABLE: &str = "__homi_names";

/// No function of the C library has a longer name.
const LONGEST: usize = 60;

/// Returns the names that a program may ask for, without its own definitions.
pub fn asked_names(program: ModuleRef) -> Vec<String> {
    if !program.function("dlsym").is_some_and(Value::is_declaration) {
        return Vec::new();
    }
    let mut names: Vec<String> = program
        .globals()
        .into_iter()
        .filter_map(identifier)
        .filter(|name| definition(program, name).is_none())
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The text of a string literal that may be a name in C.
fn identifier(global: Value) -> Option<String> {
    let bytes = global.initializer()?.const_bytes()?.strip_suffix(b"\0")?;
    let is_name = bytes.first().is_some_and(|first| !first.is_ascii_digit())
        && bytes.len() <= LONGEST
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    is_name.then(|| String::from_utf8_lossy(bytes).into_owned())
}

fn definition(module: ModuleRef, name: &str) -> Option<Value> {
    let found = module
        .function(name)
        .or_else(|| module.global(name))
        .or_else(|| module.alias(name));
    found.filter(|found| !found.is_declaration())
}

/// Fills the runtime's table with those of the names that are defined.
pub fn fill_names(module: ModuleRef, names: &[String]) {
    let Some(table) = module.global(TABLE) else {
        return;
    };
    let found: Vec<(&String, Value)> = names
        .iter()
        .filter_map(|name| definition(module, name).map(|value| (name, value)))
        .collect();
    // SAFETY: constants and globals of the live module and its own context; the array has as many
    // elements as its type says.
    unsafe {
        let pointer = LLVMPointerTypeInContext(module.context(), 0);
        let mut elements: Vec<LLVMValueRef> = Vec::new();
        for (name, value) in found {
            elements.push(text(module, name));
            elements.push(value.raw());
        }
        elements.push(LLVMConstNull(pointer));
        let count = elements.len() as u64;
        let array = LLVMConstArray2(pointer, elements.as_mut_ptr(), count);
        let ty = LLVMArrayType2(pointer, count);
        let rows = LLVMAddGlobal(module.raw(), ty, c"homi.names".as_ptr());
        LLVMSetInitializer(rows, array);
        LLVMSetLinkage(rows, LLVMLinkage::LLVMInternalLinkage);
        LLVMSetInitializer(table.raw(), rows);
    }
}

/// A global with a name as a string.
fn text(module: ModuleRef, name: &str) -> LLVMValueRef {
    // SAFETY: a constant and a global of the live module and its own context.
    unsafe {
        let context = module.context();
        let bytes = LLVMConstStringInContext2(context, name.as_ptr().cast(), name.len(), 0);
        let global = LLVMAddGlobal(module.raw(), LLVMTypeOf(bytes), c"homi.name".as_ptr());
        LLVMSetInitializer(global, bytes);
        LLVMSetLinkage(global, LLVMLinkage::LLVMInternalLinkage);
        global
    }
}
