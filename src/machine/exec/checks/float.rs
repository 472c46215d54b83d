//! NaN from numbers, and infinity from finite numbers (`--checks float`).
//!
//! Invariant: a place of the program is reported once on a path, also for what the C library
//! computes there; the path continues with the result.

use super::super::context::Context;
use crate::memory::Value;
use crate::outcome::{BugKind, Checked, Explanation, Form, Operand};
use homi_config::CheckKind;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::{FloatCastOp, FloatCmp, FloatKind, FloatOp, FloatUnary, Inst, Origin};

/// Message for a case that depends on undefined values, too.
const UNDEFINED: &str = "floating-point operation on an undefined value";

/// An operation that can make NaN or infinity of other numbers.
#[derive(Clone, Copy)]
struct Operation {
    checked: &'static str,
    /// Formats of the operands and of the result.
    from: FloatKind,
    to: FloatKind,
}

/// Returns the operation of an instruction; `None` if it makes neither NaN nor infinity.
fn operation(inst: &Inst) -> Option<Operation> {
    let of = |checked, from, to| Some(Operation { checked, from, to });
    match *inst {
        Inst::Float { op, kind, .. } => {
            let sign = match op {
                FloatOp::Add => "+",
                FloatOp::Sub => "-",
                FloatOp::Mul => "*",
                FloatOp::Div => "/",
                FloatOp::Rem => "fmod",
                _ => return None,
            };
            of(sign, kind, kind)
        }
        Inst::FloatUnary {
            op: FloatUnary::Sqrt,
            kind,
            ..
        } => of("sqrt", kind, kind),
        Inst::FloatFma { kind, .. } => of("fma", kind, kind),
        Inst::FloatCast {
            op: FloatCastOp::Convert,
            kind,
            to_kind,
            ..
        } => of("conversion", kind, to_kind),
        _ => None,
    }
}

impl Context<'_, '_> {
    /// Checks the result of a floating-point instruction.
    pub(in crate::exec) fn check_float(&mut self, inst: &Inst, operands: &[Value], result: Value) {
        if !self.config().checks.has(CheckKind::Float) {
            return;
        }
        let Some(operation) = operation(inst) else {
            return;
        };
        let place = self.prepared.place(self.state);
        if self.state.record.has_reported(place) {
            return;
        }
        let nan = self.becomes(operation, operands, result, Self::is_nan);
        let infinite = self.becomes(operation, operands, result, Self::is_not_finite);
        for (broken, what) in [
            (nan, "NaN from numbers"),
            (infinite, "infinity from finite numbers"),
        ] {
            let explanation = self.explain_float(operation, operands);
            let bug = (BugKind::Float, what, Some(explanation));
            if self.report_if(broken, UNDEFINED, bug) {
                self.state.record.note_reported(place);
                return;
            }
        }
    }

    /// True (1 bit) if `is` holds of the result and of no operand.
    fn becomes(
        &self,
        operation: Operation,
        operands: &[Value],
        result: Value,
        is: impl Fn(&Self, FloatKind, Value) -> Value,
    ) -> Value {
        let values = self.values();
        operands
            .iter()
            .fold(is(self, operation.to, result), |holds, operand| {
                let differs = values.not(1, is(self, operation.from, *operand));
                values.bin(BinOp::And, 1, holds, differs)
            })
    }

    fn is_nan(&self, kind: FloatKind, value: Value) -> Value {
        self.values()
            .float_compare(FloatCmp::Uno, kind, value, value)
    }

    fn is_not_finite(&self, kind: FloatKind, value: Value) -> Value {
        let values = self.values();
        let width = kind.width();
        let magnitude = Value::Concrete(kind.sign() - 1);
        let magnitude = values.bin(BinOp::And, width, value, magnitude);
        let infinity = Value::Concrete(kind.infinity());
        let infinite = values.cmp(CmpOp::Eq, width, magnitude, infinity);
        values.bin(BinOp::Or, 1, infinite, self.is_nan(kind, value))
    }

    fn explain_float(&self, operation: Operation, operands: &[Value]) -> Explanation {
        let top = self.program().function(self.state.frames.top().function);
        if top.origin != Origin::Program {
            // Some functions of homi's libc have a prefix in front of their name.
            let name = top.name.strip_prefix("__homi_").unwrap_or(&top.name);
            return Explanation::words(format!("computed in {name}"));
        }
        let type_name = type_name(operation.from);
        let operand = |value: &Value| Operand {
            value: *value,
            width: operation.from.width(),
            form: Form::Float,
            type_name: type_name.to_string(),
        };
        Explanation {
            checked: Checked::Float(operation.checked),
            operands: operands.iter().map(operand).collect(),
        }
    }
}

fn type_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::F16 => "'_Float16'",
        FloatKind::BF16 => "'__bf16'",
        FloatKind::F32 => "'float'",
        FloatKind::F64 => "'double'",
        FloatKind::X87 => "'long double'",
        FloatKind::F128 => "'__float128'",
    }
}
