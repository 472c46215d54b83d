//! Divisors that are 0, quotients that do not fit, and shifts by the width or more: on unless
//! `--checks` removes them.
//!
//! Invariant: where a check does not hold, the path ends; what computes next may rely on it.

use super::super::context::Context;
use crate::memory::Value;
use crate::outcome::{BugKind, Checked, Explanation, Operand, Termination};
use homi_config::CheckKind;
use homi_ir::ops::{BinOp, CmpOp};

impl Context<'_, '_> {
    /// Checks a division for a divisor of 0, and for a quotient that does not fit.
    #[inline]
    pub(super) fn check_division(
        &mut self,
        op: BinOp,
        width: u32,
        (a, b): (Value, Value),
    ) -> Result<(), Termination> {
        if !op.is_division() || !self.config().checks.has(CheckKind::IntegerDivideByZero) {
            return Ok(());
        }
        let values = self.values();
        let fine = values.cmp(CmpOp::Ne, width, b, Value::Concrete(0));
        let is_signed = matches!(op, BinOp::SDiv | BinOp::SRem);
        let explain = || {
            let operand = |value| Operand::of_instruction(value, width, is_signed);
            Explanation {
                checked: Checked::Quotient,
                operands: vec![operand(a), operand(b)],
            }
        };
        self.require_value(fine, (BugKind::Div, "divide by zero"), explain)?;
        if self.config().dialect.checks_quotients() {
            let fine = values.not(1, values.quotient_overflows(op, width, a, b));
            let bug = (BugKind::Overflow, "integer division overflow");
            self.require_value(fine, bug, explain)?;
        }
        Ok(())
    }

    /// Checks a shift for an amount of the width or more.
    ///
    /// A 1-bit shift amount below 1 bit is always 0; comparing with the width would not fit in the
    /// width.
    #[inline]
    pub(super) fn check_shift(
        &mut self,
        op: BinOp,
        width: u32,
        (shifted, amount): (Value, Value),
    ) -> Result<(), Termination> {
        if !op.is_shift() || !self.config().checks.has(CheckKind::Shift) || width == 1 {
            return Ok(());
        }
        let limit = Value::Concrete(u128::from(width));
        let fine = self.values().cmp(CmpOp::Ult, width, amount, limit);
        // An amount is signed in most programs; a negative one reads as such.
        let explain = || Explanation {
            checked: Checked::Shift,
            operands: vec![
                Operand::of_instruction(shifted, width, op != BinOp::LShr),
                Operand::of_instruction(amount, width, true),
            ],
        };
        self.require_value(fine, (BugKind::Overshift, "overshift error"), explain)
    }

    /// Requires `fine` (1 bit): the path continues if it holds; a sibling without it ends as a bug.
    pub(super) fn require_value(
        &mut self,
        fine: Value,
        (kind, message): (BugKind, &str),
        explain: impl FnOnce() -> Explanation,
    ) -> Result<(), Termination> {
        match fine {
            Value::Concrete(0) => {
                let bug = self.prepared.bug(self.state, kind, message);
                Err(Termination::Bug(Box::new(bug.explained(explain()))))
            }
            Value::Concrete(_) => Ok(()),
            Value::Term(fine) => self.require(fine, |prepared, state| {
                prepared.bug(state, kind, message).explained(explain())
            }),
        }
    }
}
