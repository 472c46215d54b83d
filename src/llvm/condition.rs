//! Expression of a branch's condition, in terms of its source.
//!
//! Invariant: read before any pass, from the instructions of the branch's block, so at `-O0` it is
//! the expression of the source, with the arguments of its calls. Truth values from other blocks
//! (`&&`, `||`, `?:`) are followed there. In optimized code a value that was computed before counts
//! as a local variable.

use super::c_api::{Block, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Type, Value};
use homi_ir::program::Condition;
use std::collections::HashSet;

/// The parts of the condition that a branch, a switch or a computed goto decides on.
pub(super) fn condition_of(terminator: Value) -> Condition {
    let mut reader = Reader {
        found: Condition::default(),
        blocks: HashSet::from([terminator.block()]),
        seen: HashSet::new(),
        open: Vec::new(),
    };
    reader.open.push(match terminator.opcode() {
        LLVMOpcode::LLVMBr => terminator.condition(),
        _ => terminator.operand(0),
    });
    while let Some(value) = reader.open.pop() {
        if reader.seen.insert(value) {
            reader.read(value);
        }
    }
    reader.found
}

struct Reader {
    found: Condition,
    /// Instructions of these blocks are part of the condition.
    blocks: HashSet<Block>,
    seen: HashSet<Value>,
    open: Vec<Value>,
}

impl Reader {
    fn read(&mut self, value: Value) {
        match value.kind() {
            LLVMValueKind::LLVMInstructionValueKind => self.instruction(value),
            LLVMValueKind::LLVMArgumentValueKind => self.local(value.ty()),
            LLVMValueKind::LLVMGlobalVariableValueKind => self.address_of_global(value),
            LLVMValueKind::LLVMFunctionValueKind => self.found.pointer = true,
            LLVMValueKind::LLVMConstantExprValueKind => self.operands(value),
            _ => {}
        }
    }

    fn instruction(&mut self, value: Value) {
        let truth = value.ty().kind() == LLVMTypeKind::LLVMIntegerTypeKind
            && value.ty().int_width() == 1
            && value.opcode() == LLVMOpcode::LLVMPHI;
        if truth && self.blocks.contains(&value.block()) {
            for (incoming, block) in value.incoming() {
                self.blocks.insert(block);
                self.open.push(incoming);
            }
            return;
        }
        if value.opcode() == LLVMOpcode::LLVMAlloca {
            self.found.local = true;
            self.found.pointer = true;
            return;
        }
        if !self.blocks.contains(&value.block()) || value.opcode() == LLVMOpcode::LLVMPHI {
            self.local(value.ty());
            return;
        }
        match value.opcode() {
            LLVMOpcode::LLVMLoad => {
                self.note(value.ty());
                self.place(value.operand(0));
            }
            LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => self.call(value),
            LLVMOpcode::LLVMGetElementPtr => {
                self.found.pointer = true;
                self.operands(value);
            }
            LLVMOpcode::LLVMICmp => {
                self.note(value.operand(0).ty());
                self.operands(value);
            }
            _ => self.operands(value),
        }
    }

    fn operands(&mut self, value: Value) {
        let operands = (0..value.operand_count()).map(|index| value.operand(index));
        self.open.extend(operands);
    }

    /// A value that is there before the condition is computed.
    fn local(&mut self, ty: Type) {
        self.found.local = true;
        self.note(ty);
    }

    /// A value of this type is part of the condition.
    fn note(&mut self, ty: Type) {
        match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => self.found.integer = true,
            LLVMTypeKind::LLVMPointerTypeKind => self.found.pointer = true,
            _ => {}
        }
    }

    fn address_of_global(&mut self, global: Value) {
        if is_string(global) {
            self.found.string = true
        } else {
            self.found.pointer = true
        }
    }

    /// Returns the source of a load: a variable, a part of one, or a pointer's target.
    fn place(&mut self, mut address: Value) {
        loop {
            let part = match address.kind() {
                LLVMValueKind::LLVMInstructionValueKind => address.opcode(),
                LLVMValueKind::LLVMConstantExprValueKind => address.const_opcode(),
                LLVMValueKind::LLVMGlobalVariableValueKind => {
                    self.found.string |= is_string(address);
                    return;
                }
                _ => break,
            };
            match part {
                LLVMOpcode::LLVMAlloca => {
                    self.found.local = true;
                    return;
                }
                LLVMOpcode::LLVMGetElementPtr if self.is_here(address) => {
                    let indices = (1..address.operand_count()).map(|index| address.operand(index));
                    self.open.extend(indices);
                    address = address.operand(0);
                }
                _ => break,
            }
        }
        self.found.pointer = true;
        self.open.push(address);
    }

    fn is_here(&self, value: Value) -> bool {
        !value.is_instruction() || self.blocks.contains(&value.block())
    }

    fn call(&mut self, call: Value) {
        let callee = call.called_value();
        let is_function = callee.kind() == LLVMValueKind::LLVMFunctionValueKind;
        let intrinsic = is_function && callee.name().starts_with("llvm.");
        if is_function && !intrinsic && callee.is_declaration() {
            self.found.external_call = true;
        }
        if !is_function && !callee.is_inline_assembly() {
            self.open.push(callee);
        }
        if !intrinsic {
            self.note(call.ty());
        }
        let arguments = (0..call.argument_count()).map(|index| call.operand(index));
        self.open.extend(arguments);
    }
}

/// Returns true if a global is a string literal.
fn is_string(global: Value) -> bool {
    global.is_constant_global()
        && global
            .initializer()
            .is_some_and(|value| value.const_bytes().is_some())
}
