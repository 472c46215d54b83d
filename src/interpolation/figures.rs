//! What is counted of subsumption, for people and for measurements.

use super::stretch::Failure;
use crate::expr::Term;
use std::collections::BTreeMap;

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

/// Counts of a run under `--subsume`.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Figures {
    /// States for which an entry was asked, and entries that were asked.
    pub states_tested: u64,
    pub tests_tried: u64,
    /// States that were subsumed.
    pub subsumed: u64,
    /// Ended paths below their subsumers, where a subsumed one counts those of its own subsumer.
    pub leaves_spared: u64,
    /// Subsumed states that were followed all the same, and those of them that showed something
    /// new, which none may.
    pub checked: u64,
    pub contradicted: u64,
    /// Entries made, those that are kept, and those that had to go.
    pub entries: u64,
    pub entries_kept: u64,
    pub entries_dropped: u64,
    /// Nodes that became full, and that stayed half for good.
    pub full_nodes: u64,
    pub half_nodes: u64,
    /// Nodes of which no more was kept because of their number.
    pub nodes_dropped: u64,
    /// Instructions of stretches that were followed once more.
    pub retraced_instructions: u64,
    /// Stretches for which there is no interpolant, by why.
    pub failures: BTreeMap<String, u64>,
    /// Tests that failed, by the layer that said no.
    pub refused: BTreeMap<&'static str, u64>,
    /// Places of the conditions that made tests fail, as people know them.
    pub places: BTreeMap<String, u64>,
    /// Siblings that were explored at once to make a node full, and those that did.
    pub greedy_tried: u64,
    pub greedy_succeeded: u64,
    /// Instructions and time, in seconds, that exploring them took.
    pub greedy_instructions: u64,
    pub greedy_seconds: f64,
    /// Time of tests and of annotating, in seconds.
    pub test_seconds: f64,
    pub annotate_seconds: f64,
}

impl Figures {
    pub(super) fn refuse(&mut self, refusal: Refusal) {
        *self.refused.entry(refusal.layer()).or_default() += 1;
    }

    pub(super) fn fail(&mut self, failure: &Failure, place: &str) {
        let text = match place {
            "" => failure.text(),
            place => format!("{}, at {place}", failure.text()),
        };
        *self.failures.entry(text).or_default() += 1;
    }
}
