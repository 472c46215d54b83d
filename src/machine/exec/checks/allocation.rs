//! Allocations of more bytes than a pointer difference can be (`--checks allocation-size`): mostly
//! a negative number that became a size.
//!
//! Invariant: a place of the program is reported once on a path, which continues with the result of
//! the allocation, a null pointer.

use super::super::context::Context;
use crate::memory::Value;
use crate::outcome::{BugKind, Checked, Explanation, Form, Operand};
use homi_config::CheckKind;
use homi_ir::ops::CmpOp;
use homi_ir::program::PointerWidth;

/// Message of the report.
const TOO_MANY: &str = "allocation of more than PTRDIFF_MAX bytes";
/// Message for a size that depends on undefined values, too.
const UNDEFINED: &str = "allocation of an undefined size";

impl Context<'_, '_> {
    /// Checks the size that an allocation asks for.
    pub(in crate::exec) fn check_allocation(&mut self, asked: Value) {
        if !self.config().checks.has(CheckKind::AllocationSize) {
            return;
        }
        let place = self.prepared.place(self.state);
        if self.state.record.has_reported(place) {
            return;
        }
        let most = match self.program().pointers {
            PointerWidth::Bits64 => i64::MAX as u128,
            PointerWidth::Bits32 => i32::MAX as u128,
        };
        let broken = match asked {
            Value::Concrete(asked) => Value::Concrete(u128::from(asked > most)),
            Value::Term(term) => {
                let width = self.terms().width(term);
                self.values()
                    .cmp(CmpOp::Ugt, width, asked, Value::Concrete(most))
            }
        };
        let explanation = Explanation {
            checked: Checked::Allocation,
            operands: vec![Operand {
                value: asked,
                width: 8 * self.program().pointers.bytes(),
                form: Form::Signed,
                type_name: "'size_t'".to_string(),
            }],
        };
        let bug = (BugKind::AllocationSize, TOO_MANY, Some(explanation));
        if self.report_if(broken, UNDEFINED, bug) {
            self.state.record.note_reported(place);
        }
    }
}
