//! Undefined values where they are tracked: constants that are `undef` or `poison`, promises, `freeze`.
//!
//! Invariant: without `Roots::track_undefined` nothing here emits an instruction, and what is undefined is zero.

use super::function::Body;
use super::{Gap, Lowering};
use crate::bitcode::llvm::{LLVMValueKind, Value};
use crate::ops::BinOp;
use crate::program::{Inst, IntUnary, Slot};

impl Lowering<'_> {
    /// The promises of an instruction if they matter, else 0.
    pub fn promises_of(&self, inst: Value) -> u8 {
        match self.roots.track_undefined {
            true => inst.promises(),
            false => 0,
        }
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

impl Body<'_, '_> {
    /// The parts of a constant that is partly undefined: each use of it is another value.
    pub fn undefined_constant(&mut self, value: Value) -> Result<Vec<Slot>, Gap> {
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

    /// The parts of a value that is frozen.
    pub fn freeze(&mut self, inst: Value, slots: Vec<Slot>) -> Result<Vec<Slot>, Gap> {
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
