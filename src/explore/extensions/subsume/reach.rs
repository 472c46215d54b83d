//! Check of accesses at symbolic addresses: the executor must consider the same objects wherever
//! they lie.
//!
//! Invariant: an address is relocatable only if the executor need not consider objects outside of
//! the address's term.

use super::abstract_address::AbstractAddress;
use super::subpath::{Equipment, Failure, Subpath};
use homi_ir::ops::BinOp;
use homi_solver::term::{Node, Term};

/// Smallest factor with which an index may lead from one object to another.
const FAR_FACTOR: u128 = 8192;

impl Subpath<'_> {
    /// Checks an imminent access at a symbolic address: it must reach the same objects wherever
    /// they lie, or the addresses are fixed.
    pub(super) fn check_address(
        &mut self,
        with: &Equipment<'_, '_>,
        term: Term,
    ) -> Result<(), Failure> {
        let form = self.form(with, term);
        let actual = self.actual(with, term);
        let hidden = self.moving_numbers(with, actual);
        let is_relocatable = match &form {
            AbstractAddress::Free => hidden.is_empty(),
            AbstractAddress::OneOf(_) => true,
            AbstractAddress::Within(base) => self.is_in_one_object(with, term, *base),
            AbstractAddress::Mixed => false,
        };
        if is_relocatable {
            return Ok(());
        }
        let mut numbers = self.moving_numbers(with, term);
        numbers.extend(hidden);
        self.fix_all(&numbers, "access at a symbolic address")
    }

    /// True if the executor searches only its object for an address of the object plus an offset.
    fn is_in_one_object(&self, with: &Equipment<'_, '_>, term: Term, base: u64) -> bool {
        let (low, high) = with.terms.range(term);
        let owned = |at: u128| self.moving_base(at as u64) == Some(base);
        let is_kept = high < 1 << 64 && owned(low) && owned(high) && low <= high;
        is_kept || (owned(low) && !leads_far(with, term))
    }
}

/// True if an index in a term may be so large, or so scrambled, that it reaches other objects.
fn leads_far(with: &Equipment<'_, '_>, root: Term) -> bool {
    let terms = with.terms;
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        if !seen.insert(term) || terms.range(term).1 < FAR_FACTOR / 2 {
            continue;
        }
        match terms.node(term) {
            Node::Bin(BinOp::Add | BinOp::Sub, ..) => {}
            Node::Bin(BinOp::Mul, a, b) => {
                let factor = terms.as_const(a).or(terms.as_const(b));
                if factor.is_none_or(|factor| factor >= FAR_FACTOR) {
                    return true;
                }
            }
            Node::Bin(BinOp::Shl, _, shift) => {
                let shift = terms.as_const(shift);
                if shift.is_none_or(|shift| shift >= u128::from(FAR_FACTOR.ilog2())) {
                    return true;
                }
            }
            Node::Bin(..) | Node::Not(_) => return true,
            _ => {}
        }
        terms
            .node(term)
            .for_each_operand(|operand| work.push(operand));
    }
    false
}
