//! Operations on constants that have no result: clang computes them while it writes bitcode, and
//! leaves poison in their place (`1 / 0`, `1 << 40`, `(int)1e30`).
//!
//! Invariant: only a scalar operand of unoptimized code counts. There, nothing else is poison; an
//! optimizer, and the placeholders of aggregates, have poison that is never used.

use super::super::c_api::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, ModuleRef, Value};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::LLVMBuilderRef;

/// The executor's function that reports the operation.
const REPORT: &str = "homi_folded";

/// Calls the report before each use of such a result.
pub(crate) fn report_folded(module: ModuleRef) {
    let functions = module.functions().into_iter();
    let own = functions.filter(|one| !one.is_declaration() && !one.is_optimised());
    let blocks = own.flat_map(Value::blocks);
    let uses: Vec<Value> = blocks
        .flat_map(|block| {
            block
                .instructions()
                .filter(|inst| uses_poison(*inst))
                .collect::<Vec<_>>()
        })
        .collect();
    if uses.is_empty() {
        return;
    }
    let Some(report) = module
        .function(REPORT)
        .or_else(|| module.add_word_function(REPORT, 0))
    else {
        return;
    };
    // SAFETY: a builder of the live module's context, disposed of below.
    let builder = unsafe { LLVMCreateBuilderInContext(module.context()) };
    for inst in uses {
        call_before(inst, report, builder);
    }
    // SAFETY: the builder was made above and is not used any more.
    unsafe { LLVMDisposeBuilder(builder) };
}

/// True if an instruction computes with a scalar that is poison, or keeps it.
fn uses_poison(inst: Value) -> bool {
    use LLVMOpcode as Op;
    let is_placeholder = matches!(
        inst.opcode(),
        Op::LLVMPHI
            | Op::LLVMInsertElement
            | Op::LLVMInsertValue
            | Op::LLVMShuffleVector
            | Op::LLVMFreeze
    );
    !is_placeholder && (0..inst.operand_count()).any(|index| is_poison(inst.operand(index)))
}

fn is_poison(operand: Value) -> bool {
    use LLVMTypeKind as Kind;
    let is_scalar = || {
        matches!(
            operand.ty().kind(),
            Kind::LLVMIntegerTypeKind
                | Kind::LLVMFloatTypeKind
                | Kind::LLVMDoubleTypeKind
                | Kind::LLVMX86_FP80TypeKind
        )
    };
    operand.kind() == LLVMValueKind::LLVMPoisonValueKind && is_scalar()
}

fn call_before(inst: Value, report: Value, builder: LLVMBuilderRef) {
    let none = std::ptr::null_mut();
    // SAFETY: the instruction is in a block of the live module, and the function takes no argument.
    unsafe {
        LLVMPositionBuilderBefore(builder, inst.raw());
        let location = LLVMInstructionGetDebugLoc(inst.raw());
        LLVMSetCurrentDebugLocation2(builder, location);
        let ty = LLVMGlobalGetValueType(report.raw());
        LLVMBuildCall2(builder, ty, report.raw(), none, 0, c"".as_ptr());
    }
}
