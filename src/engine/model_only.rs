//! A prover that knows nothing but a state's model: for programs without symbolic input and for tests.

use super::prover::Prover;
use crate::expr::{ArrayId, Model, Term, Terms};
use crate::report::SolverSummary;
use crate::solver::{Check, Oracle, PathCondition, UnknownReason};
use std::time::{Duration, Instant};

/// Answers from the model and the constraints' one-byte domains only.
#[derive(Debug, Default)]
pub struct ModelOnly;

impl Oracle for ModelOnly {
    fn check(&mut self, terms: &Terms, _: &PathCondition, model: &Model, condition: Term) -> Check {
        if terms.eval(condition, model) == 1 {
            Check::Sat(model.clone())
        } else {
            Check::Unknown(UnknownReason::Incomplete)
        }
    }

    fn min_max(&mut self, terms: &Terms, _: &PathCondition, _: &Model, term: Term) -> (u128, u128) {
        terms.range(term)
    }
}

impl Prover for ModelOnly {
    fn canonical_model(
        &mut self,
        _: &Terms,
        _: &PathCondition,
        _: &[ArrayId],
        model: &Model,
    ) -> Model {
        model.clone()
    }

    fn set_deadline(&mut self, _: Option<Instant>) {}

    fn time(&self) -> Duration {
        Duration::ZERO
    }

    fn summary(&self) -> SolverSummary {
        SolverSummary::default()
    }

    fn trim(&mut self) {}
}
