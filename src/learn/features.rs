//! Numbers for core conditions, and which number a term stands for.
//!
//! Invariant: a feature's number never changes within a campaign. Term ids die in sweeps, features do
//! not: what is remembered by term id is forgotten when the pool's generation changes.

use super::language::Condition;
use super::normalise::normalise;
use crate::expr::{Term, Terms};
use crate::util::dense_id;
use indexmap::IndexSet;

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
    /// By term index.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Byte;

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
