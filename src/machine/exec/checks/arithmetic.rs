//! Divisors that are 0, quotients that do not fit (`--check-div-zero`), and shifts by the width or
//! more (`--check-overshift`).
//!
//! Invariant: where a check does not hold, the path ends; what computes next may rely on it.

use super::super::context::Context;
use crate::ir::ops::{BinOp, CmpOp};
use crate::machine::memory::Value;
use crate::machine::outcome::{BugKind, Termination};

impl Context<'_, '_> {
    /// Checks a division for a divisor of 0, and for a quotient that does not fit.
    #[inline]
    pub(super) fn check_division(
        &mut self,
        op: BinOp,
        width: u32,
        (a, b): (Value, Value),
    ) -> Result<(), Termination> {
        if !op.is_division() || !self.config().checks.division {
            return Ok(());
        }
        let values = self.values();
        let fine = values.cmp(CmpOp::Ne, width, b, Value::Concrete(0));
        self.require_value(fine, BugKind::Div, "divide by zero")?;
        if self.config().dialect.checks_quotients() {
            let fine = values.not(1, values.quotient_overflows(op, width, a, b));
            self.require_value(fine, BugKind::Overflow, "integer division overflow")?;
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
        amount: Value,
    ) -> Result<(), Termination> {
        if !op.is_shift() || !self.config().checks.shifts || width == 1 {
            return Ok(());
        }
        let limit = Value::Concrete(u128::from(width));
        let fine = self.values().cmp(CmpOp::Ult, width, amount, limit);
        self.require_value(fine, BugKind::Overshift, "overshift error")
    }

    /// Requires `fine` (1 bit): the path continues if it holds; a sibling without it ends as a bug.
    pub(super) fn require_value(
        &mut self,
        fine: Value,
        kind: BugKind,
        message: &str,
    ) -> Result<(), Termination> {
        match fine {
            Value::Concrete(0) => Err(self.program_bug(kind, message)),
            Value::Concrete(_) => Ok(()),
            Value::Term(fine) => {
                self.require(fine, |prepared, state| prepared.bug(state, kind, message))
            }
        }
    }
}
