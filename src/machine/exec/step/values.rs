//! Operators on values that may be concrete or symbolic.
//!
//! Invariant: concrete operands give a concrete result through `ops`, without touching the term
//! pool; a term that turned out constant becomes concrete again.

use crate::memory::Value;
use homi_ir::ops;
use homi_ir::ops::float;
use homi_ir::ops::float::{
    FloatCastOp, FloatCmp, FloatFunction, FloatKind, FloatOp, FloatUnary, Rounding,
};
use homi_ir::ops::{BinOp, CmpOp};
use homi_solver::term::{Term, Terms};

/// Operators over one term pool; widths in bits.
#[derive(Clone, Copy)]
pub struct Values<'t> {
    pub terms: &'t Terms,
}

impl<'t> Values<'t> {
    pub fn new(terms: &'t Terms) -> Self {
        Self { terms }
    }

    /// The value as a term of `width` bits.
    pub fn term(&self, value: Value, width: u32) -> Term {
        match value {
            Value::Concrete(value) => self.terms.constant(width, value),
            Value::Term(term) => term,
        }
    }

    /// A term as a value: concrete if it is a constant.
    pub fn value(&self, term: Term) -> Value {
        match self.terms.as_const(term) {
            Some(value) => Value::Concrete(value),
            None => Value::Term(term),
        }
    }

    pub fn bin(&self, op: BinOp, width: u32, a: Value, b: Value) -> Value {
        if let (Value::Concrete(a), Value::Concrete(b)) = (a, b) {
            return Value::Concrete(ops::eval_bin(op, width, a, b));
        }
        let (a, b) = (self.term(a, width), self.term(b, width));
        self.value(self.terms.bin(op, a, b))
    }

    /// A 1-bit comparison.
    pub fn cmp(&self, op: CmpOp, width: u32, a: Value, b: Value) -> Value {
        if let (Value::Concrete(a), Value::Concrete(b)) = (a, b) {
            return Value::Concrete(u128::from(ops::eval_cmp(op, width, a, b)));
        }
        let (a, b) = (self.term(a, width), self.term(b, width));
        self.value(self.terms.cmp(op, a, b))
    }

    pub fn not(&self, width: u32, a: Value) -> Value {
        match a {
            Value::Concrete(a) => Value::Concrete(!a & ops::mask(width)),
            Value::Term(a) => self.value(self.terms.not(a)),
        }
    }

    pub fn zext(&self, a: Value, to: u32) -> Value {
        match a {
            Value::Concrete(a) => Value::Concrete(a),
            Value::Term(a) => self.value(self.terms.zext(a, to)),
        }
    }

    pub fn sext(&self, from: u32, a: Value, to: u32) -> Value {
        match a {
            Value::Concrete(a) => Value::Concrete(ops::signed(from, a) as u128 & ops::mask(to)),
            Value::Term(a) => self.value(self.terms.sext(a, to)),
        }
    }

    /// Bits `low .. low + width` of a value.
    pub fn extract(&self, a: Value, low: u32, width: u32) -> Value {
        match a {
            Value::Concrete(a) => Value::Concrete(a >> low & ops::mask(width)),
            Value::Term(a) => self.value(self.terms.extract(a, low, width)),
        }
    }

    /// `high` above `low` (`low_width` bits); together at most 128 bits.
    pub fn concat(&self, high: Value, high_width: u32, low: Value, low_width: u32) -> Value {
        if let (Value::Concrete(high), Value::Concrete(low)) = (high, low) {
            return Value::Concrete(high << low_width | low);
        }
        let (high, low) = (self.term(high, high_width), self.term(low, low_width));
        self.value(self.terms.concat(high, low))
    }

    /// `condition ? a : b` on values of `width` bits; `condition` has 1 bit.
    pub fn select(&self, condition: Value, width: u32, a: Value, b: Value) -> Value {
        match condition {
            Value::Concrete(0) => b,
            Value::Concrete(_) => a,
            Value::Term(condition) => {
                let (a, b) = (self.term(a, width), self.term(b, width));
                self.value(self.terms.ite(condition, a, b))
            }
        }
    }

    /// Computes `a op b`. Terms round to nearest only, also in the functions below.
    pub fn float_binary(
        &self,
        op: FloatOp,
        kind: FloatKind,
        mode: Rounding,
        a: Value,
        b: Value,
    ) -> Value {
        if let (Value::Concrete(a), Value::Concrete(b)) = (a, b) {
            return Value::Concrete(float::binary_rounded(op, kind, mode, a, b));
        }
        let (a, b) = (self.term(a, kind.width()), self.term(b, kind.width()));
        self.value(self.terms.float_binary(op, kind, a, b))
    }

    pub fn float_unary(&self, op: FloatUnary, kind: FloatKind, mode: Rounding, a: Value) -> Value {
        match a {
            Value::Concrete(a) => Value::Concrete(float::unary_rounded(op, kind, mode, a)),
            Value::Term(a) => self.value(self.terms.float_unary(op, kind, a)),
        }
    }

    /// `a * b + c`, rounded once.
    pub fn float_multiply_add(
        &self,
        kind: FloatKind,
        mode: Rounding,
        operands: [Value; 3],
    ) -> Value {
        if let [Value::Concrete(a), Value::Concrete(b), Value::Concrete(c)] = operands {
            return Value::Concrete(float::multiply_add_rounded(kind, mode, a, b, c));
        }
        let operands = operands.map(|operand| self.term(operand, kind.width()));
        let function = FloatFunction::MultiplyAdd(kind);
        self.value(self.terms.float(function, operands))
    }

    /// A 1-bit comparison.
    pub fn float_compare(&self, op: FloatCmp, kind: FloatKind, a: Value, b: Value) -> Value {
        if let (Value::Concrete(a), Value::Concrete(b)) = (a, b) {
            return Value::Concrete(float::compare(op, kind, a, b).into());
        }
        let (a, b) = (self.term(a, kind.width()), self.term(b, kind.width()));
        self.value(self.terms.float_compare(op, kind, a, b))
    }

    /// Converts a floating-point value; the arguments are as in `ops::float::cast_rounded`.
    pub fn float_cast(
        &self,
        op: FloatCastOp,
        kind: FloatKind,
        to_kind: FloatKind,
        width: u32,
        mode: Rounding,
        a: Value,
    ) -> Value {
        match a {
            Value::Concrete(a) => {
                Value::Concrete(float::cast_rounded(op, kind, to_kind, width, mode, a))
            }
            Value::Term(a) => self.value(self.terms.float_cast(op, kind, to_kind, width, a)),
        }
    }

    /// Zero-extends or cuts to `to` bits.
    pub fn resize(&self, a: Value, from: u32, to: u32) -> Value {
        if to >= from {
            self.zext(a, to)
        } else {
            self.extract(a, 0, to)
        }
    }
}
