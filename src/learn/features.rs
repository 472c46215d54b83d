//! Numbers for core conditions, and which number a term stands for.
//!
//! Invariant: a feature's number never changes within a campaign. Term ids die in sweeps, features
//! do not: what is remembered by term id is forgotten when the pool's generation changes.

use super::language::Condition;
use super::normalise::normalise;
use crate::expr::{Term, Terms};
use crate::util::dense_id;
use indexmap::IndexSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

dense_id!(
    /// A core branch condition of a campaign.
    FeatureId, "f"
);

/// What is known about a term: nothing, that it is no core condition, or which.
const UNKNOWN: u32 = 0;
const NONE: u32 = 1;
const FIRST: u32 = 2;

/// All core conditions seen so far, and a memory of which terms are one.
#[derive(Debug, Default)]
pub struct Recogniser {
    conditions: IndexSet<Condition>,
    /// The feature of each term, by the term's index.
    by_term: Vec<u32>,
    generation: u64,
}

impl Recogniser {
    /// The feature that a 1-bit term is.
    pub fn feature(&mut self, terms: &Terms, term: Term) -> Option<FeatureId> {
        if self.generation != terms.generation() {
            self.by_term.clear();
            self.generation = terms.generation();
        }
        let index = term.index();
        if index >= self.by_term.len() {
            self.by_term
                .resize((index + 1).next_power_of_two(), UNKNOWN);
        }
        match self.by_term[index] {
            UNKNOWN => {
                let found = normalise(terms, term).map(|condition| self.intern(condition));
                self.by_term[index] = found.map_or(NONE, |feature| feature.0 + FIRST);
                found
            }
            NONE => None,
            number => Some(FeatureId(number - FIRST)),
        }
    }

    /// The number of a condition.
    pub fn intern(&mut self, condition: Condition) -> FeatureId {
        FeatureId::new(self.conditions.insert_full(condition).0)
    }

    /// The condition with that number.
    pub fn condition(&self, feature: FeatureId) -> &Condition {
        &self.conditions[feature.index()]
    }

    /// Core conditions seen so far.
    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }
}

/// The recogniser of a campaign, for all that number conditions in it: who collects tests and who
/// prunes.
#[derive(Clone, Debug, Default)]
pub struct SharedRecogniser(Arc<Mutex<Recogniser>>);

impl SharedRecogniser {
    /// The recogniser. Whoever holds it must not ask for it again.
    pub fn lock(&self) -> MutexGuard<'_, Recogniser> {
        // A condition is added by one insertion: nothing is half done if a thread panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::{Data, RunRecord, TestRecord, generate_features};
    use super::*;
    use crate::expr::Byte;
    use crate::ops::CmpOp;

    /// The paper's PC = {(alpha = 3) and (alpha > 1), (alpha[2] != 3) and (alpha[2] = 8)} gives F =
    /// {(alpha = 3), (alpha[2] = 8)}.
    #[test]
    fn the_papers_path_conditions_give_its_features() {
        let terms = Terms::new();
        let array = terms.array("alpha", 0, 4);
        let byte = |index| terms.symbol(Byte { array, index });
        let rest = terms.concat(byte(3), terms.concat(byte(2), byte(1)));
        let alpha = terms.concat(rest, byte(0));
        let paths = [
            vec![
                terms.eq_const(alpha, 3),
                terms.cmp(CmpOp::Sgt, alpha, terms.constant(32, 1)),
            ],
            vec![
                terms.not(terms.eq_const(byte(2), 3)),
                terms.eq_const(byte(2), 8),
            ],
        ];
        let mut recogniser = Recogniser::default();
        let tests = paths.iter().map(|path| TestRecord {
            run: 0,
            event: None,
            features: path
                .iter()
                .filter_map(|condition| recogniser.feature(&terms, *condition))
                .collect(),
            sides: Default::default(),
        });
        let data = Data {
            tests: tests.collect(),
            runs: vec![RunRecord::default()],
        };
        let features = generate_features(&data, &[0, 1]);
        let shown = features
            .iter()
            .map(|feature| recogniser.condition(*feature).to_string());
        assert_eq!(shown.collect::<Vec<_>>(), ["alpha == 3", "alpha[2] == 8"]);
    }

    #[test]
    fn a_feature_outlives_the_terms_it_was_seen_in() {
        let terms = Terms::new();
        let mut recogniser = Recogniser::default();
        let make = |value: u128| {
            let array = terms.array("a", 0, 4);
            terms.eq_const(terms.symbol(Byte { array, index: 1 }), value)
        };
        let first = make(7);
        let feature = recogniser.feature(&terms, first).unwrap();
        assert_eq!(recogniser.feature(&terms, first), Some(feature));
        assert_eq!(recogniser.feature(&terms, terms.not(first)), None);
        terms.begin_mark();
        terms.sweep();
        // Ids are used again for other terms after a sweep.
        let other = recogniser.feature(&terms, make(8)).unwrap();
        assert_ne!(other, feature);
        assert_eq!(recogniser.feature(&terms, make(7)), Some(feature));
        assert_eq!(recogniser.condition(feature).to_string(), "a[1] == 7");
        assert_eq!(recogniser.len(), 2);
    }
}
