//! Floating-point instructions.
//!
//! Invariant: symbolic operands stay terms only where terms say what the CPU does: rounding to
//! nearest. In another mode, or if the options want it or the program asks for exception flags,
//! they are made concrete first.

use super::super::context::Context;
use super::super::float;
use crate::memory::Value;
use crate::state::ConcretiseReason;
use homi_config::CheckKind;
use homi_ir::ops::float::Rounding;
use homi_ir::ops::float::exceptions::{
    binary_exceptions, cast_exceptions, compare_exceptions, multiply_add_exceptions,
    unary_exceptions,
};
use homi_ir::program::{FloatUnary, Inst, Slot};
use std::cell::Cell;

impl Context<'_, '_> {
    /// Executes a floating-point instruction; any other does nothing.
    pub(in crate::exec) fn float(&mut self, inst: Inst) {
        let (values, mode) = (self.values(), self.state.floats.rounding);
        let tracks = self.prepared.tracks_exceptions;
        let raised = Cell::new(0u8);
        let raise = |flags: &dyn Fn() -> u8| {
            if tracks {
                raised.set(raised.get() | flags());
            }
        };
        let is_checked = self.config().checks.has(CheckKind::Float);
        let mut operands = Vec::new();
        let mut operand = |slot, width| {
            let value = self.float_operand(slot, width);
            if is_checked {
                operands.push(value);
            }
            value
        };
        let (dst, width, result) = match inst {
            Inst::Float {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let (a, b) = (operand(a, kind.width()), operand(b, kind.width()));
                if let [Value::Concrete(a), Value::Concrete(b)] = [a, b] {
                    raise(&|| binary_exceptions(op, kind, mode, a, b));
                }
                let result = values.float_binary(op, kind, mode, a, b);
                (dst, kind.width(), result)
            }
            Inst::FloatUnary { op, kind, dst, src } => {
                // Sign changes need no arithmetic, so they are never a reason to make a value
                // concrete.
                let width = kind.width();
                let a = match op {
                    FloatUnary::Neg | FloatUnary::Abs => self.get(src, width as u8),
                    _ => operand(src, width),
                };
                if let Value::Concrete(a) = a {
                    raise(&|| unary_exceptions(op, kind, a));
                }
                (dst, width, values.float_unary(op, kind, mode, a))
            }
            Inst::FloatFma { kind, dst, a, b, c } => {
                let width = kind.width();
                let given = [a, b, c].map(|slot| operand(slot, width));
                if let [Value::Concrete(a), Value::Concrete(b), Value::Concrete(c)] = given {
                    raise(&|| multiply_add_exceptions(kind, mode, a, b, c));
                }
                let result = values.float_multiply_add(kind, mode, given);
                (dst, width, result)
            }
            Inst::FloatCmp {
                op,
                kind,
                dst,
                a,
                b,
            } => {
                let (a, b) = (operand(a, kind.width()), operand(b, kind.width()));
                if let [Value::Concrete(a), Value::Concrete(b)] = [a, b] {
                    raise(&|| compare_exceptions(op, kind, a, b));
                }
                (dst, 1, values.float_compare(op, kind, a, b))
            }
            Inst::FloatCast {
                op,
                kind,
                to_kind,
                w,
                dst,
                src,
            } => {
                let width = u32::from(w);
                let (from, to) = float::cast_widths(op, kind, to_kind, width);
                let a = operand(src, from);
                if let Value::Concrete(a) = a {
                    raise(&|| cast_exceptions(op, kind, to_kind, width, mode, a));
                }
                let result = values.float_cast(op, kind, to_kind, width, mode, a);
                (dst, to, result)
            }
            _ => return,
        };
        self.state.floats.exceptions |= raised.get();
        if is_checked {
            self.check_float(&inst, &operands, result);
        }
        self.set(dst, width as u8, result);
    }

    fn float_operand(&mut self, slot: Slot, width: u32) -> Value {
        let value = self.get(slot, width as u8);
        if matches!(value, Value::Concrete(_)) {
            return value;
        }
        let has_terms =
            self.state.floats.rounding == Rounding::Nearest && !self.prepared.tracks_exceptions;
        if has_terms && self.config().symbolic.floats {
            return value;
        }
        if has_terms {
            let location = self.prepared.location(self.state);
            let place = self.program().describe_location(location);
            let text =
                format!("symbolic floating-point operands are made concrete (first at {place})");
            self.console.warning_once("float", &text);
        }
        Value::Concrete(self.concretise(value, ConcretiseReason::Float))
    }
}
