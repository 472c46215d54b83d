//! What the conditions of two paths have in common since they opened a merge, and what each has
//! for itself.
//!
//! Invariant: the common part and one of the two rests are the condition of each path.

use super::apart::Apart;
use crate::solver::PathCondition;
use crate::solver::term::{Term, Terms};

/// The conditions of two paths since an opening.
pub(super) struct Conditions {
    /// Constraints of both, in order.
    common: Vec<Term>,
    /// The other constraints of each, as one term of 1 bit.
    first: Term,
    second: Term,
    /// Which of the two is said in fewer constraints.
    first_is_shorter: bool,
    /// A constraint of one is the negation of a constraint of the other.
    opposed: bool,
}

impl Conditions {
    /// What two paths have added to that of an opening.
    pub(super) fn since(
        terms: &Terms,
        opening: &PathCondition,
        first: &PathCondition,
        second: &PathCondition,
    ) -> Result<Self, Apart> {
        let own = first.since(opening).ok_or(Apart::Merges)?;
        let theirs = second.since(opening).ok_or(Apart::Merges)?;
        let common: Vec<Term> = own
            .iter()
            .copied()
            .filter(|term| theirs.contains(term))
            .collect();
        let rest = |all: Vec<Term>| -> Vec<Term> {
            all.into_iter()
                .filter(|term| !common.contains(term))
                .collect()
        };
        let (own, theirs) = (rest(own), rest(theirs));
        let all = |rest: &[Term]| {
            rest.iter()
                .fold(terms.bool(true), |all, term| terms.and(all, *term))
        };
        Ok(Self {
            first: all(&own),
            second: all(&theirs),
            first_is_shorter: own.len() <= theirs.len(),
            opposed: own.iter().any(|term| theirs.contains(&terms.not(*term))),
            common,
        })
    }

    /// A condition of 1 bit that holds for the inputs of the first path and for none of the second,
    /// as far as an input belongs to one of them.
    pub(super) fn chooses_first(&self, terms: &Terms) -> Term {
        if self.first_is_shorter {
            self.first
        } else {
            terms.not(self.second)
        }
    }

    /// What has to be impossible so that no input belongs to both paths; nothing if it is known to
    /// be.
    pub(super) fn overlap(&self, terms: &Terms) -> Option<Term> {
        let both = terms.and(self.first, self.second);
        (!self.opposed && terms.as_const(both) != Some(0)).then_some(both)
    }

    /// What every input of one of the two paths satisfies.
    pub(super) fn common_path(&self, terms: &Terms, opening: &PathCondition) -> PathCondition {
        let mut path = opening.clone();
        for term in &self.common {
            path.add(terms, *term);
        }
        path
    }

    /// That an input belongs to one of the two.
    pub(super) fn either(&self, terms: &Terms) -> Term {
        terms.or(self.first, self.second)
    }
}
