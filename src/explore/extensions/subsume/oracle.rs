//! Oracle of a subpath's re-execution: it knows one assignment, takes every other side for
//! infeasible, and records each query as a condition on which its answers depend.
//!
//! Invariant: every answer that excludes something follows from the conditions recorded so far. So
//! a state that satisfies them takes the same path.

use super::reasons::Reason;
use homi_solver::term::{Model, Term, Terms};
use homi_solver::{Check, Oracle, PathCondition, Wanted};

/// Conditions on which the answers depend, in the order of the queries.
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
        // A range that holds for every assignment needs no condition.
        let (low, high) = terms.range(term);
        (low.max(wanted.within.0), high.min(wanted.within.1))
    }
}
