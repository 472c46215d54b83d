//! Statistics of subsumption.

use super::subpath::Failure;
use homi_report::SubsumptionSummary;
use homi_solver::term::Term;

/// Reason why an entry does not subsume a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// A mode differs, such as the rounding mode or a jump target.
    Modes,
    /// An object is missing or differs.
    Objects,
    /// A term is not the recorded address.
    Pointers(Term),
    /// A value is concrete where it was symbolic, or symbolic where it was concrete.
    Symbolic,
    /// The value of a storage location does not match the recorded term.
    Pattern(Term),
    /// A clause is false for the concrete values of the state.
    Numbers(Term),
    /// A clause is false for the state's model.
    Model(Term),
    /// The solver found an input for which a clause is false.
    Solver(Term),
    /// The solver timed out.
    Unknown,
}

impl Refusal {
    /// Returns the name of the test that failed.
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

    /// Returns the condition that does not hold.
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
    /// Returns the text of the failure in the statistics.
    pub(super) fn text(&self) -> String {
        match self {
            Failure::Diverged(what) => format!("diverged from the path: {what}"),
            Failure::Unsupported(what) => format!("unsupported operation: {what}"),
            Failure::Addresses(what) => format!("address used as a number: {what}"),
            Failure::Object => "object of symbolic size, or too large".to_string(),
            Failure::Input => "condition on inputs instead of storage locations".to_string(),
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

/// Counts a node without an interpolant.
pub(super) fn fail(statistics: &mut SubsumptionSummary, failure: &Failure, loc: &str) {
    let text = match loc {
        "" => failure.text(),
        loc => format!("{}, at {loc}", failure.text()),
    };
    *statistics.failures.entry(text).or_default() += 1;
}
