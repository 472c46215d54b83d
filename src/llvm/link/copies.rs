//! Copies and fills of memory that the source asked for by name, where the program defines the name
//! or its link wraps it.
//!
//! Idea: clang makes an operation of a call of `memcpy`, `memmove` or `memset`; gcc calls the
//! function. Invariant: copies of whole variables and initial values stay operations. Those are
//! known by a size and an alignment that the compiler knows, and by a constant of its own.

use super::super::c_api::{LLVMTypeKind, ModuleRef, Type, Value};
use super::definitions::{is_definition, symbol};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;

/// Functions for which clang has operations.
const NAMES: [&str; 3] = ["memcpy", "memmove", "memset"];
/// Beginning of the names of clang's constants for initial values.
const INITIAL: &str = "__const.";

/// Calls the program's own functions where it defines them.
pub(super) fn call_program_copies(module: ModuleRef) {
    for name in NAMES {
        let own = module.function(name).filter(|own| is_definition(*own));
        if let Some(own) = own {
            call_instead(module, name, own);
        }
    }
}

/// Calls the wrapper of a wrapped function.
pub(super) fn call_wrapper(module: ModuleRef, name: &str) {
    let Some(name) = NAMES.into_iter().find(|known| *known == name) else {
        return;
    };
    let Some(operation) = operations(module, name).into_iter().next() else {
        return;
    };
    let wrapper = format!("__wrap_{name}");
    let wrapper = symbol(module, &wrapper).or_else(|| declare(module, &wrapper, operation));
    if let Some(wrapper) = wrapper {
        call_instead(module, name, wrapper);
    }
}

/// Declares a function with the types of an operation's first three operands.
fn declare(module: ModuleRef, name: &str, operation: Value) -> Option<Value> {
    let mut types: Vec<_> = (0..3)
        .map(|index| operation.operand(index).ty().raw())
        .collect();
    // SAFETY: types of the live module's own context.
    let ty = unsafe {
        if LLVMGetTypeKind(types[1]) == LLVMTypeKind::LLVMIntegerTypeKind {
            types[1] = LLVMInt32TypeInContext(module.context());
        }
        Type::from_raw(LLVMFunctionType(types[0], types.as_mut_ptr(), 3, 0))
    };
    module.add_function(name, ty)
}

fn call_instead(module: ModuleRef, name: &str, function: Value) {
    let ty = function.global_value_type();
    let parameters = ty.parameter_types();
    for operation in operations(module, name) {
        let is_inside = operation.block().function() == function;
        let operands: Vec<Value> = (0..3).map(|index| operation.operand(index)).collect();
        let kinds = operands.iter().map(|operand| operand.ty().kind());
        let fits = kinds.eq(parameters.iter().map(|parameter| parameter.kind()));
        if fits && !is_inside && !is_of_compiler(operation) {
            call(module, operation, (function, ty), &operands);
        }
    }
}

/// The operations that clang makes of calls of a function.
fn operations(module: ModuleRef, name: &str) -> Vec<Value> {
    let start = format!("llvm.{name}.");
    let functions = module.functions().into_iter();
    let functions = functions.filter(|function| function.name().starts_with(&start));
    let users = functions.flat_map(Value::users);
    users.filter(|user| user.is_instruction()).collect()
}

/// True for the copy of a whole variable and for an initial value.
fn is_of_compiler(operation: Value) -> bool {
    let aligned = operation.parameter_alignment(0) > 1;
    let source = operation.operand(1).name();
    source.starts_with(INITIAL) || aligned && operation.operand(2).is_constant_int()
}

/// Puts a call in the place of an operation.
fn call(module: ModuleRef, operation: Value, (function, ty): (Value, Type), operands: &[Value]) {
    let types = ty.parameter_types();
    // SAFETY: the operation is in a block of the live module and has no result; the builder is
    // disposed of once; arguments are widened to the function's own types.
    unsafe {
        let builder = LLVMCreateBuilderInContext(module.context());
        LLVMPositionBuilderBefore(builder, operation.raw());
        let place = LLVMInstructionGetDebugLoc(operation.raw());
        LLVMSetCurrentDebugLocation2(builder, place);
        let mut arguments: Vec<_> = operands
            .iter()
            .zip(types)
            .map(|(operand, ty)| {
                if ty.kind() != LLVMTypeKind::LLVMIntegerTypeKind {
                    return operand.raw();
                }
                LLVMBuildIntCast2(builder, operand.raw(), ty.raw(), 0, c"".as_ptr())
            })
            .collect();
        let (function, ty) = (function.raw(), ty.raw());
        LLVMBuildCall2(
            builder,
            ty,
            function,
            arguments.as_mut_ptr(),
            3,
            c"".as_ptr(),
        );
        LLVMInstructionEraseFromParent(operation.raw());
        LLVMDisposeBuilder(builder);
    }
}
