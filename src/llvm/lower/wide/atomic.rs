//! Atomic operations on integers of more than 128 bits: load, compute, store, since one thread runs
//! at a time.
//!
//! Invariant: as in `wide`; memory has the bytes that a plain store of the result writes.

use super::super::Unsupported;
use super::super::function::Body;
use super::WORD;
use crate::c_api::{LLVMAtomicRMWBinOp, Value};
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{CastOp, Slot};

impl Body<'_, '_> {
    pub fn lower_wide_atomic(&mut self, inst: Value, width: u32) -> Result<(), Unsupported> {
        let address = self.scalar(inst.operand(0))?;
        let source = self.operand(inst.operand(1))?;
        let old = self.load_parts(inst.ty(), address)?;
        let op = inst.atomic_operation();
        let new = self
            .wide_atomic_result(op, width, &old, &source)
            .ok_or_else(|| Unsupported::new(format!("atomic {}", inst.describe())))?;
        self.store_parts(inst.ty(), address, new)?;
        self.define(inst, old);
        Ok(())
    }

    /// Returns the value that memory gets; `None` for operators that integers do not have.
    fn wide_atomic_result(
        &mut self,
        op: LLVMAtomicRMWBinOp,
        width: u32,
        old: &[Slot],
        source: &[Slot],
    ) -> Option<Vec<Slot>> {
        use LLVMAtomicRMWBinOp as R;
        let plain = match op {
            R::LLVMAtomicRMWBinOpXchg => return Some(source.to_vec()),
            R::LLVMAtomicRMWBinOpAdd => Some(BinOp::Add),
            R::LLVMAtomicRMWBinOpSub => Some(BinOp::Sub),
            R::LLVMAtomicRMWBinOpAnd | R::LLVMAtomicRMWBinOpNand => Some(BinOp::And),
            R::LLVMAtomicRMWBinOpOr => Some(BinOp::Or),
            R::LLVMAtomicRMWBinOpXor => Some(BinOp::Xor),
            _ => None,
        };
        if let Some(plain) = plain {
            let result = self.wide_operation(plain, width, old, source);
            if op != R::LLVMAtomicRMWBinOpNand {
                return Some(result);
            }
            let ones = self.wide_number(width, u128::MAX);
            return Some(self.wide_operation(BinOp::Xor, width, &result, &ones));
        }
        let (cond, yes, no) = match op {
            R::LLVMAtomicRMWBinOpMax => (CmpOp::Sgt, old.to_vec(), source.to_vec()),
            R::LLVMAtomicRMWBinOpMin => (CmpOp::Slt, old.to_vec(), source.to_vec()),
            R::LLVMAtomicRMWBinOpUMax => (CmpOp::Ugt, old.to_vec(), source.to_vec()),
            R::LLVMAtomicRMWBinOpUMin => (CmpOp::Ult, old.to_vec(), source.to_vec()),
            R::LLVMAtomicRMWBinOpUIncWrap => {
                let one = self.wide_number(width, 1);
                let next = self.wide_operation(BinOp::Add, width, old, &one);
                (CmpOp::Uge, self.wide_number(width, 0), next)
            }
            R::LLVMAtomicRMWBinOpUDecWrap => {
                let [zero, one] = [0, 1].map(|number| self.wide_number(width, number));
                let next = self.wide_operation(BinOp::Sub, width, old, &one);
                let is_zero = self.wide_cmp(CmpOp::Eq, width, old, &zero);
                let next = self.wide_select(is_zero, width, source, &next);
                (CmpOp::Ugt, source.to_vec(), next)
            }
            _ => return None,
        };
        let cond = self.wide_cmp(cond, width, old, source);
        Some(self.wide_select(cond, width, &yes, &no))
    }

    pub fn lower_wide_compare_exchange(
        &mut self,
        inst: Value,
        width: u32,
    ) -> Result<(), Unsupported> {
        let address = self.scalar(inst.operand(0))?;
        let expected = self.operand(inst.operand(1))?;
        let new = self.operand(inst.operand(2))?;
        let ty = inst.operand(1).ty();
        let old = self.load_parts(ty, address)?;
        let success = self.wide_cmp(CmpOp::Eq, width, &old, &expected);
        let stored = self.wide_select(success, width, &new, &old);
        self.store_parts(ty, address, stored)?;
        let mut slots = old;
        slots.push(success);
        self.define(inst, slots);
        Ok(())
    }

    /// A number (0, 1 or all ones) as parts.
    fn wide_number(&mut self, width: u32, number: u128) -> Vec<Slot> {
        let count = width.div_ceil(WORD.into()) as usize;
        let beyond = if number > 1 { number } else { 0 };
        let mut words = vec![self.int(WORD, beyond); count];
        words[0] = self.int(WORD, number);
        self.parts_of(&words, width)
    }

    fn wide_select(&mut self, cond: Slot, width: u32, a: &[Slot], b: &[Slot]) -> Vec<Slot> {
        let [a, b] = [a, b].map(|parts| self.words_of(parts, width, CastOp::Zext));
        let words = self.select_words(cond, &a, &b);
        self.parts_of(&words, width)
    }
}
