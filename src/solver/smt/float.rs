//! Floating-point operators in Z3's theory, on bit patterns.
//!
//! Idea: patterns become Z3's numbers for one operation and patterns again after it, with the NaN
//! patterns that `ops::float` gives (Z3 has only one NaN), so a term means here what it means to
//! the evaluator. x87's 80 bits are Z3's (15, 64) plus the stored integer bit. What Z3 would be too
//! slow for (remainders, conversions to more than 64 bits) is a value that Z3 may choose:
//! "unsatisfiable" stays right, and models are evaluated by the ladder before they count.

use super::z3::{Failure, Result, Session, made};
use crate::ops::float::{FloatFunction, FloatKind, FloatOp, FloatUnary, range_of_integer};
use crate::ops::mask;
use z3_sys::*;

type Make2 = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;

// SAFETY (all blocks of this impl): as in `z3`: the context is live as long as the session, every
// ast and sort passed was made by it and lives as long as it; array arguments have as many elements
// as the count says.
impl Session {
    /// `function` on as many operands (bit vectors) as it has.
    pub(super) fn float(&self, function: FloatFunction, operands: &[Z3_ast]) -> Result<Z3_ast> {
        let c = self.context;
        let &[a, ..] = operands else {
            return Err(Failure::Malformed);
        };
        match function {
            FloatFunction::Binary(FloatOp::Rem, kind) => self.any(kind.width()),
            FloatFunction::Binary(op, kind) => {
                let &[a, b] = operands else {
                    return Err(Failure::Malformed);
                };
                let (x, y, mode) = (self.real(kind, a)?, self.real(kind, b)?, self.nearest()?);
                let result = made(unsafe {
                    match op {
                        FloatOp::Add => Z3_mk_fpa_add(c, mode, x, y),
                        FloatOp::Sub => Z3_mk_fpa_sub(c, mode, x, y),
                        FloatOp::Mul => Z3_mk_fpa_mul(c, mode, x, y),
                        _ => Z3_mk_fpa_div(c, mode, x, y),
                    }
                })?;
                self.pattern(kind, result, operands)
            }
            FloatFunction::Unary(op, kind) => {
                let x = self.real(kind, a)?;
                let result = made(unsafe {
                    let mode = match op {
                        FloatUnary::Ceil => Z3_mk_fpa_rtp(c),
                        FloatUnary::Floor => Z3_mk_fpa_rtn(c),
                        FloatUnary::Trunc => Z3_mk_fpa_rtz(c),
                        FloatUnary::Round => Z3_mk_fpa_rna(c),
                        _ => Z3_mk_fpa_rne(c),
                    };
                    match op {
                        FloatUnary::Sqrt => Z3_mk_fpa_sqrt(c, made(mode)?, x),
                        _ => Z3_mk_fpa_round_to_integral(c, made(mode)?, x),
                    }
                })?;
                self.pattern(kind, result, operands)
            }
            FloatFunction::MultiplyAdd(kind) => {
                let &[a, b, d] = operands else {
                    return Err(Failure::Malformed);
                };
                let (x, y, z) = (
                    self.real(kind, a)?,
                    self.real(kind, b)?,
                    self.real(kind, d)?,
                );
                let result = made(unsafe { Z3_mk_fpa_fma(c, self.nearest()?, x, y, z) })?;
                self.pattern(kind, result, operands)
            }
            FloatFunction::Convert { from, to } => {
                let (x, sort) = (self.real(from, a)?, self.float_sort(to)?);
                let result = made(unsafe { Z3_mk_fpa_to_fp_float(c, self.nearest()?, x, sort) })?;
                let number = self.pattern(to, result, &[])?;
                let nan = self.converted_nan(from, to, a)?;
                self.choose(self.is_nan(from, a)?, nan, number)
            }
            FloatFunction::FromInteger { is_signed, to, .. } => {
                let (mode, sort) = (self.nearest()?, self.float_sort(to)?);
                let result = made(unsafe {
                    match is_signed {
                        true => Z3_mk_fpa_to_fp_signed(c, mode, a, sort),
                        false => Z3_mk_fpa_to_fp_unsigned(c, mode, a, sort),
                    }
                })?;
                self.pattern(to, result, &[])
            }
            FloatFunction::ToInteger { width, .. } if width > 64 => self.any(width.into()),
            FloatFunction::ToInteger {
                from,
                is_signed,
                width,
            } => self.to_integer(from, is_signed, width.into(), a),
        }
    }

    /// A value that nothing is known of.
    fn any(&self, width: u32) -> Result<Z3_ast> {
        let sort = self.sort(width)?;
        made(unsafe { Z3_mk_fresh_const(self.context, c"any".as_ptr(), sort) })
    }

    fn nearest(&self) -> Result<Z3_ast> {
        made(unsafe { Z3_mk_fpa_rne(self.context) })
    }

    fn float_sort(&self, kind: FloatKind) -> Result<Z3_sort> {
        let (exponent, precision) = (kind.exponent_bits(), kind.precision());
        made(unsafe { Z3_mk_fpa_sort(self.context, exponent, precision) })
    }

    fn bits(&self, a: Z3_ast, low: u32, width: u32) -> Result<Z3_ast> {
        made(unsafe { Z3_mk_extract(self.context, low + width - 1, low, a) })
    }

    fn join(&self, high: Z3_ast, low: Z3_ast) -> Result<Z3_ast> {
        made(unsafe { Z3_mk_concat(self.context, high, low) })
    }

    fn choose(&self, condition: Z3_ast, yes: Z3_ast, no: Z3_ast) -> Result<Z3_ast> {
        made(unsafe { Z3_mk_ite(self.context, condition, yes, no) })
    }

    fn equals(&self, a: Z3_ast, width: u32, value: u128) -> Result<Z3_ast> {
        let value = self.number(width, value)?;
        made(unsafe { Z3_mk_eq(self.context, a, value) })
    }

    fn both(&self, a: Z3_ast, b: Z3_ast) -> Result<Z3_ast> {
        made(unsafe { Z3_mk_and(self.context, 2, [a, b].as_ptr()) })
    }

    /// Z3's number for a pattern; any number for an x87 pattern that is a NaN.
    fn real(&self, kind: FloatKind, a: Z3_ast) -> Result<Z3_ast> {
        let ieee = match kind {
            FloatKind::X87 => {
                let (sign, exponent) = (self.bits(a, 79, 1)?, self.bits(a, 64, 15)?);
                let denormal = self.equals(exponent, 15, 0)?;
                let integer = self.equals(self.bits(a, 63, 1)?, 1, 1)?;
                let carried = self.both(denormal, integer)?;
                let exponent = self.choose(carried, self.number(15, 1)?, exponent)?;
                self.join(self.join(sign, exponent)?, self.bits(a, 0, 63)?)?
            }
            _ => a,
        };
        let sort = self.float_sort(kind)?;
        made(unsafe { Z3_mk_fpa_to_fp_bv(self.context, ieee, sort) })
    }

    /// The pattern of a result; if it is a NaN, that of the first operand that is one, made quiet,
    /// else the default.
    fn pattern(&self, kind: FloatKind, result: Z3_ast, operands: &[Z3_ast]) -> Result<Z3_ast> {
        let c = self.context;
        let ieee = made(unsafe { Z3_mk_fpa_to_ieee_bv(c, result) })?;
        let number = match kind {
            FloatKind::X87 => {
                let exponent = self.bits(ieee, 63, 15)?;
                let denormal = self.equals(exponent, 15, 0)?;
                let (zero, one) = (self.number(1, 0)?, self.number(1, 1)?);
                let integer = self.choose(denormal, zero, one)?;
                let high = self.join(self.bits(ieee, 63, 16)?, integer)?;
                self.join(high, self.bits(ieee, 0, 63)?)?
            }
            _ => ieee,
        };
        let invalid = made(unsafe { Z3_mk_fpa_is_nan(c, result) })?;
        let default = self.number(kind.width(), kind.default_nan())?;
        let mut pattern = self.choose(invalid, default, number)?;
        for &operand in operands.iter().rev() {
            let quiet = self.quiet(kind, operand)?;
            pattern = self.choose(self.is_nan(kind, operand)?, quiet, pattern)?;
        }
        Ok(pattern)
    }

    fn is_nan(&self, kind: FloatKind, a: Z3_ast) -> Result<Z3_ast> {
        let c = self.context;
        let magnitude = self.bits(a, 0, kind.width() - 1)?;
        let infinity = self.number(kind.width() - 1, kind.infinity())?;
        if kind != FloatKind::X87 {
            return made(unsafe { Z3_mk_bvugt(c, magnitude, infinity) });
        }
        let exponent = self.bits(a, 64, 15)?;
        let special = self.equals(exponent, 15, 0x7fff)?;
        let finite = made(unsafe { Z3_mk_not(c, made(Z3_mk_eq(c, magnitude, infinity))?) })?;
        let normal = made(unsafe { Z3_mk_not(c, self.equals(exponent, 15, 0)?) })?;
        let no_integer = self.equals(self.bits(a, 63, 1)?, 1, 0)?;
        let no_number = self.both(normal, no_integer)?;
        self.choose(special, finite, no_number)
    }

    fn quiet(&self, kind: FloatKind, a: Z3_ast) -> Result<Z3_ast> {
        let bit = self.number(kind.width(), kind.quiet_bit())?;
        let quiet = made(unsafe { Z3_mk_bvor(self.context, a, bit) })?;
        if kind != FloatKind::X87 {
            return Ok(quiet);
        }
        let has_integer = self.equals(self.bits(a, 63, 1)?, 1, 1)?;
        let default = self.number(kind.width(), kind.default_nan())?;
        self.choose(has_integer, quiet, default)
    }

    /// `ops::float::convert_nan`.
    fn converted_nan(&self, from: FloatKind, to: FloatKind, a: Z3_ast) -> Result<Z3_ast> {
        let (have, want) = (from.precision() - 1, to.precision() - 1);
        let payload = match want.cmp(&have) {
            std::cmp::Ordering::Less => self.bits(a, have - want, want)?,
            std::cmp::Ordering::Equal => self.bits(a, 0, have)?,
            std::cmp::Ordering::Greater => {
                self.join(self.bits(a, 0, have)?, self.number(want - have, 0)?)?
            }
        };
        let sign = self.bits(a, from.width() - 1, 1)?;
        let middle = to.width() - 1 - want;
        let ones = (to.infinity() | to.quiet_bit()) >> want & mask(middle);
        let head = self.join(sign, self.number(middle, ones)?)?;
        let bit = self.number(to.width(), to.quiet_bit())?;
        let joined = self.join(head, payload)?;
        let nan = made(unsafe { Z3_mk_bvor(self.context, joined, bit) })?;
        if from != FloatKind::X87 {
            return Ok(nan);
        }
        let has_integer = self.equals(self.bits(a, 63, 1)?, 1, 1)?;
        let default = self.number(to.width(), to.default_nan())?;
        self.choose(has_integer, nan, default)
    }

    /// Truncates; saturates, NaN is 0. At most 64 bits.
    fn to_integer(
        &self,
        from: FloatKind,
        is_signed: bool,
        width: u32,
        a: Z3_ast,
    ) -> Result<Z3_ast> {
        let c = self.context;
        let x = self.real(from, a)?;
        let limits: [_; 2] = range_of_integer(from, is_signed, width).into();
        let compare = |make: Make2, limit: u128| -> Result<Z3_ast> {
            let limit = self.real(from, self.number(from.width(), limit)?)?;
            made(unsafe { make(c, x, limit) })
        };
        // Not above the lower limit: below, because NaN is taken out last.
        let below = match limits[0].0 {
            crate::ops::float::FloatCmp::Oge => compare(Z3_mk_fpa_lt, limits[0].1)?,
            _ => compare(Z3_mk_fpa_leq, limits[0].1)?,
        };
        let above = compare(Z3_mk_fpa_geq, limits[1].1)?;
        let truncated = made(unsafe {
            let mode = made(Z3_mk_fpa_rtz(c))?;
            match is_signed {
                true => Z3_mk_fpa_to_sbv(c, mode, x, width),
                false => Z3_mk_fpa_to_ubv(c, mode, x, width),
            }
        })?;
        let (least, most) = match is_signed {
            true => (1 << (width - 1), mask(width) >> 1),
            false => (0, mask(width)),
        };
        let value = self.choose(above, self.number(width, most)?, truncated)?;
        let value = self.choose(below, self.number(width, least)?, value)?;
        self.choose(self.is_nan(from, a)?, self.number(width, 0)?, value)
    }
}
