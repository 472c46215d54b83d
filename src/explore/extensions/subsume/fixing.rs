//! Pinning of numbers and addresses to their values in the first execution, recorded as conditions.
//!
//! Invariant: a pinned register holds the number. The condition for this is recorded by the subpath
//! or pending in it.

use super::abstract_address::AbstractAddress;
use super::constants::constants;
use super::reasons::Reason;
use super::relocatable::{is_far, owner_or_freed};
use super::subpath::{Equipment, Subpath};
use homi_ir::program::Slot;
use homi_machine::memory::{Value, function_at};
use homi_solver::term::Term;

impl Subpath<'_> {
    /// Returns the value that a term over storage locations had in the first execution, as a term
    /// over inputs.
    pub(super) fn actual(&mut self, with: &Equipment<'_, '_>, term: Term) -> Term {
        let start = (self.start, &self.start_frames);
        with.terms.substitute(term, &mut self.actual, &mut |byte| {
            let value = with.locs.value(with.terms, start, byte);
            value.unwrap_or_else(|| with.terms.symbol(byte))
        })
    }

    /// Returns the value of a register of the innermost frame.
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

    /// Pins a register that held a number, with a condition. Returns the number; `None` if the
    /// register was symbolic.
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

    /// Pins a register that held one of several addresses to the address that the path took, with a
    /// condition. `None` if the term itself contains the addresses, or they belong to locals, which
    /// lie elsewhere on other paths.
    fn choose_address(&mut self, with: &Equipment<'_, '_>, slot: Slot, term: Term) -> Option<u64> {
        let number = with.terms.eval(term, &self.state.model) as u64;
        let mut known = Vec::new();
        constants(with, term, &mut known);
        let is_known = known
            .into_iter()
            .any(|number| self.is_address(with, number));
        let is_fit = !is_known && with.terms.width(term) == 64 && self.is_address(with, number);
        if !is_fit || !self.fix(number) {
            return None;
        }
        let condition = with.terms.eq_const(term, u128::from(number));
        self.holds(Reason::Address, condition);
        self.put_number(slot, number);
        Some(number)
    }

    /// Pins a register that may hold any address, as far as its term restricts it, to the address
    /// that the path took: the target of any other address depends on all objects.
    pub(super) fn pin_wild(&mut self, with: &Equipment<'_, '_>, slot: Slot) -> Option<u64> {
        let Value::Term(term) = self.register(slot) else {
            return None;
        };
        let mut known = Vec::new();
        constants(with, term, &mut known);
        let is_known = known.iter().any(|number| self.is_address(with, *number));
        let number = with.terms.eval(term, &self.state.model) as u64;
        let actual = self.actual(with, term);
        let hidden = self.moving_numbers(with, actual);
        // A comparison of one of several addresses with null does not depend on where they lie.
        let is_determined =
            is_far(number) && matches!(self.form(with, actual), AbstractAddress::OneOf(_));
        if is_known || (!is_determined && self.fix_all(&hidden, "unconstrained address").is_err()) {
            return None;
        }
        let condition = with.terms.eq_const(term, u128::from(number));
        self.holds(Reason::Number, condition);
        self.put_number(slot, number);
        Some(number)
    }

    /// Adds a condition of the current step.
    pub(super) fn holds(&mut self, reason: Reason, condition: Term) {
        if reason.counts() {
            self.pending.push(condition);
        }
    }

    /// Records that a 64-bit term is an address.
    pub(super) fn leads_to(&mut self, reason: Reason, term: Term, number: u64) {
        if reason.counts() {
            self.facts.pointers.push((term, number));
        }
    }

    /// Records that a term has this value from now on.
    pub(super) fn require(&mut self, with: &Equipment<'_, '_>, term: Term, number: u64) {
        let mut known = Vec::new();
        constants(with, term, &mut known);
        if known.iter().any(|known| self.moves(*known)) {
            self.require_choice(with, term, number);
        } else if with.terms.width(term) == 64 && self.is_address(with, number) {
            self.leads_to(Reason::Address, term, number);
        } else {
            let condition = with.terms.eq_const(term, u128::from(number));
            self.holds(Reason::Number, condition);
        }
    }

    /// Records the value of a term with relocatable addresses: the address among several, or the
    /// offset from one. Otherwise fixes the addresses.
    fn require_choice(&mut self, with: &Equipment<'_, '_>, term: Term, number: u64) {
        if self.is_fixed_by(with, term, number) {
            let condition = with.terms.eq_const(term, u128::from(number));
            return self.holds(Reason::Distance, condition);
        }
        let mut numbers = self.moving_numbers(with, term);
        numbers.push(number);
        match self.fix_all(&numbers, "sum") {
            Ok(()) => self.require(with, term, number),
            Err(_) => self.refused = true,
        }
    }

    /// True if a term with relocatable addresses equals a number on all paths under the same
    /// condition.
    pub(super) fn is_fixed_by(&self, with: &Equipment<'_, '_>, term: Term, number: u64) -> bool {
        match self.form(with, term) {
            AbstractAddress::OneOf(_) => true,
            AbstractAddress::Within(base) => self.moving_base(number) == Some(base),
            AbstractAddress::Free | AbstractAddress::Mixed => false,
        }
    }

    /// Pins a register that held an address.
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

    /// True if a number is the address of an object or a function.
    pub(super) fn is_address(&self, with: &Equipment<'_, '_>, number: u64) -> bool {
        let functions = with.executor.program().functions.len();
        function_at(number).is_some_and(|function| function.index() < functions)
            || owner_or_freed(&self.state.memory, number).is_some()
            || owner_or_freed(&self.start.memory, number).is_some()
    }
}
