//! Floating-point terms: numbers are bit patterns, arithmetic is `Node::Float`, the rest is
//! bit-vector terms.
//!
//! Idea: a comparison is a query about the order of bit patterns, so it needs no floating-point
//! theory: with a constant it is membership in one or two intervals of patterns, which every layer
//! of the solver understands. The same holds for NaN tests, minimum, maximum, signs, and the ranges
//! of conversions to integers. Invariant: every constructor equals the function of the same name in
//! `ops::float` for all operands.

use super::node::{Node, Term};
use super::pool::Terms;
use homi_ir::ops::float::{
    FloatCastOp, FloatCmp, FloatFunction, FloatKind, FloatOp, FloatUnary, machine_width,
    range_of_integer,
};
use homi_ir::ops::{BinOp, CmpOp, mask};

impl Terms {
    /// `function` applied to as many operands as it has; the others repeat the first.
    pub fn float(&self, function: FloatFunction, operands: [Term; 3]) -> Term {
        let [a, b, c] = operands;
        let operands = match function.arity() {
            1 => [a, a, a],
            2 => [a, b, a],
            _ => [a, b, c],
        };
        debug_assert!(
            operands
                .iter()
                .all(|&operand| self.width(operand) == function.operand_width())
        );
        let values = operands.map(|operand| self.as_const(operand));
        if let [Some(a), Some(b), Some(c)] = values {
            return self.constant(function.width(), function.eval([a, b, c]));
        }
        let rules = [
            Self::integer_and_back,
            Self::integer_wide_and_narrow,
            Self::wide_and_back,
        ];
        for rule in rules {
            if let Some(result) = rule(self, function, a) {
                return result;
            }
        }
        if let Some(result) = self.integer_remainder(function, a, b) {
            return result;
        }
        self.intern(Node::Float(function, operands), function.width())
    }

    /// match: to-integer (from-integer x), every x being exact in the format
    /// result: x resized, if it fits
    fn integer_and_back(&self, function: FloatFunction, a: Term) -> Option<Term> {
        let FloatFunction::ToInteger {
            from,
            is_signed,
            width,
        } = function
        else {
            return None;
        };
        let Node::Float(inner, [x, ..]) = self.node(a) else {
            return None;
        };
        let FloatFunction::FromInteger {
            is_signed: of_signed,
            width: of_width,
            ..
        } = inner
        else {
            return None;
        };
        // A signed number has one bit less of magnitude; an unsigned one needs a sign bit to fit.
        let bits = u32::from(of_width) - u32::from(of_signed);
        let is_exact = bits <= from.precision() && from != FloatKind::F16;
        let room = u32::from(width) - u32::from(is_signed);
        let fits = is_exact && bits <= room && (is_signed || !of_signed);
        fits.then(|| {
            if of_signed {
                self.sext(x, width.into())
            } else {
                self.zext(x, width.into())
            }
        })
    }

    /// match: to-format (from-integer x), the inner conversion being exact
    /// result: from-integer x, rounded once
    fn integer_wide_and_narrow(&self, function: FloatFunction, a: Term) -> Option<Term> {
        let FloatFunction::Convert { to, .. } = function else {
            return None;
        };
        let Node::Float(
            FloatFunction::FromInteger {
                is_signed,
                width,
                to: from,
            },
            [x, ..],
        ) = self.node(a)
        else {
            return None;
        };
        let exact =
            u32::from(width) - u32::from(is_signed) <= from.precision() && from != FloatKind::F16;
        let outer = FloatFunction::FromInteger {
            is_signed,
            width,
            to,
        };
        exact.then(|| self.float(outer, [x; 3]))
    }

    /// match: to-format (to-wider-format x), x of this format being a result of arithmetic, hence
    /// no signaling NaN result: x
    fn wide_and_back(&self, function: FloatFunction, a: Term) -> Option<Term> {
        let FloatFunction::Convert { to, .. } = function else {
            return None;
        };
        let Node::Float(FloatFunction::Convert { from, to: wide }, [x, ..]) = self.node(a) else {
            return None;
        };
        let holds_all = matches!(
            (from, wide),
            (
                FloatKind::F32,
                FloatKind::F64 | FloatKind::X87 | FloatKind::F128
            ) | (FloatKind::F64, FloatKind::X87 | FloatKind::F128)
        );
        let is_arithmetic = matches!(self.node(x), Node::Float(..));
        (from == to && holds_all && is_arithmetic).then_some(x)
    }

    /// match: fmod (from-integer x) c, the conversion being exact and c an integer
    /// result: from-integer (|x| mod |c|) with the sign of x
    fn integer_remainder(&self, function: FloatFunction, a: Term, b: Term) -> Option<Term> {
        let FloatFunction::Binary(FloatOp::Rem, kind) = function else {
            return None;
        };
        let Node::Float(
            FloatFunction::FromInteger {
                is_signed, width, ..
            },
            [x, ..],
        ) = self.node(a)
        else {
            return None;
        };
        let is_exact = u32::from(width) <= kind.precision() && kind != FloatKind::F16;
        let divisor = self.as_const(b)? & !kind.sign();
        let bits = u32::from(width);
        let whole = homi_ir::ops::float::saturate(kind, false, bits, divisor);
        let same = homi_ir::ops::float::from_integer(kind, false, bits, whole) == divisor;
        if !is_exact || whole == 0 || !same {
            return None;
        }
        let sign = if is_signed {
            self.extract(x, bits - 1, 1)
        } else {
            self.bool(false)
        };
        let magnitude = self.ite(sign, self.neg(x), x);
        let rest = self.bin(BinOp::URem, magnitude, self.constant(bits, whole));
        let unsigned = FloatFunction::FromInteger {
            is_signed: false,
            width,
            to: kind,
        };
        let rest = self.float(unsigned, [rest; 3]);
        let pattern = self.ite(
            sign,
            self.constant(kind.width(), kind.sign()),
            self.constant(kind.width(), 0),
        );
        Some(self.or(rest, pattern))
    }

    /// `a op b` on floating-point patterns.
    pub fn float_binary(&self, op: FloatOp, kind: FloatKind, a: Term, b: Term) -> Term {
        let less = |a, b| self.float_compare(FloatCmp::Olt, kind, a, b);
        match op {
            FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div | FloatOp::Rem => {
                self.float(FloatFunction::Binary(op, kind), [a, b, a])
            }
            FloatOp::CopySign => {
                let sign = self.masked(b, kind.sign());
                self.or(self.masked(a, !kind.sign()), sign)
            }
            FloatOp::MinNum if kind == FloatKind::X87 => {
                self.ite(self.or(self.is_nan(kind, b), less(a, b)), a, b)
            }
            FloatOp::MinNum => self.ite(self.or(self.is_nan(kind, a), less(b, a)), b, a),
            FloatOp::MaxNum => self.ite(self.or(self.is_nan(kind, a), less(a, b)), b, a),
            FloatOp::Minimum | FloatOp::Maximum => {
                let equal = self.float_compare(FloatCmp::Oeq, kind, a, b);
                let below = self.or(less(a, b), self.and(equal, self.sign_of(kind, a)));
                let chosen = match op {
                    FloatOp::Minimum => self.ite(below, a, b),
                    _ => self.ite(below, b, a),
                };
                let chosen = self.ite(self.is_nan(kind, b), b, chosen);
                self.ite(self.is_nan(kind, a), a, chosen)
            }
        }
    }

    /// `op a` on floating-point patterns.
    pub fn float_unary(&self, op: FloatUnary, kind: FloatKind, a: Term) -> Term {
        match op {
            FloatUnary::Neg => {
                let sign = self.constant(kind.width(), kind.sign());
                self.bin(BinOp::Xor, a, sign)
            }
            FloatUnary::Abs => self.masked(a, !kind.sign()),
            FloatUnary::Rint | FloatUnary::NearbyInt => {
                self.float_unary(FloatUnary::RoundEven, kind, a)
            }
            _ => self.float(FloatFunction::Unary(op, kind), [a; 3]),
        }
    }

    /// LLVM's `fcmp`, 1 bit.
    pub fn float_compare(&self, op: FloatCmp, kind: FloatKind, a: Term, b: Term) -> Term {
        let compare = |op, a, b| self.float_compare(op, kind, a, b);
        if matches!(op, FloatCmp::Olt | FloatCmp::Ole | FloatCmp::Oeq)
            && let Some(result) = self.compare_as_integer(op, kind, a, b)
        {
            return result;
        }
        match op {
            FloatCmp::False => self.bool(false),
            FloatCmp::True => self.bool(true),
            FloatCmp::Oeq => self.equal(kind, a, b),
            FloatCmp::Olt => self.ordered(kind, a, b, true),
            FloatCmp::Ole => self.ordered(kind, a, b, false),
            FloatCmp::Ogt => compare(FloatCmp::Olt, b, a),
            FloatCmp::Oge => compare(FloatCmp::Ole, b, a),
            FloatCmp::One => self.or(compare(FloatCmp::Olt, a, b), compare(FloatCmp::Olt, b, a)),
            FloatCmp::Uno => self.or(self.is_nan(kind, a), self.is_nan(kind, b)),
            FloatCmp::Ord => self.not(compare(FloatCmp::Uno, a, b)),
            FloatCmp::Ueq => self.not(compare(FloatCmp::One, a, b)),
            FloatCmp::Ugt => self.not(compare(FloatCmp::Ole, a, b)),
            FloatCmp::Uge => self.not(compare(FloatCmp::Olt, a, b)),
            FloatCmp::Ult => self.not(compare(FloatCmp::Oge, a, b)),
            FloatCmp::Ule => self.not(compare(FloatCmp::Ogt, a, b)),
            FloatCmp::Une => self.not(compare(FloatCmp::Oeq, a, b)),
        }
    }

    /// Makes a conversion; the arguments are as in `ops::float::cast`.
    pub fn float_cast(
        &self,
        op: FloatCastOp,
        kind: FloatKind,
        to_kind: FloatKind,
        width: u32,
        a: Term,
    ) -> Term {
        let apply = |function| self.float(function, [a; 3]);
        let from_integer = |is_signed| {
            apply(FloatFunction::FromInteger {
                is_signed,
                width: width as u8,
                to: kind,
            })
        };
        match op {
            // A conversion to the same format only makes a NaN quiet, and compilers emit none.
            FloatCastOp::Convert => apply(FloatFunction::Convert {
                from: kind,
                to: to_kind,
            }),
            FloatCastOp::FromSigned => from_integer(true),
            FloatCastOp::FromUnsigned => from_integer(false),
            FloatCastOp::ToSignedSat => self.saturate(kind, true, width, a),
            FloatCastOp::ToUnsignedSat => self.saturate(kind, false, width, a),
            // Library calls, which saturate.
            FloatCastOp::ToSigned if width > 64 => self.saturate(kind, true, width, a),
            FloatCastOp::ToUnsigned if width > 64 => self.saturate(kind, false, width, a),
            FloatCastOp::ToSigned => {
                let machine = machine_width(kind, true, width);
                self.extract(self.by_machine(kind, machine, a), 0, width)
            }
            FloatCastOp::ToUnsigned if width <= 32 => {
                let machine = machine_width(kind, false, width);
                self.extract(self.by_machine(kind, machine, a), 0, width)
            }
            FloatCastOp::ToUnsigned => {
                let inside = self.is_in_range(kind, false, 64, a);
                let mut outside = self.by_machine(kind, 64, a);
                if kind == FloatKind::X87 {
                    let half = homi_ir::ops::float::from_integer(kind, false, 64, 1 << 63);
                    let half = self.constant(kind.width(), half);
                    let below = self.float_compare(FloatCmp::Olt, kind, a, half);
                    outside = self.ite(below, outside, self.constant(64, 0));
                }
                let value = self.ite(inside, self.saturate(kind, false, 64, a), outside);
                self.extract(value, 0, width)
            }
        }
    }

    fn saturate(&self, from: FloatKind, is_signed: bool, width: u32, a: Term) -> Term {
        let function = FloatFunction::ToInteger {
            from,
            is_signed,
            width: width as u8,
        };
        self.float(function, [a; 3])
    }

    /// x86's signed conversion: only the top bit set when out of range.
    fn by_machine(&self, kind: FloatKind, machine: u32, a: Term) -> Term {
        let inside = self.is_in_range(kind, true, machine, a);
        let indefinite = self.constant(machine, 1 << (machine - 1));
        self.ite(inside, self.saturate(kind, true, machine, a), indefinite)
    }

    fn is_in_range(&self, kind: FloatKind, is_signed: bool, width: u32, a: Term) -> Term {
        let limits: [(FloatCmp, u128); 2] = range_of_integer(kind, is_signed, width).into();
        let [low, high] = limits.map(|(op, limit)| {
            let limit = self.constant(kind.width(), limit);
            self.float_compare(op, kind, a, limit)
        });
        self.and(low, high)
    }

    fn masked(&self, a: Term, bits: u128) -> Term {
        let width = self.width(a);
        self.bin(BinOp::And, a, self.constant(width, bits & mask(width)))
    }

    fn sign_of(&self, kind: FloatKind, a: Term) -> Term {
        self.extract(a, kind.width() - 1, 1)
    }

    /// Makes the 1-bit test for NaN.
    pub fn is_nan(&self, kind: FloatKind, a: Term) -> Term {
        if let Some(value) = self.as_const(a) {
            return self.bool(kind.is_nan(value));
        }
        let infinity = self.constant(kind.width(), kind.infinity());
        if kind != FloatKind::X87 {
            let magnitude = self.masked(a, !kind.sign());
            return self.cmp(CmpOp::Ugt, magnitude, infinity);
        }
        let magnitude = self.masked(a, !kind.sign());
        let exponent = self.extract(a, 64, 15);
        let special = self.eq_const(exponent, 0x7fff);
        let finite = self.cmp(CmpOp::Ne, magnitude, infinity);
        let no_integer = self.not(self.extract(a, 63, 1));
        let no_number = self.and(no_integer, self.not(self.eq_const(exponent, 0)));
        self.ite(special, finite, no_number)
    }

    /// Returns the pattern that represents a number in comparisons: x87's denormals with an integer
    /// bit have exponent 1.
    fn canonical(&self, kind: FloatKind, a: Term) -> Term {
        if kind != FloatKind::X87 {
            return a;
        }
        let exponent = self.extract(a, 64, 15);
        let carried = self.and(self.eq_const(exponent, 0), self.extract(a, 63, 1));
        let one = self.constant(80, 1 << 64);
        self.ite(carried, self.or(a, one), a)
    }

    fn equal(&self, kind: FloatKind, a: Term, b: Term) -> Term {
        let (a, b) = match self.as_const(a) {
            Some(_) => (b, a),
            None => (a, b),
        };
        let (x, y) = (self.canonical(kind, a), self.canonical(kind, b));
        let zeros = self.eq_const(self.masked(self.or(x, y), !kind.sign()), 0);
        match self.as_const(b) {
            Some(value) if kind.is_nan(value) => self.bool(false),
            Some(value) if value & !kind.sign() == 0 => {
                self.eq_const(self.masked(x, !kind.sign()), 0)
            }
            Some(_) => self.eq(x, y),
            None => {
                let same = self.and(self.eq(x, y), self.not(self.is_nan(kind, a)));
                self.or(same, zeros)
            }
        }
    }

    /// `a < b` (`strict`) or `a <= b`, both numbers.
    fn ordered(&self, kind: FloatKind, a: Term, b: Term, strict: bool) -> Term {
        match (self.as_const(a), self.as_const(b)) {
            (Some(nan), _) | (_, Some(nan)) if kind.is_nan(nan) => return self.bool(false),
            (None, Some(limit)) if kind != FloatKind::X87 => {
                return self.within(a, patterns_below(kind, limit, strict));
            }
            (Some(limit), None) if kind != FloatKind::X87 => {
                return self.within(b, patterns_above(kind, limit, strict));
            }
            _ => {}
        }
        let (x, y) = (self.canonical(kind, a), self.canonical(kind, b));
        // Patterns of negative numbers are in descending order, all below the other patterns.
        let key = |x: Term| {
            let sign = self.constant(kind.width(), kind.sign());
            self.ite(self.sign_of(kind, x), self.not(x), self.or(x, sign))
        };
        let zeros = self.eq_const(self.masked(self.or(x, y), !kind.sign()), 0);
        let order = if strict {
            let less = self.cmp(CmpOp::Ult, key(x), key(y));
            self.and(less, self.not(zeros))
        } else {
            self.or(self.cmp(CmpOp::Ule, key(x), key(y)), zeros)
        };
        let nan = self.or(self.is_nan(kind, a), self.is_nan(kind, b));
        self.and(order, self.not(nan))
    }

    /// Makes the test whether a pattern is in one of two inclusive intervals.
    fn within(&self, a: Term, intervals: [Option<(u128, u128)>; 2]) -> Term {
        let width = self.width(a);
        let member = |interval: Option<(u128, u128)>| {
            let Some((low, high)) = interval.filter(|(low, high)| low <= high) else {
                return self.bool(false);
            };
            let (low, high) = (self.constant(width, low), self.constant(width, high));
            self.and(self.cmp(CmpOp::Uge, a, low), self.cmp(CmpOp::Ule, a, high))
        };
        self.or(member(intervals[0]), member(intervals[1]))
    }
}

/// The patterns of numbers below `limit`, or equal to it unless `strict`.
fn patterns_below(kind: FloatKind, limit: u128, strict: bool) -> [Option<(u128, u128)>; 2] {
    let (sign, infinity) = (kind.sign(), kind.infinity());
    let magnitude = limit & !sign;
    let unsupported = u128::from(strict);
    let all_negative = Some((sign, sign | infinity));
    if magnitude == 0 {
        let zero = if strict { None } else { Some((0, 0)) };
        [zero, Some((sign | unsupported, sign | infinity))]
    } else if limit & sign == 0 {
        [Some((0, magnitude - unsupported)), all_negative]
    } else {
        [
            None,
            Some((sign | (magnitude + unsupported), sign | infinity)),
        ]
    }
}

/// The patterns of numbers above `limit`, or equal to it unless `strict`.
fn patterns_above(kind: FloatKind, limit: u128, strict: bool) -> [Option<(u128, u128)>; 2] {
    patterns_below(kind, limit ^ kind.sign(), strict)
        .map(|interval| interval.map(|(low, high)| (low ^ kind.sign(), high ^ kind.sign())))
}
