//! Thread-local variables of programs that can have threads: each thread has its own objects.
//!
//! Idea: the kernel keeps a list of addresses for each thread (runtime/kernel/threads.c), and code
//! takes a variable's address from the list of the running thread. Invariant: a program that starts
//! no thread has no such list, and its thread-local variables are ordinary ones.

use super::super::c_api::{LLVMOpcode, ModuleRef, Value};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};

/// The function of the kernel that starts a thread.
const START: &str = "__homi_clone";
/// The kernel's list of the variables, and its pointer to the running thread's addresses.
const LIST: &str = "homi_thread_local_list";
const RUNNING: &str = "homi_thread_locals";

/// Lets code take thread-local variables from the list of the running thread.
pub(crate) fn separate_threads(module: ModuleRef) {
    let (Some(list), Some(running)) = (module.global(LIST), module.global(RUNNING)) else {
        return;
    };
    let start = module.function(START);
    let can_start = start.is_some_and(|start| !start.is_declaration());
    let globals = module.globals().into_iter().filter(|_| can_start);
    let variables = globals.filter(|one| one.is_thread_local() && !one.is_declaration());
    let variables: Vec<Value> = variables.collect();
    // SAFETY: disposed of below, after the last use.
    let builder = unsafe { LLVMCreateBuilderInContext(module.context()) };
    for (index, variable) in variables.iter().enumerate() {
        for user in variable.users() {
            take_from_list(module, builder, (user, *variable), (running, index));
        }
    }
    // SAFETY: made above.
    unsafe { LLVMDisposeBuilder(builder) };
    fill(module, (list, running), &variables);
}

/// Replaces the operation that gives a variable's address by a load from the list.
fn take_from_list(
    module: ModuleRef,
    builder: LLVMBuilderRef,
    (user, variable): (Value, Value),
    (running, index): (Value, usize),
) {
    if !user.is_instruction() {
        return;
    }
    let is_call = user.opcode() == LLVMOpcode::LLVMCall;
    let is_address = is_call && user.called_value().name() == ADDRESS;
    // SAFETY: the builder stands in a block of the live module, and all values are of that module.
    unsafe {
        let context = module.context();
        let pointer = LLVMPointerTypeInContext(context, 0);
        let place = LLVMInstructionGetDebugLoc(user.raw());
        LLVMPositionBuilderBefore(builder, user.raw());
        LLVMSetCurrentDebugLocation2(builder, place);
        let list = LLVMBuildLoad2(builder, pointer, running.raw(), c"".as_ptr());
        let number = LLVMConstInt(LLVMInt32TypeInContext(context), index as u64, 0);
        let entry = LLVMBuildGEP2(
            builder,
            pointer,
            list,
            [number].as_mut_ptr(),
            1,
            c"".as_ptr(),
        );
        let address = LLVMBuildLoad2(builder, pointer, entry, c"".as_ptr());
        if is_address {
            user.replace_all_uses_with(Value::from_raw(address));
            LLVMInstructionEraseFromParent(user.raw());
        } else if LLVMIsAPHINode(user.raw()).is_null() {
            for operand in 0..user.operand_count() {
                if user.operand(operand) == variable {
                    LLVMSetOperand(user.raw(), operand, address);
                }
            }
        }
    }
}

/// The operation that gives the address of a thread-local variable.
const ADDRESS: &str = "llvm.threadlocal.address.p0";

/// The alignment in bytes of a copy of a variable that asks for less: malloc's.
const LEAST_ALIGNMENT: u64 = 16;

/// Makes the kernel's list of the variables, and main's addresses: the variables themselves.
fn fill(module: ModuleRef, (list, running): (Value, Value), variables: &[Value]) {
    let layout = module.data_layout();
    let entry = list.global_value_type().element();
    let fields = entry.struct_elements();
    let [_, word, _] = fields[..] else {
        return;
    };
    // SAFETY: types and constants of the live module's own context.
    unsafe {
        let pointer = LLVMPointerTypeInContext(module.context(), 0);
        let entries = variables.iter().map(|variable| {
            let size = layout.allocation_size(variable.global_value_type());
            let size = LLVMConstInt(word.raw(), size, 0);
            let alignment = u64::from(variable.alignment()).max(LEAST_ALIGNMENT);
            let alignment = LLVMConstInt(word.raw(), alignment, 0);
            LLVMConstNamedStruct(
                entry.raw(),
                [variable.raw(), size, alignment].as_mut_ptr(),
                3,
            )
        });
        let last = LLVMConstNull(entry.raw());
        let mut entries: Vec<LLVMValueRef> = entries.chain([last]).collect();
        let full = array(module, entry.raw(), &mut entries);
        list.replace_all_uses_with(Value::from_raw(full));
        let mut addresses: Vec<_> = variables.iter().map(|one| one.raw()).collect();
        if addresses.is_empty() {
            return;
        }
        let addresses = array(module, pointer, &mut addresses);
        LLVMSetInitializer(running.raw(), addresses);
    }
}

/// A variable of the module that is an array of these elements.
///
/// # Safety
/// The elements are constants of the type, in the module's context.
unsafe fn array(
    module: ModuleRef,
    element: LLVMTypeRef,
    elements: &mut [LLVMValueRef],
) -> LLVMValueRef {
    let count = elements.len() as u64;
    // SAFETY: as the caller promises.
    unsafe {
        let value = LLVMConstArray2(element, elements.as_mut_ptr(), count);
        let name = c"homi.thread.locals".as_ptr();
        let global = LLVMAddGlobal(module.raw(), LLVMArrayType2(element, count), name);
        LLVMSetInitializer(global, value);
        global
    }
}
