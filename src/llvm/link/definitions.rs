//! Definitions of linked modules, and their replacement by declarations.
//!
//! Invariant: lists, such as the list of constructors (`llvm.` names), are joined and never
//! replaced.

use super::super::c_api::{LLVMLinkage, LLVMOpcode, LLVMValueKind, ModuleRef, Type, Value};
use super::super::read::tag::origin_of;
use super::interposed::{OWN, is_interposed};
use homi_ir::program::{Origin, is_builtin};
use std::collections::BTreeSet;

/// True for symbols that other modules can see.
pub(crate) fn is_visible(linkage: LLVMLinkage) -> bool {
    !matches!(
        linkage,
        LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
    )
}

pub(crate) fn is_definition(value: Value) -> bool {
    !value.is_declaration()
        && is_visible(value.linkage())
        && value.linkage() != LLVMLinkage::LLVMAvailableExternallyLinkage
}

/// The functions, variables and aliases of a module.
pub(crate) fn symbols(module: ModuleRef) -> Vec<Value> {
    let mut list = module.functions();
    list.extend(module.globals());
    list.extend(module.aliases());
    list
}

/// The function, variable or alias of this name.
pub(crate) fn symbol(module: ModuleRef, name: &str) -> Option<Value> {
    let found = module.function(name).or_else(|| module.global(name));
    found.or_else(|| module.alias(name))
}

/// Names that a module defines for others.
pub(crate) fn definitions(module: ModuleRef) -> BTreeSet<String> {
    let values = symbols(module).into_iter();
    let values = values.filter(|value| is_definition(*value));
    let names = values.map(Value::name);
    names.filter(|name| !name.starts_with("llvm.")).collect()
}

/// The function behind aliases and casts that change nothing.
pub(crate) fn resolve_function(value: Value) -> Option<Value> {
    let mut value = value;
    for _ in 0..64 {
        match value.kind() {
            LLVMValueKind::LLVMFunctionValueKind => return Some(value),
            LLVMValueKind::LLVMGlobalAliasValueKind => value = value.aliasee(),
            LLVMValueKind::LLVMConstantExprValueKind
                if value.const_opcode() == LLVMOpcode::LLVMBitCast =>
            {
                value = value.operand(0);
            }
            _ => return None,
        }
    }
    None
}

/// Makes a definition the module's own.
pub(crate) fn make_internal(value: Value) {
    value.drop_comdat();
    value.set_linkage(LLVMLinkage::LLVMInternalLinkage);
}

/// Turns a module's definitions of what another module defines as well into declarations.
pub(crate) fn yield_to(module: ModuleRef, other: ModuleRef) {
    give_up(module, &definitions(other));
}

/// Turns a module's definitions of these names into declarations.
pub(crate) fn give_up(module: ModuleRef, names: &BTreeSet<String>) {
    let given_up = |value: &Value| is_definition(*value) && names.contains(&value.name());
    for alias in module.aliases().into_iter().filter(given_up) {
        let is_function = resolve_function(alias.aliasee()).is_some();
        replace_by_declaration(module, alias, alias.global_value_type(), is_function);
        alias.abandon_alias();
    }
    for function in module.functions().into_iter().filter(given_up) {
        replace_by_declaration(module, function, function.global_value_type(), true);
        function.delete_function();
    }
    for global in module.globals().into_iter().filter(given_up) {
        replace_by_declaration(module, global, global.global_value_type(), false);
        global.delete_global();
    }
}

/// Turns a function, which may be the module's own, into a declaration.
pub(crate) fn give_up_function(module: ModuleRef, name: &str) {
    let Some(own) = module.function(name).filter(|own| !own.is_declaration()) else {
        return;
    };
    replace_by_declaration(module, own, own.global_value_type(), true);
    own.delete_function();
}

/// Lets a declaration of the same name stand for a value, which has no name and no uses then.
pub(super) fn replace_by_declaration(module: ModuleRef, old: Value, ty: Type, is_function: bool) {
    let name = old.name();
    old.set_name("");
    let declaration = if is_function {
        module.add_function(&name, ty)
    } else {
        module.add_global(&name, ty)
    };
    if let Some(declaration) = declaration {
        old.replace_all_uses_with(declaration);
    }
}

/// Keeps the runtime's own calls apart from the program's definitions: what glibc's calls would
/// reach of a program gives way, and everything else of the runtime gets a name of its own.
pub(crate) fn separate_from_program(runtime: ModuleRef, program: ModuleRef) {
    let defined = definitions(program);
    let mut interposed = BTreeSet::new();
    for value in symbols(runtime) {
        let name = value.name();
        if !defined.contains(&name) {
            continue;
        }
        // The kernel's weak functions are there for programs that lack them.
        let is_default = value.linkage() == LLVMLinkage::LLVMWeakAnyLinkage
            && module_origin(runtime, value) == Origin::Runtime;
        if is_interposed(&name) || is_default {
            interposed.insert(name);
        } else if is_definition(value) {
            value.set_name(&format!("{OWN}{name}"));
            make_internal(value);
        } else if is_builtin(&name) {
            value.set_name(&format!("{OWN}{name}"));
        }
    }
    give_up(runtime, &interposed);
}

/// Returns the origin of a function; libc's for all else.
fn module_origin(runtime: ModuleRef, value: Value) -> Origin {
    let function = runtime.function(&value.name());
    function.map_or(Origin::Libc, origin_of)
}
