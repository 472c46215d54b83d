//! AVX-512 on floating point as far as bitcode names it: operations with an explicit rounding,
//! masked scalars, unsigned conversions, tests of classes.
//!
//! Idea: the rounding in an instruction is the mode of the machine while it executes. Invariant: as
//! in `x86`. Suppressed exceptions are not modeled.

use super::super::Unsupported;
use super::super::function::Body;
use super::super::types::Scalar;
use crate::c_api::Value;
use homi_ir::ops::BinOp;
use homi_ir::program::{CastOp, FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary, Inst, Slot};

/// The operand of a rounding: as the mode says. Without it the low two bits are the mode.
const CURRENT_MODE: u64 = 4;

impl Body<'_, '_> {
    /// The parts of `x86.avx512.NAME`; `None` if it is none of these.
    pub fn x86_rounded(
        &mut self,
        inst: Value,
        name: &str,
    ) -> Result<Option<Vec<Slot>>, Unsupported> {
        let plain = name.strip_prefix("mask.").unwrap_or(name);
        let (operation, form) = plain.split_once('.').unwrap_or((plain, ""));
        let is_scalar = form.starts_with("ss") || form.starts_with("sd");
        let slots = match operation {
            "sqrt" if is_scalar => self.masked_scalar(inst, 4, |body, kind, _, b| {
                body.float_unary(FloatUnary::Sqrt, kind, b)
            })?,
            "rndscale" if is_scalar => {
                let how = inst.operand(4).const_u64();
                self.masked_scalar(inst, 5, |body, kind, _, b| {
                    body.scaled_rounding(kind, how, b)
                })?
            }
            "add" | "sub" | "mul" | "div" | "max" | "min"
                if is_scalar && form.ends_with("round") =>
            {
                self.masked_scalar(inst, 4, |body, kind, a, b| {
                    body.float_arithmetic(operation, kind, a, b)
                })?
            }
            "add" | "sub" | "mul" | "div" => {
                let (kind, a) = self.float_lanes(inst, 0)?;
                let (_, b) = self.float_lanes(inst, 1)?;
                self.in_mode(inst.operand(2).const_u64(), |body| {
                    body.each(&a, &b, |body, a, b| {
                        body.float_arithmetic(operation, kind, a, b)
                    })
                })
            }
            "sqrt" => {
                let (kind, a) = self.float_lanes(inst, 0)?;
                self.in_mode(inst.operand(1).const_u64(), |body| {
                    let root = |lane: &Slot| body.float_unary(FloatUnary::Sqrt, kind, *lane);
                    a.iter().map(root).collect()
                })
            }
            "vfmadd" => self.rounded_fma(inst)?,
            "rndscale" => {
                let (kind, a) = self.float_lanes(inst, 0)?;
                let how = inst.operand(1).const_u64();
                let rounded: Vec<Slot> = (a.iter())
                    .map(|lane| self.scaled_rounding(kind, how, *lane))
                    .collect();
                self.merged_result(inst, 2, rounded)?
            }
            "fpclass" if !is_scalar => {
                let (kind, a) = self.float_lanes(inst, 0)?;
                let classes = inst.operand(1).const_u64();
                a.iter()
                    .map(|lane| self.is_of_class(kind, classes, *lane))
                    .collect()
            }
            "cmp" => self.masked_comparison(inst, is_scalar)?,
            "vcomi" => self.compared_first(inst)?,
            "sitofp" | "uitofp" => self.rounded_from_integers(inst, operation)?,
            _ => return self.x86_conversion(inst, operation),
        };
        Ok(Some(slots))
    }

    fn float_lanes(
        &mut self,
        inst: Value,
        index: u32,
    ) -> Result<(FloatKind, Vec<Slot>), Unsupported> {
        let kind = self.module.types.lane(inst.operand(index).ty())?.float()?;
        Ok((kind, self.lanes_of(inst, index)?.1))
    }

    /// Runs `work` while the rounding of an instruction is the mode.
    fn in_mode<T>(&mut self, how: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        if how & CURRENT_MODE != 0 {
            return work(self);
        }
        let before = self.call_word_function("fegetround", &[]);
        let mode = self.int(32, u128::from(how & 3) << 10);
        self.call_word_function("fesetround", &[mode]);
        let result = work(self);
        self.call_word_function("fesetround", &[before]);
        result
    }

    fn float_arithmetic(&mut self, operation: &str, kind: FloatKind, a: Slot, b: Slot) -> Slot {
        let op = match operation {
            "add" => FloatOp::Add,
            "sub" => FloatOp::Sub,
            "mul" => FloatOp::Mul,
            "div" => FloatOp::Div,
            _ => {
                let op = if operation == "min" {
                    FloatCmp::Olt
                } else {
                    FloatCmp::Ogt
                };
                let first = self.float_cmp(op, kind, a, b);
                return self.select(kind.width() as u8, first, a, b);
            }
        };
        self.float(op, kind, a, b)
    }

    /// a, b, old, mask, ..., rounding at `rounding`: the first lane computed, or `old`'s; the
    /// others `a`'s.
    fn masked_scalar(
        &mut self,
        inst: Value,
        rounding: u32,
        work: impl FnOnce(&mut Self, FloatKind, Slot, Slot) -> Slot,
    ) -> Result<Vec<Slot>, Unsupported> {
        let (kind, mut a) = self.float_lanes(inst, 0)?;
        let (_, b) = self.float_lanes(inst, 1)?;
        let (_, old) = self.float_lanes(inst, 2)?;
        let mask = self.mask_lanes(inst, 3, 1)?[0];
        let how = inst.operand(rounding).const_u64();
        let first = self.in_mode(how, |body| work(body, kind, a[0], b[0]));
        a[0] = self.select(kind.width() as u8, mask, first, old[0]);
        Ok(a)
    }

    /// A fused multiplication and addition; the fourth operand is the rounding mode.
    fn rounded_fma(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let (kind, a) = self.float_lanes(inst, 0)?;
        let (_, b) = self.float_lanes(inst, 1)?;
        let (_, c) = self.float_lanes(inst, 2)?;
        Ok(self.in_mode(inst.operand(3).const_u64(), |body| {
            let lanes = a.iter().zip(&b).zip(&c);
            lanes
                .map(|((&a, &b), &c)| {
                    let dst = body.new_slot(kind.width() as u8);
                    body.emit(Inst::FloatFma { kind, dst, a, b, c });
                    dst
                })
                .collect()
        }))
    }

    /// Rounded to a number of binary places (the upper four bits of `how`), as its low two bits or
    /// the mode say.
    fn scaled_rounding(&mut self, kind: FloatKind, how: u64, value: Slot) -> Slot {
        let op = match how & 7 {
            0 => FloatUnary::RoundEven,
            1 => FloatUnary::Floor,
            2 => FloatUnary::Ceil,
            3 => FloatUnary::Trunc,
            _ => FloatUnary::Rint,
        };
        let places = u128::from(how >> 4 & 15);
        if places == 0 {
            return self.float_unary(op, kind, value);
        }
        let w = kind.width() as u8;
        let bias = homi_ir::ops::mask(kind.exponent_bits() - 1);
        let power = |exponent: u128| exponent << kind.stored_bits();
        let (up, down) = (
            self.int(w, power(bias + places)),
            self.int(w, power(bias - places)),
        );
        let scaled = self.float(FloatOp::Mul, kind, value, up);
        let rounded = self.float_unary(op, kind, scaled);
        let back = self.float(FloatOp::Mul, kind, rounded, down);
        // A number that is too large to be scaled has no such binary places.
        let magnitude = self.float_unary(FloatUnary::Abs, kind, scaled);
        let infinite = self.int(w, power(homi_ir::ops::mask(kind.exponent_bits())));
        let is_large = self.float_cmp(FloatCmp::Oeq, kind, magnitude, infinite);
        self.select(w, is_large, value, back)
    }

    /// Returns whether a number is of one of the `classes`, whose bits are, from the lowest: quiet
    /// NaN, zero, negative zero, infinity, negative infinity, denormal, negative, signaling NaN.
    fn is_of_class(&mut self, kind: FloatKind, classes: u64, value: Slot) -> Slot {
        use homi_ir::ops::CmpOp::{Eq, Ugt, Ult};
        let w = kind.width() as u8;
        let infinite = homi_ir::ops::mask(kind.exponent_bits()) << kind.stored_bits();
        let least_normal = 1u128 << kind.stored_bits();
        let quiet = infinite | least_normal >> 1;
        let magnitude = self.int(w, homi_ir::ops::mask(u32::from(w) - 1));
        let magnitude = self.bin(BinOp::And, w, value, magnitude);
        let sign = self.bits(value, w, w - 1, 1);
        let no_sign = self.not(sign);
        let test = |body: &mut Self, op, limit| {
            let limit = body.int(w, limit);
            body.cmp(op, w, magnitude, limit)
        };
        let is_nan = test(self, Ugt, infinite);
        let below_quiet = test(self, Ult, quiet);
        let is_quiet = self.not(below_quiet);
        let is_zero = test(self, Eq, 0);
        let not_zero = self.not(is_zero);
        let is_infinite = test(self, Eq, infinite);
        let is_small = test(self, Ult, least_normal);
        let is_finite = test(self, Ult, infinite);
        let is_number = self.bin(BinOp::And, 1, is_finite, not_zero);
        let pairs = [
            (is_quiet, is_quiet),
            (is_zero, no_sign),
            (is_zero, sign),
            (is_infinite, no_sign),
            (is_infinite, sign),
            (is_small, not_zero),
            (is_number, sign),
            (is_nan, below_quiet),
        ];
        let mut result = self.int(1, 0);
        for (bit, (first, second)) in pairs.into_iter().enumerate() {
            if classes >> bit & 1 == 0 {
                continue;
            }
            let both = self.bin(BinOp::And, 1, first, second);
            result = self.bin(BinOp::Or, 1, result, both);
        }
        result
    }

    /// a, b, number of the comparison, mask: bits of the lanes, as a vector of bits or (of the
    /// first lane) a byte.
    fn masked_comparison(
        &mut self,
        inst: Value,
        is_scalar: bool,
    ) -> Result<Vec<Slot>, Unsupported> {
        let (kind, a) = self.float_lanes(inst, 0)?;
        let (_, b) = self.float_lanes(inst, 1)?;
        let op = super::float::COMPARISONS[inst.operand(2).const_u64() as usize & 15];
        let count = if is_scalar { 1 } else { a.len() };
        let mask = self.mask_lanes(inst, 3, count)?;
        let mut result = Vec::with_capacity(count);
        for lane in 0..count {
            let holds = self.float_cmp(op, kind, a[lane], b[lane]);
            result.push(self.bin(BinOp::And, 1, holds, mask[lane]));
        }
        if is_scalar {
            result[0] = self.cast(CastOp::Zext, 1, 8, result[0]);
        }
        Ok(result)
    }

    fn compared_first(&mut self, inst: Value) -> Result<Vec<Slot>, Unsupported> {
        let (kind, a) = self.float_lanes(inst, 0)?;
        let (_, b) = self.float_lanes(inst, 1)?;
        let op = super::float::COMPARISONS[inst.operand(2).const_u64() as usize & 15];
        let holds = self.float_cmp(op, kind, a[0], b[0]);
        Ok(vec![self.cast(CastOp::Zext, 1, 32, holds)])
    }

    fn rounded_from_integers(
        &mut self,
        inst: Value,
        operation: &str,
    ) -> Result<Vec<Slot>, Unsupported> {
        let source = self.module.types.lane(inst.operand(0).ty())?;
        let target = self.module.types.lane(inst.ty())?;
        let op = match operation {
            "sitofp" => FloatCastOp::FromSigned,
            _ => FloatCastOp::FromUnsigned,
        };
        let (_, lanes) = self.lanes_of(inst, 0)?;
        self.in_mode(inst.operand(1).const_u64(), |body| {
            let convert = |lane: Slot| body.emit_float_cast(op, source, target, lane);
            lanes.into_iter().map(convert).collect()
        })
    }

    /// `cvt`, `cvtt` (cut off) and what they make: vectors under a mask, or the first lane as an
    /// integer.
    fn x86_conversion(
        &mut self,
        inst: Value,
        operation: &str,
    ) -> Result<Option<Vec<Slot>>, Unsupported> {
        let name = operation.trim_start_matches('v');
        let Some(rest) = name.strip_prefix("cvt") else {
            return Ok(None);
        };
        let (cut_off, rest) = match rest.strip_prefix('t') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let is_vector = rest.starts_with('p');
        let (source_name, target_name) = rest.split_at(2.min(rest.len()));
        if !matches!(source_name, "ps" | "pd" | "ss" | "sd") {
            return Ok(None);
        }
        let (source, target) = (
            self.module.types.lane(inst.operand(0).ty())?,
            self.module.types.lane(inst.ty())?,
        );
        if source.float().is_err() {
            return Ok(None);
        }
        let is_unsigned = match target_name {
            "2dq" | "2qq" | "2si32" | "2si64" | "2si" => false,
            "2udq" | "2uqq" | "2usi32" | "2usi64" | "2usi" => true,
            "2ps" if is_vector => return self.narrowed_floats(inst, source, target).map(Some),
            "2ph" if is_vector => return self.masked_halves(inst, source).map(Some),
            _ => return Ok(None),
        };
        let (_, mut lanes) = self.lanes_of(inst, 0)?;
        let results = self.module.types.leaves(inst.ty())?.len();
        lanes.truncate(results);
        let rounding = inst.argument_count() - 1;
        // Without an operand for it (narrow vectors) the mode rounds.
        let how = match rounding {
            1 | 3 => inst.operand(rounding).const_u64(),
            _ => CURRENT_MODE,
        };
        let how = if cut_off { CURRENT_MODE } else { how };
        let converted = self.in_mode(how, |body| {
            let convert = |lane: Slot| body.x86_integer(source, target, lane, cut_off, is_unsigned);
            lanes
                .into_iter()
                .map(convert)
                .collect::<Result<Vec<_>, _>>()
        })?;
        if !is_vector {
            return Ok(Some(converted));
        }
        self.merged_result(inst, 1, converted).map(Some)
    }

    /// Converts to an integer; a value that does not fit becomes the highest bit alone, or all ones
    /// if the integer is unsigned.
    fn x86_integer(
        &mut self,
        source: Scalar,
        target: Scalar,
        value: Slot,
        cut_off: bool,
        is_unsigned: bool,
    ) -> Result<Slot, Unsupported> {
        let (kind, w) = (source.float()?, target.width());
        let op = if cut_off {
            FloatUnary::Trunc
        } else {
            FloatUnary::Rint
        };
        let rounded = self.float_unary(op, kind, value);
        if !is_unsigned {
            return self.emit_float_cast(FloatCastOp::ToSigned, source, target, rounded);
        }
        let number = self.emit_float_cast(FloatCastOp::ToUnsignedSat, source, target, rounded)?;
        let zero = self.int(kind.width() as u8, 0);
        let fits = self.float_cmp(FloatCmp::Oge, kind, rounded, zero);
        let ones = self.int(w, u128::MAX);
        Ok(self.select(w, fits, number, ones))
    }

    fn converted_in_mode(
        &mut self,
        how: u64,
        source: Scalar,
        target: Scalar,
        lanes: Vec<Slot>,
    ) -> Result<Vec<Slot>, Unsupported> {
        self.in_mode(how, |body| {
            let convert =
                |lane: Slot| body.emit_float_cast(FloatCastOp::Convert, source, target, lane);
            lanes.into_iter().map(convert).collect()
        })
    }

    fn narrowed_floats(
        &mut self,
        inst: Value,
        source: Scalar,
        target: Scalar,
    ) -> Result<Vec<Slot>, Unsupported> {
        let (_, lanes) = self.lanes_of(inst, 0)?;
        let how = match inst.argument_count() {
            4 => inst.operand(3).const_u64(),
            _ => CURRENT_MODE,
        };
        let converted = self.converted_in_mode(how, source, target, lanes)?;
        self.merged_result(inst, 1, converted)
    }

    /// Half precision: numbers, rounding, old lanes, mask.
    fn masked_halves(&mut self, inst: Value, source: Scalar) -> Result<Vec<Slot>, Unsupported> {
        let (_, lanes) = self.lanes_of(inst, 0)?;
        let target = Scalar::Float(FloatKind::F16);
        let how = inst.operand(1).const_u64();
        let converted = self.converted_in_mode(how, source, target, lanes)?;
        self.merged_result(inst, 2, converted)
    }
}
