//! Undefined values where they are tracked: constants that are `undef` or `poison`, promises,
//! `freeze`.
//!
//! Invariant: without `Roots::track_undefined` nothing here emits an instruction, but promises of
//! the program's own arithmetic with `Roots::track_overflow`; and what is undefined is zero.

use super::function::Body;
use super::{Lowering, Unsupported};
use crate::c_api::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, Value};
use crate::read::tag::origin_of;
use homi_ir::ops::{BinOp, CmpOp, NO_SIGNED_WRAP, NO_UNSIGNED_WRAP};
use homi_ir::program::{FloatCastOp, FloatCmp, FloatKind, Inst, IntUnary, Origin, Slot};

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
    /// numbers, if overflow is tracked: clang promises nothing about either. A sanitizer knows.
    pub fn may_shift_signed(&self, inst: Value) -> bool {
        let is_asked = self.roots.track_overflow && !self.roots.checks_shifts;
        is_asked && may_overflow(inst) && inst.opcode() == LLVMOpcode::LLVMShl
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

fn is_integer_of(value: Value, width: u32) -> bool {
    let ty = value.ty();
    ty.kind() == LLVMTypeKind::LLVMIntegerTypeKind && ty.int_width() == width
}

/// The comparison with the least number and its bits, and the bits of the number beyond the
/// greatest, of floats that fit an integer of this width once their fraction is cut off. `None` for
/// other conversions and for formats that have no number beyond.
fn bounds(op: FloatCastOp, kind: FloatKind, width: u8) -> Option<((FloatCmp, u128), u128)> {
    let power = |exponent: u8| -> Option<u128> {
        let exponent = u128::from(exponent);
        match kind {
            FloatKind::F32 => (exponent < 128).then_some((127 + exponent) << 23),
            FloatKind::F64 => Some((1023 + exponent) << 52),
            FloatKind::X87 => Some((16383 + exponent) << 64 | 1 << 63),
            FloatKind::F16 | FloatKind::BF16 | FloatKind::F128 => None,
        }
    };
    let sign = 1 << (kind.width() - 1);
    match op {
        FloatCastOp::ToUnsigned => Some(((FloatCmp::Ogt, sign | power(0)?), power(width)?)),
        FloatCastOp::ToSigned => {
            let beyond = power(width - 1)?;
            // One less than the least number, if the format has it.
            let least = match kind {
                FloatKind::F64 if width <= 53 => (FloatCmp::Ogt, 1 << (53 - u32::from(width))),
                FloatKind::X87 if width <= 64 => (FloatCmp::Ogt, 1 << (64 - u32::from(width))),
                FloatKind::F32 if width <= 24 => (FloatCmp::Ogt, 1 << (24 - u32::from(width))),
                _ => (FloatCmp::Oge, 0),
            };
            Some(((least.0, sign | beyond | least.1), beyond))
        }
        _ => None,
    }
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
            let is_any = value.kind() == Kind::LLVMUndefValueValueKind;
            let parts = leaves.iter().map(|leaf| {
                let width = leaf.scalar.width();
                if is_any {
                    self.any_value(width)
                } else {
                    self.undefined(width)
                }
            });
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
        self.undefined_or_any(w, false)
    }

    /// An undefined value that is no poison: any value where such values are symbolic.
    fn any_value(&mut self, w: u8) -> Slot {
        self.undefined_or_any(w, self.module.roots.unset_is_any)
    }

    fn undefined_or_any(&mut self, w: u8, is_any: bool) -> Slot {
        let (dst, is_any) = (self.new_slot(w), u8::from(is_any));
        self.emit(Inst::Undefined { w, is_any, dst });
        dst
    }

    /// Returns true if an instruction reads a `_Bool` as a truth value in user code, if undefined
    /// values are tracked: a byte other than 0 and 1 is no value of the type.
    pub fn reads_truth_value(&self, inst: Value) -> bool {
        self.module.roots.track_undefined
            && inst.is_instruction()
            && is_integer_of(inst, 1)
            && is_integer_of(inst.operand(0), 8)
            && origin_of(inst.block().function()) == Origin::Program
    }

    /// The result of a conversion from float to integer in user code: undefined if the number does
    /// not fit, if undefined values are tracked.
    pub fn defined_in_range(
        &mut self,
        op: FloatCastOp,
        kind: Option<FloatKind>,
        width: u8,
        (src, result): (Slot, Slot),
    ) -> Slot {
        let is_own = origin_of(self.function) == Origin::Program;
        let bounds = kind.and_then(|kind| Some((kind, bounds(op, kind, width)?)));
        let Some((kind, (least, most))) = bounds.filter(|_| is_own) else {
            return result;
        };
        if !self.module.roots.track_undefined {
            return result;
        }
        let least_slot = self.int(kind.width() as u8, least.1);
        let most_slot = self.int(kind.width() as u8, most);
        let above = self.float_cmp(least.0, kind, src, least_slot);
        let below = self.float_cmp(FloatCmp::Olt, kind, src, most_slot);
        let fits = self.bin(BinOp::And, 1, above, below);
        self.undefined_unless(fits, width, result)
    }

    /// The value where a condition holds, else an undefined one that counts as the value.
    pub fn undefined_unless(&mut self, fits: Slot, width: u8, value: Slot) -> Slot {
        let zero = self.int(width, 0);
        let any = self.undefined(width);
        let change = self.select(width, fits, zero, any);
        self.bin(BinOp::Xor, width, value, change)
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
        let ones = self.int(w, homi_ir::ops::mask(u32::from(w)));
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
