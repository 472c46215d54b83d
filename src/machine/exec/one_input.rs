//! A path of one input, on which every value has a number: the tail of a test, a fuzzing run.
//!
//! Idea: a value read from memory is replaced by its value under the state's model, in memory too,
//! and so are the registers when a symbolic path is restricted to its model. The code after it is
//! concrete and runs fast; no term is built, no query asked, no constraint added. Invariant: with
//! undefined values tracked nothing is replaced, since a number does not say whether it was ever
//! written.

use super::context::Context;
use super::executor::Executor;
use super::step::access::AccessTarget;
use super::step::registers;
use crate::memory::Value;
use crate::state::{Frame, State};
use homi_ir::program::Slot;
use homi_solver::PathCondition;

impl Executor<'_> {
    /// Restricts the state's path to its model's bytes. Its constraints are dropped; the state can
    /// continue, but makes no further test.
    pub fn follow_model_only(&self, state: &mut State) {
        if self.tracks_undefined() {
            return;
        }
        state.input.is_given = true;
        state.path = PathCondition::default();
        let State { frames, model, .. } = state;
        frames.for_each_mut(|frame: &mut Frame| {
            for slot in 0..frame.terms.len() {
                if let Some(term) = frame.term(slot) {
                    let value = Value::Concrete(self.terms.eval(term, model));
                    let width = self.terms.width(term);
                    registers::write(frame, Slot(slot as u32), width, value);
                }
            }
        });
    }
}

impl Context<'_, '_> {
    /// Returns a read value as a number if the path executes one input.
    pub(super) fn of_one_input(&mut self, value: Value, place: &AccessTarget, bytes: u32) -> Value {
        let term = match value {
            Value::Term(term) if self.state.input.is_given && !self.prepared.tracks_undefined() => {
                term
            }
            other => return other,
        };
        let terms = self.terms();
        let number = Value::Concrete(terms.eval(term, &self.state.model));
        if let AccessTarget::At(address) = *place {
            // For the next read. Read-only memory stays unchanged.
            let _ = self.state.memory.write(terms, address, bytes, number);
        }
        number
    }
}
