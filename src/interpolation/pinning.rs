//! Numbers and addresses of the first time stay what they were, which becomes a condition.
//!
//! Invariant: a register that is pinned holds the number, and the condition that it does is among
//! those that the stretch has said or is about to say.

use super::prepare::constants;
use super::reasons::Reason;
use super::stretch::{Equipment, Stretch};
use crate::expr::{Node, Term};
use crate::memory::{AllocationSite, Value, function_at};
use crate::ops::BinOp;
use crate::program::Slot;

impl Stretch<'_> {
    /// The term over inputs that a term over places was the first time.
    pub(super) fn actual(&mut self, with: &Equipment<'_, '_>, term: Term) -> Term {
        let start = (self.start, &self.start_frames);
        with.terms.substitute(term, &mut self.actual, &mut |byte| {
            let value = with.places.value(with.terms, start, byte);
            value.unwrap_or_else(|| with.terms.symbol(byte))
        })
    }

    /// The value of a register of the innermost frame.
    pub(super) fn register(&self, slot: Slot) -> Value {
        let frame = self.state.frames.top();
        match frame.term(slot.index()) {
            Some(term) => Value::Term(term),
            None => Value::Concrete(frame.bits[slot.index()].into()),
        }
    }

    fn put_number(&mut self, slot: Slot, number: u64) {
        let frame = self.state.frames.top_mut();
        frame.clear_term(slot.index());
        frame.bits[slot.index()] = number;
    }

    /// A register that held a number holds it again, which becomes a condition. The number, unless
    /// the register was symbolic.
    pub(super) fn pin(&mut self, with: &Equipment<'_, '_>, slot: Slot) -> Option<u64> {
        let term = match self.register(slot) {
            Value::Concrete(number) => return Some(number as u64),
            Value::Term(term) => term,
        };
        if with.terms.width(term) > 64 {
            return None;
        }
        let actual = self.actual(with, term);
        let Some(number) = with.terms.as_const(actual) else {
            return self.choose_address(with, slot, term);
        };
        let number = number as u64;
        self.require(with, term, number);
        self.put_number(slot, number);
        Some(number)
    }

    /// A register that held one of several addresses, of which the path took one: that becomes a
    /// condition. Nothing where the addresses are known in the term itself, or are those of locals,
    /// which other paths have elsewhere.
    fn choose_address(&mut self, with: &Equipment<'_, '_>, slot: Slot, term: Term) -> Option<u64> {
        let number = with.terms.eval(term, &self.state.model) as u64;
        let mut known = Vec::new();
        constants(with, term, &mut known);
        let is_known = known
            .into_iter()
            .any(|number| self.is_address(with, number));
        if is_known || with.terms.width(term) != 64 || self.moves(number) {
            return None;
        }
        if !self.is_address(with, number) {
            return None;
        }
        let condition = with.terms.eq_const(term, u128::from(number));
        self.holds(Reason::Address, condition);
        self.put_number(slot, number);
        Some(number)
    }

    /// A condition of what the step under way does.
    pub(super) fn holds(&mut self, reason: Reason, condition: Term) {
        if reason.counts() {
            self.pending.push(condition);
        }
    }

    /// A term of 64 bits is an address.
    pub(super) fn leads_to(&mut self, reason: Reason, term: Term, number: u64) {
        if reason.counts() {
            self.said.pointers.push((term, number));
        }
    }

    /// A term is this number from now on.
    pub(super) fn require(&mut self, with: &Equipment<'_, '_>, term: Term, number: u64) {
        let mut known = Vec::new();
        constants(with, term, &mut known);
        if known.iter().any(|known| self.moves(*known)) {
            self.require_distance(with, term, number);
        } else if with.terms.width(term) == 64 && self.is_address(with, number) {
            self.leads_to(Reason::Address, term, number);
        } else {
            let condition = with.terms.eq_const(term, u128::from(number));
            self.holds(Reason::Number, condition);
        }
    }

    /// The same for a sum with an address that other paths have elsewhere: what is added to it is
    /// what it was.
    fn require_distance(&mut self, with: &Equipment<'_, '_>, term: Term, number: u64) {
        let Node::Bin(BinOp::Add, a, b) = with.terms.node(term) else {
            self.refused = true;
            return;
        };
        let (address, rest) = match (with.terms.as_const(a), with.terms.as_const(b)) {
            (Some(address), _) => (address as u64, b),
            (None, Some(address)) => (address as u64, a),
            (None, None) => {
                self.refused = true;
                return;
            }
        };
        let mut others = Vec::new();
        constants(with, rest, &mut others);
        if others.iter().any(|other| self.moves(*other)) {
            self.refused = true;
            return;
        }
        let distance = u128::from(number.wrapping_sub(address));
        let condition = with.terms.eq_const(rest, distance);
        self.holds(Reason::Distance, condition);
    }

    /// A register that held an address holds it again.
    pub(super) fn pin_address(&mut self, with: &Equipment<'_, '_>, slot: Slot) {
        let Value::Term(term) = self.register(slot) else {
            return;
        };
        let actual = self.actual(with, term);
        let number = with.terms.as_const(actual).map(|number| number as u64);
        if number.is_none() {
            self.choose_address(with, slot, term);
        }
        if let Some(number) = number
            && self.is_address(with, number)
        {
            self.require(with, term, number);
            self.put_number(slot, number);
        }
    }

    /// Whether a number leads to an object or a function.
    pub(super) fn is_address(&self, with: &Equipment<'_, '_>, number: u64) -> bool {
        let functions = with.executor.program().functions.len();
        function_at(number).is_some_and(|function| function.index() < functions)
            || self.state.memory.owner(number).is_some()
            || self.start.memory.owner(number).is_some()
    }

    /// Whether a number is an address that other paths may have elsewhere: of a local, or of a
    /// block that was made on the stretch.
    pub(super) fn moves(&self, number: u64) -> bool {
        let Some(object) = self.state.memory.owner(number) else {
            return false;
        };
        match object.site {
            AllocationSite::FrameObject { .. } => true,
            AllocationSite::Global(_) => false,
            _ => self.start_object(object.base).is_none(),
        }
    }
}
