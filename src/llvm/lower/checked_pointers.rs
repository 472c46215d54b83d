//! Calls of the executor's checks of pointers (`--checks pointers`): behind sums, and before
//! comparisons and differences.
//!
//! Invariant: where `Roots::watch.pointers` is off, nothing here emits an instruction. Only the
//! program's own code is checked, and of it only sums that promise to stay in their object.

use super::Unsupported;
use super::function::Body;
use super::marked_values::pointer_of;
use crate::c_api::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Value};
use homi_ir::ops::IN_BOUNDS;

fn is_pointer(value: Value) -> bool {
    value.ty().kind() == LLVMTypeKind::LLVMPointerTypeKind
}

/// The position of a comparison in `watch::RELATIONS`.
fn relation(predicate: LLVMIntPredicate) -> Option<u128> {
    match predicate {
        LLVMIntPredicate::LLVMIntULT => Some(0),
        LLVMIntPredicate::LLVMIntULE => Some(1),
        LLVMIntPredicate::LLVMIntUGT => Some(2),
        LLVMIntPredicate::LLVMIntUGE => Some(3),
        _ => None,
    }
}

/// The position of the difference in `watch::RELATIONS`.
const DIFFERENCE: u128 = 4;

/// Returns true if an instruction only accesses memory at a value.
fn accesses(user: Value, address: Value) -> bool {
    let at = match user.opcode() {
        LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg => 0,
        LLVMOpcode::LLVMStore => 1,
        _ => return false,
    };
    let places = (0..user.operand_count()).filter(|index| user.operand(*index) == address);
    places.eq([at])
}

impl Body<'_, '_> {
    /// Checks what an instruction does with pointers, before it.
    pub fn check_pointers(&mut self, inst: Value) -> Result<(), Unsupported> {
        if !self.checks_pointers {
            return Ok(());
        }
        for index in 0..inst.operand_count() {
            let operand = inst.operand(index);
            if operand.kind() == LLVMValueKind::LLVMConstantExprValueKind
                && operand.const_opcode() == LLVMOpcode::LLVMGetElementPtr
            {
                self.check_sum(operand, accesses(inst, operand))?;
            }
        }
        let (a, b) = match inst.opcode() {
            LLVMOpcode::LLVMICmp if is_pointer(inst.operand(0)) => {
                (Some(inst.operand(0)), Some(inst.operand(1)))
            }
            LLVMOpcode::LLVMSub => (pointer_of(inst.operand(0)), pointer_of(inst.operand(1))),
            _ => return Ok(()),
        };
        let relation = match inst.opcode() {
            LLVMOpcode::LLVMICmp => relation(inst.int_predicate()),
            _ => Some(DIFFERENCE),
        };
        if let (Some(a), Some(b), Some(relation)) = (a, b, relation) {
            let words = [self.int(64, relation), self.scalar(a)?, self.scalar(b)?];
            self.call_of_words("homi_check_relation", &words);
        }
        Ok(())
    }

    /// Checks a sum of a pointer and a number, behind it.
    pub fn check_sum_of(&mut self, inst: Value) -> Result<(), Unsupported> {
        if !self.checks_pointers {
            return Ok(());
        }
        let mut users = inst.users().into_iter();
        self.check_sum(inst, users.all(|user| accesses(user, inst)))
    }

    fn check_sum(&mut self, sum: Value, is_address: bool) -> Result<(), Unsupported> {
        if is_pointer(sum) && sum.address_promises() & IN_BOUNDS != 0 {
            let base = self.scalar(sum.operand(0))?;
            let words = [base, self.scalar(sum)?, self.int(64, is_address.into())];
            self.call_of_words("homi_check_sum", &words);
        }
        Ok(())
    }
}
