//! Numbers of core conditions, and the map from terms to these numbers.
//!
//! Invariant: a feature's number never changes within a campaign. Term ids die in sweeps, features
//! do not: what is remembered by term id is forgotten when the pool's generation changes.

use super::language::Condition;
use super::normalise::normalise;
use homi_ir::util::dense_id;
use homi_solver::term::{Term, Terms};
use indexmap::IndexSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

dense_id!(
    /// A core branch condition of a campaign.
    FeatureId, "f"
);

/// Knowledge about a term: none, not a core condition, or its number.
const UNKNOWN: u32 = 0;
const NONE: u32 = 1;
const FIRST: u32 = 2;

/// All core conditions seen so far, and a cache of the terms that are one.
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

    /// Takes up what another recogniser has numbered beyond the conditions of this one, which are
    /// its first ones.
    pub fn catch_up(&mut self, other: &Recogniser) {
        let news = other.conditions.iter().skip(self.conditions.len());
        self.conditions.extend(news.cloned());
    }

    /// Numbers the conditions beyond the first `known`, which `all` has as well, in `all` too.
    /// Conditions whose number differs in `all` are forgotten here; `catch_up` restores them.
    pub fn number_in(&mut self, known: usize, all: &mut Recogniser) -> Renumbering {
        let own = self.conditions.iter().skip(known);
        let numbers: Vec<FeatureId> = own.map(|condition| all.intern(condition.clone())).collect();
        let is_same = |(index, number): (usize, &FeatureId)| number.index() == known + index;
        let changes = !numbers.iter().enumerate().all(is_same);
        if changes {
            self.conditions.truncate(known);
            self.by_term.clear();
        }
        Renumbering {
            known,
            numbers,
            changes,
        }
    }

    /// Core conditions seen so far.
    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }
}

/// The numbers that conditions of one recogniser have in another.
#[derive(Debug)]
pub struct Renumbering {
    /// Number of features that both share.
    known: usize,
    /// Features of the others.
    numbers: Vec<FeatureId>,
    changes: bool,
}

impl Renumbering {
    /// Gives sets of features, ascending, the other recogniser's numbers.
    pub fn renumber<'s>(&self, sets: impl Iterator<Item = &'s mut Arc<[FeatureId]>>) {
        if !self.changes {
            return;
        }
        for set in sets {
            let number = |feature: &FeatureId| match feature.index().checked_sub(self.known) {
                Some(index) => self.numbers[index],
                None => *feature,
            };
            let mut numbers: Vec<FeatureId> = set.iter().map(number).collect();
            numbers.sort_unstable();
            *set = numbers.into();
        }
    }
}

/// The recogniser of a campaign, shared by the collector of tests and the pruner, which number
/// conditions in it.
#[derive(Clone, Debug, Default)]
pub struct SharedRecogniser(Arc<Mutex<Recogniser>>);

impl SharedRecogniser {
    /// Locks the recognizer. The holder must not lock it again.
    pub fn lock(&self) -> MutexGuard<'_, Recogniser> {
        // A condition is added by one insertion: nothing is half done if a thread panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::{Data, RunRecord, TestRecord, generate_features};
    use super::*;
    use homi_ir::ops::CmpOp;
    use homi_solver::term::Byte;

    #[test]
    fn recognisers_of_two_threads_come_to_the_same_numbers() {
        use super::super::language::{Connective, Equation, LValue};
        let condition = |value| {
            let lvalue = LValue {
                object: "a".into(),
                occurrence: 0,
                byte: Some(0),
            };
            Condition::new(Connective::And, vec![Equation { lvalue, value }]).unwrap()
        };
        let (mut all, mut one, mut other) = <(Recogniser, Recogniser, Recogniser)>::default();
        all.intern(condition(0));
        one.catch_up(&all);
        other.catch_up(&all);
        let mut of_one: Arc<[FeatureId]> = [one.intern(condition(1))].into();
        let both = [other.intern(condition(2)), other.intern(condition(1))];
        let mut of_other: Arc<[FeatureId]> = [FeatureId(0), both[0], both[1]].into();
        one.number_in(1, &mut all)
            .renumber(std::iter::once(&mut of_one));
        other
            .number_in(1, &mut all)
            .renumber(std::iter::once(&mut of_other));
        assert_eq!(
            (&*of_one, &*of_other),
            (&[FeatureId(1)][..], &[0, 1, 2].map(FeatureId)[..])
        );
        other.catch_up(&all);
        assert_eq!(other.condition(FeatureId(2)), &condition(2));
        assert_eq!((one.len(), other.len()), (2, 3));
    }

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
