//! Undefined values, where they are tracked (`--checks undef`): uninitialized memory, `undef`,
//! broken promises.
//!
//! Idea: an undefined byte is a byte of a symbolic object that is not part of the test. So copies,
//! shifts and masks carry it along bit for bit as they carry input, and a branch is at fault
//! exactly if the outcome can differ with such a byte: if there is an input on the path and a
//! choice of the undefined bytes that decides it differently from the fixed bytes. That is one
//! query, asked once for each instruction and path; its answer becomes a sibling that ends as the
//! bug. The path itself continues with the fixed bytes, which untracked memory also has. Invariant:
//! no condition of a path and no model mentions the object.

use super::super::concretize::{Why, put_on_path};
use super::super::context::Context;
use super::undefined_objects::BYTES;
use crate::memory::{UNINITIALISED, Value};
use crate::outcome::{BugKind, Explanation, Termination};
use crate::state::Decision;
use homi_ir::ops::{BinOp, CmpOp};
use homi_ir::program::Slot;
use homi_solver::Check;
use homi_solver::term::{ArrayId, Byte, Model, Term};

impl Context<'_, '_> {
    /// The value with the fixed bytes in place of undefined ones, silently.
    pub(in crate::exec) fn fixed(&self, value: Value) -> Value {
        match value {
            Value::Concrete(_) => value,
            Value::Term(term) => self.values().value(self.fixed_term(term)),
        }
    }

    /// The term with the fixed bytes in place of undefined ones, silently.
    pub(in crate::exec) fn fixed_term(&self, term: Term) -> Term {
        let arrays = self.undefined_arrays();
        (arrays.into_iter().flatten()).fold(term, |term, array| self.with_fixed(term, array))
    }

    /// An address without the marks of sums that left their object.
    pub(in crate::exec) fn without_escapes(&self, address: Value) -> Value {
        match (address, self.prepared.escaped) {
            (Value::Term(term), Some(array)) => self.values().value(self.with_fixed(term, array)),
            _ => address,
        }
    }

    fn with_fixed(&self, term: Term, array: ArrayId) -> Term {
        let terms = self.terms();
        if terms.mentions(term, array) {
            terms.fix_array(term, array, &|_| UNINITIALISED)
        } else {
            term
        }
    }

    fn undefined_arrays(&self) -> [Option<ArrayId>; 3] {
        let prepared = self.prepared;
        [prepared.undefined, prepared.escaped, prepared.unset]
    }

    /// A value that decides something now: as `fixed`, after a report if it depends on an undefined
    /// byte. `what` is the report's message.
    pub(in crate::exec) fn defined(&mut self, value: Value, what: &str) -> Value {
        let Value::Term(term) = value else {
            return value;
        };
        let terms = self.terms();
        let arrays = self.undefined_arrays();
        let fixed = self.fixed_term(term);
        if fixed == term {
            return value;
        }
        let top = self.state.frames.top();
        let place = (top.function, top.pc);
        if self.state.forks.enabled && !self.state.record.has_reported(place) {
            let differs = terms.cmp(CmpOp::Ne, term, fixed);
            let answer = self.ask(differs);
            if matches!(answer, Check::Unknown(_)) {
                let _unreported = self.note_unknown();
            }
            if let Check::Sat(mut model) = answer {
                self.state.record.note_reported(place);
                let mut condition = differs;
                for array in arrays.into_iter().flatten() {
                    let value = |index| model.get(Byte { array, index });
                    condition = terms.fix_array(condition, array, &value);
                    model.forget(array);
                }
                self.report_beside(condition, model, (BugKind::Undefined, what, None));
            }
        }
        self.values().value(fixed)
    }

    /// Forks a path that ends as the bug if the condition (1 bit) can hold; true if it can. The
    /// message `undefined` is for a condition that depends on undefined values.
    pub(in crate::exec) fn report_if(
        &mut self,
        broken: Value,
        undefined: &str,
        bug: (BugKind, &str, Option<Explanation>),
    ) -> bool {
        let broken = match self.defined(broken, undefined) {
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
        self.report_beside(broken, model, bug);
        true
    }

    /// Forks a sibling that ends as the bug; `model` satisfies the path and the condition.
    pub(in crate::exec) fn report_beside(
        &mut self,
        condition: Term,
        model: Model,
        (kind, what, explanation): (BugKind, &str, Option<Explanation>),
    ) {
        if self.assumes_against(condition) {
            return;
        }
        let terms = self.terms();
        self.state.metrics.depth += 1;
        let mut sibling = self.state.fork();
        sibling.metrics.covered_new = false;
        if terms.as_const(condition).is_none() {
            put_on_path(terms, &mut sibling, condition, Why::Asked);
        }
        sibling.model = model;
        sibling.decisions.push(Decision::Check { bug: true });
        self.state.decisions.push(Decision::Check { bug: false });
        let mut bug = self.prepared.bug(&sibling, kind, what);
        bug.explanation = explanation.map(Box::new);
        sibling.ending = Some(Box::new(Termination::Bug(Box::new(bug))));
        self.siblings.push(sibling);
    }

    /// An undefined value of `width` bits that counts as 0: always the same one for an instruction.
    pub(in crate::exec) fn undefined_value(&self, width: u32) -> Value {
        let Some(array) = self.prepared.undefined else {
            return Value::Concrete(0);
        };
        let terms = self.terms();
        let top = self.state.frames.top();
        let place = u64::from(top.function.0) << 32 | u64::from(top.pc);
        let start = place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let byte = |index: u32| {
            let index = (start as u32).wrapping_add(index) % BYTES;
            let plain = terms.symbol(Byte { array, index });
            terms.bin(
                BinOp::Xor,
                plain,
                terms.constant(8, u128::from(UNINITIALISED)),
            )
        };
        let whole =
            (1..width.div_ceil(8)).fold(byte(0), |low, index| terms.concat(byte(index), low));
        self.values().value(terms.resize(whole, width))
    }

    /// Checks an instruction `BinPromised` whose result has been computed.
    pub(in crate::exec) fn promised(
        &self,
        (op, promises): (BinOp, u8),
        width: u32,
        operands: (Value, Value),
        result: Value,
    ) -> Value {
        let values = self.values();
        let broken = values.breaks_promise((op, promises), width, operands, result);
        if broken == Value::Concrete(0) || self.prepared.undefined.is_none() {
            return result;
        }
        // Where the promise is broken, each bit may be another; the fixed value is the result all
        // the same.
        let change = self.undefined_value(width);
        let change = values.select(broken, width, change, Value::Concrete(0));
        values.bin(BinOp::Xor, width, result, change)
    }

    /// A register of the current frame that decides something now.
    pub(in crate::exec) fn get_defined(&mut self, slot: Slot, width: u8, what: &str) -> Value {
        let value = self.get(slot, width);
        self.defined(value, what)
    }
}
