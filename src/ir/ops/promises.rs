//! Promises of LLVM's `nsw`, `nuw`, `exact`, `disjoint`, `nneg` and the flags of zero counts about
//! a result.
//!
//! A set of promises is a sum of the bits below. If a promise does not hold, the result is poison
//! (LLVM LangRef). An operator ignores promises that it does not know.

use super::{BinOp, eval_bin, mask, signed};

/// The result equals the result of arithmetic on signed integers of any size.
pub const NO_SIGNED_WRAP: u8 = 1;
/// No wrapping of unsigned integers.
pub const NO_UNSIGNED_WRAP: u8 = 2;
/// A division without a remainder, a shift that loses no set bit.
pub const EXACT: u8 = 4;
/// An or of operands that have no set bit in common.
pub const DISJOINT: u8 = 8;
/// The result's highest bit is clear; known to all operators.
pub const NON_NEGATIVE: u8 = 16;
/// The result is not zero; known to all operators.
pub const NOT_ZERO: u8 = 32;
/// Both addresses of a pointer sum (which no operator here is) lie in one object or at its end.
pub const IN_BOUNDS: u8 = 64;

/// No promise: a left shift whose operand may be a signed number or not, which bitcode does not
/// tell.
pub const PERHAPS_SIGNED: u8 = 128;

/// Promises whose breach is reported, also where nothing reads the result.
pub const WRAPS: u8 = NO_SIGNED_WRAP | NO_UNSIGNED_WRAP | PERHAPS_SIGNED;

/// True if the promises hold for `a op b` on `width` (up to 64) bits.
pub fn promises_hold(op: BinOp, promises: u8, width: u32, a: u128, b: u128) -> bool {
    let (x, y) = (signed(width, a), signed(width, b));
    let is_signed = |value: i128| signed(width, value as u128 & mask(width)) == value;
    let is_unsigned = |value: i128| value >= 0 && value as u128 <= mask(width);
    let wide = |combine: fn(i128, i128) -> i128| {
        // 64 bits and their products fit: |x * y| <= 2^126, a * b < 2^128 is looked at as u128
        // below.
        let signed_fine = promises & NO_SIGNED_WRAP == 0 || is_signed(combine(x, y));
        let unsigned_fine = promises & NO_UNSIGNED_WRAP == 0
            || match op {
                BinOp::Mul => a
                    .checked_mul(b)
                    .is_some_and(|product| product <= mask(width)),
                _ => is_unsigned(combine(a as i128, b as i128)),
            };
        signed_fine && unsigned_fine
    };
    let result = eval_bin(op, width, a, b);
    if promises & NON_NEGATIVE != 0 && signed(width, result) < 0 {
        return false;
    }
    if promises & NOT_ZERO != 0 && result == 0 {
        return false;
    }
    match op {
        BinOp::Add => wide(i128::wrapping_add),
        BinOp::Sub => wide(i128::wrapping_sub),
        BinOp::Mul => wide(i128::wrapping_mul),
        BinOp::Shl => {
            (promises & NO_SIGNED_WRAP == 0 || eval_bin(BinOp::AShr, width, result, b) == a)
                && (promises & NO_UNSIGNED_WRAP == 0
                    || eval_bin(BinOp::LShr, width, result, b) == a)
        }
        BinOp::UDiv | BinOp::SDiv => {
            promises & EXACT == 0 || eval_bin(BinOp::Mul, width, result, b) == a
        }
        BinOp::LShr | BinOp::AShr => {
            promises & EXACT == 0 || eval_bin(BinOp::Shl, width, result, b) == a
        }
        BinOp::Or => promises & DISJOINT == 0 || a & b == 0,
        BinOp::URem | BinOp::SRem | BinOp::And | BinOp::Xor => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_agree_with_rust() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let holds = |op, promises| promises_hold(op, promises, 8, a.into(), b.into());
                let (x, y) = (a as i8, b as i8);
                let checks = [
                    (
                        BinOp::Add,
                        x.checked_add(y).is_some(),
                        a.checked_add(b).is_some(),
                    ),
                    (
                        BinOp::Sub,
                        x.checked_sub(y).is_some(),
                        a.checked_sub(b).is_some(),
                    ),
                    (
                        BinOp::Mul,
                        x.checked_mul(y).is_some(),
                        a.checked_mul(b).is_some(),
                    ),
                ];
                for (op, is_signed, is_unsigned) in checks {
                    assert_eq!(holds(op, NO_SIGNED_WRAP), is_signed, "{op:?} {x} {y}");
                    assert_eq!(holds(op, NO_UNSIGNED_WRAP), is_unsigned, "{op:?} {a} {b}");
                    let both = holds(op, NO_SIGNED_WRAP | NO_UNSIGNED_WRAP);
                    assert_eq!(both, is_signed && is_unsigned);
                    assert!(holds(op, 0));
                }
                assert_eq!(holds(BinOp::Or, DISJOINT), a.checked_add(b) == Some(a | b));
                assert_eq!(holds(BinOp::And, NON_NEGATIVE), x & y >= 0);
                assert_eq!(holds(BinOp::And, NOT_ZERO), x & y != 0);
                if b != 0 {
                    assert_eq!(holds(BinOp::UDiv, EXACT), a % b == 0);
                    assert_eq!(holds(BinOp::SDiv, EXACT), x.wrapping_rem(y) == 0);
                }
                if b < 8 {
                    let exact = u16::from(a) << b;
                    assert_eq!(holds(BinOp::Shl, NO_UNSIGNED_WRAP), exact < 256);
                    let signed_fine = i8::try_from(i16::from(x) << b).is_ok();
                    assert_eq!(holds(BinOp::Shl, NO_SIGNED_WRAP), signed_fine);
                    assert_eq!(holds(BinOp::LShr, EXACT), a >> b << b == a);
                }
            }
        }
    }

    #[test]
    fn sixty_four_bits_have_room() {
        let most = u128::from(u64::MAX);
        assert!(!promises_hold(BinOp::Mul, NO_UNSIGNED_WRAP, 64, most, most));
        assert!(promises_hold(BinOp::Mul, NO_SIGNED_WRAP, 64, most, most));
        let least = 1u128 << 63;
        assert!(!promises_hold(BinOp::Mul, NO_SIGNED_WRAP, 64, least, least));
        assert!(!promises_hold(BinOp::Sub, NO_UNSIGNED_WRAP, 64, 0, 1));
        assert!(promises_hold(BinOp::Sub, NO_SIGNED_WRAP, 64, 0, 1));
    }
}
