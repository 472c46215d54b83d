//! Floating-point operators on concrete values; bits in, bits out.
//!
//! Owns: the formats, the operators and their meaning, for the executor and for terms alike. Never:
//! terms, registers. Invariant: f32 and f64 use the host's IEEE arithmetic, the other formats a
//! software implementation (`rustc_apfloat`); all but `rounded` round to nearest even. A NaN result
//! always has the same bits, as on x86-64: the first operand that is a NaN, made quiet, else the
//! default NaN with the sign set. (Compilers may swap the operands of a sum, so which of two NaNs a
//! native program passes on is not defined.)

mod arithmetic;
mod convert;
pub mod exceptions;
mod function;
mod kind;
mod rounded;
#[cfg(test)]
mod tests;

pub use arithmetic::{binary, compare, multiply_add, unary};
pub use convert::{
    cast, cast_widths, convert_nan, from_integer, machine_width, range_of_integer, saturate,
};
pub use function::FloatFunction;
pub use kind::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary};
pub use rounded::{Rounding, binary_rounded, cast_rounded, multiply_add_rounded, unary_rounded};

use rustc_apfloat::Round;

const NEAREST: Round = Round::NearestTiesToEven;

/// Calls a generic function with the software type of a kind.
macro_rules! with_software {
    ($kind:expr, $function:ident ( $($arg:expr),* )) => {
        match $kind {
            FloatKind::F16 => $function::<rustc_apfloat::ieee::Half>($($arg),*),
            FloatKind::BF16 => $function::<rustc_apfloat::ieee::BFloat>($($arg),*),
            FloatKind::F32 => $function::<rustc_apfloat::ieee::Single>($($arg),*),
            FloatKind::F64 => $function::<rustc_apfloat::ieee::Double>($($arg),*),
            FloatKind::X87 => $function::<rustc_apfloat::ieee::X87DoubleExtended>($($arg),*),
            FloatKind::F128 => $function::<rustc_apfloat::ieee::Quad>($($arg),*),
        }
    };
}
use with_software;

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}
