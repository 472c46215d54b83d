//! Undefined values where they are tracked: constants that are `undef` or `poison`, promises,
//! `freeze`.
//!
//! Invariant: without `Roots::track_undefined` nothing here emits an instruction, but promises of
//! the program's own arithmetic with `Roots::track_overflow`; and what is undefined is zero.

use super::function::Body;
use super::{Lowering, Unsupported};
use crate::ir::ops::{BinOp, CmpOp, NO_SIGNED_WRAP, NO_UNSIGNED_WRAP};
use crate::ir::program::{Inst, IntUnary, Origin, Slot};
use crate::llvm::c_api::{LLVMOpcode, LLVMValueKind, Value};
use crate::llvm::read::tag::origin_of;

impl Lowering<'_> {
    /// The promises of an instruction if they matter, else 0.
    pub fn promises_of(&self, inst: Value) -> u8 {
        let wraps = NO_SIGNED_WRAP | NO_UNSIGNED_WRAP;
        let reports = self.roots.track_overflow && may_overflow(inst);
        if !self.roots.track_undefined {
            if reports { inst.promises() & wraps } else { 0 }
        } else if self.roots.track_overflow && !reports {
            // Overflow is reported in user code alone.
            inst.promises() & !wraps
        } else {
            inst.promises()
        }
    }

    /// Returns true if an instruction is a left shift in user code that may be one of signed
    /// numbers, if overflow is tracked: clang promises nothing about either.
    pub fn may_shift_signed(&self, inst: Value) -> bool {
        self.roots.track_overflow && may_overflow(inst) && inst.opcode() == LLVMOpcode::LLVMShl
    }

    /// Returns true if a call of `ctlz`, `cttz` (of 0) or `abs` (of the least number) promises that
    /// its operand differs, if undefined values are tracked. Other calls have no such operand.
    pub fn intrinsic_promises(&self, call: Value) -> bool {
        if !self.roots.track_undefined || call.operand_count() < 3 {
            return false;
        }
        let flag = call.operand(1);
        flag.is_constant() && flag.const_u64() != 0
    }

    /// True for constants that are undefined or have undefined parts, if that matters.
    pub fn is_partly_undefined(&self, value: Value) -> bool {
        use LLVMValueKind as Kind;
        if !self.roots.track_undefined || !value.is_constant() {
            return false;
        }
        match value.kind() {
            Kind::LLVMUndefValueValueKind | Kind::LLVMPoisonValueKind => true,
            Kind::LLVMConstantArrayValueKind
            | Kind::LLVMConstantStructValueKind
            | Kind::LLVMConstantVectorValueKind => {
                (0..value.operand_count()).any(|part| self.is_partly_undefined(value.operand(part)))
            }
            _ => false,
        }
    }
}

/// Returns true if an instruction is arithmetic in user code that can overflow.
fn may_overflow(inst: Value) -> bool {
    use LLVMOpcode as Op;
    let opcodes = [Op::LLVMAdd, Op::LLVMSub, Op::LLVMMul, Op::LLVMShl];
    inst.is_instruction()
        && opcodes.contains(&inst.opcode())
        && origin_of(inst.block().function()) == Origin::Program
}

impl Body<'_, '_> {
    /// The parts of a constant that is partly undefined: each use of it is another value.
    pub fn undefined_constant(&mut self, value: Value) -> Result<Vec<Slot>, Unsupported> {
        use LLVMValueKind as Kind;
        if matches!(
            value.kind(),
            Kind::LLVMUndefValueValueKind | Kind::LLVMPoisonValueKind
        ) {
            let leaves = self.module.types.leaves(value.ty())?;
            let parts = leaves
                .iter()
                .map(|leaf| self.undefined(leaf.scalar.width()));
            return Ok(parts.collect());
        }
        let mut slots = Vec::new();
        for part in 0..value.operand_count() {
            slots.extend(self.operand(value.operand(part))?);
        }
        Ok(slots)
    }

    /// An undefined value; zero if undefined values are not tracked.
    pub fn undefined(&mut self, w: u8) -> Slot {
        if !self.module.roots.track_undefined {
            return self.int(w, 0);
        }
        let dst = self.new_slot(w);
        self.emit(Inst::Undefined { w, dst });
        dst
    }

    /// `a op b` with promises.
    pub fn promised(&mut self, op: BinOp, promises: u8, w: u8, a: Slot, b: Slot) -> Slot {
        let dst = self.new_slot(w);
        self.emit(Inst::BinPromised {
            op,
            promises,
            w,
            dst,
            a,
            b,
        });
        dst
    }

    /// Lowers promises about an operand as promises about an operation that returns the operand.
    pub fn promised_operand(&mut self, promises: u8, w: u8, src: Slot) -> Slot {
        let ones = self.int(w, crate::ir::ops::mask(u32::from(w)));
        self.promised(BinOp::And, promises, w, src, ones)
    }

    /// The operand of an absolute value, which is not the least number.
    pub fn promised_absolute(&mut self, w: u8, src: Slot) -> Slot {
        // The negated operand has the same absolute value.
        let zero = self.int(w, 0);
        self.promised(BinOp::Sub, NO_SIGNED_WRAP, w, zero, src)
    }

    /// A count of zeros of an operand that is not 0: of 0 it is any number.
    pub fn promised_count(&mut self, w: u8, src: Slot, count: Slot) -> Slot {
        let zero = self.int(w, 0);
        let is_broken = self.cmp(CmpOp::Eq, w, src, zero);
        // What counts as 0 leaves the processor's result.
        let any = self.undefined(w);
        let change = self.select(w, is_broken, any, zero);
        self.bin(BinOp::Xor, w, count, change)
    }

    /// Returns a value with the low `to` bits of `src`. The promise is that the other bits carry no
    /// information: that these bits can be shifted to the top and back.
    pub fn promised_low_bits(&mut self, promises: u8, from: u8, to: u8, src: Slot) -> Slot {
        let amount = self.int(from, u128::from(from - to));
        let high = self.promised(BinOp::Shl, promises, from, src, amount);
        self.bin(BinOp::LShr, from, high, amount)
    }

    /// `base + sext(index, iw) * scale` with promises.
    pub fn promised_sum(
        &mut self,
        promises: u8,
        base: Slot,
        (iw, index): (u8, Slot),
        scale: u32,
    ) -> Slot {
        let dst = self.new_slot(64);
        self.emit(Inst::PtrPromised {
            promises,
            iw,
            dst,
            base,
            index,
            scale,
        });
        dst
    }

    /// The parts of a value that is frozen.
    pub fn freeze(&mut self, inst: Value, slots: Vec<Slot>) -> Result<Vec<Slot>, Unsupported> {
        if !self.module.roots.track_undefined {
            return Ok(slots);
        }
        let leaves = self.module.types.leaves(inst.ty())?;
        let frozen = leaves.iter().zip(slots).map(|(leaf, src)| {
            let w = leaf.scalar.width();
            let dst = self.new_slot(w);
            self.emit(Inst::Unary {
                op: IntUnary::Freeze,
                w,
                dst,
                src,
            });
            dst
        });
        Ok(frozen.collect())
    }
}
