//! Sums, differences, products and left shifts that do not keep what the compiler was promised of
//! them (`--check-overflow`): signed overflow in C.
//!
//! Invariant: an instruction is reported once on a path; the path goes on with the result that the
//! processor has, also where it overflows, as it does after a sanitizer's report.

use super::context::Context;
use crate::memory::Value;
use crate::ops::{self, BinOp};
use crate::outcome::BugKind;
use crate::solver::Check;
use std::sync::Arc;

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
        if !self.config().check_overflow || self.state.reported.contains(&place) {
            return;
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
                Arc::make_mut(&mut self.state.reported).insert(place);
                return;
            }
        }
    }

    /// Forks a path that ends as the bug if the condition can hold; whether it can.
    fn report_overflow(&mut self, broken: Value, what: &str) -> bool {
        let broken = match self.fixed(broken) {
            Value::Concrete(0) => return false,
            Value::Concrete(_) => self.terms().bool(true),
            Value::Term(term) => term,
        };
        let model = match self.terms().as_const(broken) {
            Some(_) => self.state.model.clone(),
            None if !self.state.forking => return false,
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
