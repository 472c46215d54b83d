//! Emission of integer operations, simplified where that is free.
//!
//! Invariant: only rewrites that keep every possible bug (no division or shift folds) and never
//! touch control flow. They undo what clang does at -O0 with truth values: i1 to i8 or i32,
//! compared with 0, negated.

use super::function::Body;
use homi_ir::ops::{BinOp, CmpOp, eval_bin, eval_cmp, mask, signed};
use homi_ir::program::{CastOp, Inst, Slot};

impl Body<'_, '_> {
    pub fn bin(&mut self, op: BinOp, w: u8, a: Slot, b: Slot) -> Slot {
        let width = u32::from(w);
        let (left, right) = (self.known_int(a), self.known_int(b));
        let trapping = op.is_division() || op.is_shift();
        if let (Some(x), Some(y), false) = (left, right, trapping) {
            return self.int(w, eval_bin(op, width, x, y));
        }
        match (op, left, right) {
            (BinOp::Add | BinOp::Or | BinOp::Xor | BinOp::Sub, _, Some(0)) => return a,
            (BinOp::Add | BinOp::Or | BinOp::Xor, Some(0), _) => return b,
            (BinOp::And, _, Some(ones)) if ones == mask(width) => return a,
            (BinOp::And, Some(ones), _) if ones == mask(width) => return b,
            (BinOp::And, _, Some(0)) => return b,
            (BinOp::And, Some(0), _) => return a,
            (BinOp::Mul, _, Some(1)) => return a,
            (BinOp::Xor, _, Some(1)) if w == 1 => return self.negate(a),
            _ => {}
        }
        let dst = self.new_slot(w);
        self.define_slot(dst, Inst::Bin { op, w, dst, a, b })
    }

    pub fn cmp(&mut self, op: CmpOp, w: u8, a: Slot, b: Slot) -> Slot {
        let (left, right) = (self.known_int(a), self.known_int(b));
        if let (Some(x), Some(y)) = (left, right) {
            return self.int(1, u128::from(eval_cmp(op, u32::from(w), x, y)));
        }
        if let Some(constant) = right {
            if w == 1 {
                match (op, constant) {
                    (CmpOp::Ne, 0) | (CmpOp::Eq, 1) => return a,
                    (CmpOp::Eq, 0) | (CmpOp::Ne, 1) => return self.negate(a),
                    _ => {}
                }
            }
            // A comparison of a zero-extended value with a constant that fits the narrow width.
            let unsigned = matches!(
                op,
                CmpOp::Eq | CmpOp::Ne | CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge
            );
            if let (
                true,
                Some(Inst::Cast {
                    op: CastOp::Zext,
                    from,
                    src,
                    ..
                }),
            ) = (unsigned, self.definitions.get(&a).copied())
            {
                if constant <= mask(u32::from(from)) {
                    let narrow = self.int(from, constant);
                    return self.cmp(op, from, src, narrow);
                }
            }
        }
        let dst = self.new_slot(1);
        self.define_slot(dst, Inst::Cmp { op, w, dst, a, b })
    }

    /// The other truth value of a slot of 1 bit.
    fn negate(&mut self, value: Slot) -> Slot {
        match self.definitions.get(&value).copied() {
            Some(Inst::Cmp { op, w, a, b, .. }) => self.cmp(op.negated(), w, a, b),
            Some(Inst::Bin {
                op: BinOp::Xor,
                w: 1,
                a,
                b,
                ..
            }) if self.known_int(b) == Some(1) => a,
            _ => {
                let dst = self.new_slot(1);
                let one = self.int(1, 1);
                self.define_slot(
                    dst,
                    Inst::Bin {
                        op: BinOp::Xor,
                        w: 1,
                        dst,
                        a: value,
                        b: one,
                    },
                )
            }
        }
    }

    /// The value in another width; the slot itself if the width stays.
    pub fn cast(&mut self, op: CastOp, from: u8, to: u8, src: Slot) -> Slot {
        if from == to {
            return src;
        }
        if let Some(value) = self.known_int(src) {
            let value = match op {
                CastOp::Sext => signed(u32::from(from), value) as u128,
                CastOp::Zext | CastOp::Trunc => value,
            };
            return self.int(to, value);
        }
        if let Some(Inst::Cast {
            op: inner,
            from: first,
            src: source,
            ..
        }) = self.definitions.get(&src).copied()
        {
            match (op, inner) {
                // A zero-extended value is not negative.
                (CastOp::Zext | CastOp::Sext, CastOp::Zext) => {
                    return self.cast(CastOp::Zext, first, to, source);
                }
                (CastOp::Sext, CastOp::Sext) => {
                    return self.cast(CastOp::Sext, first, to, source);
                }
                (CastOp::Trunc, CastOp::Trunc) => {
                    return self.cast(CastOp::Trunc, first, to, source);
                }
                (CastOp::Trunc, CastOp::Zext | CastOp::Sext) if to <= first => {
                    return self.cast(CastOp::Trunc, first, to, source);
                }
                (CastOp::Trunc, CastOp::Zext | CastOp::Sext) => {
                    return self.cast(inner, first, to, source);
                }
                _ => {}
            }
        }
        let dst = self.new_slot(to);
        self.define_slot(
            dst,
            Inst::Cast {
                op,
                from,
                to,
                dst,
                src,
            },
        )
    }

    /// Zero-extends or truncates.
    pub fn resize(&mut self, from: u8, to: u8, src: Slot) -> Slot {
        let op = if to > from {
            CastOp::Zext
        } else {
            CastOp::Trunc
        };
        self.cast(op, from, to, src)
    }

    pub fn select(&mut self, w: u8, cond: Slot, a: Slot, b: Slot) -> Slot {
        match self.known_int(cond) {
            Some(0) => return b,
            Some(_) => return a,
            None if a == b => return a,
            None => {}
        }
        let dst = self.new_slot(w);
        self.define_slot(dst, Inst::Select { w, dst, cond, a, b })
    }

    fn define_slot(&mut self, dst: Slot, inst: Inst) -> Slot {
        self.definitions.insert(dst, inst);
        self.emit(inst);
        dst
    }
}
