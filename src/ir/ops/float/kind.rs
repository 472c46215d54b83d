//! Formats and operators of floating-point numbers, and where a format keeps what.
//!
//! Invariant: a number is its bit pattern in the low `width` bits of a `u128`. All formats but
//! x87's have an implicit integer bit; x87 patterns whose integer bit does not fit the exponent are
//! NaN, or read as the hardware does (a denormal exponent with the integer bit set counts as
//! exponent 1).

use crate::ops::mask;
use serde::{Deserialize, Serialize};

/// Floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatKind {
    /// IEEE binary16, 16 bits.
    F16,
    /// bfloat16, 16 bits.
    BF16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// x87 extended, 80 bits in two slots.
    X87,
    /// IEEE binary128, two slots.
    F128,
}

impl FloatKind {
    /// Width in bits of a value of this format.
    pub fn width(self) -> u32 {
        match self {
            FloatKind::F16 | FloatKind::BF16 => 16,
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
            FloatKind::X87 => 80,
            FloatKind::F128 => 128,
        }
    }

    pub const ALL: [FloatKind; 6] = [
        FloatKind::F16,
        FloatKind::BF16,
        FloatKind::F32,
        FloatKind::F64,
        FloatKind::X87,
        FloatKind::F128,
    ];

    /// Width of the exponent in bits.
    pub fn exponent_bits(self) -> u32 {
        match self {
            FloatKind::F16 => 5,
            FloatKind::BF16 | FloatKind::F32 => 8,
            FloatKind::F64 => 11,
            FloatKind::X87 | FloatKind::F128 => 15,
        }
    }

    /// Width of the significand in bits, with the integer bit, stored or not.
    pub fn precision(self) -> u32 {
        match self {
            FloatKind::X87 => 64,
            _ => self.width() - self.exponent_bits(),
        }
    }

    /// Number of bits below the exponent.
    pub fn stored_bits(self) -> u32 {
        self.width() - 1 - self.exponent_bits()
    }

    /// The sign bit's mask.
    pub fn sign(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// x87's stored integer bit; 0 for other formats.
    pub fn integer_bit(self) -> u128 {
        match self {
            FloatKind::X87 => 1 << 63,
            _ => 0,
        }
    }

    /// Positive infinity.
    pub fn infinity(self) -> u128 {
        mask(self.exponent_bits()) << self.stored_bits() | self.integer_bit()
    }

    /// The fraction's top bit, which makes a NaN quiet.
    pub fn quiet_bit(self) -> u128 {
        1 << (self.precision() - 2)
    }

    /// Returns x86's result of an invalid operation: a quiet NaN with the sign set.
    pub fn default_nan(self) -> u128 {
        self.sign() | self.infinity() | self.quiet_bit()
    }

    /// True if the pattern is a NaN.
    #[inline]
    pub fn is_nan(self, bits: u128) -> bool {
        let magnitude = bits & !self.sign();
        match self {
            FloatKind::X87 => {
                let (exponent, integer) = (magnitude >> 64, magnitude >> 63 & 1);
                if exponent == 0x7fff {
                    magnitude != self.infinity()
                } else {
                    exponent != 0 && integer == 0
                }
            }
            _ => magnitude > self.infinity(),
        }
    }

    /// The quiet NaN that an operation on this NaN gives. x87's patterns without a meaning give the
    /// default.
    pub fn quiet(self, nan: u128) -> u128 {
        if nan & self.integer_bit() == self.integer_bit() {
            nan | self.quiet_bit()
        } else {
            self.default_nan()
        }
    }
}

/// Floating-point operators on two operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    CopySign,
    /// C's fmin (a NaN operand loses).
    MinNum,
    MaxNum,
    /// IEEE 754-2019 minimum (a NaN operand wins).
    Minimum,
    Maximum,
}

/// Floating-point operators on one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    Ceil,
    Floor,
    Trunc,
    /// Current rounding mode, may raise inexact.
    Rint,
    NearbyInt,
    /// To the nearest integer, halves away from zero.
    Round,
    RoundEven,
}

/// LLVM's floating-point comparison predicates (`o` ordered, `u` true if unordered).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatCmp {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}

/// Conversions between floats and integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatCastOp {
    /// From one floating-point format to another.
    Convert,
    /// Float to signed integer, as x86 does it when out of range.
    ToSigned,
    ToUnsigned,
    /// Saturating forms (`llvm.fptosi.sat`).
    ToSignedSat,
    ToUnsignedSat,
    FromSigned,
    FromUnsigned,
}
