//! One LLVM instruction: dispatch by opcode; integer arithmetic, comparisons, casts and selects
//! here.
//!
//! Invariant: vector forms are the scalar form on each lane; an instruction's result is defined
//! with one slot per part, or the error says which unsupported feature it is.

use super::Unsupported;
use super::constant::{bin_op, int};
use super::function::Body;
use super::types::Scalar;
use crate::c_api::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, Value};
use homi_ir::ops::{BinOp, CmpOp, PERHAPS_SIGNED};
use homi_ir::program::{CastOp, FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary, Inst, Slot};

impl Body<'_, '_> {
    pub fn lower_instruction(&mut self, inst: Value) -> Result<(), Unsupported> {
        use LLVMOpcode as Op;
        let opcode = inst.opcode();
        self.watch_instruction(inst)?;
        self.mark_instruction(inst)?;
        self.check_pointers(inst)?;
        match opcode {
            Op::LLVMBr
            | Op::LLVMSwitch
            | Op::LLVMIndirectBr
            | Op::LLVMRet
            | Op::LLVMUnreachable => self.lower_terminator(inst, inst.block()),
            Op::LLVMAlloca => self.lower_alloca(inst),
            Op::LLVMLoad => {
                self.lower_load(inst)?;
                self.mark_loaded(inst)
            }
            Op::LLVMStore => self.lower_store(inst.operand(0), inst.operand(1)),
            Op::LLVMGetElementPtr => {
                self.lower_gep(inst)?;
                self.check_sum_of(inst)
            }
            Op::LLVMAtomicRMW => self.lower_atomic(inst),
            Op::LLVMAtomicCmpXchg => self.lower_compare_exchange(inst),
            Op::LLVMFence => Ok(()),
            Op::LLVMICmp => self.lower_icmp(inst),
            Op::LLVMFCmp => self.lower_fcmp(inst),
            Op::LLVMSelect => self.lower_select(inst),
            Op::LLVMFreeze => {
                let slots = self.operand(inst.operand(0))?;
                let slots = self.freeze(inst, slots)?;
                self.define(inst, slots);
                Ok(())
            }
            Op::LLVMFNeg => self.lower_float_unary(inst, FloatUnary::Neg, inst.operand(0)),
            Op::LLVMFAdd => self.lower_float(inst, FloatOp::Add),
            Op::LLVMFSub => self.lower_float(inst, FloatOp::Sub),
            Op::LLVMFMul => self.lower_float(inst, FloatOp::Mul),
            Op::LLVMFDiv => self.lower_float(inst, FloatOp::Div),
            Op::LLVMFRem => self.lower_float(inst, FloatOp::Rem),
            Op::LLVMCall => self.lower_call(inst),
            Op::LLVMInvoke => self.lower_invoke(inst),
            // Its slots are filled on the edges.
            Op::LLVMLandingPad => Ok(()),
            Op::LLVMResume => self.lower_resume(inst),
            Op::LLVMCallBr => {
                self.lower_call(inst)?;
                self.jump_from_assembly(inst)
            }
            Op::LLVMExtractValue => self.lower_extract_value(inst),
            Op::LLVMInsertValue => self.lower_insert_value(inst),
            Op::LLVMExtractElement => self.lower_extract_element(inst),
            Op::LLVMInsertElement => self.lower_insert_element(inst),
            Op::LLVMShuffleVector => self.lower_shuffle(inst),
            Op::LLVMZExt
            | Op::LLVMSExt
            | Op::LLVMTrunc
            | Op::LLVMPtrToInt
            | Op::LLVMIntToPtr
            | Op::LLVMBitCast
            | Op::LLVMAddrSpaceCast
            | Op::LLVMFPToUI
            | Op::LLVMFPToSI
            | Op::LLVMUIToFP
            | Op::LLVMSIToFP
            | Op::LLVMFPTrunc
            | Op::LLVMFPExt => {
                let slots = self.convert(opcode, inst.operand(0), inst)?;
                self.define(inst, slots);
                Ok(())
            }
            _ if bin_op(opcode).is_some() => {
                let slots = self.integer_operation(opcode, inst)?;
                self.define(inst, slots);
                Ok(())
            }
            _ => Err(Unsupported::new(format!("instruction {}", inst.describe()))),
        }
    }

    fn integer_operation(
        &mut self,
        opcode: LLVMOpcode,
        inst: Value,
    ) -> Result<Vec<Slot>, Unsupported> {
        let op = bin_op(opcode).ok_or_else(|| Unsupported::new("integer operator"))?;
        let left = self.operand(inst.operand(0))?;
        let mut right = self.operand(inst.operand(1))?;
        if let Some(width) = self.module.types.wide(inst.ty()) {
            return Ok(self.wide_operation(op, width, &left, &right));
        }
        let width = self.module.types.lane(inst.ty())?.width();
        let promises = self.module.promises_of(inst);
        // Kept promises (nuw, nsw) say what an amount beyond the width means: an undefined result.
        let is_masked = |amount: Value| self.is_optimised || amount.is_checked_by_sanitizer();
        if promises == 0 && op.is_shift() && is_masked(inst.operand(1)) {
            right = (right.into_iter())
                .map(|amount| self.amount_within(width, amount))
                .collect();
        }
        let promises = match promises {
            0 if self.module.may_shift_signed(inst) => PERHAPS_SIGNED,
            promises => promises,
        };
        Ok((left.into_iter().zip(right))
            .map(|(a, b)| match promises {
                0 => self.bin(op, width, a, b),
                _ => self.promised(op, promises, width, a, b),
            })
            .collect())
    }

    /// Reduces a shift's amount as the processor does. Optimizers compute shifts ahead of the
    /// condition that guards their amount, so a too large amount is not a bug there: its result is
    /// unused poison. If a sanitizer checks the amount, its report is the bug.
    fn amount_within(&mut self, width: u8, amount: Slot) -> Slot {
        let is_fine = |amount: u128| amount < u128::from(width);
        if !width.is_power_of_two() || self.known_int(amount).is_some_and(is_fine) {
            return amount;
        }
        let low_bits = self.int(width, u128::from(width) - 1);
        self.bin(BinOp::And, width, amount, low_bits)
    }

    /// A constant expression that has no constant form in the IR, computed where it is used.
    pub fn computed_constant(&mut self, value: Value) -> Result<Vec<Slot>, Unsupported> {
        use crate::c_api::LLVMValueKind as Kind;
        if value.kind() != Kind::LLVMConstantExprValueKind {
            let mut slots = Vec::new();
            let mut index = 0;
            while let Some(element) = value.aggregate_element(index) {
                slots.extend(self.operand(element)?);
                index += 1;
            }
            let expected = self.module.types.leaves(value.ty())?.len();
            if slots.is_empty() || slots.len() != expected {
                return Err(Unsupported::new("constant"));
            }
            return Ok(slots);
        }
        let opcode = value.const_opcode();
        match opcode {
            LLVMOpcode::LLVMGetElementPtr => self.gep(value),
            _ if bin_op(opcode).is_some() => self.integer_operation(opcode, value),
            _ => self.convert(opcode, value.operand(0), value),
        }
    }

    fn lower_icmp(&mut self, inst: Value) -> Result<(), Unsupported> {
        let left = self.operand(inst.operand(0))?;
        let right = self.operand(inst.operand(1))?;
        let op = match inst.int_predicate() {
            LLVMIntPredicate::LLVMIntEQ => CmpOp::Eq,
            LLVMIntPredicate::LLVMIntNE => CmpOp::Ne,
            LLVMIntPredicate::LLVMIntUGT => CmpOp::Ugt,
            LLVMIntPredicate::LLVMIntUGE => CmpOp::Uge,
            LLVMIntPredicate::LLVMIntULT => CmpOp::Ult,
            LLVMIntPredicate::LLVMIntULE => CmpOp::Ule,
            LLVMIntPredicate::LLVMIntSGT => CmpOp::Sgt,
            LLVMIntPredicate::LLVMIntSGE => CmpOp::Sge,
            LLVMIntPredicate::LLVMIntSLT => CmpOp::Slt,
            LLVMIntPredicate::LLVMIntSLE => CmpOp::Sle,
        };
        if let Some(width) = self.module.types.wide(inst.operand(0).ty()) {
            let slot = self.wide_cmp(op, width, &left, &right);
            self.define(inst, vec![slot]);
            return Ok(());
        }
        let scalar = self.module.types.lane(inst.operand(0).ty())?;
        let (in_slots, width) = (scalar.width(), self.module.types.stored_width(scalar));
        let slots = (left.into_iter().zip(right))
            .map(|(a, b)| {
                let (a, b) = (
                    self.resize(in_slots, width, a),
                    self.resize(in_slots, width, b),
                );
                self.cmp(op, width, a, b)
            })
            .collect();
        self.define(inst, slots);
        Ok(())
    }

    fn lower_fcmp(&mut self, inst: Value) -> Result<(), Unsupported> {
        let kind = self.module.types.lane(inst.operand(0).ty())?.float()?;
        let op = float_predicate(inst.float_predicate());
        let left = self.operand(inst.operand(0))?;
        let right = self.operand(inst.operand(1))?;
        let mut slots = Vec::new();
        for (a, b) in left.into_iter().zip(right) {
            slots.push(self.float_cmp(op, kind, a, b));
        }
        self.define(inst, slots);
        Ok(())
    }

    pub fn float_cmp(&mut self, op: FloatCmp, kind: FloatKind, a: Slot, b: Slot) -> Slot {
        let dst = self.new_slot(1);
        self.emit(Inst::FloatCmp {
            op,
            kind,
            dst,
            a,
            b,
        });
        dst
    }

    fn lower_select(&mut self, inst: Value) -> Result<(), Unsupported> {
        let leaves = self.module.types.leaves(inst.ty())?;
        let cond = self.operand(inst.operand(0))?;
        let yes = self.operand(inst.operand(1))?;
        let no = self.operand(inst.operand(2))?;
        let mut slots = Vec::new();
        // A condition for all parts, or for each element of a vector.
        let parts = (leaves.len() / cond.len().max(1)).max(1);
        for (index, leaf) in leaves.iter().enumerate() {
            let cond = cond[index / parts];
            slots.push(self.select(leaf.scalar.width(), cond, yes[index], no[index]));
        }
        self.define(inst, slots);
        Ok(())
    }

    pub fn lower_float(&mut self, inst: Value, op: FloatOp) -> Result<(), Unsupported> {
        let kind = self.module.types.lane(inst.ty())?.float()?;
        let left = self.operand(inst.operand(0))?;
        let right = self.operand(inst.operand(1))?;
        let mut slots = Vec::new();
        for (a, b) in left.into_iter().zip(right) {
            slots.push(self.float(op, kind, a, b));
        }
        self.define(inst, slots);
        Ok(())
    }

    pub fn float(&mut self, op: FloatOp, kind: FloatKind, a: Slot, b: Slot) -> Slot {
        let dst = self.new_slot(kind.width() as u8);
        self.emit(Inst::Float {
            op,
            kind,
            dst,
            a,
            b,
        });
        dst
    }

    pub fn float_unary(&mut self, op: FloatUnary, kind: FloatKind, src: Slot) -> Slot {
        let dst = self.new_slot(kind.width() as u8);
        self.emit(Inst::FloatUnary { op, kind, dst, src });
        dst
    }

    pub fn lower_float_unary(
        &mut self,
        inst: Value,
        op: FloatUnary,
        operand: Value,
    ) -> Result<(), Unsupported> {
        let kind = self.module.types.lane(inst.ty())?.float()?;
        let sources = self.operand(operand)?;
        let slots = sources
            .into_iter()
            .map(|src| self.float_unary(op, kind, src))
            .collect();
        self.define(inst, slots);
        Ok(())
    }

    /// A cast instruction or constant expression to the type of `to`.
    fn convert(
        &mut self,
        opcode: LLVMOpcode,
        from: Value,
        to: Value,
    ) -> Result<Vec<Slot>, Unsupported> {
        use LLVMOpcode as Op;
        let sources = self.operand(from)?;
        if matches!(opcode, Op::LLVMBitCast | Op::LLVMAddrSpaceCast) {
            return self.reinterpret(from.ty(), to.ty(), sources);
        }
        let types = &self.module.types;
        if types.wide(from.ty()).is_some() || types.wide(to.ty()).is_some() {
            return self.wide_convert(opcode, from.ty(), to.ty(), &sources);
        }
        let source = self.module.types.lane(from.ty())?;
        let target = self.module.types.lane(to.ty())?;
        let (from_width, to_width) = (source.width(), target.width());
        let promises = self.module.promises_of(to);
        let mut slots = Vec::with_capacity(sources.len());
        for mut src in sources {
            if promises != 0 {
                src = match opcode {
                    Op::LLVMTrunc => self.promised_low_bits(promises, from_width, to_width, src),
                    _ => self.promised_operand(promises, from_width, src),
                };
            }
            let slot = match opcode {
                Op::LLVMZExt => self.cast(CastOp::Zext, from_width, to_width, src),
                Op::LLVMSExt => self.cast(CastOp::Sext, from_width, to_width, src),
                Op::LLVMTrunc if self.reads_truth_value(to) => {
                    let most = self.int(from_width, 1);
                    let fits = self.cmp(CmpOp::Ule, from_width, src, most);
                    let bit = self.cast(CastOp::Trunc, from_width, to_width, src);
                    self.undefined_unless(fits, to_width, bit)
                }
                Op::LLVMTrunc => self.cast(CastOp::Trunc, from_width, to_width, src),
                Op::LLVMPtrToInt | Op::LLVMIntToPtr => {
                    let pointers = self.module.types.pointers.bits();
                    let src = self.resize(from_width, pointers, src);
                    self.resize(pointers, to_width, src)
                }
                _ => self.float_cast(opcode, source, target, src)?,
            };
            slots.push(slot);
        }
        Ok(slots)
    }

    fn float_cast(
        &mut self,
        opcode: LLVMOpcode,
        source: Scalar,
        target: Scalar,
        src: Slot,
    ) -> Result<Slot, Unsupported> {
        use LLVMOpcode as Op;
        let op = match opcode {
            Op::LLVMFPToUI => FloatCastOp::ToUnsigned,
            Op::LLVMFPToSI => FloatCastOp::ToSigned,
            Op::LLVMUIToFP => FloatCastOp::FromUnsigned,
            Op::LLVMSIToFP => FloatCastOp::FromSigned,
            Op::LLVMFPTrunc | Op::LLVMFPExt => FloatCastOp::Convert,
            _ => return Err(Unsupported::new("cast")),
        };
        let result = self.emit_float_cast(op, source, target, src)?;
        Ok(self.defined_in_range(op, source.float().ok(), target.width(), (src, result)))
    }

    /// Any conversion with a float on at least one side.
    pub fn emit_float_cast(
        &mut self,
        op: FloatCastOp,
        source: Scalar,
        target: Scalar,
        src: Slot,
    ) -> Result<Slot, Unsupported> {
        let (kind, to_kind, w) = match op {
            FloatCastOp::Convert => {
                let kind = source.float()?;
                (kind, target.float()?, kind.width() as u8)
            }
            FloatCastOp::FromSigned | FloatCastOp::FromUnsigned => {
                let kind = target.float()?;
                (kind, kind, source.width())
            }
            _ => {
                let kind = source.float()?;
                (kind, kind, target.width())
            }
        };
        let dst = self.new_slot(target.width());
        self.emit(Inst::FloatCast {
            op,
            kind,
            to_kind,
            w,
            dst,
            src,
        });
        Ok(dst)
    }

    /// A zero of each part of a value's type.
    pub fn zeros(&mut self, value: Value) -> Result<Vec<Slot>, Unsupported> {
        let leaves = self.module.types.leaves(value.ty())?;
        Ok(leaves
            .iter()
            .map(|leaf| self.constant_slot(int(leaf.scalar.width(), 0)))
            .collect())
    }
}

fn float_predicate(predicate: LLVMRealPredicate) -> FloatCmp {
    use LLVMRealPredicate as P;
    match predicate {
        P::LLVMRealPredicateFalse => FloatCmp::False,
        P::LLVMRealOEQ => FloatCmp::Oeq,
        P::LLVMRealOGT => FloatCmp::Ogt,
        P::LLVMRealOGE => FloatCmp::Oge,
        P::LLVMRealOLT => FloatCmp::Olt,
        P::LLVMRealOLE => FloatCmp::Ole,
        P::LLVMRealONE => FloatCmp::One,
        P::LLVMRealORD => FloatCmp::Ord,
        P::LLVMRealUNO => FloatCmp::Uno,
        P::LLVMRealUEQ => FloatCmp::Ueq,
        P::LLVMRealUGT => FloatCmp::Ugt,
        P::LLVMRealUGE => FloatCmp::Uge,
        P::LLVMRealULT => FloatCmp::Ult,
        P::LLVMRealULE => FloatCmp::Ule,
        P::LLVMRealUNE => FloatCmp::Une,
        P::LLVMRealPredicateTrue => FloatCmp::True,
    }
}
