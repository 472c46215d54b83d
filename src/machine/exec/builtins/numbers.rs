//! Functions of libm on concrete numbers.
//!
//! Idea: C libraries differ in the last bits of these functions, so the library of the machine
//! answers, which the native program calls too. `cbrt` is missing: in this program it is the one of
//! Rust's library, not the machine's.
//!
//! Invariant: only ordinary cases are answered, whose result is a finite number that is not small.
//! The libc's code does the rest: symbolic numbers, errors with their `errno`, exception flags,
//! other rounding modes.

use super::{BuiltinCall, Outcome};
use crate::memory::Value;
use crate::outcome::Termination;
use homi_ir::ops::float::Rounding;

macro_rules! functions {
    ($($unary:ident $unary_float:ident),+; $($binary:ident $binary_float:ident),+) => {
        #[link(name = "m")]
        // SAFETY: libm declares them so, and they have no preconditions.
        unsafe extern "C" {
            $(safe fn $unary(x: f64) -> f64; safe fn $unary_float(x: f32) -> f32;)+
            $(
                safe fn $binary(x: f64, y: f64) -> f64;
                safe fn $binary_float(x: f32, y: f32) -> f32;
            )+
        }

        /// The function of one double of a name.
        fn unary(name: &str) -> Option<fn(f64) -> f64> {
            Some(match name { $(stringify!($unary) => |x| $unary(x),)+ _ => return None })
        }

        /// The function of one float of a name.
        fn unary_float(name: &str) -> Option<fn(f32) -> f32> {
            Some(match name {
                $(stringify!($unary_float) => |x| $unary_float(x),)+
                _ => return None,
            })
        }

        /// The function of two doubles of a name.
        fn binary(name: &str) -> Option<fn(f64, f64) -> f64> {
            Some(match name { $(stringify!($binary) => |x, y| $binary(x, y),)+ _ => return None })
        }

        /// The function of two floats of a name.
        fn binary_float(name: &str) -> Option<fn(f32, f32) -> f32> {
            Some(match name {
                $(stringify!($binary_float) => |x, y| $binary_float(x, y),)+
                _ => return None,
            })
        }
    };
}

functions! {
    sin sinf, cos cosf, tan tanf, asin asinf, acos acosf, atan atanf, sinh sinhf, cosh coshf,
    tanh tanhf, asinh asinhf, acosh acoshf, atanh atanhf, exp expf, exp2 exp2f, exp10 exp10f,
    expm1 expm1f, log logf, log2 log2f, log10 log10f, log1p log1pf, erf erff,
    erfc erfcf, tgamma tgammaf, j0 j0f, j1 j1f, y0 y0f, y1 y1f;
    pow powf, atan2 atan2f, hypot hypotf
}

/// sin, pow and similar functions.
pub(super) fn of_libm(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let is_plain = call.state.floats.rounding == Rounding::Nearest;
    let answer = is_plain && !call.prepared.tracks_exceptions;
    match answer.then(|| value(call)).flatten() {
        Some(bits) => Ok(Outcome::number(bits)),
        None if call.defined => Ok(Outcome::Decline),
        None => Err(call.unsupported(format!("{} without a C library", call.name))),
    }
}

/// The bits of the result in an ordinary case.
fn value(call: &BuiltinCall<'_, '_, '_>) -> Option<u64> {
    let name = call.name;
    if let Some(function) = unary(name) {
        let result = function(double(call, 0)?);
        return result.is_normal().then_some(result.to_bits());
    }
    if let Some(function) = binary(name) {
        let result = function(double(call, 0)?, double(call, 1)?);
        return result.is_normal().then_some(result.to_bits());
    }
    let result = match unary_float(name) {
        Some(function) => function(float(call, 0)?),
        None => binary_float(name)?(float(call, 0)?, float(call, 1)?),
    };
    result.is_normal().then_some(result.to_bits().into())
}

/// An argument that is a concrete double, and no NaN.
fn double(call: &BuiltinCall<'_, '_, '_>, index: usize) -> Option<f64> {
    let number = f64::from_bits(bits(call, index, 64)?);
    (!number.is_nan()).then_some(number)
}

/// An argument that is a concrete float, and no NaN.
fn float(call: &BuiltinCall<'_, '_, '_>, index: usize) -> Option<f32> {
    let number = f32::from_bits(bits(call, index, 32)? as u32);
    (!number.is_nan()).then_some(number)
}

/// The bits of a concrete argument of a width.
fn bits(call: &BuiltinCall<'_, '_, '_>, index: usize, width: u32) -> Option<u64> {
    match call.args.get(index)? {
        (Value::Concrete(bits), own) if *own == width => Some(*bits as u64),
        _ => None,
    }
}
