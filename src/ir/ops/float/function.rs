//! The floating-point operators of terms, which compute, as opposed to select or move bits.
//!
//! Comparisons, minimum, maximum, sign operators and x86's results for conversions out of range are
//! expressed by `expr` in bit-vector operators over these. Invariant: `code` and `from_code` are
//! each other's inverse; the code is part of queries' encodings, so it is a function of the
//! operator alone.

use super::kind::{FloatCastOp, FloatKind, FloatOp, FloatUnary};
use super::{binary, cast, multiply_add, unary};

/// An operator on bit patterns of 1 to 3 operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatFunction {
    /// `Add`, `Sub`, `Mul`, `Div` or `Rem`.
    Binary(FloatOp, FloatKind),
    /// `Sqrt` or a rounding to integral (`RoundEven` for those in the current mode).
    Unary(FloatUnary, FloatKind),
    /// `a * b + c`, rounded once.
    MultiplyAdd(FloatKind),
    Convert {
        from: FloatKind,
        to: FloatKind,
    },
    FromInteger {
        is_signed: bool,
        width: u8,
        to: FloatKind,
    },
    /// The integer that a number truncates to; out of range the nearest one, and 0 for a NaN.
    ToInteger {
        from: FloatKind,
        is_signed: bool,
        width: u8,
    },
}

const OPERATORS: [FloatOp; 5] = [
    FloatOp::Add,
    FloatOp::Sub,
    FloatOp::Mul,
    FloatOp::Div,
    FloatOp::Rem,
];

const ROUNDINGS: [FloatUnary; 6] = [
    FloatUnary::Sqrt,
    FloatUnary::Ceil,
    FloatUnary::Floor,
    FloatUnary::Trunc,
    FloatUnary::Round,
    FloatUnary::RoundEven,
];

fn position<T: PartialEq>(all: &[T], one: T) -> u32 {
    all.iter().position(|other| *other == one).unwrap_or(0) as u32
}

impl FloatFunction {
    /// A name for people.
    pub fn name(self) -> String {
        match self {
            FloatFunction::Binary(op, _) => format!("F{op:?}"),
            FloatFunction::Unary(op, _) => format!("F{op:?}"),
            FloatFunction::MultiplyAdd(_) => "FMulAdd".to_string(),
            FloatFunction::Convert { from, to } => format!("{from:?}To{to:?}"),
            FloatFunction::FromInteger { is_signed, to, .. } => {
                if is_signed {
                    format!("SignedTo{to:?}")
                } else {
                    format!("UnsignedTo{to:?}")
                }
            }
            FloatFunction::ToInteger {
                from, is_signed, ..
            } => {
                if is_signed {
                    format!("{from:?}ToSigned")
                } else {
                    format!("{from:?}ToUnsigned")
                }
            }
        }
    }

    /// Number of operands.
    pub fn arity(self) -> usize {
        match self {
            FloatFunction::Binary(..) => 2,
            FloatFunction::MultiplyAdd(_) => 3,
            _ => 1,
        }
    }

    /// Width of the result in bits.
    pub fn width(self) -> u32 {
        match self {
            FloatFunction::Binary(_, kind)
            | FloatFunction::Unary(_, kind)
            | FloatFunction::MultiplyAdd(kind) => kind.width(),
            FloatFunction::Convert { to, .. } | FloatFunction::FromInteger { to, .. } => to.width(),
            FloatFunction::ToInteger { width, .. } => width.into(),
        }
    }

    /// Width of each operand in bits.
    pub fn operand_width(self) -> u32 {
        match self {
            FloatFunction::Convert { from, .. } | FloatFunction::ToInteger { from, .. } => {
                from.width()
            }
            FloatFunction::FromInteger { width, .. } => width.into(),
            _ => self.width(),
        }
    }

    /// The result for the first `arity` operands.
    pub fn eval(self, operands: [u128; 3]) -> u128 {
        let [a, b, c] = operands;
        match self {
            FloatFunction::Binary(op, kind) => binary(op, kind, a, b),
            FloatFunction::Unary(op, kind) => unary(op, kind, a),
            FloatFunction::MultiplyAdd(kind) => multiply_add(kind, a, b, c),
            FloatFunction::Convert { from, to } => cast(FloatCastOp::Convert, from, to, 0, a),
            FloatFunction::FromInteger {
                is_signed,
                width,
                to,
            } => {
                let op = if is_signed {
                    FloatCastOp::FromSigned
                } else {
                    FloatCastOp::FromUnsigned
                };
                cast(op, to, to, width.into(), a)
            }
            FloatFunction::ToInteger {
                from,
                is_signed,
                width,
            } => super::saturate(from, is_signed, width.into(), a),
        }
    }

    /// A number for the operator.
    pub fn code(self) -> u32 {
        let kind = |kind| position(&FloatKind::ALL, kind);
        let pack =
            |group: u32, detail: u32, a: u32, b: u32| group | detail << 8 | a << 16 | b << 24;
        match self {
            FloatFunction::Binary(op, of) => pack(0, position(&OPERATORS, op), kind(of), 0),
            FloatFunction::Unary(op, of) => pack(1, position(&ROUNDINGS, op), kind(of), 0),
            FloatFunction::MultiplyAdd(of) => pack(2, 0, kind(of), 0),
            FloatFunction::Convert { from, to } => pack(3, 0, kind(from), kind(to)),
            FloatFunction::FromInteger {
                is_signed,
                width,
                to,
            } => pack(4, is_signed.into(), kind(to), width.into()),
            FloatFunction::ToInteger {
                from,
                is_signed,
                width,
            } => pack(5, is_signed.into(), kind(from), width.into()),
        }
    }

    /// The operator of a number; `None` if there is none.
    pub fn from_code(code: u32) -> Option<FloatFunction> {
        let [group, detail, a, b] = code.to_le_bytes();
        let kind = |at: u8| FloatKind::ALL.get(usize::from(at)).copied();
        let is_signed = detail != 0;
        let is_width = (1..=128).contains(&b);
        let detail = usize::from(detail);
        Some(match group {
            0 => FloatFunction::Binary(*OPERATORS.get(detail)?, kind(a)?),
            1 => FloatFunction::Unary(*ROUNDINGS.get(detail)?, kind(a)?),
            2 => FloatFunction::MultiplyAdd(kind(a)?),
            3 => FloatFunction::Convert {
                from: kind(a)?,
                to: kind(b)?,
            },
            4 if is_width => FloatFunction::FromInteger {
                is_signed,
                width: b,
                to: kind(a)?,
            },
            5 if is_width => FloatFunction::ToInteger {
                from: kind(a)?,
                is_signed,
                width: b,
            },
            _ => return None,
        })
    }
}
