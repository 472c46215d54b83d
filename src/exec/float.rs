//! Floating-point operators on concrete values; bits in, bits out.
//!
//! Invariant: f32 and f64 use the host's IEEE arithmetic, the other formats a software implementation
//! (`rustc_apfloat`), all rounding to nearest even. Conversions to integers out of range give what
//! x86-64 code compiled by clang gives (the "integer indefinite" value).

use crate::ops;
use crate::program::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

const NEAREST: Round = Round::NearestTiesToEven;

/// Calls a generic function with the software type of a kind.
macro_rules! with_software {
    ($kind:expr, $function:ident ( $($arg:expr),* )) => {
        match $kind {
            FloatKind::F16 => $function::<Half>($($arg),*),
            FloatKind::BF16 => $function::<BFloat>($($arg),*),
            FloatKind::F32 => $function::<Single>($($arg),*),
            FloatKind::F64 => $function::<Double>($($arg),*),
            FloatKind::X87 => $function::<X87DoubleExtended>($($arg),*),
            FloatKind::F128 => $function::<Quad>($($arg),*),
        }
    };
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

/// `a op b`.
pub fn binary(op: FloatOp, kind: FloatKind, a: u128, b: u128) -> u128 {
    match kind {
        FloatKind::F32 => u128::from(binary_f32(op, f32_of(a), f32_of(b)).to_bits()),
        FloatKind::F64 => u128::from(binary_f64(op, f64_of(a), f64_of(b)).to_bits()),
        _ => with_software!(kind, binary_software(op, a, b)),
    }
}

macro_rules! native_binary {
    ($name:ident, $type:ty) => {
        fn $name(op: FloatOp, a: $type, b: $type) -> $type {
            match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                FloatOp::Rem => a % b,
                FloatOp::CopySign => a.copysign(b),
                FloatOp::MinNum if b.is_nan() || a < b => a,
                FloatOp::MaxNum if b.is_nan() || a > b => a,
                FloatOp::MinNum | FloatOp::MaxNum => b,
                FloatOp::Minimum | FloatOp::Maximum if a.is_nan() => a,
                FloatOp::Minimum | FloatOp::Maximum if b.is_nan() => b,
                FloatOp::Minimum if a < b || (a == b && a.is_sign_negative()) => a,
                FloatOp::Maximum if a > b || (a == b && a.is_sign_positive()) => a,
                FloatOp::Minimum | FloatOp::Maximum => b,
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
        FloatOp::Rem => x.c_fmod(y).value,
        FloatOp::CopySign => x.copy_sign(y),
        FloatOp::MinNum => x.min(y),
        FloatOp::MaxNum => x.max(y),
        FloatOp::Minimum => x.minimum(y),
        FloatOp::Maximum => x.maximum(y),
    };
    result.to_bits()
}

/// `op a`.
pub fn unary(op: FloatUnary, kind: FloatKind, a: u128) -> u128 {
    match kind {
        FloatKind::F32 => u128::from(unary_f32(op, f32_of(a)).to_bits()),
        FloatKind::F64 => u128::from(unary_f64(op, f64_of(a)).to_bits()),
        _ => with_software!(kind, unary_software(op, a)),
    }
}

macro_rules! native_unary {
    ($name:ident, $type:ty) => {
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

/// Newton's iteration from below; the last correction uses the exact residual of a fused multiply-add,
/// which rounds correctly but for rare halfway neighbours.
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
    match kind {
        FloatKind::F32 => u128::from(f32_of(a).mul_add(f32_of(b), f32_of(c)).to_bits()),
        FloatKind::F64 => u128::from(f64_of(a).mul_add(f64_of(b), f64_of(c)).to_bits()),
        _ => with_software!(kind, multiply_add_software(a, b, c)),
    }
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

/// Widths in bits of a conversion's source and result.
pub fn cast_widths(op: FloatCastOp, kind: FloatKind, to_kind: FloatKind, width: u32) -> (u32, u32) {
    match op {
        FloatCastOp::Convert => (kind.width(), to_kind.width()),
        FloatCastOp::FromSigned | FloatCastOp::FromUnsigned => (width, kind.width()),
        FloatCastOp::ToSigned
        | FloatCastOp::ToUnsigned
        | FloatCastOp::ToSignedSat
        | FloatCastOp::ToUnsignedSat => (kind.width(), width),
    }
}

/// A conversion; see `Inst::FloatCast` for which side `kind`, `to_kind` and `width` describe.
pub fn cast(op: FloatCastOp, kind: FloatKind, to_kind: FloatKind, width: u32, a: u128) -> u128 {
    match op {
        FloatCastOp::Convert => convert(kind, to_kind, a),
        FloatCastOp::FromSigned => from_integer(kind, ops::signed(width, a), true),
        FloatCastOp::FromUnsigned => from_integer(kind, a as i128, false),
        FloatCastOp::ToSigned => to_signed(kind, width, a),
        FloatCastOp::ToUnsigned => to_unsigned(kind, width, a),
        FloatCastOp::ToSignedSat => with_software!(kind, to_integer(width, true, a)).0,
        FloatCastOp::ToUnsignedSat => with_software!(kind, to_integer(width, false, a)).0,
    }
}

fn convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    match (from, to) {
        (FloatKind::F32, FloatKind::F64) => u128::from(f64::from(f32_of(a)).to_bits()),
        (FloatKind::F64, FloatKind::F32) => u128::from((f64_of(a) as f32).to_bits()),
        _ => with_software!(from, convert_from(to, a)),
    }
}

fn convert_from<F>(to: FloatKind, a: u128) -> u128
where
    F: Float
        + FloatConvert<Half>
        + FloatConvert<BFloat>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>,
{
    fn to_bits<F: FloatConvert<T>, T: Float>(x: F) -> u128 {
        let mut loses = false;
        x.convert_r(NEAREST, &mut loses).value.to_bits()
    }
    let x = F::from_bits(a);
    match to {
        FloatKind::F16 => to_bits::<F, Half>(x),
        FloatKind::BF16 => to_bits::<F, BFloat>(x),
        FloatKind::F32 => to_bits::<F, Single>(x),
        FloatKind::F64 => to_bits::<F, Double>(x),
        FloatKind::X87 => to_bits::<F, X87DoubleExtended>(x),
        FloatKind::F128 => to_bits::<F, Quad>(x),
    }
}

/// `value` is read as unsigned if not `is_signed`.
fn from_integer(kind: FloatKind, value: i128, is_signed: bool) -> u128 {
    match (kind, is_signed) {
        (FloatKind::F64, true) => u128::from((value as f64).to_bits()),
        (FloatKind::F64, false) => u128::from((value as u128 as f64).to_bits()),
        (FloatKind::F32, true) => u128::from((value as f32).to_bits()),
        (FloatKind::F32, false) => u128::from((value as u128 as f32).to_bits()),
        _ => with_software!(kind, from_integer_software(value, is_signed)),
    }
}

fn from_integer_software<F: Float>(value: i128, is_signed: bool) -> u128 {
    let result = if is_signed {
        F::from_i128_r(value, NEAREST)
    } else {
        F::from_u128_r(value as u128, NEAREST)
    };
    result.value.to_bits()
}

/// Truncates; saturates at the bounds of `width` bits, NaN is 0. Also tells whether it was in range.
fn to_integer<F: Float>(width: u32, is_signed: bool, a: u128) -> (u128, bool) {
    let x = F::from_bits(a);
    if x.is_nan() {
        return (0, false);
    }
    let mut exact = false;
    let width_bits = width as usize;
    let (value, status) = if is_signed {
        let result = x.to_i128_r(width_bits, Round::TowardZero, &mut exact);
        (result.value as u128 & ops::mask(width), result.status)
    } else {
        let result = x.to_u128_r(width_bits, Round::TowardZero, &mut exact);
        (result.value, result.status)
    };
    (value, !status.contains(Status::INVALID_OP))
}

/// x86 converts to 32 or 64 bits and gives only the top bit set when out of range; narrower results are cut.
fn to_signed(kind: FloatKind, width: u32, a: u128) -> u128 {
    let machine = match width {
        0..=32 => 32,
        33..=64 => 64,
        _ => 128,
    };
    let (value, in_range) = match kind {
        FloatKind::F64 if machine <= 64 => native_to_integer(machine, f64_of(a)),
        FloatKind::F32 if machine <= 64 => native_to_integer(machine, f64::from(f32_of(a))),
        _ => with_software!(kind, to_integer(machine, true, a)),
    };
    // 128-bit conversions are library calls, which saturate.
    if in_range || machine == 128 {
        value & ops::mask(width)
    } else {
        1u128 << (machine - 1) & ops::mask(width)
    }
}

fn native_to_integer(machine: u32, x: f64) -> (u128, bool) {
    let limit = if machine == 32 {
        2f64.powi(31)
    } else {
        2f64.powi(63)
    };
    let truncated = x.trunc();
    let in_range = truncated >= -limit && truncated < limit;
    (x as i64 as u128 & ops::mask(machine), in_range)
}

fn to_unsigned(kind: FloatKind, width: u32, a: u128) -> u128 {
    if width <= 32 {
        // Through the next wider signed conversion.
        let machine = if width < 32 { 32 } else { 64 };
        return to_signed(kind, machine, a) & ops::mask(width);
    }
    if width > 64 {
        return with_software!(kind, to_integer(width, false, a)).0;
    }
    let (value, in_range) = with_software!(kind, to_integer(64, false, a));
    let result = if in_range {
        value
    } else {
        let negative = a >> (kind.width() - 1) & 1 != 0;
        if negative {
            // Not reached for values in (-1, 0), which truncate to 0 and are in range.
            to_signed(kind, 64, a)
        } else {
            // The sequence subtracts 2^63 first; out of range there too gives the top bit, flipped back.
            0
        }
    };
    result & ops::mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x87(value: f64) -> u128 {
        convert(FloatKind::F64, FloatKind::X87, u128::from(value.to_bits()))
    }

    fn back(bits: u128) -> f64 {
        f64::from_bits(convert(FloatKind::X87, FloatKind::F64, bits) as u64)
    }

    #[test]
    fn x87_arithmetic_agrees_with_doubles_where_those_are_exact() {
        for (a, b) in [(1.5, 0.25), (-3.0, 7.0), (1e10, 0.5), (0.0, -1.0)] {
            let op = |op| back(binary(op, FloatKind::X87, x87(a), x87(b)));
            assert_eq!(op(FloatOp::Add), a + b);
            assert_eq!(op(FloatOp::Sub), a - b);
            assert_eq!(op(FloatOp::Mul), a * b);
            assert_eq!(op(FloatOp::Rem), a % b);
            assert_eq!(
                compare(FloatCmp::Olt, FloatKind::X87, x87(a), x87(b)),
                a < b
            );
        }
        assert_eq!(x87(1.0), 0x3fff_8000_0000_0000_0000);
    }

    #[test]
    fn x87_square_roots_round_to_the_same_double() {
        for value in [2.0f64, 3.0, 0.5, 1e300, 1e-300, 144.0, 1.0, 0.0, 7.25] {
            let root = back(unary(FloatUnary::Sqrt, FloatKind::X87, x87(value)));
            assert_eq!(root, value.sqrt(), "sqrt({value})");
        }
    }

    #[test]
    fn conversions_out_of_range_are_the_machines() {
        let f64_bits = |value: f64| u128::from(value.to_bits());
        let signed = |width, value| {
            cast(
                FloatCastOp::ToSigned,
                FloatKind::F64,
                FloatKind::F64,
                width,
                f64_bits(value),
            )
        };
        let unsigned = |width, value| {
            cast(
                FloatCastOp::ToUnsigned,
                FloatKind::F64,
                FloatKind::F64,
                width,
                f64_bits(value),
            )
        };
        assert_eq!(signed(32, 3e9), 0x8000_0000);
        assert_eq!(signed(32, f64::NAN), 0x8000_0000);
        assert_eq!(signed(64, 1e30), 1 << 63);
        assert_eq!(signed(32, -1.9), 0xffff_ffff);
        assert_eq!(signed(16, 70000.0), 70000 & 0xffff);
        assert_eq!(unsigned(32, -1.0), 0xffff_ffff);
        assert_eq!(unsigned(64, 1e19), 10_000_000_000_000_000_000);
        assert_eq!(unsigned(64, -1.0), u128::from(u64::MAX));
        assert_eq!(unsigned(64, -0.5), 0);
        let sat = |width, value| {
            cast(
                FloatCastOp::ToSignedSat,
                FloatKind::F64,
                FloatKind::F64,
                width,
                f64_bits(value),
            )
        };
        assert_eq!(sat(8, 1000.0), 127);
        assert_eq!(sat(8, -1000.0), 128);
        assert_eq!(sat(8, f64::NAN), 0);
    }

    #[test]
    fn minimum_and_fmin_differ_on_nan() {
        let nan = u128::from(f64::NAN.to_bits());
        let one = u128::from(1f64.to_bits());
        assert_eq!(binary(FloatOp::MinNum, FloatKind::F64, nan, one), one);
        assert_eq!(binary(FloatOp::MaxNum, FloatKind::F64, one, nan), one);
        assert_eq!(binary(FloatOp::Minimum, FloatKind::F64, nan, one), nan);
    }
}
