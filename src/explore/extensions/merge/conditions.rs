//! Common and separate constraints of two paths since they opened a merge.
//!
//! Invariant: the common part and one of the two rests together are the condition of each path.

use super::apart::Apart;
use homi_solver::PathCondition;
use homi_solver::term::{Term, Terms};

/// Conditions of two paths since an opening.
pub(super) struct Conditions {
    /// Constraints of both paths, in order.
    common: Vec<Term>,
    /// Other constraints of each path, as a term of 1 bit.
    first: Term,
    second: Term,
    /// True if the first path has at most as many other constraints as the second.
    first_is_shorter: bool,
    /// True if a constraint of one path is the negation of a constraint of the other.
    opposed: bool,
}

impl Conditions {
    /// Returns the conditions that two paths have added since an opening; `Apart::Merges` if a path
    /// does not extend the opening's path.
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

    /// Returns a condition of 1 bit that holds for the inputs of the first path and for no input of
    /// the second. It is arbitrary for inputs of neither path.
    pub(super) fn chooses_first(&self, terms: &Terms) -> Term {
        if self.first_is_shorter {
            self.first
        } else {
            terms.not(self.second)
        }
    }

    /// Returns the condition that must be infeasible for the paths to have no common input; `None`
    /// if it is known to be infeasible.
    pub(super) fn overlap(&self, terms: &Terms) -> Option<Term> {
        let both = terms.and(self.first, self.second);
        (!self.opposed && terms.as_const(both) != Some(0)).then_some(both)
    }

    /// Returns the path condition that the inputs of both paths satisfy.
    pub(super) fn common_path(&self, terms: &Terms, opening: &PathCondition) -> PathCondition {
        let mut path = opening.clone();
        for term in &self.common {
            path.add(terms, *term);
        }
        path
    }

    /// Returns the condition that an input belongs to one of the two paths.
    pub(super) fn either(&self, terms: &Terms) -> Term {
        terms.or(self.first, self.second)
    }
}
