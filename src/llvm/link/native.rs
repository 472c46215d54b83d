//! Modules take the definitions that the native link took.
//!
//! Invariant: `--wrap` changes undefined references of the linked modules only, never the
//! runtime's; a definition that the native output has from another file gives way.

use super::super::c_api::{LLVMLinkage, ModuleRef, Type, Value};
use super::super::read::inputs::{Inputs, Link, Role};
use super::super::read::line::Definition;
use super::copies;
use super::definitions::{
    definitions, give_up, is_definition, is_visible, make_internal, replace_by_declaration, symbol,
};
use crate::embedded::Part;
use inkwell::llvm_sys::core::*;
use std::collections::BTreeSet;

/// The attribute on functions that says in which order their module is started and which of the
/// inputs it is.
const MODULE_ATTRIBUTE: &str = "homi-module";

/// Marks a module's functions with the place of its executable or shared object in the order in
/// which they are started, and with its own number.
pub(super) fn mark_module(module: ModuleRef, started: usize, number: usize) {
    let text = format!("{started} {number}");
    for function in module.functions() {
        if !function.is_declaration() {
            function.set_text_attribute(MODULE_ATTRIBUTE, &text);
        }
    }
}

/// Removes the marks.
pub(crate) fn unmark(module: ModuleRef) {
    for function in module.functions() {
        function.remove_text_attribute(MODULE_ATTRIBUTE);
    }
}

/// The two numbers that a function was marked with.
pub(crate) fn module_of(function: Value) -> Option<(usize, usize)> {
    let text = function.text_attribute(MODULE_ATTRIBUTE)?;
    let (started, number) = text.split_once(' ')?;
    Some((started.parse().ok()?, number.parse().ok()?))
}

/// Removes the definitions that the link's output has from another file, and wraps references.
pub(super) fn follow_link(module: ModuleRef, link: &Link, part: Option<&Part>) {
    for name in &link.options.wraps {
        copies::call_wrapper(module, name);
        rename_reference(module, name, &format!("__wrap_{name}"));
        rename_reference(module, &format!("__real_{name}"), name);
    }
    let Some(part) = part else {
        return;
    };
    for name in &part.locals {
        let value = symbol(module, name).filter(|value| is_definition(*value));
        value.into_iter().for_each(make_internal);
    }
    give_up(module, &part.yields.iter().cloned().collect());
    for name in &part.defines {
        let value = symbol(module, name).filter(|value| !is_visible(value.linkage()));
        if let Some(value) = value {
            value.set_linkage(LLVMLinkage::LLVMExternalLinkage);
        }
    }
}

/// Lets an undefined reference have another name.
fn rename_reference(module: ModuleRef, from: &str, to: &str) {
    let function = module.function(from);
    // The object has no such definition; the compiler may only look at it.
    let inline = |value: &Value| {
        value.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage && !value.is_declaration()
    };
    if let Some(function) = function.filter(inline) {
        replace_by_declaration(module, function, function.global_value_type(), true);
        function.delete_function();
    }
    let Some(value) = symbol(module, from).filter(|value| value.is_declaration()) else {
        return;
    };
    match symbol(module, to) {
        Some(other) => value.replace_all_uses_with(other),
        None => value.set_name(to),
    }
}

/// Names with strong definitions: two of one name are an error of a linker, mostly.
pub(super) fn strong_definitions(module: ModuleRef) -> BTreeSet<String> {
    let mut names = definitions(module);
    names.retain(|name| {
        let value = symbol(module, name);
        value.is_some_and(|value| value.linkage() == LLVMLinkage::LLVMExternalLinkage)
    });
    names
}

/// Gives the symbols that the link's command defines their values.
pub(super) fn define(module: ModuleRef, definitions: &[Definition]) {
    for definition in definitions {
        define_one(module, definition);
    }
}

fn define_one(module: ModuleRef, definition: &Definition) {
    let old = symbol(module, &definition.name);
    if definition.base.as_ref() == Some(&definition.name) {
        return;
    }
    let base = match &definition.base {
        Some(base) => match symbol(module, base).or_else(|| declare(module, base, old)) {
            Some(base) => Some(base),
            None => return,
        },
        None => None,
    };
    let value = value_of(module, base, definition.offset);
    if let Some(old) = old {
        old.set_name("");
        old.replace_all_uses_with(value);
        if is_definition(old) {
            make_internal(old);
        }
    }
    let other = base.filter(|base| is_definition(*base) && definition.offset == 0);
    if let Some(other) = other {
        let name = std::ffi::CString::new(definition.name.as_str()).unwrap_or_default();
        let ty = other.global_value_type().raw();
        // SAFETY: an alias of a definition of the same module, with its type.
        unsafe { LLVMAddAlias2(module.raw(), ty, 0, other.raw(), name.as_ptr()) };
    }
}

/// Declares a symbol with the type of another, or as a byte.
fn declare(module: ModuleRef, name: &str, like: Option<Value>) -> Option<Value> {
    if let Some(function) = like.filter(|value| is_function(*value)) {
        return module.add_function(name, function.global_value_type());
    }
    // SAFETY: a type of the live module's own context.
    let byte = unsafe { Type::from_raw(LLVMInt8TypeInContext(module.context())) };
    module.add_global(name, byte)
}

/// The address this many bytes behind a symbol, or this number.
fn value_of(module: ModuleRef, base: Option<Value>, offset: i64) -> Value {
    let context = module.context();
    // SAFETY: types and constants of the live module's own context.
    unsafe {
        let byte = LLVMInt8TypeInContext(context);
        let number = LLVMConstInt(LLVMInt64TypeInContext(context), offset as u64, 1);
        Value::from_raw(match base {
            Some(base) if offset == 0 => base.raw(),
            Some(base) => LLVMConstGEP2(byte, base.raw(), [number].as_mut_ptr(), 1),
            None => LLVMConstIntToPtr(number, LLVMPointerTypeInContext(context, 0)),
        })
    }
}

fn is_function(value: Value) -> bool {
    // SAFETY: the value is live.
    !unsafe { LLVMIsAFunction(value.raw()) }.is_null()
}

/// Differences between the native program and the linked modules: functions that come from
/// another file. Definitions of which every file has the same are not looked at.
pub(super) fn differences(module: ModuleRef, inputs: &Inputs) -> Vec<String> {
    let program = inputs
        .modules
        .iter()
        .filter(|source| source.role == Role::Program);
    let links: BTreeSet<usize> = program.filter_map(|source| source.link).collect();
    let mut found = Vec::new();
    for number in links {
        for (index, part) in inputs.links[number].parts.iter().enumerate() {
            let here = (number, index);
            let names = part.defines.iter();
            found.extend(names.filter_map(|name| difference(module, inputs, here, name)));
        }
    }
    found
}

fn difference(
    module: ModuleRef,
    inputs: &Inputs,
    (link, index): (usize, usize),
    name: &str,
) -> Option<String> {
    let function = module.function(name)?;
    let part = &inputs.links[link].parts[index];
    let (file, has_bitcode) = (&part.file, !part.records.is_empty());
    if function.is_declaration() {
        return has_bitcode.then(|| {
            format!(
                "{name}: the native program has it from {file}, whose bitcode does not define it; \
                 was it renamed after compilation? A path that calls it ends"
            )
        });
    }
    let interchangeable = matches!(
        function.linkage(),
        LLVMLinkage::LLVMLinkOnceODRLinkage
            | LLVMLinkage::LLVMLinkOnceAnyLinkage
            | LLVMLinkage::LLVMWeakODRLinkage
            | LLVMLinkage::LLVMAvailableExternallyLinkage
    );
    let (_, number) = module_of(function)?;
    let source = inputs.modules.get(number)?;
    let same = source.link == Some(link) && source.part == Some(index);
    let unknown = source.part.is_none() && has_bitcode;
    (!interchangeable && !same && !unknown).then(|| {
        format!(
            "{name}: the native program has it from {file}, homi from {}; what homi finds in it \
             may not be the native program's",
            source.name
        )
    })
}
