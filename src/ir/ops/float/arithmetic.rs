//! Arithmetic, rounding and comparisons.
//!
//! Minimum, maximum and sign operators only select or change bits, so they are defined on bits for
//! all formats at once; `expr` builds its terms in the same way.

use super::kind::{FloatCmp, FloatKind, FloatOp, FloatUnary};
use super::{NEAREST, f32_of, f64_of, with_software};
use rustc_apfloat::{Float, Round};
use std::cmp::Ordering;

/// `result`, or the NaN that x86 gives when it is one.
#[inline(always)]
pub(super) fn with_x86_nan(kind: FloatKind, result: u128, operands: &[u128]) -> u128 {
    if !kind.is_nan(result) {
        return result;
    }
    let mut nans = operands.iter().filter(|&&operand| kind.is_nan(operand));
    let nan = match kind {
        FloatKind::X87 => nans.copied().reduce(|a, b| x87_nan(kind, a, b)),
        _ => nans.next().copied(),
    };
    nan.map_or(kind.default_nan(), |nan| kind.quiet(nan))
}

/// Returns the one of two NaNs that an operation of the x87 gives: the one with the larger
/// significand, of equal ones the positive. A quiet one goes before a signaling one.
fn x87_nan(kind: FloatKind, a: u128, b: u128) -> u128 {
    let rank = |nan: u128| {
        let is_quiet = nan & kind.quiet_bit() != 0;
        (is_quiet, nan as u64, nan & kind.sign() == 0)
    };
    if rank(b) > rank(a) { b } else { a }
}

/// `a op b`.
pub fn binary(op: FloatOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    let less = |a, b| compare(FloatCmp::Olt, kind, a, b);
    let result = match op {
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div | FloatOp::Rem => match kind {
            FloatKind::F32 => u128::from(binary_f32(op, f32_of(a), f32_of(b)).to_bits()),
            FloatKind::F64 => u128::from(binary_f64(op, f64_of(a), f64_of(b)).to_bits()),
            _ => with_software!(kind, binary_software(op, a, b)),
        },
        FloatOp::CopySign => return a & !kind.sign() | b & kind.sign(),
        // glibc's choice of two equal numbers, or of two that are none.
        FloatOp::MinNum if kind == FloatKind::X87 => {
            return if kind.is_nan(b) || less(a, b) { a } else { b };
        }
        FloatOp::MinNum if kind.is_nan(a) || less(b, a) => return b,
        FloatOp::MaxNum if kind.is_nan(a) || less(a, b) => return b,
        FloatOp::MinNum | FloatOp::MaxNum => return a,
        FloatOp::Minimum | FloatOp::Maximum if kind.is_nan(a) => return a,
        FloatOp::Minimum | FloatOp::Maximum if kind.is_nan(b) => return b,
        // Of two zeros the negative one is the minimum, though they compare equal.
        FloatOp::Minimum | FloatOp::Maximum => {
            let equal = compare(FloatCmp::Oeq, kind, a, b);
            let below = less(a, b) || (equal && a & kind.sign() != 0);
            let first = below == (op == FloatOp::Minimum) || (equal && a == b);
            return if first { a } else { b };
        }
    };
    with_x86_nan(kind, result, &[a, b])
}

macro_rules! native_binary {
    ($name:ident, $type:ty) => {
        #[inline(always)]
        fn $name(op: FloatOp, a: $type, b: $type) -> $type {
            match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                _ => a % b,
            }
        }
    };
}
native_binary!(binary_f32, f32);
native_binary!(binary_f64, f64);

fn binary_software<F: Float>(op: FloatOp, a: u128, b: u128) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        FloatOp::Add => x.add_r(y, NEAREST).value,
        FloatOp::Sub => x.sub_r(y, NEAREST).value,
        FloatOp::Mul => x.mul_r(y, NEAREST).value,
        FloatOp::Div => x.div_r(y, NEAREST).value,
        _ => x.c_fmod(y).value,
    };
    result.to_bits()
}

/// `op a`.
pub fn unary(op: FloatUnary, kind: FloatKind, a: u128) -> u128 {
    let result = match (op, kind) {
        (FloatUnary::Neg, _) => return a ^ kind.sign(),
        (FloatUnary::Abs, _) => return a & !kind.sign(),
        (_, FloatKind::F32) => u128::from(unary_f32(op, f32_of(a)).to_bits()),
        (_, FloatKind::F64) => u128::from(unary_f64(op, f64_of(a)).to_bits()),
        (FloatUnary::Sqrt, FloatKind::X87) => square_root_x87(a),
        _ => with_software!(kind, unary_software(op, a)),
    };
    with_x86_nan(kind, result, &[a])
}

macro_rules! native_unary {
    ($name:ident, $type:ty) => {
        #[inline(always)]
        fn $name(op: FloatUnary, a: $type) -> $type {
            match op {
                FloatUnary::Neg => -a,
                FloatUnary::Abs => a.abs(),
                FloatUnary::Sqrt => a.sqrt(),
                FloatUnary::Ceil => a.ceil(),
                FloatUnary::Floor => a.floor(),
                FloatUnary::Trunc => a.trunc(),
                FloatUnary::Round => a.round(),
                FloatUnary::Rint | FloatUnary::NearbyInt | FloatUnary::RoundEven => {
                    a.round_ties_even()
                }
            }
        }
    };
}
native_unary!(unary_f32, f32);
native_unary!(unary_f64, f64);

fn unary_software<F: Float>(op: FloatUnary, a: u128) -> u128 {
    let x = F::from_bits(a);
    let round = |mode| x.round_to_integral(mode).value;
    let result = match op {
        FloatUnary::Neg => -x,
        FloatUnary::Abs => x.abs(),
        FloatUnary::Sqrt => square_root(x),
        FloatUnary::Ceil => round(Round::TowardPositive),
        FloatUnary::Floor => round(Round::TowardNegative),
        FloatUnary::Trunc => round(Round::TowardZero),
        FloatUnary::Round => round(Round::NearestTiesToAway),
        FloatUnary::Rint | FloatUnary::NearbyInt | FloatUnary::RoundEven => round(NEAREST),
    };
    result.to_bits()
}

/// The square root of an x87 number, correctly rounded: with a significand S of 64 bits, sqrt(S *
/// 2^64) or sqrt(S * 2^63) (so that the exponent left over is even) is the root's significand, an
/// integer root of 128 bits, and the remainder tells which way to round. A tie is impossible.
fn square_root_x87(a: u128) -> u128 {
    let kind = FloatKind::X87;
    let magnitude = a & !kind.sign();
    if kind.is_nan(a) || magnitude == 0 || a == kind.infinity() {
        return a;
    }
    if a & kind.sign() != 0 {
        return kind.default_nan();
    }
    let significand = a as u64;
    let shift = significand.leading_zeros();
    // The value is S * 2^(exponent - 16383 - 63); denormals have the exponent of 1.
    let exponent = ((magnitude >> 64) as i64).max(1) - 16383 - 63 - i64::from(shift);
    let scaled = u128::from(significand << shift);
    let (scaled, exponent) = if exponent % 2 == 0 {
        (scaled << 64, exponent - 64)
    } else {
        (scaled << 63, exponent - 63)
    };
    let floor = scaled.isqrt();
    let mut root = floor + u128::from(scaled - floor * floor > floor);
    let mut biased = exponent / 2 + 16383 + 63;
    if root >> 64 != 0 {
        root >>= 1;
        biased += 1;
    }
    (biased as u128) << 64 | root
}

/// Newton's iteration from below; the last correction uses the exact residual of a fused
/// multiply-add, which rounds correctly except for rare halfway neighbors (of binary128; the half
/// formats have none).
fn square_root<F: Float>(x: F) -> F {
    if x.is_nan() || x.is_zero() || x.is_pos_infinity() {
        return x;
    }
    if x.is_negative() {
        return F::NAN;
    }
    let half = F::from_u128(1).value.scalbn(-1);
    // Scale by an even power of two into [1, 4), where the iteration needs few steps.
    let exponent = x.ilogb() & !1;
    let scaled = x.scalbn(-exponent);
    let mut root = F::from_u128(1).value;
    for _ in 0..9 {
        let quotient = scaled.div_r(root, NEAREST).value;
        let sum = root.add_r(quotient, NEAREST).value;
        root = sum.mul_r(half, NEAREST).value;
    }
    let residual = (-root).mul_add_r(root, scaled, NEAREST).value;
    let correction = residual.div_r(root, NEAREST).value;
    let correction = correction.mul_r(half, NEAREST).value;
    root.add_r(correction, NEAREST).value.scalbn(exponent / 2)
}

/// `a * b + c`, rounded once.
pub fn multiply_add(kind: FloatKind, a: u128, b: u128, c: u128) -> u128 {
    let result = match kind {
        FloatKind::F32 => u128::from(f32_of(a).mul_add(f32_of(b), f32_of(c)).to_bits()),
        FloatKind::F64 => u128::from(f64_of(a).mul_add(f64_of(b), f64_of(c)).to_bits()),
        _ => with_software!(kind, multiply_add_software(a, b, c)),
    };
    // The order in which glibc's instruction looks at its operands.
    with_x86_nan(kind, result, &[b, a, c])
}

fn multiply_add_software<F: Float>(a: u128, b: u128, c: u128) -> u128 {
    let (a, b, c) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
    a.mul_add_r(b, c, NEAREST).value.to_bits()
}

/// LLVM's `fcmp`.
pub fn compare(op: FloatCmp, kind: FloatKind, a: u128, b: u128) -> bool {
    let order = match kind {
        FloatKind::F32 => f32_of(a).partial_cmp(&f32_of(b)),
        FloatKind::F64 => f64_of(a).partial_cmp(&f64_of(b)),
        _ => with_software!(kind, compare_software(a, b)),
    };
    let unordered = order.is_none();
    let less = order == Some(Ordering::Less);
    let equal = order == Some(Ordering::Equal);
    let greater = order == Some(Ordering::Greater);
    match op {
        FloatCmp::False => false,
        FloatCmp::Oeq => equal,
        FloatCmp::Ogt => greater,
        FloatCmp::Oge => greater || equal,
        FloatCmp::Olt => less,
        FloatCmp::Ole => less || equal,
        FloatCmp::One => less || greater,
        FloatCmp::Ord => !unordered,
        FloatCmp::Ueq => unordered || equal,
        FloatCmp::Ugt => unordered || greater,
        FloatCmp::Uge => !less,
        FloatCmp::Ult => unordered || less,
        FloatCmp::Ule => !greater,
        FloatCmp::Une => !equal,
        FloatCmp::Uno => unordered,
        FloatCmp::True => true,
    }
}

fn compare_software<F: Float>(a: u128, b: u128) -> Option<Ordering> {
    F::from_bits(a).partial_cmp(&F::from_bits(b))
}
