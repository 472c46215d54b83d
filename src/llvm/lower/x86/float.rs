//! x86's floating-point vector instructions that bitcode names: comparisons by number, rounding,
//! conversions, sums across lanes.
//!
//! Invariant: as in `x86`. Minimum and maximum give the second operand for equal ones and NaN, as
//! the processor does.

use super::super::Unsupported;
use super::super::function::Body;
use super::super::types::Scalar;
use super::halves;
use crate::c_api::Value;
use homi_ir::ops::BinOp;
use homi_ir::program::{CastOp, FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary, Inst, Slot};

/// Comparisons by their number; those from 16 on differ only in the exceptions that they raise.
pub const COMPARISONS: [FloatCmp; 16] = [
    FloatCmp::Oeq,
    FloatCmp::Olt,
    FloatCmp::Ole,
    FloatCmp::Uno,
    FloatCmp::Une,
    FloatCmp::Uge,
    FloatCmp::Ugt,
    FloatCmp::Ord,
    FloatCmp::Ueq,
    FloatCmp::Ult,
    FloatCmp::Ule,
    FloatCmp::False,
    FloatCmp::One,
    FloatCmp::Oge,
    FloatCmp::Ogt,
    FloatCmp::True,
];

impl Body<'_, '_> {
    pub fn x86_float(&mut self, inst: Value, name: &str) -> Result<Option<Vec<Slot>>, Unsupported> {
        if inst.argument_count() == 0 {
            return Ok(None);
        }
        let source = self.module.types.lane(inst.operand(0).ty())?;
        let Ok(kind) = source.float() else {
            return Ok(None);
        };
        let w = source.width();
        let (_, a) = self.lanes_of(inst, 0)?;
        let second =
            |body: &mut Self| -> Result<Vec<Slot>, Unsupported> { Ok(body.lanes_of(inst, 1)?.1) };
        let only_first = name.ends_with(".ss") || name.ends_with(".sd");
        let slots = match name {
            "min.ps" | "min.pd" | "min.ss" | "min.sd" | "max.ps" | "max.pd" | "max.ss"
            | "max.sd" => {
                let op = if name.starts_with("min") {
                    FloatCmp::Olt
                } else {
                    FloatCmp::Ogt
                };
                let b = second(self)?;
                let chosen = self.each(&a, &b, |body, a, b| {
                    let first = body.float_cmp(op, kind, a, b);
                    body.select(w, first, a, b)
                });
                first_only(only_first, chosen, &a)
            }
            "cmp.ps" | "cmp.pd" | "cmp.ss" | "cmp.sd" => {
                let b = second(self)?;
                let op = COMPARISONS[inst.operand(2).const_u64() as usize & 15];
                let masks = self.each(&a, &b, |body, a, b| {
                    let holds = body.float_cmp(op, kind, a, b);
                    body.cast(CastOp::Sext, 1, w, holds)
                });
                first_only(only_first, masks, &a)
            }
            "addsub.ps" | "addsub.pd" => {
                let b = second(self)?;
                self.alternating(kind, &a, &b, FloatOp::Sub)
            }
            "hadd.ps" | "hadd.pd" | "hsub.ps" | "hsub.pd" => {
                let b = second(self)?;
                let op = if name.starts_with("hadd") {
                    FloatOp::Add
                } else {
                    FloatOp::Sub
                };
                let order = halves(&a, &b, 128 / usize::from(w));
                let pairs = order.chunks_exact(2);
                pairs
                    .map(|pair| self.float(op, kind, pair[0], pair[1]))
                    .collect()
            }
            "vfmaddsub.ps" | "vfmaddsub.pd" => {
                let b = second(self)?;
                let (_, c) = self.lanes_of(inst, 2)?;
                self.fused_alternating(kind, &a, &b, &c)
            }
            "dpps" | "dppd" | "dp.ps" => {
                let b = second(self)?;
                let which = inst.operand(2).const_u64();
                self.dot_products(kind, &a, &b, which)
            }
            "insertps" => {
                let b = second(self)?;
                let how = inst.operand(2).const_u64() as usize;
                let mut result = a;
                result[how >> 4 & 3] = b[how >> 6 & 3];
                for (lane, slot) in result.iter_mut().enumerate() {
                    if how >> lane & 1 != 0 {
                        *slot = self.int(w, 0);
                    }
                }
                result
            }
            "vpermilvar.ps" | "vpermilvar.pd" => {
                let (index_width, index) = self.lanes_of(inst, 1)?;
                let count = 128 / usize::from(w);
                let mut result = Vec::new();
                for (lane, index) in index.into_iter().enumerate() {
                    let half = &a[lane / count * count..][..count];
                    // Of double precision the second bit counts.
                    let low = if w == 64 { 1 } else { 0 };
                    let bits = self.bits(index, index_width, low, 2);
                    result.push(self.pick(w, half, 2, bits));
                }
                result
            }
            "vtestz.ps" | "vtestc.ps" | "vtestnzc.ps" | "vtestz.pd" | "vtestc.pd"
            | "vtestnzc.pd" => {
                let b = second(self)?;
                let which = name[5..].split('.').next().unwrap_or_default();
                vec![self.test(which, w, &a, &b, 1 << (w - 1))]
            }
            "vcvtps2ph" => self.half_lanes(inst, source, &a)?,
            _ => return self.x86_rounding(inst, name, source, &a),
        };
        Ok(Some(slots))
    }

    /// Comparisons of the first lanes, rounding and conversions.
    fn x86_rounding(
        &mut self,
        inst: Value,
        name: &str,
        source: Scalar,
        a: &[Slot],
    ) -> Result<Option<Vec<Slot>>, Unsupported> {
        let kind = source.float()?;
        let comparison = name.strip_prefix('u').unwrap_or(name);
        if let Some(rest) = comparison.strip_prefix("comi") {
            let op = match rest.split('.').next() {
                Some("eq") => FloatCmp::Oeq,
                Some("lt") => FloatCmp::Olt,
                Some("le") => FloatCmp::Ole,
                Some("gt") => FloatCmp::Ogt,
                Some("ge") => FloatCmp::Oge,
                Some("neq") => FloatCmp::Une,
                _ => return Ok(None),
            };
            let (_, b) = self.lanes_of(inst, 1)?;
            let holds = self.float_cmp(op, kind, a[0], b[0]);
            return Ok(Some(vec![self.cast(CastOp::Zext, 1, 32, holds)]));
        }
        let result = match name {
            "round.ps" | "round.pd" => {
                let how = rounding(inst.operand(1).const_u64());
                a.iter()
                    .map(|lane| self.float_unary(how, kind, *lane))
                    .collect()
            }
            "round.ss" | "round.sd" => {
                let how = rounding(inst.operand(2).const_u64());
                let (_, b) = self.lanes_of(inst, 1)?;
                let mut result = a.to_vec();
                result[0] = self.float_unary(how, kind, b[0]);
                result
            }
            "cvtss2si" | "cvtss2si64" | "cvtsd2si" | "cvtsd2si64" | "cvttss2si" | "cvttss2si64"
            | "cvttsd2si" | "cvttsd2si64" => {
                self.integers(inst, source, &a[..1], name.starts_with("cvtt"))?
            }
            "cvtps2dq" | "cvtpd2dq" | "cvttps2dq" | "cvttpd2dq" | "cvt.ps2dq" | "cvt.pd2dq"
            | "cvtt.ps2dq" | "cvtt.pd2dq" => {
                self.integers(inst, source, a, name.starts_with("cvtt"))?
            }
            "cvtpd2ps" | "cvt.pd2.ps" => {
                let target = self.module.types.lane(inst.ty())?;
                let mut result = Vec::new();
                for lane in a {
                    let op = FloatCastOp::Convert;
                    result.push(self.emit_float_cast(op, source, target, *lane)?);
                }
                self.filled(inst, result)?
            }
            "cvtsd2ss" => {
                let (_, b) = self.lanes_of(inst, 1)?;
                let from = self.module.types.lane(inst.operand(1).ty())?;
                let mut result = a.to_vec();
                result[0] = self.emit_float_cast(FloatCastOp::Convert, from, source, b[0])?;
                result
            }
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    /// Signed integers of the result's width, rounded as the mode says or cut off.
    fn integers(
        &mut self,
        inst: Value,
        source: Scalar,
        lanes: &[Slot],
        cut_off: bool,
    ) -> Result<Vec<Slot>, Unsupported> {
        let target = self.module.types.lane(inst.ty())?;
        let kind = source.float()?;
        let mut result = Vec::new();
        for lane in lanes {
            let rounded = if cut_off {
                *lane
            } else {
                self.float_unary(FloatUnary::Rint, kind, *lane)
            };
            result.push(self.emit_float_cast(FloatCastOp::ToSigned, source, target, rounded)?);
        }
        self.filled(inst, result)
    }

    /// Lanes with zeros behind them, as many as the result has.
    fn filled(&mut self, inst: Value, mut lanes: Vec<Slot>) -> Result<Vec<Slot>, Unsupported> {
        let zeros = self.zeros(inst)?;
        lanes.extend(zeros.into_iter().skip(lanes.len()));
        Ok(lanes)
    }

    /// Half precision by one of four roundings, which the instruction has in it, or as the mode
    /// says; zeros behind.
    fn half_lanes(
        &mut self,
        inst: Value,
        source: Scalar,
        lanes: &[Slot],
    ) -> Result<Vec<Slot>, Unsupported> {
        let (target, how) = (Scalar::Float(FloatKind::F16), inst.operand(1).const_u64());
        let mut result = Vec::new();
        for lane in lanes {
            let mut half = self.emit_float_cast(FloatCastOp::Convert, source, target, *lane)?;
            if how & 4 == 0 && how & 3 != 0 {
                half = self.moved_half(source, *lane, half, how & 3)?;
            }
            result.push(half);
        }
        self.filled(inst, result)
    }

    /// The nearest half of a number, or its neighbor on the side that the rounding says (1 down, 2
    /// up, 3 to zero).
    fn moved_half(
        &mut self,
        source: Scalar,
        exact: Slot,
        half: Slot,
        how: u64,
    ) -> Result<Slot, Unsupported> {
        let kind = source.float()?;
        let back = self.emit_float_cast(
            FloatCastOp::Convert,
            Scalar::Float(FloatKind::F16),
            source,
            half,
        )?;
        let above = self.float_cmp(FloatCmp::Ogt, kind, back, exact);
        let below = self.float_cmp(FloatCmp::Olt, kind, back, exact);
        let negative = self.bits(half, 16, 15, 1);
        let (one, ones) = (self.int(16, 1), self.int(16, u128::MAX));
        let (further, nearer) = (
            self.bin(BinOp::Add, 16, half, one),
            self.bin(BinOp::Add, 16, half, ones),
        );
        let lower = self.select(16, negative, further, nearer);
        let higher = self.select(16, negative, nearer, further);
        let (down, up) = (
            self.select(16, above, lower, half),
            self.select(16, below, higher, half),
        );
        Ok(match how {
            1 => down,
            2 => up,
            _ => self.select(16, negative, up, down),
        })
    }

    /// `op` in the first of each two lanes, addition in the other.
    fn alternating(&mut self, kind: FloatKind, a: &[Slot], b: &[Slot], op: FloatOp) -> Vec<Slot> {
        let ops = [op, FloatOp::Add];
        let mut lane = 0;
        self.each(a, b, |body, a, b| {
            lane += 1;
            body.float(ops[(lane - 1) % 2], kind, a, b)
        })
    }

    /// `a * b - c` and `a * b + c` in turn, rounded once.
    fn fused_alternating(
        &mut self,
        kind: FloatKind,
        a: &[Slot],
        b: &[Slot],
        c: &[Slot],
    ) -> Vec<Slot> {
        let lanes = a.iter().zip(b).zip(c).enumerate();
        let mut result = Vec::new();
        for (lane, ((&a, &b), &c)) in lanes {
            let c = match lane % 2 {
                // The instruction subtracts, so a NaN keeps its sign.
                0 => {
                    let w = kind.width() as u8;
                    let minus = self.float_unary(FloatUnary::Neg, kind, c);
                    let is_nan = self.float_cmp(FloatCmp::Uno, kind, c, c);
                    self.select(w, is_nan, c, minus)
                }
                _ => c,
            };
            let dst = self.new_slot(kind.width() as u8);
            self.emit(Inst::FloatFma { kind, dst, a, b, c });
            result.push(dst);
        }
        result
    }

    /// Sums of the products of the lanes that the upper four bits of `which` name, in the lanes
    /// that the lower ones name. Neighbours are added first.
    fn dot_products(&mut self, kind: FloatKind, a: &[Slot], b: &[Slot], which: u64) -> Vec<Slot> {
        let w = kind.width() as u8;
        let zero = self.int(w, 0);
        let count = 128 / usize::from(w);
        let mut result = Vec::new();
        for (a, b) in a.chunks_exact(count).zip(b.chunks_exact(count)) {
            let mut lane = 0;
            let mut sums = self.each(a, b, |body, a, b| {
                lane += 1;
                match which >> (3 + lane) & 1 {
                    0 => zero,
                    _ => body.float(FloatOp::Mul, kind, a, b),
                }
            });
            while sums.len() > 1 {
                let pairs = sums.chunks_exact(2);
                sums = pairs
                    .map(|pair| self.float(FloatOp::Add, kind, pair[0], pair[1]))
                    .collect();
            }
            result.extend((0..count).map(|lane| match which >> lane & 1 {
                0 => zero,
                _ => sums[0],
            }));
        }
        result
    }
}

/// The result, or its first lane and the others of `a`.
fn first_only(only_first: bool, result: Vec<Slot>, a: &[Slot]) -> Vec<Slot> {
    if only_first {
        [&result[..1], &a[1..]].concat()
    } else {
        result
    }
}

fn rounding(how: u64) -> FloatUnary {
    match how & 7 {
        0 => FloatUnary::RoundEven,
        1 => FloatUnary::Floor,
        2 => FloatUnary::Ceil,
        3 => FloatUnary::Trunc,
        _ => FloatUnary::Rint,
    }
}
