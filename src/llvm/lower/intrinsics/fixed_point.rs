//! Numbers with a fixed point, as C's `_Accum` and `_Fract` are computed with, and products
//! without carries.
//!
//! Invariant: a fixed-point operation is computed in twice the width and rounds down; the
//! saturating ones end at the least or the greatest number, as LangRef defines them.

use super::super::Unsupported;
use super::super::function::Body;
use super::find;
use crate::c_api::Value;
use homi_ir::ops::{BinOp, CmpOp, mask};
use homi_ir::program::{CastOp, Slot};

/// A fixed-point intrinsic such as `smul.fix` or `udiv.fix.sat`.
#[derive(Clone, Copy)]
struct FixedPoint {
    is_product: bool,
    is_signed: bool,
    saturates: bool,
}

impl Body<'_, '_> {
    /// Lowers a fixed-point operation or a product without carries; false if it is neither.
    pub fn fixed_point_intrinsic(
        &mut self,
        inst: Value,
        family: &str,
    ) -> Result<bool, Unsupported> {
        let is_carryless = super::matches_family(family, "clmul");
        let operation = operation(family);
        if operation.is_none() && !is_carryless {
            return Ok(false);
        }
        let width = self.module.types.lane(inst.ty())?.width();
        if operation.is_some() && width > 64 {
            return Err(Unsupported::new(format!("intrinsic llvm.{family}")));
        }
        let left = self.operand(inst.operand(0))?;
        let right = self.operand(inst.operand(1))?;
        let mut slots = Vec::new();
        for (a, b) in left.into_iter().zip(right) {
            slots.push(match operation {
                Some(operation) => {
                    let scale = inst.operand(2).const_u64() as u8;
                    self.fixed_point(operation, width, scale, [a, b])
                }
                None => self.carryless_word(width, a, b),
            });
        }
        self.define(inst, slots);
        Ok(true)
    }

    fn fixed_point(&mut self, kind: FixedPoint, w: u8, scale: u8, operands: [Slot; 2]) -> Slot {
        let double = 2 * w;
        let fill = if kind.is_signed {
            CastOp::Sext
        } else {
            CastOp::Zext
        };
        let [a, b] = operands.map(|operand| self.cast(fill, w, double, operand));
        let scale = self.int(double, scale.into());
        let result = match (kind.is_product, kind.is_signed) {
            (true, true) => {
                let product = self.bin(BinOp::Mul, double, a, b);
                self.bin(BinOp::AShr, double, product, scale)
            }
            (true, false) => {
                let product = self.bin(BinOp::Mul, double, a, b);
                self.bin(BinOp::LShr, double, product, scale)
            }
            (false, is_signed) => {
                let dividend = self.bin(BinOp::Shl, double, a, scale);
                if is_signed {
                    self.quotient_rounded_down(double, dividend, b)
                } else {
                    self.bin(BinOp::UDiv, double, dividend, b)
                }
            }
        };
        let result = if kind.saturates {
            self.kept_within(kind.is_signed, w, result)
        } else {
            result
        };
        self.cast(CastOp::Trunc, double, w, result)
    }

    /// C's quotient is rounded to zero; one less where a rest is left and the signs differ.
    fn quotient_rounded_down(&mut self, w: u8, a: Slot, b: Slot) -> Slot {
        let quotient = self.bin(BinOp::SDiv, w, a, b);
        let rest = self.bin(BinOp::SRem, w, a, b);
        let (zero, one) = (self.int(w, 0), self.int(w, 1));
        let has_rest = self.cmp(CmpOp::Ne, w, rest, zero);
        let signs = self.bin(BinOp::Xor, w, a, b);
        let is_negative = self.cmp(CmpOp::Slt, w, signs, zero);
        let is_less = self.bin(BinOp::And, 1, has_rest, is_negative);
        let less = self.bin(BinOp::Sub, w, quotient, one);
        self.select(w, is_less, less, quotient)
    }

    /// Limits a number of `2 * w` bits to the range of `w` bits.
    fn kept_within(&mut self, is_signed: bool, w: u8, value: Slot) -> Slot {
        let double = 2 * w;
        if !is_signed {
            let most = self.int(double, mask(w.into()));
            let is_more = self.cmp(CmpOp::Ugt, double, value, most);
            return self.select(double, is_more, most, value);
        }
        let most = mask(u32::from(w) - 1);
        let (most, least) = (self.int(double, most), self.int(double, !most));
        let is_more = self.cmp(CmpOp::Sgt, double, value, most);
        let value = self.select(double, is_more, most, value);
        let is_less = self.cmp(CmpOp::Slt, double, value, least);
        self.select(double, is_less, least, value)
    }

    /// The lower half of the product of two polynomials over the field of two elements.
    fn carryless_word(&mut self, w: u8, a: Slot, b: Slot) -> Slot {
        let zero = self.int(w, 0);
        let mut product = zero;
        for bit in 0..w {
            let taken = self.bits(b, w, bit, 1);
            let moved = self.shift_left(a, w, bit);
            let part = self.select(w, taken, moved, zero);
            product = self.bin(BinOp::Xor, w, product, part);
        }
        product
    }
}

fn operation(family: &str) -> Option<FixedPoint> {
    let row = |is_product, is_signed, saturates| FixedPoint {
        is_product,
        is_signed,
        saturates,
    };
    let table = [
        ("smul.fix", row(true, true, false)),
        ("umul.fix", row(true, false, false)),
        ("smul.fix.sat", row(true, true, true)),
        ("umul.fix.sat", row(true, false, true)),
        ("sdiv.fix", row(false, true, false)),
        ("udiv.fix", row(false, false, false)),
        ("sdiv.fix.sat", row(false, true, true)),
        ("udiv.fix.sat", row(false, false, true)),
    ];
    find(&table, family)
}
