//! Comparisons of what was an integer: `(double)i / 100.0 < 1.5` is a query about `i`.
//!
//! Idea: conversion from an integer and each further rounded operation with a constant keep the
//! order (a greater integer never gives a lesser number), so a comparison with a constant changes
//! its answer at one integer, which bisection finds by evaluating the operations. The result is a
//! comparison of integers, which every layer of the solver knows, while division would go to Z3 as
//! a circuit. Never: operations that can turn an infinity into a NaN.

use super::node::{Node, Term};
use super::pool::Terms;
use homi_ir::ops::float::{FloatCmp, FloatFunction, FloatKind, FloatOp, compare};
use homi_ir::ops::{CmpOp, mask};

/// One operation with a constant, on a number that increases with the integer.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// An operator whose first (or, of sum and product, other) operand is the number.
    With {
        function: FloatFunction,
        constant: u128,
        is_first: bool,
    },
    Convert(FloatFunction),
}

/// A number that never decreases when `integer` increases.
#[derive(Debug)]
struct Increasing {
    integer: Term,
    is_signed: bool,
    width: u32,
    from_integer: FloatFunction,
    /// The operations between the number and the integer, the innermost last.
    steps: Vec<Step>,
}

/// The most operations that are looked through.
const MOST_STEPS: usize = 8;

impl Terms {
    /// `a op b` (`Olt`, `Ole` or `Oeq`), where one side comes from an integer and the other is a
    /// constant.
    pub(super) fn compare_as_integer(
        &self,
        op: FloatCmp,
        kind: FloatKind,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        if let Some(limit) = self.as_const(b) {
            let number = self.increasing(a).filter(|_| !kind.is_nan(limit))?;
            return match op {
                FloatCmp::Olt => Some(self.below(&number, kind, limit, false)),
                FloatCmp::Ole => Some(self.below(&number, kind, limit, true)),
                FloatCmp::Oeq => {
                    let less = self.below(&number, kind, limit, false);
                    Some(self.and(self.not(less), self.below(&number, kind, limit, true)))
                }
                _ => None,
            };
        }
        let limit = self.as_const(a).filter(|&limit| !kind.is_nan(limit))?;
        let number = self.increasing(b)?;
        match op {
            FloatCmp::Olt => Some(self.not(self.below(&number, kind, limit, true))),
            FloatCmp::Ole => Some(self.not(self.below(&number, kind, limit, false))),
            _ => self.compare_as_integer(op, kind, b, a),
        }
    }

    /// Makes the test whether the number is less than `limit`, or (`or_equal`) not greater: the
    /// integer is below the first one for which this does not hold.
    fn below(&self, number: &Increasing, kind: FloatKind, limit: u128, or_equal: bool) -> Term {
        let op = if or_equal {
            FloatCmp::Ole
        } else {
            FloatCmp::Olt
        };
        let holds = |position: u128| compare(op, kind, number.at(position), limit);
        let last = mask(number.width);
        // Positions count from the least integer, whatever its sign.
        let (mut low, mut high) = (0, last);
        if holds(last) {
            return self.bool(true);
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(middle) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        let first = self.constant(number.width, number.integer_at(low));
        let op = if number.is_signed {
            CmpOp::Slt
        } else {
            CmpOp::Ult
        };
        self.cmp(op, number.integer, first)
    }

    fn increasing(&self, term: Term) -> Option<Increasing> {
        let mut steps = Vec::new();
        let mut at = term;
        while steps.len() <= MOST_STEPS {
            let Node::Float(function, [x, y, _]) = self.node(at) else {
                return None;
            };
            at = match function {
                FloatFunction::FromInteger {
                    is_signed, width, ..
                } => {
                    let width = u32::from(width);
                    return Some(Increasing {
                        integer: x,
                        is_signed,
                        width,
                        from_integer: function,
                        steps,
                    });
                }
                FloatFunction::Convert { .. } => {
                    steps.push(Step::Convert(function));
                    x
                }
                FloatFunction::Binary(op, kind) => {
                    let (constant, is_first) = match (self.as_const(x), self.as_const(y)) {
                        (None, Some(constant)) => (constant, true),
                        (Some(constant), None) => (constant, false),
                        _ => return None,
                    };
                    if !keeps_order(op, kind, constant, is_first) {
                        return None;
                    }
                    steps.push(Step::With {
                        function,
                        constant,
                        is_first,
                    });
                    if is_first { x } else { y }
                }
                _ => return None,
            };
        }
        None
    }
}

/// True if the operation with this constant never decreases, and gives no NaN for numbers and
/// infinities.
fn keeps_order(op: FloatOp, kind: FloatKind, constant: u128, is_first: bool) -> bool {
    let magnitude = constant & !kind.sign();
    if kind.is_nan(constant) || magnitude == kind.infinity() {
        return false;
    }
    let is_positive = constant == magnitude && magnitude != 0;
    match op {
        FloatOp::Add => true,
        FloatOp::Sub => is_first,
        FloatOp::Mul => is_positive,
        FloatOp::Div => is_first && is_positive,
        _ => false,
    }
}

impl Increasing {
    /// The integer at a position counted from the least one.
    fn integer_at(&self, position: u128) -> u128 {
        if self.is_signed {
            position ^ 1 << (self.width - 1)
        } else {
            position
        }
    }

    /// The number's pattern for the integer at a position.
    fn at(&self, position: u128) -> u128 {
        let integer = self.integer_at(position);
        let mut value = self.from_integer.eval([integer; 3]);
        for step in self.steps.iter().rev() {
            value = match *step {
                Step::Convert(function) => function.eval([value; 3]),
                Step::With {
                    function,
                    constant,
                    is_first: true,
                } => function.eval([value, constant, 0]),
                Step::With {
                    function, constant, ..
                } => function.eval([constant, value, 0]),
            };
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Byte, Model};
    use homi_ir::ops::float::{binary, from_integer};

    const COMPARISONS: [FloatCmp; 6] = [
        FloatCmp::Olt,
        FloatCmp::Ole,
        FloatCmp::Ogt,
        FloatCmp::Oge,
        FloatCmp::Oeq,
        FloatCmp::Une,
    ];

    /// Each comparison of `make`'s term with each limit for all values of a byte, against the
    /// operators, and without any floating-point node left.
    fn check(
        is_signed: bool,
        kind: FloatKind,
        make: impl Fn(&Terms, Term) -> Term,
        limits: &[f64],
    ) {
        let terms = Terms::new();
        let byte = Byte {
            array: terms.array("input", 0, 1),
            index: 0,
        };
        let function = FloatFunction::FromInteger {
            is_signed,
            width: 8,
            to: kind,
        };
        let number = make(&terms, terms.float(function, [terms.symbol(byte); 3]));
        for &limit in limits {
            let limit = terms.float(
                FloatFunction::Convert {
                    from: FloatKind::F64,
                    to: kind,
                },
                [terms.constant(64, limit.to_bits().into()); 3],
            );
            for op in COMPARISONS {
                for swapped in [false, true] {
                    let (a, b) = if swapped {
                        (limit, number)
                    } else {
                        (number, limit)
                    };
                    let term = terms.float_compare(op, kind, a, b);
                    for value in 0..=255u8 {
                        let mut model = Model::new();
                        model.set(byte, value);
                        let [x, y] = [a, b].map(|side| terms.eval(side, &model));
                        let expected = compare(op, kind, x, y);
                        assert_eq!(terms.eval(term, &model), u128::from(expected));
                    }
                }
            }
        }
    }

    #[test]
    fn comparisons_of_converted_integers_equal_the_operators() {
        let limits = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            4.5,
            -4.5,
            100.0,
            127.0,
            128.0,
            255.0,
            256.0,
            -128.0,
            -129.0,
            1e300,
            -1e300,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            0.049,
            12.7,
        ];
        for kind in [FloatKind::F32, FloatKind::F64, FloatKind::X87] {
            let constant = |value: u128| from_integer(kind, true, 64, value);
            let third = binary(FloatOp::Div, kind, constant(1), constant(3));
            for is_signed in [false, true] {
                check(is_signed, kind, |_, number| number, &limits);
                for op in [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div] {
                    for operand in [third, constant(10)] {
                        let apply = |terms: &Terms, number| {
                            let operand = terms.constant(kind.width(), operand);
                            terms.float_binary(op, kind, number, operand)
                        };
                        check(is_signed, kind, apply, &limits);
                        let apply = |terms: &Terms, number| {
                            let operand = terms.constant(kind.width(), operand);
                            terms.float_binary(op, kind, operand, number)
                        };
                        check(is_signed, kind, apply, &limits);
                    }
                }
            }
        }
    }

    #[test]
    fn a_quotient_compared_with_a_constant_is_a_comparison_of_integers() {
        let terms = Terms::new();
        let byte = terms.symbol(Byte {
            array: terms.array("input", 0, 1),
            index: 0,
        });
        let function = FloatFunction::FromInteger {
            is_signed: false,
            width: 32,
            to: FloatKind::F64,
        };
        let number = terms.float(function, [terms.zext(byte, 32); 3]);
        let constant = |value: f64| terms.constant(64, value.to_bits().into());
        let quotient = terms.float_binary(FloatOp::Div, FloatKind::F64, number, constant(10.0));
        let found = terms.float_compare(FloatCmp::Olt, FloatKind::F64, quotient, constant(4.5));
        assert_eq!(found, terms.cmp(CmpOp::Ult, byte, terms.constant(8, 45)));
    }
}
