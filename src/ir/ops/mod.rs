//! Operators on bit vectors and floating-point numbers: their names and their meaning on concrete
//! values of 1 to 128 bits.
//!
//! One definition serves constant folding of terms (`expr`), the concrete executor (`exec`) and the
//! text form of the IR (`program`), so that the three cannot drift apart. Values are kept
//! zero-extended in a `u128`: bits at and above the width are always zero.

pub mod float;
mod promises;

pub use promises::{
    DISJOINT, EXACT, IN_BOUNDS, NO_SIGNED_WRAP, NO_UNSIGNED_WRAP, NON_NEGATIVE, NOT_ZERO,
    PERHAPS_SIGNED, WRAPS, promises_hold,
};

use serde::{Deserialize, Serialize};

/// Binary operators on two values of one width; the result has that width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Division truncates; by zero it is a program bug that callers check first (here: SMT-LIB's
    /// all ones).
    UDiv,
    SDiv,
    /// Remainder; by zero the dividend, as in SMT-LIB.
    URem,
    SRem,
    And,
    Or,
    Xor,
    /// Shifts by the width or more give 0 (`AShr`: the sign), as in SMT-LIB; C's overshift is a bug
    /// that callers check.
    Shl,
    LShr,
    AShr,
}

/// Comparisons of two values of one width; the result has 1 bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

impl BinOp {
    pub const ALL: [BinOp; 13] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
    ];

    /// The operator's name in the IR's text form (LLVM's spelling).
    pub fn name(self) -> &'static str {
        match self {
            BinOp::Add => "add",
            BinOp::Sub => "sub",
            BinOp::Mul => "mul",
            BinOp::UDiv => "udiv",
            BinOp::SDiv => "sdiv",
            BinOp::URem => "urem",
            BinOp::SRem => "srem",
            BinOp::And => "and",
            BinOp::Or => "or",
            BinOp::Xor => "xor",
            BinOp::Shl => "shl",
            BinOp::LShr => "lshr",
            BinOp::AShr => "ashr",
        }
    }

    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor
        )
    }

    pub fn is_division(self) -> bool {
        matches!(self, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
    }

    pub fn is_shift(self) -> bool {
        matches!(self, BinOp::Shl | BinOp::LShr | BinOp::AShr)
    }
}

impl CmpOp {
    pub const ALL: [CmpOp; 10] = [
        CmpOp::Eq,
        CmpOp::Ne,
        CmpOp::Ult,
        CmpOp::Ule,
        CmpOp::Ugt,
        CmpOp::Uge,
        CmpOp::Slt,
        CmpOp::Sle,
        CmpOp::Sgt,
        CmpOp::Sge,
    ];

    /// The operator's name in the IR's text form (LLVM's spelling).
    pub fn name(self) -> &'static str {
        match self {
            CmpOp::Eq => "eq",
            CmpOp::Ne => "ne",
            CmpOp::Ult => "ult",
            CmpOp::Ule => "ule",
            CmpOp::Ugt => "ugt",
            CmpOp::Uge => "uge",
            CmpOp::Slt => "slt",
            CmpOp::Sle => "sle",
            CmpOp::Sgt => "sgt",
            CmpOp::Sge => "sge",
        }
    }

    /// The comparison that holds exactly when this one does not.
    pub fn negated(self) -> CmpOp {
        match self {
            CmpOp::Eq => CmpOp::Ne,
            CmpOp::Ne => CmpOp::Eq,
            CmpOp::Ult => CmpOp::Uge,
            CmpOp::Ule => CmpOp::Ugt,
            CmpOp::Ugt => CmpOp::Ule,
            CmpOp::Uge => CmpOp::Ult,
            CmpOp::Slt => CmpOp::Sge,
            CmpOp::Sle => CmpOp::Sgt,
            CmpOp::Sgt => CmpOp::Sle,
            CmpOp::Sge => CmpOp::Slt,
        }
    }
}

/// All ones in the low `width` bits (1 to 128).
#[inline(always)]
pub fn mask(width: u32) -> u128 {
    debug_assert!((1..=128).contains(&width));
    u128::MAX >> (128 - width)
}

/// All ones in the low `width` bits (1 to 64).
#[inline(always)]
pub fn mask64(width: u32) -> u64 {
    debug_assert!((1..=64).contains(&width));
    u64::MAX >> (64 - width)
}

/// The value of `width` bits read as two's complement.
#[inline(always)]
pub fn signed(width: u32, value: u128) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

/// The value of `width` (1 to 64) bits read as two's complement.
#[inline(always)]
pub fn signed64(width: u32, value: u64) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

/// True if the processor has a division of this width, which traps if the quotient does not fit:
/// the least number divided by -1, for the remainder too (x86-64: `idiv`).
pub fn division_traps(op: BinOp, width: u32) -> bool {
    matches!(op, BinOp::SDiv | BinOp::SRem) && matches!(width, 8 | 16 | 32 | 64)
}

/// `a op b` on `width` bits; total (see [`BinOp`] for the edge cases).
pub fn eval_bin(op: BinOp, width: u32, a: u128, b: u128) -> u128 {
    let m = mask(width);
    let result = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BinOp::URem => a.checked_rem(b).unwrap_or(a),
        BinOp::SDiv => {
            let (x, y) = (signed(width, a), signed(width, b));
            if y == 0 {
                if x < 0 { 1 } else { u128::MAX }
            } else {
                x.wrapping_div(y) as u128
            }
        }
        BinOp::SRem => {
            let (x, y) = (signed(width, a), signed(width, b));
            if y == 0 { a } else { x.wrapping_rem(y) as u128 }
        }
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => {
            if b >= u128::from(width) {
                0
            } else {
                a << b
            }
        }
        BinOp::LShr => {
            if b >= u128::from(width) {
                0
            } else {
                a >> b
            }
        }
        BinOp::AShr => (signed(width, a) >> b.min(u128::from(width - 1))) as u128,
    };
    result & m
}

/// `a op b` on `width` bits.
pub fn eval_cmp(op: CmpOp, width: u32, a: u128, b: u128) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => signed(width, a) < signed(width, b),
        CmpOp::Sle => signed(width, a) <= signed(width, b),
        CmpOp::Sgt => signed(width, a) > signed(width, b),
        CmpOp::Sge => signed(width, a) >= signed(width, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bit_operators_agree_with_rust() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (x, y) = (u128::from(a), u128::from(b));
                assert_eq!(eval_bin(BinOp::Add, 8, x, y), u128::from(a.wrapping_add(b)));
                assert_eq!(eval_bin(BinOp::Sub, 8, x, y), u128::from(a.wrapping_sub(b)));
                assert_eq!(eval_bin(BinOp::Mul, 8, x, y), u128::from(a.wrapping_mul(b)));
                assert_eq!(eval_cmp(CmpOp::Slt, 8, x, y), (a as i8) < (b as i8));
                if b != 0 {
                    let quotient = (a as i8).wrapping_div(b as i8) as u8;
                    assert_eq!(eval_bin(BinOp::SDiv, 8, x, y), u128::from(quotient));
                    let remainder = (a as i8).wrapping_rem(b as i8) as u8;
                    assert_eq!(eval_bin(BinOp::SRem, 8, x, y), u128::from(remainder));
                }
                if b < 8 {
                    assert_eq!(
                        eval_bin(BinOp::AShr, 8, x, y),
                        u128::from(((a as i8) >> b) as u8)
                    );
                }
            }
        }
    }

    #[test]
    fn negation_of_a_comparison_flips_it() {
        for op in CmpOp::ALL {
            for a in [0u128, 1, 7, 8, 15] {
                for b in [0u128, 1, 7, 8, 15] {
                    assert_ne!(eval_cmp(op, 4, a, b), eval_cmp(op.negated(), 4, a, b));
                }
            }
        }
    }
}
