//! Abstract addresses: the part of a term's meaning that does not depend on where relocatable
//! objects lie.
//!
//! Invariant: an abstract address other than `Mixed` is valid for every address of each object.
//! Each number of `OneOf` denotes the byte at this address. `Within` denotes an address of its
//! object plus a term without addresses.

use super::constants::{address_and_rest, constants};
use super::subpath::{Equipment, Subpath};
use homi_ir::ops::BinOp;
use homi_solver::term::{Node, Term};
use rustc_hash::FxHashMap;

/// Maximum number of numbers among which one term may choose.
const MOST_NUMBERS: usize = 4096;
/// Depth up to which a term is analyzed; deeper parts are taken as a whole.
const DEEPEST: u32 = 256;

/// Abstract value of a 64-bit term with respect to relocatable addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum AbstractAddress {
    /// The term contains no relocatable address.
    Free,
    /// The term is one of these numbers.
    OneOf(Vec<u64>),
    /// The term is an address of the object with this base plus an offset.
    Within(u64),
    /// The term contains relocatable addresses in an unknown role.
    Mixed,
}

impl Subpath<'_> {
    /// Returns the abstract address of a 64-bit term.
    pub(super) fn form(&self, with: &Equipment<'_, '_>, term: Term) -> AbstractAddress {
        self.abstract_address_of(with, term, &mut FxHashMap::default(), 0)
    }

    fn abstract_address_of(
        &self,
        with: &Equipment<'_, '_>,
        term: Term,
        known: &mut FxHashMap<Term, AbstractAddress>,
        depth: u32,
    ) -> AbstractAddress {
        if let Some(form) = known.get(&term) {
            return form.clone();
        }
        let terms = with.terms;
        let form = match terms.node(term) {
            Node::Const { width: 64, value } => AbstractAddress::OneOf(vec![value as u64]),
            Node::Ite(_, a, b) if depth < DEEPEST => {
                let a = self.abstract_address_of(with, a, known, depth + 1);
                let b = self.abstract_address_of(with, b, known, depth + 1);
                self.either(a, b)
            }
            Node::Table(table, _) => {
                let (elements, width) = terms.table_elements(table);
                let mut numbers = elements.to_vec();
                numbers.sort_unstable();
                numbers.dedup();
                if width == 64 && numbers.len() <= MOST_NUMBERS {
                    AbstractAddress::OneOf(numbers)
                } else {
                    self.whole(with, term)
                }
            }
            Node::Bin(BinOp::Add, a, b) if depth < DEEPEST => {
                let a = self.abstract_address_of(with, a, known, depth + 1);
                let b = self.abstract_address_of(with, b, known, depth + 1);
                self.sum(a, b)
            }
            Node::Bin(BinOp::Sub, a, b) if depth < DEEPEST => {
                let a = self.abstract_address_of(with, a, known, depth + 1);
                let b = self.abstract_address_of(with, b, known, depth + 1);
                if self.is_free(&b) {
                    self.sum(a, AbstractAddress::Free)
                } else {
                    AbstractAddress::Mixed
                }
            }
            Node::Concat(..) => match address_and_rest(terms, term) {
                Some((number, rest)) if self.is_free(&self.whole(with, rest)) => {
                    self.sum(AbstractAddress::OneOf(vec![number]), AbstractAddress::Free)
                }
                _ => self.whole(with, term),
            },
            _ => self.whole(with, term),
        };
        known.insert(term, form.clone());
        form
    }

    /// Returns the abstract address of a term that is not analyzed further.
    fn whole(&self, with: &Equipment<'_, '_>, term: Term) -> AbstractAddress {
        let mut numbers = Vec::new();
        constants(with, term, &mut numbers);
        if numbers.iter().any(|number| self.moves(*number)) {
            AbstractAddress::Mixed
        } else {
            AbstractAddress::Free
        }
    }

    /// True if an abstract address contains no relocatable address.
    pub(super) fn is_free(&self, form: &AbstractAddress) -> bool {
        match form {
            AbstractAddress::Free => true,
            AbstractAddress::OneOf(numbers) => !numbers.iter().any(|number| self.moves(*number)),
            AbstractAddress::Within(_) | AbstractAddress::Mixed => false,
        }
    }

    /// Returns the base of the one object to which all possible values belong; `None` if there are
    /// several or none.
    pub(super) fn one_base(&self, form: &AbstractAddress) -> Option<u64> {
        match form {
            AbstractAddress::Within(base) => Some(*base),
            AbstractAddress::OneOf(numbers) => {
                let mut bases = numbers.iter().map(|number| self.moving_base(*number));
                let first = bases.next()??;
                bases.all(|base| base == Some(first)).then_some(first)
            }
            AbstractAddress::Free | AbstractAddress::Mixed => None,
        }
    }

    fn either(&self, a: AbstractAddress, b: AbstractAddress) -> AbstractAddress {
        match (a, b) {
            (AbstractAddress::OneOf(mut a), AbstractAddress::OneOf(b)) => {
                a.extend(b);
                a.sort_unstable();
                a.dedup();
                if a.len() > MOST_NUMBERS {
                    AbstractAddress::Mixed
                } else {
                    AbstractAddress::OneOf(a)
                }
            }
            (a, b) if self.is_free(&a) && self.is_free(&b) => AbstractAddress::Free,
            (a, b) => match (self.one_base(&a), self.one_base(&b)) {
                (Some(a), Some(b)) if a == b => AbstractAddress::Within(a),
                _ => AbstractAddress::Mixed,
            },
        }
    }

    fn sum(&self, a: AbstractAddress, b: AbstractAddress) -> AbstractAddress {
        let (address, rest) = match (self.is_free(&a), self.is_free(&b)) {
            (true, true) => return AbstractAddress::Free,
            (false, true) => (a, b),
            (true, false) => (b, a),
            (false, false) => return AbstractAddress::Mixed,
        };
        if let (AbstractAddress::OneOf(numbers), AbstractAddress::OneOf(added)) = (&address, &rest)
            && let [added] = added[..]
        {
            let moved = numbers.iter().map(|number| number.wrapping_add(added));
            let stays = |number: &u64| {
                let base = self.moving_base(*number);
                let is_kept = base == self.moving_base(number.wrapping_add(added));
                is_kept && (base.is_some() || !self.moves(*number))
            };
            return if numbers.iter().all(stays) {
                AbstractAddress::OneOf(moved.collect())
            } else {
                AbstractAddress::Mixed
            };
        }
        match self.one_base(&address) {
            Some(base) => AbstractAddress::Within(base),
            None => AbstractAddress::Mixed,
        }
    }
}
