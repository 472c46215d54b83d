//! The oracle of a subpath that is followed once more: it knows one assignment, takes every other
//! side for impossible, and records each query as a condition of what it said.
//!
//! Invariant: every answer that leaves something out is a consequence of the conditions recorded so
//! far. So a state that satisfies them goes the same way.

use super::reasons::Reason;
use crate::solver::term::{Model, Term, Terms};
use crate::solver::{Check, Oracle, PathCondition, Wanted};

/// Conditions on which the answers rest, in the order of the queries.
#[derive(Debug, Default)]
pub(super) struct RecordingOracle {
    pub(super) recorded: Vec<Term>,
}

impl Oracle for RecordingOracle {
    fn check(&mut self, terms: &Terms, _: &PathCondition, model: &Model, condition: Term) -> Check {
        if terms.eval(condition, model) != 0 {
            return Check::Sat(model.clone());
        }
        if Reason::Query.counts() {
            self.recorded.push(terms.not(condition));
        }
        Check::Unsat
    }

    fn min_max(
        &mut self,
        terms: &Terms,
        _: &PathCondition,
        _: &Model,
        term: Term,
        wanted: Wanted,
    ) -> (u128, u128) {
        // What holds for every assignment needs no condition.
        let (low, high) = terms.range(term);
        (low.max(wanted.within.0), high.min(wanted.within.1))
    }
}
