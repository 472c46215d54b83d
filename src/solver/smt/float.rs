//! Floating-point operators in Z3's theory, on bit patterns.
//!
//! Idea: patterns become Z3's numbers for one operation and patterns again after it, with the NaN
//! patterns that `ops::float` gives (Z3 has only one NaN), so a term means here what it means to
//! the evaluator. x87's 80 bits are Z3's (15, 64) plus the stored integer bit. What Z3 would be too
//! slow for (remainders, conversions to more than 64 bits) is a value that Z3 may choose:
//! "unsatisfiable" stays right, and models are evaluated by the chain before they count.

use super::context::{Ast, Sort};
use super::z3::{Failure, Result, Session};
use homi_ir::ops::float::{FloatFunction, FloatKind, FloatOp, FloatUnary, range_of_integer};
use homi_ir::ops::mask;

impl Session {
    /// `function` on as many operands (bit vectors) as it has.
    pub(super) fn float<'c>(
        &'c self,
        function: FloatFunction,
        operands: &[Ast<'c>],
    ) -> Result<Ast<'c>> {
        let c = &self.context;
        let &[a, ..] = operands else {
            return Err(Failure::Malformed);
        };
        match function {
            FloatFunction::Binary(FloatOp::Rem, kind) => self.any(kind.width()),
            FloatFunction::Binary(op, kind) => {
                let &[a, b] = operands else {
                    return Err(Failure::Malformed);
                };
                let (x, y, mode) = (self.real(kind, a)?, self.real(kind, b)?, c.nearest_even()?);
                let result = match op {
                    FloatOp::Add => c.float_add(mode, x, y)?,
                    FloatOp::Sub => c.float_subtract(mode, x, y)?,
                    FloatOp::Mul => c.float_multiply(mode, x, y)?,
                    _ => c.float_divide(mode, x, y)?,
                };
                self.pattern(kind, result, operands)
            }
            FloatFunction::Unary(op, kind) => {
                let x = self.real(kind, a)?;
                let mode = match op {
                    FloatUnary::Ceil => c.upward()?,
                    FloatUnary::Floor => c.downward()?,
                    FloatUnary::Trunc => c.toward_zero()?,
                    FloatUnary::Round => c.nearest_away()?,
                    _ => c.nearest_even()?,
                };
                let result = match op {
                    FloatUnary::Sqrt => c.square_root(mode, x)?,
                    _ => c.round_to_integral(mode, x)?,
                };
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
                let result = c.float_multiply_add(c.nearest_even()?, x, y, z)?;
                self.pattern(kind, result, operands)
            }
            FloatFunction::Convert { from, to } => {
                let (x, sort) = (self.real(from, a)?, self.float_sort(to)?);
                let result = c.float_to_float(c.nearest_even()?, x, sort)?;
                let number = self.pattern(to, result, &[])?;
                let nan = self.converted_nan(from, to, a)?;
                self.choose(self.is_nan(from, a)?, nan, number)
            }
            FloatFunction::FromInteger { is_signed, to, .. } => {
                let (mode, sort) = (c.nearest_even()?, self.float_sort(to)?);
                let result = if is_signed {
                    c.signed_to_float(mode, a, sort)?
                } else {
                    c.unsigned_to_float(mode, a, sort)?
                };
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
    fn any(&self, width: u32) -> Result<Ast<'_>> {
        let sort = self.context.bits_sort(width)?;
        Ok(self.context.fresh_constant(sort)?)
    }

    fn float_sort(&self, kind: FloatKind) -> Result<Sort<'_>> {
        let (exponent, precision) = (kind.exponent_bits(), kind.precision());
        Ok(self.context.float_sort(exponent, precision)?)
    }

    fn bits<'c>(&'c self, a: Ast<'c>, low: u32, width: u32) -> Result<Ast<'c>> {
        Ok(self.context.extract(low, width, a)?)
    }

    fn join<'c>(&'c self, high: Ast<'c>, low: Ast<'c>) -> Result<Ast<'c>> {
        Ok(self.context.concat(high, low)?)
    }

    fn choose<'c>(&'c self, condition: Ast<'c>, yes: Ast<'c>, no: Ast<'c>) -> Result<Ast<'c>> {
        Ok(self.context.if_then_else(condition, yes, no)?)
    }

    fn equals<'c>(&'c self, a: Ast<'c>, width: u32, value: u128) -> Result<Ast<'c>> {
        let value = self.number(width, value)?;
        Ok(self.context.equal(a, value)?)
    }

    fn both<'c>(&'c self, a: Ast<'c>, b: Ast<'c>) -> Result<Ast<'c>> {
        Ok(self.context.all(&[a, b])?)
    }

    /// Z3's number for a pattern; any number for an x87 pattern that is a NaN.
    fn real<'c>(&'c self, kind: FloatKind, a: Ast<'c>) -> Result<Ast<'c>> {
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
        Ok(self.context.pattern_to_float(ieee, sort)?)
    }

    /// Returns the pattern of a result; for a NaN, the quiet pattern of the first NaN operand, else
    /// the default.
    fn pattern<'c>(
        &'c self,
        kind: FloatKind,
        result: Ast<'c>,
        operands: &[Ast<'c>],
    ) -> Result<Ast<'c>> {
        let c = &self.context;
        let ieee = c.float_to_pattern(result)?;
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
        let invalid = c.is_nan(result)?;
        let default = self.number(kind.width(), kind.default_nan())?;
        let mut pattern = self.choose(invalid, default, number)?;
        for &operand in operands.iter().rev() {
            let quiet = self.quiet(kind, operand)?;
            pattern = self.choose(self.is_nan(kind, operand)?, quiet, pattern)?;
        }
        Ok(pattern)
    }

    fn is_nan<'c>(&'c self, kind: FloatKind, a: Ast<'c>) -> Result<Ast<'c>> {
        let c = &self.context;
        let magnitude = self.bits(a, 0, kind.width() - 1)?;
        let infinity = self.number(kind.width() - 1, kind.infinity())?;
        if kind != FloatKind::X87 {
            return Ok(c.unsigned_greater(magnitude, infinity)?);
        }
        let exponent = self.bits(a, 64, 15)?;
        let special = self.equals(exponent, 15, 0x7fff)?;
        let finite = c.not(c.equal(magnitude, infinity)?)?;
        let normal = c.not(self.equals(exponent, 15, 0)?)?;
        let no_integer = self.equals(self.bits(a, 63, 1)?, 1, 0)?;
        let no_number = self.both(normal, no_integer)?;
        self.choose(special, finite, no_number)
    }

    fn quiet<'c>(&'c self, kind: FloatKind, a: Ast<'c>) -> Result<Ast<'c>> {
        let bit = self.number(kind.width(), kind.quiet_bit())?;
        let quiet = self.context.bits_or(a, bit)?;
        if kind != FloatKind::X87 {
            return Ok(quiet);
        }
        let has_integer = self.equals(self.bits(a, 63, 1)?, 1, 1)?;
        let default = self.number(kind.width(), kind.default_nan())?;
        self.choose(has_integer, quiet, default)
    }

    /// The NaN that a NaN becomes in another format, as `ops::float::convert_nan` has it.
    fn converted_nan<'c>(&'c self, from: FloatKind, to: FloatKind, a: Ast<'c>) -> Result<Ast<'c>> {
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
        let nan = self.context.bits_or(joined, bit)?;
        if from != FloatKind::X87 {
            return Ok(nan);
        }
        let has_integer = self.equals(self.bits(a, 63, 1)?, 1, 1)?;
        let default = self.number(to.width(), to.default_nan())?;
        self.choose(has_integer, nan, default)
    }

    /// The integer of at most 64 bits that a number truncates to; out of range the nearest one, and
    /// 0 for a NaN.
    fn to_integer<'c>(
        &'c self,
        from: FloatKind,
        is_signed: bool,
        width: u32,
        a: Ast<'c>,
    ) -> Result<Ast<'c>> {
        let c = &self.context;
        let x = self.real(from, a)?;
        let limits: [_; 2] = range_of_integer(from, is_signed, width).into();
        let limit = |index: usize| self.real(from, self.number(from.width(), limits[index].1)?);
        // Not above the lower limit: below, because NaN is taken out last.
        let below = match limits[0].0 {
            homi_ir::ops::float::FloatCmp::Oge => c.float_less(x, limit(0)?)?,
            _ => c.float_less_or_equal(x, limit(0)?)?,
        };
        let above = c.float_greater_or_equal(x, limit(1)?)?;
        let mode = c.toward_zero()?;
        let truncated = if is_signed {
            c.float_to_signed(mode, x, width)?
        } else {
            c.float_to_unsigned(mode, x, width)?
        };
        let (least, most) = if is_signed {
            (1 << (width - 1), mask(width) >> 1)
        } else {
            (0, mask(width))
        };
        let value = self.choose(above, self.number(width, most)?, truncated)?;
        let value = self.choose(below, self.number(width, least)?, value)?;
        self.choose(self.is_nan(from, a)?, self.number(width, 0)?, value)
    }
}
