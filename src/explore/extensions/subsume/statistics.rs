//! What is counted of subsumption, for people and for measurements.

use super::subpath::Failure;
use crate::report::SubsumptionSummary;
use crate::solver::term::Term;

/// Why an entry does not subsume a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// Another rounding mode, jump target or the like.
    Modes,
    /// An object is missing, or not as it was.
    Objects,
    /// A term is not the address that it was.
    Pointers(Term),
    /// A value is a number where it was symbolic, or the other way round.
    Symbolic,
    /// A place is no term of the form that it was.
    Pattern(Term),
    /// A clause is false for the numbers in the state.
    Numbers(Term),
    /// A clause is false for the state's model.
    Model(Term),
    /// The solver found an input for which a clause is false.
    Solver(Term),
    /// The solver gave up.
    Unknown,
}

impl Refusal {
    /// The layer that said no.
    fn layer(self) -> &'static str {
        match self {
            Refusal::Modes => "modes",
            Refusal::Objects => "objects",
            Refusal::Pointers(_) => "pointers",
            Refusal::Symbolic => "symbolic",
            Refusal::Pattern(_) => "pattern",
            Refusal::Numbers(_) => "numbers",
            Refusal::Model(_) => "model",
            Refusal::Solver(_) => "solver",
            Refusal::Unknown => "unknown",
        }
    }

    /// The condition that does not hold.
    pub(super) fn clause(self) -> Option<Term> {
        match self {
            Refusal::Pointers(term)
            | Refusal::Pattern(term)
            | Refusal::Numbers(term)
            | Refusal::Model(term)
            | Refusal::Solver(term) => Some(term),
            Refusal::Modes | Refusal::Objects | Refusal::Symbolic | Refusal::Unknown => None,
        }
    }
}

impl Failure {
    /// What is told of it.
    pub(super) fn text(&self) -> String {
        match self {
            Failure::Diverged(what) => format!("another way than before: {what}"),
            Failure::Unsupported(what) => format!("not understood: {what}"),
            Failure::Addresses(what) => format!("addresses as numbers: {what}"),
            Failure::Object => "an object of symbolic size, or a large one".to_string(),
            Failure::Input => "a condition on inputs".to_string(),
            Failure::Size => "too many conditions".to_string(),
        }
    }
}

/// Counts a refusal.
pub(super) fn refuse(statistics: &mut SubsumptionSummary, refusal: Refusal) {
    let layer = refusal.layer();
    match statistics.refused.get_mut(layer) {
        Some(count) => *count += 1,
        None => {
            statistics.refused.insert(layer.to_string(), 1);
        }
    }
}

/// Counts a node that got no interpolant.
pub(super) fn fail(statistics: &mut SubsumptionSummary, failure: &Failure, loc: &str) {
    let text = match loc {
        "" => failure.text(),
        loc => format!("{}, at {loc}", failure.text()),
    };
    *statistics.failures.entry(text).or_default() += 1;
}
