//! Loops that never end: the state at a loop head repeats on one path (property `termination`).
//!
//! Idea: if memory and live registers at a loop head have the values of an earlier visit for some
//! input of the path, the program with this input can go round for ever: what it reads in a round,
//! it may read in every round. The terms of the earlier visit mention earlier inputs alone, so
//! equality for an input is equality of two states of one execution.
//!
//! Invariant: a path with a mark, with other threads, or with a signal that waits is not looked at:
//! what homi decides in place of the environment may differ in the next round.

use super::super::context::Context;
use super::super::step::registers::read;
use crate::memory::{ByteValue, Value};
use crate::outcome::BugKind;
use crate::state::LoopVisit;
use homi_ir::ops::CmpOp;
use homi_ir::program::flow::live_before;
use homi_solver::Check;
use homi_solver::term::{Model, Term, Terms};

/// Bytes of memory that may differ as terms.
const MOST_BYTES: usize = 64;
/// Queries of one path.
const MOST_QUERIES: u32 = 64;

impl Context<'_, '_> {
    /// Compares a visit of a loop head with an earlier one. A sibling ends as the bug if they may
    /// be equal.
    pub(in crate::exec) fn check_repetition(&mut self) {
        let threads = &self.state.threads;
        let is_alone = !threads.has_others() && threads.tick.is_none();
        if self.state.loops.is_found {
            return;
        }
        if !is_alone || !self.state.underapproximations.is_empty() {
            self.state.loops.clear();
            return;
        }
        if let Some(rounds) = self.state.loops.visit(self.state.frames.top())
            && let Some((condition, model)) = self.repetition()
        {
            self.state.loops.is_found = true;
            self.report_repetition(rounds, condition, model);
        } else if self.state.loops.is_to_keep(self.state.frames.top()) {
            let visit = LoopVisit {
                frame: self.state.frames.top().clone(),
                memory: self.state.memory.clone(),
                instructions: self.state.metrics.instructions,
            };
            self.state.loops.keep(visit);
        }
    }

    fn report_repetition(&mut self, rounds: u64, condition: Term, model: Model) {
        let before = self.state.loops.kept().map(|visit| visit.instructions);
        let instructions = self.state.metrics.instructions - before.unwrap_or_default();
        let rounds = match rounds {
            1 => "1 round".to_string(),
            many => format!("{many} rounds"),
        };
        let what = format!(
            "the program does not end: its state at this loop repeats after {rounds} \
             ({instructions} instructions)"
        );
        self.report_beside(condition, model, (BugKind::Endless, &what, None));
    }

    /// Returns the condition (1 bit) under which the state equals the kept visit, and an input
    /// of the path for which it holds.
    fn repetition(&mut self) -> Option<(Term, Model)> {
        let condition = self.equality_with(self.state.loops.kept()?)?;
        let terms = self.terms();
        // A value that was never set may be another one each time.
        if self.fixed_term(condition) != condition {
            return None;
        }
        if self.example(condition) != 0 {
            return Some((condition, self.state.model.clone()));
        }
        let is_open = terms.as_const(condition).is_none() && self.state.forks.enabled;
        if !is_open || self.state.loops.queries >= MOST_QUERIES {
            return None;
        }
        self.state.loops.queries += 1;
        match self.ask(condition) {
            Check::Sat(model) => Some((condition, model)),
            Check::Unsat | Check::Unknown(_) => None,
        }
    }

    /// Returns the condition under which the state equals an earlier visit; `None` if it never
    /// is.
    fn equality_with(&self, earlier: &LoopVisit) -> Option<Term> {
        let (frame, terms) = (self.state.frames.top(), self.terms());
        if frame.variadic != earlier.frame.variadic {
            return None;
        }
        let mut all = terms.bool(true);
        for (slot, width) in live_before(self.function(), frame.pc)? {
            let (own, theirs) = (read(frame, slot, width), read(&earlier.frame, slot, width));
            all = terms.and(all, equality(terms, width, own, theirs)?);
        }
        for byte in self.state.memory.repeats(&earlier.memory, MOST_BYTES)? {
            let equal = equality(terms, 8, value(byte.now), value(byte.before))?;
            all = terms.and(all, equal);
        }
        Some(all)
    }
}

/// Returns the condition (1 bit) that two values of `width` bits are equal; `None` if it never
/// holds.
fn equality(terms: &Terms, width: u32, own: Value, theirs: Value) -> Option<Term> {
    let term = |value| match value {
        Value::Concrete(number) => terms.constant(width, number),
        Value::Term(term) => term,
    };
    let equal = terms.cmp(CmpOp::Eq, term(own), term(theirs));
    (terms.as_const(equal) != Some(0)).then_some(equal)
}

fn value(byte: ByteValue) -> Value {
    match byte {
        ByteValue::Concrete(byte) => Value::Concrete(byte.into()),
        ByteValue::Term(term) => Value::Term(term),
    }
}
