//! Floating-point intrinsics: operators of the IR where one exists, calls of libm functions
//! otherwise.
//!
//! Invariant: calls of libm are made in `math_library`. `fmuladd` is a multiplication and an
//! addition, as x86-64 without FMA does it.

use super::super::Unsupported;
use super::super::function::Body;
use super::super::types::Scalar;
use super::{find, matches_family};
use crate::c_api::Value;
use homi_ir::ops::BinOp;
use homi_ir::program::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary, Inst, Slot};

/// Intrinsics that are libm functions of the same name.
const LIBM: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2",
    "exp10", "log", "log2", "log10", "pow", "ldexp",
];

impl Body<'_, '_> {
    pub fn float_intrinsic(&mut self, inst: Value, family: &str) -> Result<bool, Unsupported> {
        let family = match family.strip_prefix("experimental.constrained.") {
            Some(plain) => return self.constrained(inst, plain),
            None => family,
        };
        if let Some(op) = unary(family) {
            self.lower_float_unary(inst, op, inst.operand(0))?;
        } else if let Some(op) = binary(family) {
            self.lower_float(inst, op)?;
        } else if matches_family(family, "fma") || matches_family(family, "fmuladd") {
            self.multiply_add(inst, matches_family(family, "fma"))?;
        } else if let Some(rounding) = round_to_integer(family) {
            self.round_to_integer(inst, rounding)?;
        } else if matches_family(family, "fptosi.sat") {
            self.convert_lanes(inst, FloatCastOp::ToSignedSat)?;
        } else if matches_family(family, "fptoui.sat") {
            self.convert_lanes(inst, FloatCastOp::ToUnsignedSat)?;
        } else if matches_family(family, "convert.to.fp16") {
            self.half_bits(inst, true)?;
        } else if matches_family(family, "convert.from.fp16") {
            self.half_bits(inst, false)?;
        } else if matches_family(family, "is.fpclass") {
            self.class_test(inst)?;
        } else if matches_family(family, "get.rounding") || matches_family(family, "flt.rounds") {
            self.rounding_mode(inst)?;
        } else if matches_family(family, "powi") {
            self.power_of_integer(inst)?;
        } else if matches_family(family, "frexp") {
            self.two_results(inst, "frexp", Some(32))?;
        } else if matches_family(family, "modf") {
            self.two_results(inst, "modf", None)?;
        } else if matches_family(family, "sincos") {
            self.sine_and_cosine(inst, ["sin", "cos"])?;
        } else if matches_family(family, "sincospi") {
            self.sine_and_cosine(inst, ["sinpi", "cospi"])?;
        } else if matches_family(family, "set.rounding") {
            self.set_rounding_mode(inst)?;
        } else if let Some(name) = LIBM.iter().find(|name| matches_family(family, name)) {
            self.library_call(inst, name)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// The mode in C's numbers (0 to zero, 1 nearest, 2 up, 3 down); `fegetround` gives x87's, of
    /// which bits 10 and 11 count.
    fn rounding_mode(&mut self, inst: Value) -> Result<(), Unsupported> {
        let width = self.module.types.scalar(inst.ty())?.width();
        let mode = self.call_word_function("fegetround", &[]);
        let mode = self.bits(mode, 32, 10, 2);
        let numbers = [1, 3, 2, 0].map(|number| self.int(width, number));
        let number = self.pick(width, &numbers, 2, mode);
        self.define(inst, vec![number]);
        Ok(())
    }

    /// Maps the numbers of `rounding_mode` to the constants of `fesetround`.
    fn set_rounding_mode(&mut self, inst: Value) -> Result<(), Unsupported> {
        let width = self.module.types.scalar(inst.operand(0).ty())?.width();
        let number = self.scalar(inst.operand(0))?;
        let modes = [0xc00, 0, 0x800, 0x400].map(|mode| self.int(32, mode));
        let mode = self.pick(32, &modes, width, number);
        self.call_word_function("fesetround", &[mode]);
        Ok(())
    }

    fn multiply_add(&mut self, inst: Value, fused: bool) -> Result<(), Unsupported> {
        let kind = self.module.types.lane(inst.ty())?.float()?;
        let a = self.operand(inst.operand(0))?;
        let b = self.operand(inst.operand(1))?;
        let c = self.operand(inst.operand(2))?;
        let mut slots = Vec::new();
        for ((a, b), c) in a.into_iter().zip(b).zip(c) {
            let slot = if fused {
                let dst = self.new_slot(kind.width() as u8);
                self.emit(Inst::FloatFma { kind, dst, a, b, c });
                dst
            } else {
                let product = self.float(FloatOp::Mul, kind, a, b);
                self.float(FloatOp::Add, kind, product, c)
            };
            slots.push(slot);
        }
        self.define(inst, slots);
        Ok(())
    }

    /// lrint, lround and their long long forms: round, then convert as x86 does.
    fn round_to_integer(&mut self, inst: Value, rounding: FloatUnary) -> Result<(), Unsupported> {
        let source = self.module.types.lane(inst.operand(0).ty())?;
        let target = self.module.types.lane(inst.ty())?;
        let mut slots = Vec::new();
        for src in self.operand(inst.operand(0))? {
            let rounded = self.float_unary(rounding, source.float()?, src);
            slots.push(self.emit_float_cast(FloatCastOp::ToSigned, source, target, rounded)?);
        }
        self.define(inst, slots);
        Ok(())
    }

    fn convert_lanes(&mut self, inst: Value, op: FloatCastOp) -> Result<(), Unsupported> {
        let source = self.module.types.lane(inst.operand(0).ty())?;
        if let Some(width) = self.module.types.wide(inst.ty()) {
            let src = self.scalar(inst.operand(0))?;
            let slots = match op {
                FloatCastOp::ToSignedSat => self.wide_saturated(source.float()?, width, src, true),
                FloatCastOp::ToUnsignedSat => {
                    self.wide_saturated(source.float()?, width, src, false)
                }
                _ => {
                    return Err(Unsupported::new(format!(
                        "conversion to {}",
                        inst.ty().describe()
                    )));
                }
            };
            self.define(inst, slots);
            return Ok(());
        }
        let target = self.module.types.lane(inst.ty())?;
        let mut slots = Vec::new();
        for src in self.operand(inst.operand(0))? {
            slots.push(self.emit_float_cast(op, source, target, src)?);
        }
        self.define(inst, slots);
        Ok(())
    }

    /// Conversions to and from half-precision numbers that are carried as i16.
    fn half_bits(&mut self, inst: Value, to_half: bool) -> Result<(), Unsupported> {
        let half = Scalar::Float(FloatKind::F16);
        let other = if to_half {
            self.module.types.scalar(inst.operand(0).ty())?
        } else {
            self.module.types.scalar(inst.ty())?
        };
        let src = self.scalar(inst.operand(0))?;
        let (from, to) = if to_half {
            (other, half)
        } else {
            (half, other)
        };
        let slot = self.emit_float_cast(FloatCastOp::Convert, from, to, src)?;
        self.define(inst, vec![slot]);
        Ok(())
    }

    /// `llvm.is.fpclass` by comparisons and bit tests.
    fn class_test(&mut self, inst: Value) -> Result<(), Unsupported> {
        let kind = self.module.types.lane(inst.operand(0).ty())?.float()?;
        let tests = inst.operand(1).const_u64() as u32;
        let sources = self.operand(inst.operand(0))?;
        let mut slots = Vec::new();
        for src in sources {
            slots.push(self.class_test_lane(kind, tests, src)?);
        }
        self.define(inst, slots);
        Ok(())
    }

    fn class_test_lane(
        &mut self,
        kind: FloatKind,
        tests: u32,
        src: Slot,
    ) -> Result<Slot, Unsupported> {
        let (mantissa, exponent) = match kind {
            FloatKind::F16 => (10, 5),
            FloatKind::BF16 => (7, 8),
            FloatKind::F32 => (23, 8),
            FloatKind::F64 => (52, 11),
            FloatKind::F128 => (112, 15),
            FloatKind::X87 => (64, 15),
        };
        let w = kind.width() as u8;
        let quiet_bit = 1u128
            << (if kind == FloatKind::X87 {
                62
            } else {
                mantissa - 1
            });
        let exponent_mask = ((1u128 << exponent) - 1) << mantissa;
        let fraction_mask = match kind {
            FloatKind::X87 => (1u128 << 63) - 1,
            _ => (1u128 << mantissa) - 1,
        };
        let sign = self.bits(src, w, w - 1, 1);
        let one = self.int(1, 1);
        let positive = self.bin(BinOp::Xor, 1, sign, one);
        let all_ones = self.masked_equals(w, src, exponent_mask, exponent_mask);
        let no_exponent = self.masked_equals(w, src, exponent_mask, 0);
        let no_fraction = self.masked_equals(w, src, fraction_mask, 0);
        let fraction = self.bin(BinOp::Xor, 1, no_fraction, one);
        let quiet = self.masked_equals(w, src, quiet_bit, quiet_bit);
        let signalling = self.bin(BinOp::Xor, 1, quiet, one);
        let nan = self.bin(BinOp::And, 1, all_ones, fraction);
        let infinite = self.bin(BinOp::And, 1, all_ones, no_fraction);
        let zero = self.bin(BinOp::And, 1, no_exponent, no_fraction);
        let subnormal = self.bin(BinOp::And, 1, no_exponent, fraction);
        let special = self.bin(BinOp::Or, 1, all_ones, no_exponent);
        let normal = self.bin(BinOp::Xor, 1, special, one);
        // LangRef's bits: snan qnan -inf -normal -subnormal -0 +0 +subnormal +normal +inf.
        let classes = [
            (nan, signalling),
            (nan, quiet),
            (infinite, sign),
            (normal, sign),
            (subnormal, sign),
            (zero, sign),
            (zero, positive),
            (subnormal, positive),
            (normal, positive),
            (infinite, positive),
        ];
        let mut result = self.int(1, 0);
        for (bit, (class, side)) in classes.into_iter().enumerate() {
            if tests & (1 << bit) != 0 {
                let member = self.bin(BinOp::And, 1, class, side);
                result = self.bin(BinOp::Or, 1, result, member);
            }
        }
        Ok(result)
    }

    /// Float reductions; `fadd` and `fmul` start from their first argument and keep the order.
    pub fn reduce_float(
        &mut self,
        inst: Value,
        operation: &str,
        scalar: Scalar,
    ) -> Result<bool, Unsupported> {
        let table = [
            ("fadd", FloatOp::Add),
            ("fmul", FloatOp::Mul),
            ("fmax", FloatOp::MaxNum),
            ("fmin", FloatOp::MinNum),
            ("fmaximum", FloatOp::Maximum),
            ("fminimum", FloatOp::Minimum),
        ];
        let Some(op) = find(&table, operation) else {
            return Ok(false);
        };
        let kind = scalar.float()?;
        let mut lanes = Vec::new();
        for index in 0..inst.argument_count() {
            lanes.extend(self.operand(inst.operand(index))?);
        }
        let result = lanes.into_iter().reduce(|a, b| self.float(op, kind, a, b));
        self.define(inst, result.into_iter().collect());
        Ok(true)
    }

    /// Constrained intrinsics: the plain operation; exception flags and dynamic rounding are not
    /// modeled beyond what the plain operation does.
    fn constrained(&mut self, inst: Value, family: &str) -> Result<bool, Unsupported> {
        let arithmetic = [
            ("fadd", FloatOp::Add),
            ("fsub", FloatOp::Sub),
            ("fmul", FloatOp::Mul),
            ("fdiv", FloatOp::Div),
            ("frem", FloatOp::Rem),
        ];
        let casts = [
            ("fptosi", FloatCastOp::ToSigned),
            ("fptoui", FloatCastOp::ToUnsigned),
            ("sitofp", FloatCastOp::FromSigned),
            ("uitofp", FloatCastOp::FromUnsigned),
            ("fptrunc", FloatCastOp::Convert),
            ("fpext", FloatCastOp::Convert),
        ];
        if let Some(op) = find(&arithmetic, family) {
            self.lower_float(inst, op)?;
        } else if let Some(op) = find(&casts, family) {
            self.convert_lanes(inst, op)?;
        } else if matches_family(family, "fcmp") || matches_family(family, "fcmps") {
            let kind = self.module.types.lane(inst.operand(0).ty())?.float()?;
            let op = constrained_predicate(&inst.operand(2).describe())
                .ok_or_else(|| Unsupported::new("constrained comparison"))?;
            let left = self.operand(inst.operand(0))?;
            let right = self.operand(inst.operand(1))?;
            let slots = (left.into_iter().zip(right))
                .map(|(a, b)| self.float_cmp(op, kind, a, b))
                .collect();
            self.define(inst, slots);
        } else if let Some(op) = unary(family) {
            self.lower_float_unary(inst, op, inst.operand(0))?;
        } else if let Some(op) = binary(family) {
            self.lower_float(inst, op)?;
        } else if matches_family(family, "fma") || matches_family(family, "fmuladd") {
            self.multiply_add(inst, matches_family(family, "fma"))?;
        } else if let Some(rounding) = round_to_integer(family) {
            self.round_to_integer(inst, rounding)?;
        } else if matches_family(family, "powi") {
            self.power_of_integer(inst)?;
        } else if let Some(name) = LIBM.iter().find(|name| matches_family(family, name)) {
            self.library_call(inst, name)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

fn unary(family: &str) -> Option<FloatUnary> {
    let table = [
        ("fabs", FloatUnary::Abs),
        ("sqrt", FloatUnary::Sqrt),
        ("ceil", FloatUnary::Ceil),
        ("floor", FloatUnary::Floor),
        ("trunc", FloatUnary::Trunc),
        ("rint", FloatUnary::Rint),
        ("nearbyint", FloatUnary::NearbyInt),
        ("round", FloatUnary::Round),
        ("roundeven", FloatUnary::RoundEven),
    ];
    find(&table, family)
}

fn binary(family: &str) -> Option<FloatOp> {
    let table = [
        ("copysign", FloatOp::CopySign),
        ("minnum", FloatOp::MinNum),
        ("maxnum", FloatOp::MaxNum),
        ("minimum", FloatOp::Minimum),
        ("maximum", FloatOp::Maximum),
        // These differ from minnum and maxnum for signaling NaNs and zeros of two signs; minnum and
        // maxnum allow either result there.
        ("minimumnum", FloatOp::MinNum),
        ("maximumnum", FloatOp::MaxNum),
    ];
    find(&table, family)
}

fn round_to_integer(family: &str) -> Option<FloatUnary> {
    let table = [
        ("lrint", FloatUnary::Rint),
        ("llrint", FloatUnary::Rint),
        ("lround", FloatUnary::Round),
        ("llround", FloatUnary::Round),
    ];
    find(&table, family)
}

/// The predicate in a metadata argument such as `metadata !"oeq"`.
fn constrained_predicate(text: &str) -> Option<FloatCmp> {
    let table = [
        ("oeq", FloatCmp::Oeq),
        ("ogt", FloatCmp::Ogt),
        ("oge", FloatCmp::Oge),
        ("olt", FloatCmp::Olt),
        ("ole", FloatCmp::Ole),
        ("one", FloatCmp::One),
        ("ord", FloatCmp::Ord),
        ("ueq", FloatCmp::Ueq),
        ("ugt", FloatCmp::Ugt),
        ("uge", FloatCmp::Uge),
        ("ult", FloatCmp::Ult),
        ("ule", FloatCmp::Ule),
        ("une", FloatCmp::Une),
        ("uno", FloatCmp::Uno),
    ];
    let quoted = text.split('"').nth(1)?;
    let entry = table.iter().find(|entry| entry.0 == quoted)?;
    Some(entry.1)
}
