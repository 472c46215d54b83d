//! Checks: faults of the program that an instruction can have, and verification of functions.
//!
//! Each check is a method of `Context` in a separate file. The methods here are the places of
//! checks: the executor calls them and knows no check by name.

mod allocation;
mod arithmetic;
mod endless;
pub(super) mod fault_places;
mod faults;
mod float;
mod handler_data;
mod leaks;
pub(super) mod origins;
mod overflow;
pub(super) mod pointer_sum;
mod pointers;
mod undefined;
pub(super) mod undefined_objects;
mod unset;
pub(super) mod verify;

use super::context::Context;
use crate::memory::Value;
use crate::outcome::{BugKind, Termination};
use homi_ir::ops::BinOp;

impl Context<'_, '_> {
    /// Checks an arithmetic instruction before it computes. A path ends where it is at fault.
    #[inline]
    pub(super) fn check_operands(
        &mut self,
        op: BinOp,
        width: u32,
        operands: (Value, Value),
    ) -> Result<(), Termination> {
        self.check_division(op, width, operands)?;
        self.check_shift(op, width, operands)
    }

    /// Checks an instruction that computed something and was promised to keep to a rule, before its
    /// result is a register's. The path continues; a sibling on which the rule is broken ends as
    /// the bug.
    #[inline]
    pub(super) fn check_result(
        &mut self,
        promised: (BinOp, u8),
        width: u32,
        operands: (Value, Value),
        result: Value,
    ) {
        self.check_overflow(promised, width, operands, result);
    }

    /// Checks what a program leaves behind where it ends. A sibling ends as the bug.
    pub(super) fn check_end(&mut self) {
        self.report_leaks();
    }

    /// Checks what a program leaves behind where a path is cut: by an abort, a failed assertion, an
    /// assumption that does not hold. Only verdicts ask for it.
    pub(super) fn check_cut(&mut self, termination: &Termination) {
        let is_cut = match termination {
            // The rules do not count it as an end of the program.
            Termination::Silent => !self.asks_for_cleanup(),
            Termination::Bug(bug) => matches!(
                bug.kind,
                BugKind::Abort | BugKind::Assert | BugKind::Reported(_)
            ),
            _ => false,
        };
        if is_cut && self.config().property.is_some() {
            self.report_leaks();
        }
    }
}
