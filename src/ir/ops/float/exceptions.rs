//! Exception flags that an operation on concrete numbers raises, as in x86's status registers.
//!
//! Owns: the flags' bits (as in fenv.h on x86-64) and one function per kind of operator. Never: the
//! result of the operation, or the storage of flags. Traps do not exist: all exceptions are masked.
//! The flag for denormal operands, which C does not know, is not modeled. An ordering comparison
//! raises invalid for any NaN, as in C and gcc; LLVM's bitcode does not distinguish `isless(a, b)`
//! from `a < b`.

use super::convert::{Convertible, convert_with_status};
use super::kind::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary};
use super::rounded::Rounding;
use super::{binary, cast, compare, range_of_integer, unary, with_software};
use rustc_apfloat::{Float, Round, Status};

/// Flags of `<fenv.h>`.
pub const INVALID: u8 = 1;
pub const DIVIDE_BY_ZERO: u8 = 4;
pub const OVERFLOW: u8 = 8;
pub const UNDERFLOW: u8 = 16;
pub const INEXACT: u8 = 32;
/// All flags together: `FE_ALL_EXCEPT`.
pub const ALL: u8 = INVALID | DIVIDE_BY_ZERO | OVERFLOW | UNDERFLOW | INEXACT;

fn of_status(status: Status) -> u8 {
    let pairs = [
        (Status::INVALID_OP, INVALID),
        (Status::DIV_BY_ZERO, DIVIDE_BY_ZERO),
        (Status::OVERFLOW, OVERFLOW),
        (Status::UNDERFLOW, UNDERFLOW),
        (Status::INEXACT, INEXACT),
    ];
    let raised = pairs.iter().filter(|(bit, _)| status.contains(*bit));
    raised.fold(0, |sum, (_, flag)| sum | flag)
}

fn is_signalling(kind: FloatKind, bits: u128) -> bool {
    kind.is_nan(bits) && kind.quiet(bits) != bits
}

/// Returns the flags for NaN operands: 0 if they are quiet; `None` without NaN.
fn of_nans(kind: FloatKind, operands: &[u128]) -> Option<u8> {
    if operands.iter().any(|&bits| is_signalling(kind, bits)) {
        return Some(INVALID);
    }
    let is_nan = operands.iter().any(|&bits| kind.is_nan(bits));
    is_nan.then_some(0)
}

/// Flags of `a op b`.
pub fn binary_exceptions(op: FloatOp, kind: FloatKind, mode: Rounding, a: u128, b: u128) -> u8 {
    fn apply<F: Float>(op: FloatOp, mode: Round, a: u128, b: u128) -> u8 {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        of_status(match op {
            FloatOp::Add => x.add_r(y, mode).status,
            FloatOp::Sub => x.sub_r(y, mode).status,
            FloatOp::Mul => x.mul_r(y, mode).status,
            _ => x.div_r(y, mode).status,
        })
    }
    if op == FloatOp::CopySign {
        return 0;
    }
    if let Some(raised) = of_nans(kind, &[a, b]) {
        return raised;
    }
    match op {
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => {
            with_software!(kind, apply(op, mode.software(), a, b))
        }
        FloatOp::Rem if kind.is_nan(binary(op, kind, a, b)) => INVALID,
        _ => 0,
    }
}

/// Flags of `op a`.
pub fn unary_exceptions(op: FloatUnary, kind: FloatKind, a: u128) -> u8 {
    if matches!(op, FloatUnary::Neg | FloatUnary::Abs) {
        return 0;
    }
    if let Some(raised) = of_nans(kind, &[a]) {
        return raised;
    }
    let result = unary(op, kind, a);
    match op {
        FloatUnary::Sqrt if kind.is_nan(result) => INVALID,
        FloatUnary::Sqrt if result & !kind.sign() == 0 || result == kind.infinity() => 0,
        FloatUnary::Sqrt => inexact_if(!is_root(kind, result, a)),
        FloatUnary::Rint => inexact_if(result != a),
        _ => 0,
    }
}

fn inexact_if(condition: bool) -> u8 {
    if condition { INEXACT } else { 0 }
}

/// True if `root * root == a`: binary128 holds the squares of doubles, and the sign of what is left
/// of an x87 number's.
fn is_root(kind: FloatKind, root: u128, a: u128) -> bool {
    let wide = FloatKind::F128;
    let of = |bits| cast(FloatCastOp::Convert, kind, wide, 0, bits);
    let left = super::multiply_add(wide, of(root) ^ wide.sign(), of(root), of(a));
    left & !wide.sign() == 0
}

/// Flags of `a * b + c`.
pub fn multiply_add_exceptions(kind: FloatKind, mode: Rounding, a: u128, b: u128, c: u128) -> u8 {
    fn apply<F: Float>(mode: Round, a: u128, b: u128, c: u128) -> u8 {
        let (a, b, c) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
        of_status(a.mul_add_r(b, c, mode).status)
    }
    match of_nans(kind, &[a, b, c]) {
        Some(raised) => raised,
        None => with_software!(kind, apply(mode.software(), a, b, c)),
    }
}

/// Flags of a comparison.
pub fn compare_exceptions(op: FloatCmp, kind: FloatKind, a: u128, b: u128) -> u8 {
    use FloatCmp::{False, Oeq, One, Ord, True, Ueq, Une, Uno};
    let is_quiet = matches!(op, False | Oeq | One | Ord | Ueq | Une | Uno | True);
    match of_nans(kind, &[a, b]) {
        None => 0,
        Some(raised) if is_quiet => raised,
        Some(_) => INVALID,
    }
}

/// Returns the flags of a conversion; the arguments are as in `cast`.
pub fn cast_exceptions(
    op: FloatCastOp,
    kind: FloatKind,
    to_kind: FloatKind,
    width: u32,
    mode: Rounding,
    a: u128,
) -> u8 {
    let mode = mode.software();
    match op {
        FloatCastOp::Convert => match of_nans(kind, &[a]) {
            Some(raised) => raised,
            None => with_software!(kind, convert(to_kind, mode, a)),
        },
        FloatCastOp::FromSigned => {
            let number = crate::ops::signed(width, a);
            with_software!(kind, from_integer(number, true, mode))
        }
        FloatCastOp::FromUnsigned => with_software!(kind, from_integer(a as i128, false, mode)),
        FloatCastOp::ToSigned | FloatCastOp::ToSignedSat => to_integer(kind, true, width, a),
        FloatCastOp::ToUnsigned | FloatCastOp::ToUnsignedSat => to_integer(kind, false, width, a),
    }
}

fn convert<F: Convertible>(to: FloatKind, mode: Round, a: u128) -> u8 {
    of_status(convert_with_status::<F>(to, mode, a).1)
}

fn from_integer<F: Float>(value: i128, is_signed: bool, mode: Round) -> u8 {
    of_status(if is_signed {
        F::from_i128_r(value, mode).status
    } else {
        F::from_u128_r(value as u128, mode).status
    })
}

/// Out of range is invalid, a fraction cut off inexact. Narrow results are cut from the machine's
/// wider conversion.
fn to_integer(kind: FloatKind, is_signed: bool, width: u32, a: u128) -> u8 {
    let (is_signed, machine) = match (is_signed, width) {
        (_, 65..) => return 0,
        (true, _) | (false, ..=32) => (true, super::machine_width(kind, is_signed, width)),
        (false, _) => (false, 64),
    };
    let (low, high) = range_of_integer(kind, is_signed, machine);
    if !compare(low.0, kind, a, low.1) || !compare(high.0, kind, a, high.1) {
        return INVALID;
    }
    inexact_if(unary(FloatUnary::Trunc, kind, a) != a)
}
