//! Sums, differences, products and left shifts that do not keep what the compiler was promised of
//! them (`--checks signed-integer-overflow`): signed overflow in C.
//!
//! Invariant: an instruction is reported once on a path; the path continues with the result of the
//! CPU, also if it overflows, as it does after a sanitizer's report.

use super::super::context::Context;
use crate::memory::Value;
use crate::outcome::{BugKind, Checked, Example, Explanation, Operand, Underapproximation};
use homi_config::CheckKind;
use homi_ir::ops;
use homi_ir::ops::BinOp;
use homi_solver::Check;

impl Context<'_, '_> {
    /// Reports the overflow of an instruction whose result has been computed, if there is one.
    pub(super) fn check_overflow(
        &mut self,
        (op, promises): (BinOp, u8),
        width: u32,
        operands: (Value, Value),
        result: Value,
    ) {
        let top = self.state.frames.top();
        let place = (top.function, top.pc);
        if !self.config().checks.has(CheckKind::SignedIntegerOverflow)
            || self.state.record.has_reported(place)
        {
            return;
        }
        if promises & ops::PERHAPS_SIGNED != 0 {
            return self.doubt_shift(width, operands, result);
        }
        for promise in [ops::NO_SIGNED_WRAP, ops::NO_UNSIGNED_WRAP] {
            let what = match (op, promise) {
                (BinOp::Shl, _) => "shift out of bounds",
                (BinOp::Add | BinOp::Sub | BinOp::Mul, ops::NO_SIGNED_WRAP) => {
                    "signed-integer-overflow"
                }
                (BinOp::Add | BinOp::Sub | BinOp::Mul, _) => "unsigned-integer-overflow",
                _ => return,
            };
            let promised = (op, promises & promise);
            let broken = self
                .values()
                .breaks_promise(promised, width, operands, result);
            let is_signed = promise == ops::NO_SIGNED_WRAP;
            let operand = |value| Operand::of_instruction(value, width, is_signed);
            let explanation = Explanation {
                checked: of_operator(op),
                operands: vec![operand(operands.0), operand(operands.1)],
            };
            let bug = (BugKind::Overflow, what, Some(explanation));
            if self.report_if(broken, UNDEFINED, bug) {
                self.state.record.note_reported(place);
                return;
            }
        }
    }

    /// Notes a left shift that overflows if its operand is signed, where a verdict hangs on it.
    fn doubt_shift(&mut self, width: u32, operands: (Value, Value), result: Value) {
        if self.config().property.is_none() {
            return;
        }
        let shift = (BinOp::Shl, ops::NO_SIGNED_WRAP);
        let broken = self.values().breaks_promise(shift, width, operands, result);
        let may_break = match self.fixed(broken) {
            Value::Concrete(broken) => broken != 0,
            Value::Term(term) => !matches!(self.ask(term), Check::Unsat),
        };
        if may_break {
            let _noted = self.narrow(Underapproximation::Shift, |_| {
                Example::note("bitcode does not tell whether the shifted number is signed")
            });
        }
    }
}

/// Message for an overflow that depends on undefined values, too.
const UNDEFINED: &str = "overflow that depends on an undefined value";

/// Returns the operation of an operator that can overflow.
fn of_operator(op: BinOp) -> Checked {
    match op {
        BinOp::Add => Checked::Sum("+"),
        BinOp::Sub => Checked::Sum("-"),
        BinOp::Mul => Checked::Sum("*"),
        _ => Checked::Shift,
    }
}
