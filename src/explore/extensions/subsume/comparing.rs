//! Comparisons of relocatable addresses with a result that does not depend on where the objects
//! lie.
//!
//! Invariant: an accepted comparison is the same function of the subpath's variables for all
//! addresses of the objects, provided that different objects have different addresses.

use super::abstract_address::AbstractAddress;
use super::relocatable::is_far;
use super::relocation::Operand;
use super::subpath::{Equipment, Subpath};

/// Bound on the distance of an address plus an offset from its object, in bytes. No object lies
/// nearer to the ends of the address space.
const LARGEST_DISTANCE: u128 = 1 << 41;

impl Subpath<'_> {
    /// True if both operands are addresses of one object, and both are constants or both are
    /// variables.
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
        // Equality of two known bytes does not depend on where the objects lie.
        let (AbstractAddress::OneOf(one), AbstractAddress::OneOf(other)) = (&a.form, &b.form)
        else {
            return false;
        };
        let mut all = one.iter().chain(other);
        all.all(|number| self.moves(*number) || self.is_never_in_a_block(*number))
    }

    /// True if the equality of an address and another value does not depend on where the objects
    /// lie.
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

    /// True if no relocatable object can have this address in any state.
    fn is_never_in_a_block(&self, number: u64) -> bool {
        is_far(number) || self.state.memory.owner(number).is_some()
    }

    /// True if the offset from an object is so small that no sum wraps around.
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
