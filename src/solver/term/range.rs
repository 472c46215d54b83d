//! Unsigned bounds of a term, from its operator and its operands' bounds alone.
//!
//! Invariant: sound for every assignment. Exact for constants, extensions, concatenations of
//! independent parts, tables; otherwise the full range when a result may wrap. Kept for terms of
//! at most 64 bits; wider terms have the full range (zero extensions excepted).

use homi_ir::ops::float::FloatFunction;
use homi_ir::ops::{BinOp, CmpOp, eval_cmp, mask64, signed64};

/// Inclusive unsigned bounds.
pub(super) type Range = (u64, u64);

pub(super) fn full(width: u32) -> Range {
    (0, if width >= 64 { u64::MAX } else { mask64(width) })
}

/// All ones up to the highest bit that `value` has.
fn fill(value: u64) -> u64 {
    if value == 0 {
        0
    } else {
        u64::MAX >> value.leading_zeros()
    }
}

/// Bounds of `a op b` on `width` (at most 64) bits.
pub(super) fn bin(op: BinOp, width: u32, a: Range, b: Range) -> Range {
    let max = mask64(width);
    match op {
        BinOp::Add => match a.1.checked_add(b.1) {
            Some(high) if high <= max => (a.0 + b.0, high),
            // Both ends wrap: the whole interval moves by 2^width.
            _ if a.0.checked_add(b.0).is_none_or(|low| low > max) => {
                (a.0.wrapping_add(b.0) & max, a.1.wrapping_add(b.1) & max)
            }
            _ => (0, max),
        },
        BinOp::Sub if a.0 >= b.1 => (a.0 - b.1, a.1 - b.0),
        BinOp::Sub if a.1 < b.0 => (a.0.wrapping_sub(b.1) & max, a.1.wrapping_sub(b.0) & max),
        BinOp::Sub => (0, max),
        BinOp::Mul => match a.1.checked_mul(b.1) {
            Some(high) if high <= max => (a.0 * b.0, high),
            _ => (0, max),
        },
        BinOp::UDiv if b.0 > 0 => (a.0 / b.1, a.1 / b.0),
        // A division by zero gives all ones.
        BinOp::UDiv if b.1 > 0 => (a.0 / b.1, max),
        BinOp::URem if b.0 > 0 && a.1 < b.0 => a,
        BinOp::URem if b.0 > 0 => (0, a.1.min(b.1 - 1)),
        BinOp::URem => (0, a.1),
        BinOp::And => (0, a.1.min(b.1)),
        BinOp::Or => (a.0.max(b.0), fill(a.1 | b.1)),
        BinOp::Xor => (0, fill(a.1 | b.1)),
        BinOp::LShr if b.1 < u64::from(width) => (a.0 >> b.1, a.1 >> b.0),
        BinOp::LShr => (0, a.1),
        BinOp::Shl if b.1 < u64::from(width) && a.1 <= max >> b.1 => (a.0 << b.0, a.1 << b.1),
        BinOp::AShr if a.1 <= max >> 1 => (0, a.1),
        BinOp::UDiv | BinOp::SDiv | BinOp::SRem | BinOp::Shl | BinOp::AShr => (0, max),
    }
}

/// Returns the result of a comparison if it is the same for all values within the bounds. At most
/// 64 bits.
pub(super) fn compare(op: CmpOp, width: u32, a: Range, b: Range) -> Option<bool> {
    if a.0 == a.1 && b.0 == b.1 {
        return Some(eval_cmp(op, width, u128::from(a.0), u128::from(b.0)));
    }
    match op {
        CmpOp::Eq if a.1 < b.0 || b.1 < a.0 => Some(false),
        CmpOp::Ne if a.1 < b.0 || b.1 < a.0 => Some(true),
        CmpOp::Eq | CmpOp::Ne => None,
        CmpOp::Ult if a.1 < b.0 => Some(true),
        CmpOp::Ult if a.0 >= b.1 => Some(false),
        CmpOp::Ule if a.1 <= b.0 => Some(true),
        CmpOp::Ule if a.0 > b.1 => Some(false),
        CmpOp::Ult | CmpOp::Ule => None,
        CmpOp::Ugt => compare(CmpOp::Ult, width, b, a),
        CmpOp::Uge => compare(CmpOp::Ule, width, b, a),
        CmpOp::Sgt => compare(CmpOp::Slt, width, b, a),
        CmpOp::Sge => compare(CmpOp::Sle, width, b, a),
        CmpOp::Slt | CmpOp::Sle => {
            let (a, b) = (signed_bounds(width, a)?, signed_bounds(width, b)?);
            match op {
                CmpOp::Slt if a.1 < b.0 => Some(true),
                CmpOp::Slt if a.0 >= b.1 => Some(false),
                CmpOp::Sle if a.1 <= b.0 => Some(true),
                CmpOp::Sle if a.0 > b.1 => Some(false),
                _ => None,
            }
        }
    }
}

/// The bounds read as two's complement, if they do not straddle the sign change.
fn signed_bounds(width: u32, range: Range) -> Option<(i64, i64)> {
    let (low, high) = (signed64(width, range.0), signed64(width, range.1));
    (low <= high).then_some((low, high))
}

/// Bounds of a sign extension.
pub(super) fn sext(from: u32, to: u32, a: Range) -> Range {
    match signed_bounds(from, a) {
        Some((low, high)) if (low < 0) == (high < 0) => {
            (low as u64 & mask64(to), high as u64 & mask64(to))
        }
        _ => (0, mask64(to)),
    }
}

/// Bounds of bits `low .. low + width` of a term of at most 64 bits.
pub(super) fn extract(low: u32, width: u32, a: Range) -> Range {
    let (first, last) = (a.0 >> low, a.1 >> low);
    if last <= mask64(width) {
        (first, last)
    } else {
        (0, mask64(width))
    }
}

/// Returns the bounds of a floating-point operator's result (at most 64 bits), given its first
/// operand's bounds.
pub(super) fn float(function: FloatFunction, a: Range) -> Range {
    match function {
        // Numbers that are not negative are in the order of their patterns.
        FloatFunction::FromInteger {
            is_signed, width, ..
        } if width <= 64 && (!is_signed || a.1 <= mask64(width.into()) >> 1) => {
            let of = |value: u64| function.eval([value.into(); 3]) as u64;
            (of(a.0), of(a.1))
        }
        _ => full(function.width()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::ops::eval_bin;

    fn members(range: Range) -> Vec<u64> {
        let mut values = vec![range.0, (range.0 + range.1) / 2, range.1];
        values.dedup();
        values
    }

    #[test]
    fn bounds_contain_every_result_on_small_widths() {
        let width = 4;
        let ranges: Vec<Range> = (0..16u64)
            .flat_map(|low| (low..16).map(move |high| (low, high)))
            .collect();
        for &a in ranges.iter().step_by(3) {
            for &b in ranges.iter().step_by(2) {
                for op in BinOp::ALL {
                    let bounds = bin(op, width, a, b);
                    for x in members(a) {
                        for y in members(b) {
                            let value = eval_bin(op, width, x.into(), y.into()) as u64;
                            assert!(
                                bounds.0 <= value && value <= bounds.1,
                                "{op:?} {x} {y}: {value} outside {bounds:?}"
                            );
                        }
                    }
                }
                for op in CmpOp::ALL {
                    if let Some(answer) = compare(op, width, a, b) {
                        for x in members(a) {
                            for y in members(b) {
                                assert_eq!(answer, eval_cmp(op, width, x.into(), y.into()));
                            }
                        }
                    }
                }
            }
        }
    }
}
