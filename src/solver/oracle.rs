//! Queries about a path, independent of the solver that answers.

use super::path::PathCondition;
use crate::term::{Model, Term, Terms};
use std::time::Duration;

/// Reason why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownReason {
    #[error("the solver ran out of time")]
    Timeout,
    #[error("the solver ran out of memory")]
    Memory,
    #[error("the solver gave up")]
    Incomplete,
    #[error("the solver failed: {0}")]
    BackendFailure(String),
}

/// The answer to a feasibility query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// A model of the whole path and the condition.
    Sat(Model),
    Unsat,
    Unknown(UnknownReason),
}

/// Effort of an oracle so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    pub queries: u64,
    pub time: Duration,
    /// Cost of the answers in nanoseconds, counted instead of timed: the same in every run.
    pub work: u64,
}

/// Bounds of a term that are useful to the caller.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Inclusive bounds that are known already.
    pub within: (u128, u128),
    /// True if the bounds of a term over one byte follow from all constraints, or from those on
    /// that byte alone.
    pub exact_over_one_byte: bool,
    /// Bounds this far apart are not narrowed by queries.
    pub narrow_enough: u128,
}

impl Wanted {
    /// The least and the greatest value.
    pub const EXACT: Wanted = Wanted {
        within: (0, u128::MAX),
        exact_over_one_byte: true,
        narrow_enough: 0,
    };

    /// Bounds that are known without queries.
    pub const UNCHECKED: Wanted = Wanted {
        narrow_enough: u128::MAX,
        ..Wanted::EXACT
    };
}

/// Answers queries about a path. `model` always satisfies `path`.
pub trait Oracle {
    /// Checks whether `path` and `condition` (1 bit) hold together for some assignment. A model in
    /// the answer is `model` with changes to the bytes of the query.
    fn check(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        condition: Term,
    ) -> Check;

    /// Checks the same at little cost; `None` means that a query is necessary. The result depends
    /// on the query alone, not on earlier ones.
    fn check_cheaply(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        condition: Term,
    ) -> Option<Check> {
        Some(self.check(terms, path, model, condition))
    }

    /// Sound unsigned bounds of `term` on the path: least and greatest value where the limits allow
    /// to find them and as far as they are wanted.
    fn min_max(
        &mut self,
        terms: &Terms,
        path: &PathCondition,
        model: &Model,
        term: Term,
        wanted: Wanted,
    ) -> (u128, u128);

    /// Returns the effort so far, for callers that measure the cost of single instructions.
    fn effort(&self) -> Effort {
        Effort::default()
    }
}

/// An oracle for runs without symbolic input, which ask nothing. Should one ask all the same, it
/// gets "do not know" and the widest bounds, and `effort` tells.
#[derive(Default)]
pub struct NoOracle {
    asked: u64,
}

impl Oracle for NoOracle {
    fn check(&mut self, _: &Terms, _: &PathCondition, _: &Model, _: Term) -> Check {
        self.asked += 1;
        Check::Unknown(UnknownReason::Incomplete)
    }

    fn min_max(
        &mut self,
        _: &Terms,
        _: &PathCondition,
        _: &Model,
        _: Term,
        wanted: Wanted,
    ) -> (u128, u128) {
        self.asked += 1;
        wanted.within
    }

    fn effort(&self) -> Effort {
        Effort {
            queries: self.asked,
            ..Effort::default()
        }
    }
}
