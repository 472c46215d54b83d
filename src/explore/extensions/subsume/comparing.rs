//! Comparisons of addresses that move: which of them come out the same wherever the objects are.
//!
//! Invariant: what is called fine is the same function of the variables of the subpath for all
//! addresses that the objects may have, if different objects have different ones.

use super::abstract_address::AbstractAddress;
use super::relocatable::is_far;
use super::relocation::Operand;
use super::subpath::{Equipment, Subpath};

/// An address and what is added to it differ by less than this, in bytes, where both are taken for
/// such: no object lies nearer to the ends of the address space.
const LARGEST_DISTANCE: u128 = 1 << 41;

impl Subpath<'_> {
    /// Whether both are of the same object, and both numbers or both variables.
    pub(super) fn is_one_object(&self, a: &Operand, b: &Operand) -> bool {
        let one = |a: &AbstractAddress, b: &AbstractAddress| {
            let base = self.one_base(a);
            base.is_some() && base == self.one_base(b)
        };
        one(&a.form, &b.form) || one(&a.hidden, &b.hidden)
    }

    pub(super) fn is_relocatable_equality(
        &self,
        with: &Equipment<'_, '_>,
        a: &Operand,
        b: &Operand,
    ) -> bool {
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => return true,
            (false, true) => return self.is_relocatable_beside(with, a, b),
            (true, false) => return self.is_relocatable_beside(with, b, a),
            (false, false) => {}
        }
        if self.is_one_object(a, b) {
            return true;
        }
        // Two bytes that are one, or two, are so everywhere.
        let (AbstractAddress::OneOf(one), AbstractAddress::OneOf(other)) = (&a.form, &b.form)
        else {
            return false;
        };
        let mut all = one.iter().chain(other);
        all.all(|number| self.moves(*number) || self.is_never_in_a_block(*number))
    }

    /// Whether a comparison for equality of an address with something else is the same everywhere.
    fn is_relocatable_beside(
        &self,
        with: &Equipment<'_, '_>,
        address: &Operand,
        other: &Operand,
    ) -> bool {
        let AbstractAddress::OneOf(others) = &other.form else {
            return false;
        };
        if !others
            .iter()
            .all(|number| self.is_never_in_a_block(*number))
        {
            return false;
        }
        let is_relocatable = |numbers: &[u64]| {
            let mut stay = numbers.iter().filter(|number| !self.moves(**number));
            stay.all(|number| self.is_never_in_a_block(*number))
        };
        match (&address.form, &address.hidden) {
            (AbstractAddress::OneOf(numbers), hidden) if self.is_free(hidden) => {
                is_relocatable(numbers)
            }
            (_, AbstractAddress::OneOf(_)) => others.iter().all(|number| is_far(*number)),
            (AbstractAddress::Within(base), _) => {
                let is_far = others.iter().all(|number| is_far(*number));
                is_far && self.is_near(with, address, *base)
            }
            _ => false,
        }
    }

    /// Whether no object that moves can have a number as its address in any state.
    fn is_never_in_a_block(&self, number: u64) -> bool {
        is_far(number) || self.state.memory.owner(number).is_some()
    }

    /// Whether what is added to an address of an object is so little that no sum wraps around.
    fn is_near(&self, with: &Equipment<'_, '_>, operand: &Operand, base: u64) -> bool {
        let (Some(term), AbstractAddress::Within(_)) = (operand.term, &operand.form) else {
            return matches!(operand.form, AbstractAddress::OneOf(_));
        };
        let (low, high) = with.terms.range(term);
        let base = u128::from(base);
        low <= base + LARGEST_DISTANCE
            && high + LARGEST_DISTANCE >= base
            && high.abs_diff(low) <= LARGEST_DISTANCE
    }

    pub(super) fn is_relocatable_order(
        &self,
        with: &Equipment<'_, '_>,
        a: &Operand,
        b: &Operand,
    ) -> bool {
        match (self.is_plain(a), self.is_plain(b)) {
            (true, true) => return true,
            (false, false) => {}
            (false, true) | (true, false) => {
                let (address, other) = if self.is_plain(a) { (b, a) } else { (a, b) };
                let AbstractAddress::OneOf(others) = &other.form else {
                    return false;
                };
                let are_far = others.iter().all(|number| is_far(*number));
                let moves_all = |form: &AbstractAddress| match form {
                    AbstractAddress::OneOf(numbers) => {
                        numbers.iter().all(|n| self.moves(*n) || is_far(*n))
                    }
                    _ => false,
                };
                let base = self.one_base(&address.form);
                let is_near = base.is_some_and(|base| self.is_near(with, address, base));
                return are_far && (moves_all(&address.form) || is_near);
            }
        }
        let numbers = |form: &AbstractAddress| matches!(form, AbstractAddress::OneOf(_));
        if !self.is_one_object(a, b) {
            return false;
        }
        match self.one_base(&a.form) {
            Some(base) => self.is_near(with, a, base) && self.is_near(with, b, base),
            None => numbers(&a.hidden) && numbers(&b.hidden),
        }
    }
}

#[cfg(test)]
#[path = "comparing_tests.rs"]
mod tests;
