//! Random terms: what a constructor builds must equal the operator applied to its arguments.
//!
//! The tests keep each term next to its values under fixed random models, computed with `ops` from
//! the values of its operands, and compare with the evaluator. Seeds are fixed.

use super::{Byte, Model, Term, Terms};
use homi_ir::ops::float;
use homi_ir::ops::float::{
    FloatCastOp, FloatCmp, FloatFunction, FloatKind, FloatOp, FloatUnary, from_integer,
};
use homi_ir::ops::{BinOp, CmpOp, eval_bin, eval_cmp, mask, signed};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const MODELS: usize = 8;

/// A term with its value under each model.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub term: Term,
    pub width: u32,
    pub values: [u128; MODELS],
}

/// Makes random terms over a few bytes.
pub(crate) struct Generator<'a> {
    terms: &'a Terms,
    pub random: Pcg64Mcg,
    pub models: Vec<Model>,
    /// Widths of operators.
    pub widths: &'static [u32],
    /// Greatest width of multiplications and divisions.
    pub hard_width: u32,
    /// Formats of floating-point operators; none: no such operators.
    pub floats: &'static [FloatKind],
    pool: Vec<Known>,
}

impl<'a> Generator<'a> {
    pub fn new(terms: &'a Terms, seed: u64, count: u32) -> Generator<'a> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let array = terms.array("input", 0, count);
        let bytes: Vec<Byte> = (0..count).map(|index| Byte { array, index }).collect();
        let interesting = [0u8, 1, 0x30, 0x7f, 0x80, 0xff];
        let models: Vec<Model> = (0..MODELS)
            .map(|_| {
                let mut model = Model::new();
                for &byte in &bytes {
                    let value = if random.random_bool(0.5) {
                        interesting[random.random_range(0..interesting.len())]
                    } else {
                        random.random()
                    };
                    model.set(byte, value);
                }
                model
            })
            .collect();
        let pool = bytes
            .iter()
            .map(|&byte| Known {
                term: terms.symbol(byte),
                width: 8,
                values: std::array::from_fn(|i| models[i].get(byte).into()),
            })
            .collect();
        Generator {
            terms,
            random,
            models,
            widths: &[1, 8, 8, 16, 32, 32, 64, 7, 65, 128],
            hard_width: 128,
            floats: &[],
            pool,
        }
    }

    fn constant(&mut self, width: u32) -> Known {
        let value = match self.random.random_range(0..7) {
            0 => 0,
            1 => 1,
            2 => mask(width),
            3 => 1 << (width - 1),
            4 => 1 << self.random.random_range(0..width),
            5 => self.random.random_range(0..256),
            _ => self.random.random(),
        } & mask(width);
        Known {
            term: self.terms.constant(width, value),
            width,
            values: [value; MODELS],
        }
    }

    fn any(&mut self) -> Known {
        // Recent terms are preferred, so that depth grows.
        let length = self.pool.len();
        let start = if self.random.random_bool(0.6) {
            length.saturating_sub(12)
        } else {
            0
        };
        self.pool[self.random.random_range(start..length)].clone()
    }

    fn of_width(&mut self, width: u32) -> Known {
        if self.random.random_bool(0.3) {
            return self.constant(width);
        }
        let known = self.any();
        match known.width.cmp(&width) {
            std::cmp::Ordering::Equal => known,
            std::cmp::Ordering::Less => self.extend(known, width),
            std::cmp::Ordering::Greater => {
                let low = self.random.random_range(0..=known.width - width);
                self.extract(known, low, width)
            }
        }
    }

    fn map(&self, known: &Known, term: Term, width: u32, f: impl Fn(u128) -> u128) -> Known {
        Known {
            term,
            width,
            values: known.values.map(|value| f(value) & mask(width)),
        }
    }

    fn extend(&mut self, known: Known, width: u32) -> Known {
        if self.random.random_bool(0.6) {
            let term = self.terms.zext(known.term, width);
            self.map(&known, term, width, |value| value)
        } else {
            let term = self.terms.sext(known.term, width);
            self.map(&known, term, width, |value| {
                signed(known.width, value) as u128
            })
        }
    }

    fn extract(&mut self, known: Known, low: u32, width: u32) -> Known {
        let term = self.terms.extract(known.term, low, width);
        self.map(&known, term, width, |value| value >> low)
    }

    fn zip(a: &Known, b: &Known, term: Term, width: u32, f: impl Fn(u128, u128) -> u128) -> Known {
        Known {
            term,
            width,
            values: std::array::from_fn(|i| f(a.values[i], b.values[i]) & mask(width)),
        }
    }

    /// Makes a random term and remembers it as a building block.
    pub fn grow(&mut self) -> Known {
        let known = self.step();
        self.pool.push(known.clone());
        known
    }

    /// A random condition of the kind that programs test.
    pub fn condition(&mut self) -> Term {
        loop {
            let known = self.any();
            let width = known.width;
            let term = match self.random.random_range(0..3) {
                0 if width == 1 => known.term,
                0 | 1 => {
                    let constant = self.constant(width);
                    let op = CmpOp::ALL[self.random.random_range(0..CmpOp::ALL.len())];
                    self.terms.cmp(op, known.term, constant.term)
                }
                _ => {
                    let other = self.of_width(width);
                    let op = CmpOp::ALL[self.random.random_range(0..CmpOp::ALL.len())];
                    self.terms.cmp(op, known.term, other.term)
                }
            };
            if self.terms.as_const(term).is_none() {
                return term;
            }
            self.grow();
        }
    }

    /// A term that has one of a format's interesting patterns, or any.
    fn pattern(&mut self, kind: FloatKind) -> Known {
        if self.random.random_bool(0.7) {
            return self.of_width(kind.width());
        }
        let number = u128::from(self.random.random_range(0..300u32));
        let patterns = [
            0,
            kind.infinity(),
            kind.infinity() | kind.quiet_bit(),
            from_integer(kind, true, 64, number),
            from_integer(kind, true, 64, number).wrapping_sub(1),
        ];
        let magnitude = patterns[self.random.random_range(0..5)] & !kind.sign();
        let sign = self.random.random_bool(0.5);
        let value = magnitude | if sign { kind.sign() } else { 0 };
        let width = kind.width();
        Known {
            term: self.terms.constant(width, value),
            width,
            values: [value; MODELS],
        }
    }

    /// A floating-point operator, as the executor builds it and as it computes it.
    fn float_step(&mut self) -> Known {
        let kind = self.floats[self.random.random_range(0..self.floats.len())];
        let to = self.floats[self.random.random_range(0..self.floats.len())];
        let (a, b) = (self.pattern(kind), self.pattern(kind));
        let terms = self.terms;
        let pick = |random: &mut Pcg64Mcg, count: usize| random.random_range(0..count);
        match self.random.random_range(0..10) {
            0..=2 => {
                let ops = [
                    FloatOp::Add,
                    FloatOp::Sub,
                    FloatOp::Mul,
                    FloatOp::Div,
                    FloatOp::CopySign,
                    FloatOp::MinNum,
                    FloatOp::MaxNum,
                    FloatOp::Minimum,
                    FloatOp::Maximum,
                ];
                let op = ops[pick(&mut self.random, ops.len())];
                let term = terms.float_binary(op, kind, a.term, b.term);
                Self::zip(&a, &b, term, kind.width(), |x, y| {
                    float::binary(op, kind, x, y)
                })
            }
            3 | 4 => {
                let ops = [
                    FloatUnary::Neg,
                    FloatUnary::Abs,
                    FloatUnary::Sqrt,
                    FloatUnary::Ceil,
                    FloatUnary::Floor,
                    FloatUnary::Trunc,
                    FloatUnary::Rint,
                    FloatUnary::Round,
                ];
                let op = ops[pick(&mut self.random, ops.len())];
                let term = terms.float_unary(op, kind, a.term);
                self.map(&a, term, kind.width(), |x| float::unary(op, kind, x))
            }
            5 => {
                let c = self.pattern(kind);
                let function = FloatFunction::MultiplyAdd(kind);
                Known {
                    term: terms.float(function, [a.term, b.term, c.term]),
                    width: kind.width(),
                    values: std::array::from_fn(|i| {
                        float::multiply_add(kind, a.values[i], b.values[i], c.values[i])
                    }),
                }
            }
            6 | 7 => {
                let ops = [
                    FloatCmp::Oeq,
                    FloatCmp::Ogt,
                    FloatCmp::Oge,
                    FloatCmp::Olt,
                    FloatCmp::Ole,
                    FloatCmp::One,
                    FloatCmp::Ord,
                    FloatCmp::Ueq,
                    FloatCmp::Ugt,
                    FloatCmp::Uge,
                    FloatCmp::Ult,
                    FloatCmp::Ule,
                    FloatCmp::Une,
                    FloatCmp::Uno,
                ];
                let op = ops[pick(&mut self.random, ops.len())];
                let term = terms.float_compare(op, kind, a.term, b.term);
                Self::zip(&a, &b, term, 1, |x, y| {
                    float::compare(op, kind, x, y).into()
                })
            }
            _ => {
                let ops = [
                    FloatCastOp::Convert,
                    FloatCastOp::ToSigned,
                    FloatCastOp::ToUnsigned,
                    FloatCastOp::ToSignedSat,
                    FloatCastOp::ToUnsignedSat,
                    FloatCastOp::FromSigned,
                    FloatCastOp::FromUnsigned,
                ];
                let op = ops[pick(&mut self.random, ops.len())];
                let integer = [8, 16, 32, 64][pick(&mut self.random, 4)];
                if op == FloatCastOp::Convert && kind == to {
                    return a;
                }
                let (from, width) = float::cast_widths(op, kind, to, integer);
                let a = if from == kind.width()
                    && op != FloatCastOp::FromSigned
                    && op != FloatCastOp::FromUnsigned
                {
                    a
                } else {
                    self.of_width(from)
                };
                let term = terms.float_cast(op, kind, to, integer, a.term);
                self.map(&a, term, width, |x| float::cast(op, kind, to, integer, x))
            }
        }
    }

    fn step(&mut self) -> Known {
        if !self.floats.is_empty() && self.random.random_bool(0.4) {
            return self.float_step();
        }
        let widths = self.widths;
        match self.random.random_range(0..10) {
            0..=3 => {
                let width = widths[self.random.random_range(0..widths.len())];
                let (a, b) = (self.of_width(width), self.of_width(width));
                let mut op = BinOp::ALL[self.random.random_range(0..BinOp::ALL.len())];
                if width > self.hard_width && (op == BinOp::Mul || op.is_division()) {
                    op = BinOp::Add;
                }
                let term = self.terms.bin(op, a.term, b.term);
                Self::zip(&a, &b, term, width, |x, y| eval_bin(op, width, x, y))
            }
            4 | 5 => {
                let width = widths[self.random.random_range(0..widths.len())];
                let (a, b) = (self.of_width(width), self.of_width(width));
                let op = CmpOp::ALL[self.random.random_range(0..CmpOp::ALL.len())];
                let term = self.terms.cmp(op, a.term, b.term);
                Self::zip(&a, &b, term, 1, |x, y| eval_cmp(op, width, x, y).into())
            }
            6 => {
                let (a, b) = (self.any(), self.any());
                if a.width + b.width > 128 {
                    return a;
                }
                let term = self.terms.concat(a.term, b.term);
                Self::zip(&a, &b, term, a.width + b.width, |x, y| x << b.width | y)
            }
            7 => {
                let known = self.any();
                let term = self.terms.not(known.term);
                self.map(&known, term, known.width, |value| !value)
            }
            8 => {
                let condition = self.of_width(1);
                let width = widths[self.random.random_range(0..widths.len())];
                let (a, b) = (self.of_width(width), self.of_width(width));
                Known {
                    term: self.terms.ite(condition.term, a.term, b.term),
                    width,
                    values: std::array::from_fn(|i| match condition.values[i] {
                        0 => b.values[i],
                        _ => a.values[i],
                    }),
                }
            }
            _ => {
                let index = self.any();
                if index.width > 64 {
                    return index;
                }
                let length = self.random.random_range(1..300);
                let bits = self.random.random_range(1..=8u64);
                let elements: Vec<u64> = (0..length)
                    .map(|i| (i * 37 % 11) & ((1 << bits) - 1))
                    .collect();
                let term = self.terms.table(&elements, 8, index.term);
                self.map(&index, term, 8, |value| {
                    elements.get(value as usize).map_or(0, |&e| e.into())
                })
            }
        }
    }
}

/// A run over two lanes (the byte's own value and another) must agree with the evaluator on both.
fn check_lanes(generator: &Generator<'_>, known: &Known, step: usize) {
    let terms = generator.terms;
    let program = terms.lane_program(known.term);
    let model = &generator.models[step % MODELS];
    let fixed: Vec<u8> = program.bytes.iter().map(|&byte| model.get(byte)).collect();
    let (mut lanes, mut out) = (super::Lanes::default(), Vec::new());
    let exact: Vec<(u8, u8)> = fixed.iter().map(|&value| (value, value)).collect();
    let wide: Vec<(u8, u8)> = fixed
        .iter()
        .map(|&value| (value.saturating_sub(9), value.saturating_add(77)))
        .collect();
    let value = terms.eval(known.term, model) as u64;
    for bounds in [exact, wide] {
        let (low, high) = program.bounds(&bounds, &mut Vec::new());
        assert!(
            low <= value && value <= high,
            "{:?}",
            terms.node(known.term)
        );
    }
    for free in 0..program.bytes.len() {
        let values = [fixed[free], fixed[free] ^ 0x91, 0];
        program.run(&mut lanes, free, &values, &fixed, &mut out);
        for (&value, &found) in values.iter().zip(&out) {
            let mut model = model.clone();
            model.set(program.bytes[free], value);
            let expected = terms.eval(known.term, &model);
            assert_eq!(u128::from(found), expected, "{:?}", terms.node(known.term));
        }
    }
}

fn check_run(seed: u64, steps: usize, floats: &'static [FloatKind]) {
    let terms = Terms::new();
    let mut generator = Generator::new(&terms, seed, 3);
    generator.floats = floats;
    for step in 0..steps {
        let known = generator.grow();
        assert_eq!(
            terms.width(known.term),
            known.width,
            "seed {seed} step {step}"
        );
        if known.width <= 64 {
            check_lanes(&generator, &known, step);
        }
        let (low, high) = terms.range(known.term);
        for (model, &value) in generator.models.iter().zip(&known.values) {
            let found = terms.eval(known.term, model);
            assert_eq!(
                found,
                value,
                "seed {seed} step {step}: {:?} under {model:?}",
                terms.node(known.term)
            );
            assert!(low <= value && value <= high, "seed {seed} step {step}");
        }
    }
}

#[test]
fn built_terms_equal_the_operators_they_stand_for() {
    for seed in 0..2000 {
        check_run(seed, 60, &[]);
    }
}

#[test]
fn floating_point_terms_equal_what_the_executor_computes() {
    for seed in 0..600 {
        check_run(seed, 60, &FloatKind::ALL);
        check_run(seed, 60, &[FloatKind::F32, FloatKind::F64]);
    }
}

#[test]
fn terms_built_again_after_a_sweep_are_right() {
    let terms = Terms::new();
    let mut generator = Generator::new(&terms, 7, 3);
    for round in 0..5 {
        for _ in 0..40 {
            generator.grow();
        }
        generator.pool.drain(3..20);
        terms.begin_mark();
        for known in &generator.pool {
            terms.mark(known.term);
        }
        let (live, died) = (terms.len(), terms.sweep());
        assert_eq!(terms.len(), live - died);
        assert!(died > 0, "round {round}");
        for known in &generator.pool {
            for (model, &value) in generator.models.iter().zip(&known.values) {
                assert_eq!(terms.eval(known.term, model), value, "round {round}");
            }
        }
    }
}
