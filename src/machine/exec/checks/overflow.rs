//! Sums, differences, products and left shifts that do not keep what the compiler was promised of
//! them (`--check-overflow`): signed overflow in C.
//!
//! Invariant: an instruction is reported once on a path; the path continues with the result of the
//! CPU, also if it overflows, as it does after a sanitizer's report.

use super::super::context::Context;
use crate::ir::ops;
use crate::ir::ops::BinOp;
use crate::machine::memory::Value;
use crate::machine::outcome::{BugKind, Example, Underapproximation};
use crate::solver::Check;

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
        if !self.config().checks.overflow || self.state.record.has_reported(place) {
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
            if self.report_overflow(broken, what) {
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

    /// Forks a path that ends as the bug if the condition can hold; whether it can.
    fn report_overflow(&mut self, broken: Value, what: &str) -> bool {
        let broken = match self.defined(broken, "overflow that depends on an undefined value") {
            Value::Concrete(0) => return false,
            Value::Concrete(_) => self.terms().bool(true),
            Value::Term(term) => term,
        };
        let model = match self.terms().as_const(broken) {
            Some(_) => self.state.model.clone(),
            None if !self.state.forks.enabled => return false,
            None => match self.ask(broken) {
                Check::Sat(model) => model,
                Check::Unsat => return false,
                Check::Unknown(_) => {
                    let _unreported = self.note_unknown();
                    return false;
                }
            },
        };
        self.report_beside(broken, model, BugKind::Overflow, what);
        true
    }
}
