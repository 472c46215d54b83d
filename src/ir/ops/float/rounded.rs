//! The operators in other rounding modes than to nearest, all formats in software.
//!
//! A program that calls `fesetround` computes this way until it goes back. Invariant: in the mode
//! `Nearest` each function equals the one without a mode.

use super::arithmetic::with_x86_nan;
use super::convert::{convert_nan, convert_rounded, from_integer_rounded};
use super::kind::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary};
use super::{binary, cast, compare, unary, with_software};
use rustc_apfloat::{Float, Round};

/// The rounding modes of x86.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rounding {
    /// To the nearest number, ties to the even one.
    #[default]
    Nearest,
    Downward,
    Upward,
    TowardZero,
}

impl Rounding {
    /// The mode of `FE_TONEAREST`, `FE_DOWNWARD`... as x86's control word and fenv.h have them.
    pub fn from_control_word(bits: u64) -> Option<Rounding> {
        Some(match bits {
            0 => Rounding::Nearest,
            0x400 => Rounding::Downward,
            0x800 => Rounding::Upward,
            0xc00 => Rounding::TowardZero,
            _ => return None,
        })
    }

    /// The mode's bits in x86's control word.
    pub fn control_word(self) -> u64 {
        match self {
            Rounding::Nearest => 0,
            Rounding::Downward => 0x400,
            Rounding::Upward => 0x800,
            Rounding::TowardZero => 0xc00,
        }
    }

    pub(super) fn software(self) -> Round {
        match self {
            Rounding::Nearest => Round::NearestTiesToEven,
            Rounding::Downward => Round::TowardNegative,
            Rounding::Upward => Round::TowardPositive,
            Rounding::TowardZero => Round::TowardZero,
        }
    }
}

/// `a op b`.
pub fn binary_rounded(op: FloatOp, kind: FloatKind, mode: Rounding, a: u128, b: u128) -> u128 {
    fn apply<F: Float>(op: FloatOp, mode: Round, a: u128, b: u128) -> u128 {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            FloatOp::Add => x.add_r(y, mode),
            FloatOp::Sub => x.sub_r(y, mode),
            FloatOp::Mul => x.mul_r(y, mode),
            _ => x.div_r(y, mode),
        };
        result.value.to_bits()
    }
    match op {
        _ if mode == Rounding::Nearest => binary(op, kind, a, b),
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => {
            let result = with_software!(kind, apply(op, mode.software(), a, b));
            with_x86_nan(kind, result, &[a, b])
        }
        // Remainders are exact, the others only select.
        _ => binary(op, kind, a, b),
    }
}

/// `op a`.
pub fn unary_rounded(op: FloatUnary, kind: FloatKind, mode: Rounding, a: u128) -> u128 {
    let in_mode = match mode {
        Rounding::Nearest => FloatUnary::RoundEven,
        Rounding::Downward => FloatUnary::Floor,
        Rounding::Upward => FloatUnary::Ceil,
        Rounding::TowardZero => FloatUnary::Trunc,
    };
    match op {
        _ if mode == Rounding::Nearest => unary(op, kind, a),
        FloatUnary::Rint | FloatUnary::NearbyInt => unary(in_mode, kind, a),
        FloatUnary::Sqrt => square_root_rounded(kind, mode, a),
        _ => unary(op, kind, a),
    }
}

/// The nearest root, moved by one unit if it lies on the wrong side.
fn square_root_rounded(kind: FloatKind, mode: Rounding, a: u128) -> u128 {
    let root = unary(FloatUnary::Sqrt, kind, a);
    let is_special = kind.is_nan(root) || root & !kind.sign() == 0 || root == kind.infinity();
    if is_special || mode == Rounding::Nearest {
        return root;
    }
    // binary128 holds the squares of doubles exactly, and the sign of what is left of an x87
    // number's.
    let wide = FloatKind::F128;
    let of = |bits| cast(FloatCastOp::Convert, kind, wide, 0, bits);
    let left = super::multiply_add(wide, of(root) ^ wide.sign(), of(root), of(a));
    let too_large = compare(FloatCmp::Olt, wide, left, 0);
    let too_small = compare(FloatCmp::Ogt, wide, left, 0);
    // Roots are normal and never infinite, so a neighbor is the next pattern; x87's integer bit may
    // be crossed.
    let neighbour = |up: bool| match (kind, up, root as u64) {
        (FloatKind::X87, true, u64::MAX) => ((root >> 64) + 1) << 64 | 1 << 63,
        (FloatKind::X87, false, 0x8000_0000_0000_0000) => {
            ((root >> 64) - 1) << 64 | u128::from(u64::MAX)
        }
        (_, true, _) => root + 1,
        (_, false, _) => root - 1,
    };
    match mode {
        Rounding::Upward if too_small => neighbour(true),
        Rounding::Downward | Rounding::TowardZero if too_large => neighbour(false),
        _ => root,
    }
}

/// `a * b + c`, rounded once.
pub fn multiply_add_rounded(kind: FloatKind, mode: Rounding, a: u128, b: u128, c: u128) -> u128 {
    fn apply<F: Float>(mode: Round, a: u128, b: u128, c: u128) -> u128 {
        let (a, b, c) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
        a.mul_add_r(b, c, mode).value.to_bits()
    }
    if mode == Rounding::Nearest {
        return super::multiply_add(kind, a, b, c);
    }
    let result = with_software!(kind, apply(mode.software(), a, b, c));
    with_x86_nan(kind, result, &[b, a, c])
}

/// Converts with a rounding mode; the other arguments are as in `cast`.
pub fn cast_rounded(
    op: FloatCastOp,
    kind: FloatKind,
    to_kind: FloatKind,
    width: u32,
    mode: Rounding,
    a: u128,
) -> u128 {
    match op {
        _ if mode == Rounding::Nearest => cast(op, kind, to_kind, width, a),
        FloatCastOp::Convert if kind.is_nan(a) => convert_nan(kind, to_kind, a),
        FloatCastOp::Convert => convert_rounded(kind, to_kind, mode.software(), a),
        FloatCastOp::FromSigned => from_integer_rounded(kind, true, width, mode.software(), a),
        FloatCastOp::FromUnsigned => from_integer_rounded(kind, false, width, mode.software(), a),
        // To integers C truncates.
        _ => cast(op, kind, to_kind, width, a),
    }
}
