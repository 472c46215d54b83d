//! Rules for divisions by constants: chains become one division, comparisons of a quotient become
//! bounds on the dividend.
//!
//! A loop that prints a number asks `x / 10 == 0`, `x / 10 / 10 == 0`, and so on. As divisions
//! these are hard queries; as `x < 10`, `x < 100` interval arithmetic answers them.

use super::{BinRule, Node, Term, Terms};
use homi_ir::ops::{BinOp, CmpOp, mask, signed};

pub(in crate::term) const UNSIGNED_CHAIN: BinRule = udiv_chain;
pub(in crate::term) const SIGNED_CHAIN: BinRule = sdiv_chain;

/// The largest width whose bounds, multiplied, fit the arithmetic here.
const WIDEST: u32 = 64;

// match: (x udiv c) udiv d   result: x udiv (c*d), or 0 if c*d does not fit
fn udiv_chain(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let (x, c) = terms.as_bin_const(BinOp::UDiv, a)?;
    let d = terms.as_const(b)?;
    if c == 0 || d == 0 {
        return None;
    }
    Some(
        match c.checked_mul(d).filter(|product| *product <= mask(width)) {
            Some(product) => terms.bin(BinOp::UDiv, x, terms.constant(width, product)),
            None => terms.constant(width, 0),
        },
    )
}

// match: (x sdiv c) sdiv d, 0 < c, 0 < d   result: x sdiv (c*d), or 0 if c*d is beyond the range
fn sdiv_chain(terms: &Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let (x, c) = terms.as_bin_const(BinOp::SDiv, a)?;
    let d = terms.as_const(b)?;
    let largest = mask(width) >> 1;
    if width > WIDEST || c == 0 || d == 0 || c > largest || d > largest {
        return None;
    }
    match c * d {
        product if product <= largest => {
            Some(terms.bin(BinOp::SDiv, x, terms.constant(width, product)))
        }
        // The least number divided by its own size is -1.
        product if product == largest + 1 => None,
        _ => Some(terms.constant(width, 0)),
    }
}

/// A quotient by a positive constant; bounds are read as `is_signed` says.
struct Quotient {
    dividend: Term,
    divisor: i128,
    is_signed: bool,
    width: u32,
}

impl Quotient {
    fn of(terms: &Terms, term: Term) -> Option<Quotient> {
        let width = terms.width(term);
        let Node::Bin(op @ (BinOp::UDiv | BinOp::SDiv), dividend, divisor) = terms.node(term)
        else {
            return None;
        };
        let is_signed = op == BinOp::SDiv;
        let divisor = terms.as_const(divisor).filter(|_| width <= WIDEST)?;
        let divisor = if is_signed {
            signed(width, divisor)
        } else {
            divisor as i128
        };
        (divisor > 0).then_some(Quotient {
            dividend,
            divisor,
            is_signed,
            width,
        })
    }

    /// A constant as the quotient's signedness reads it.
    fn read(&self, value: u128) -> i128 {
        if self.is_signed {
            signed(self.width, value)
        } else {
            value as i128
        }
    }

    fn least(&self) -> i128 {
        if self.is_signed {
            -((mask(self.width) >> 1) as i128) - 1
        } else {
            0
        }
    }

    fn largest(&self) -> i128 {
        if self.is_signed {
            (mask(self.width) >> 1) as i128
        } else {
            mask(self.width) as i128
        }
    }

    fn at_least(&self, terms: &Terms, bound: i128) -> Term {
        if bound <= self.least() {
            return terms.bool(true);
        }
        if bound > self.largest() {
            return terms.bool(false);
        }
        let op = if self.is_signed {
            CmpOp::Sle
        } else {
            CmpOp::Ule
        };
        let bound = terms.constant(self.width, bound as u128 & mask(self.width));
        terms.cmp(op, bound, self.dividend)
    }

    fn at_most(&self, terms: &Terms, bound: i128) -> Term {
        terms.not(self.at_least(terms, bound + 1))
    }

    /// The least dividend whose quotient is at least `value`: truncation goes towards zero.
    fn first_with(&self, value: i128) -> i128 {
        if value > 0 {
            value * self.divisor
        } else {
            (value - 1) * self.divisor + 1
        }
    }
}

// match: x div c == k   result: x lies in the interval whose quotient is k
pub(super) fn equal_quotient(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let quotient = Quotient::of(terms, a)?;
    let value = quotient.read(terms.as_const(b)?);
    let above = quotient.at_least(terms, quotient.first_with(value));
    let below = quotient.at_most(terms, quotient.first_with(value + 1) - 1);
    let equal = terms.and(above, below);
    Some(match op {
        CmpOp::Eq => equal,
        _ => terms.not(equal),
    })
}

// match: x div c < k, k < x div c, both read with the division's sign   result: a bound on x
pub(super) fn quotient_and_constant(terms: &Terms, op: CmpOp, a: Term, b: Term) -> Option<Term> {
    let needed = match op {
        CmpOp::Slt => true,
        CmpOp::Ult => false,
        _ => return None,
    };
    if let Some(value) = terms.as_const(b) {
        let quotient = Quotient::of(terms, a).filter(|found| found.is_signed == needed)?;
        let first = quotient.first_with(quotient.read(value));
        return Some(quotient.at_most(terms, first - 1));
    }
    let value = terms.as_const(a)?;
    let quotient = Quotient::of(terms, b).filter(|found| found.is_signed == needed)?;
    let first = quotient.first_with(quotient.read(value) + 1);
    Some(quotient.at_least(terms, first))
}
