//! Conversions between formats and to and from integers.
//!
//! Out of range, conversions to integers give what x86-64 code compiled by clang 14 to 22 gives (C
//! leaves it undefined): the "integer indefinite" value of the machine's conversion that is used
//! for the width.

use super::kind::{FloatCastOp, FloatCmp, FloatKind};
use super::{NEAREST, compare, f32_of, f64_of, with_software};
use crate::ops;
use crate::ops::mask;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

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
        FloatCastOp::FromSigned => from_integer(kind, true, width, a),
        FloatCastOp::FromUnsigned => from_integer(kind, false, width, a),
        FloatCastOp::ToSigned => to_signed(kind, width, a),
        FloatCastOp::ToUnsigned => to_unsigned(kind, width, a),
        FloatCastOp::ToSignedSat => saturate(kind, true, width, a),
        FloatCastOp::ToUnsignedSat => saturate(kind, false, width, a),
    }
}

pub(super) fn convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    if from.is_nan(a) {
        return convert_nan(from, to, a);
    }
    match (from, to) {
        (FloatKind::F32, FloatKind::F64) => u128::from(f64::from(f32_of(a)).to_bits()),
        (FloatKind::F64, FloatKind::F32) => u128::from((f64_of(a) as f32).to_bits()),
        _ => convert_rounded(from, to, NEAREST, a),
    }
}

/// `a` is no NaN.
pub(super) fn convert_rounded(from: FloatKind, to: FloatKind, mode: Round, a: u128) -> u128 {
    with_software!(from, convert_from(to, mode, a))
}

/// A NaN in another format: quiet, with the top of its payload.
pub fn convert_nan(from: FloatKind, to: FloatKind, nan: u128) -> u128 {
    if nan & from.integer_bit() != from.integer_bit() {
        return to.default_nan();
    }
    let (have, want) = (from.precision() - 1, to.precision() - 1);
    let payload = nan & mask(have);
    let payload = if want >= have {
        payload << (want - have)
    } else {
        payload >> (have - want)
    };
    let sign = if nan & from.sign() == 0 { 0 } else { to.sign() };
    sign | to.infinity() | payload | to.quiet_bit()
}

fn convert_from<F: Convertible>(to: FloatKind, mode: Round, a: u128) -> u128 {
    convert_with_status::<F>(to, mode, a).0
}

/// A format that converts to each of the others.
pub(super) trait Convertible:
    Float
    + FloatConvert<Half>
    + FloatConvert<BFloat>
    + FloatConvert<Single>
    + FloatConvert<Double>
    + FloatConvert<X87DoubleExtended>
    + FloatConvert<Quad>
{
}

impl Convertible for Half {}
impl Convertible for BFloat {}
impl Convertible for Single {}
impl Convertible for Double {}
impl Convertible for X87DoubleExtended {}
impl Convertible for Quad {}

/// A number of the format `F` in another one, and what the conversion raises.
pub(super) fn convert_with_status<F: Convertible>(
    to: FloatKind,
    mode: Round,
    a: u128,
) -> (u128, Status) {
    fn converted<F: FloatConvert<T>, T: Float>(x: F, mode: Round) -> (u128, Status) {
        let mut loses = false;
        let result = x.convert_r(mode, &mut loses);
        (result.value.to_bits(), result.status)
    }
    let x = F::from_bits(a);
    match to {
        FloatKind::F16 => converted::<F, Half>(x, mode),
        FloatKind::BF16 => converted::<F, BFloat>(x, mode),
        FloatKind::F32 => converted::<F, Single>(x, mode),
        FloatKind::F64 => converted::<F, Double>(x, mode),
        FloatKind::X87 => converted::<F, X87DoubleExtended>(x, mode),
        FloatKind::F128 => converted::<F, Quad>(x, mode),
    }
}

/// An integer of `width` bits as the nearest number of a format.
pub fn from_integer(kind: FloatKind, is_signed: bool, width: u32, value: u128) -> u128 {
    let number = if is_signed {
        ops::signed(width, value)
    } else {
        value as i128
    };
    match (kind, is_signed) {
        (FloatKind::F64, true) => u128::from((number as f64).to_bits()),
        (FloatKind::F64, false) => u128::from((value as f64).to_bits()),
        (FloatKind::F32, true) => u128::from((number as f32).to_bits()),
        (FloatKind::F32, false) => u128::from((value as f32).to_bits()),
        _ => from_integer_rounded(kind, is_signed, width, NEAREST, value),
    }
}

pub(super) fn from_integer_rounded(
    kind: FloatKind,
    is_signed: bool,
    width: u32,
    mode: Round,
    value: u128,
) -> u128 {
    let number = if is_signed {
        ops::signed(width, value)
    } else {
        value as i128
    };
    with_software!(kind, from_integer_software(number, is_signed, mode))
}

fn from_integer_software<F: Float>(value: i128, is_signed: bool, mode: Round) -> u128 {
    let result = if is_signed {
        F::from_i128_r(value, mode)
    } else {
        F::from_u128_r(value as u128, mode)
    };
    result.value.to_bits()
}

/// Truncates to an integer of `width` bits; the nearest one if out of range, 0 for a NaN.
pub fn saturate(kind: FloatKind, is_signed: bool, width: u32, a: u128) -> u128 {
    let x = match kind {
        FloatKind::F32 => f64::from(f32_of(a)),
        FloatKind::F64 => f64_of(a),
        _ => return with_software!(kind, saturate_software(width, is_signed, a)),
    };
    // Rust's conversions saturate and make NaN 0.
    let all = mask(width);
    let half = (all >> 1) as i128;
    match (is_signed, width) {
        (true, ..=64) => i128::from(x as i64).clamp(-half - 1, half) as u128 & all,
        (true, _) => (x as i128).clamp(-half - 1, half) as u128 & all,
        (false, ..=64) => u128::from(x as u64).min(all),
        (false, _) => (x as u128).min(all),
    }
}

fn saturate_software<F: Float>(width: u32, is_signed: bool, a: u128) -> u128 {
    let x = F::from_bits(a);
    if x.is_nan() {
        return 0;
    }
    let mut exact = false;
    let bits = width as usize;
    if is_signed {
        let result = x.to_i128_r(bits, Round::TowardZero, &mut exact);
        result.value as u128 & mask(width)
    } else {
        x.to_u128_r(bits, Round::TowardZero, &mut exact).value
    }
}

/// The numbers that truncate to an integer of `width` (at most 64) bits, as two comparisons with
/// constants that must both hold: from below (`Ogt` or `Oge`) and from above (`Olt`).
pub fn range_of_integer(
    kind: FloatKind,
    is_signed: bool,
    width: u32,
) -> ((FloatCmp, u128), (FloatCmp, u128)) {
    let exact = |value: i128| {
        let bits = from_integer(kind, true, 128, value as u128);
        let back = saturate(kind, true, 128, bits) as i128;
        (back == value && bits & !kind.sign() != kind.infinity()).then_some(bits)
    };
    let limit = 1i128 << if is_signed { width - 1 } else { width };
    let least = if is_signed { -limit } else { 0 };
    // Everything above the number before the least truncates to the least; where that number does
    // not exist, nothing lies between it and the least.
    let low = match (exact(least - 1), exact(least)) {
        (Some(below), _) => (FloatCmp::Ogt, below),
        (None, Some(least)) => (FloatCmp::Oge, least),
        (None, None) => (FloatCmp::Ogt, kind.sign() | kind.infinity()),
    };
    let high = exact(limit).unwrap_or(kind.infinity());
    (low, (FloatCmp::Olt, high))
}

fn is_in_range(kind: FloatKind, is_signed: bool, width: u32, a: u128) -> bool {
    let (low, high) = range_of_integer(kind, is_signed, width);
    compare(low.0, kind, a, low.1) && compare(high.0, kind, a, high.1)
}

/// The width in bits of the machine's signed conversion that gives a result of `width` bits (at
/// most 64 if signed, 32 if not).
pub fn machine_width(kind: FloatKind, is_signed: bool, width: u32) -> u32 {
    match (is_signed, width) {
        // x87 stores integers of 16 bits, too.
        (true, ..=16) | (false, ..=8) if kind == FloatKind::X87 => 16,
        (true, ..=32) | (false, ..=31) => 32,
        _ => 64,
    }
}

/// x86 gives only the top bit set when out of range; narrower results are cut.
fn to_signed(kind: FloatKind, width: u32, a: u128) -> u128 {
    if width > 64 {
        // Library calls, which saturate.
        return saturate(kind, true, width, a);
    }
    by_machine(kind, machine_width(kind, true, width), a) & mask(width)
}

fn by_machine(kind: FloatKind, machine: u32, a: u128) -> u128 {
    let in_range = match kind {
        FloatKind::F32 => is_in_native_range(machine, f64::from(f32_of(a))),
        FloatKind::F64 => is_in_native_range(machine, f64_of(a)),
        _ => is_in_range(kind, true, machine, a),
    };
    if in_range {
        saturate(kind, true, machine, a)
    } else {
        1 << (machine - 1)
    }
}

fn is_in_native_range(machine: u32, x: f64) -> bool {
    let limit = if machine == 32 {
        2f64.powi(31)
    } else {
        2f64.powi(63)
    };
    let truncated = x.trunc();
    truncated >= -limit && truncated < limit
}

fn to_unsigned(kind: FloatKind, width: u32, a: u128) -> u128 {
    if width <= 32 {
        return by_machine(kind, machine_width(kind, false, width), a) & mask(width);
    }
    if width > 64 {
        return saturate(kind, false, width, a);
    }
    let result = if is_in_range(kind, false, 64, a) {
        saturate(kind, false, 64, a)
    } else if kind == FloatKind::X87 && !is_below_half(kind, a) {
        // The sequence subtracts 2^63 first; out of range there too gives the top bit, which is
        // flipped back.
        0
    } else {
        by_machine(kind, 64, a)
    };
    result & mask(width)
}

/// True if a number is less than 2^63.
fn is_below_half(kind: FloatKind, a: u128) -> bool {
    compare(
        FloatCmp::Olt,
        kind,
        a,
        from_integer(kind, false, 64, 1 << 63),
    )
}
