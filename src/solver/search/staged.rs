//! The search that enters no dead end twice.
//!
//! Idea: when some bytes have values, the constraints see no more of them than the results that
//! operations on the other bytes read. Where these are the same as before, the search fails as it
//! did before. In a scanner, where each byte takes an automaton from one state to the next, the
//! trials are thereby states times values and no longer a power of the values. The bytes have their
//! order from the path: it is that in which the program met them, and automata run.

use super::Found;
use crate::query::{ByteSource, Query};
use crate::term::{BytePlace, ByteSet, StageVectors, StagedProgram, Terms};
use crate::tuning::Tuning;
use rustc_hash::FxHashSet;

/// The search for one query.
pub(super) struct StagedSearch<'a> {
    program: StagedProgram,
    domains: &'a [ByteSet],
    values: Vec<u8>,
    /// Keys of the choices that were tried, by step.
    tried: Vec<FxHashSet<u128>>,
    vectors: Vec<StageVectors>,
    effort: u64,
}

impl<'a> StagedSearch<'a> {
    /// `domains` are the values to try of each byte. Nothing for a query that is too large or
    /// has terms wider than 64 bits.
    pub(super) fn new(
        terms: &Terms,
        query: &Query,
        domains: &'a [ByteSet],
        tuning: &Tuning,
    ) -> Option<Self> {
        let steps = query.bytes.len();
        if steps > tuning.search_staged_bytes {
            return None;
        }
        let place = |byte| match query.place_of(byte) {
            ByteSource::Free(number) => BytePlace::Step(number),
            ByteSource::Fixed(value) => BytePlace::Fixed(value),
        };
        let roots = query.constraints.iter().map(|constraint| constraint.term);
        Some(Self {
            program: StagedProgram::compile(terms, roots, place, steps)?,
            domains,
            values: vec![0; steps],
            tried: vec![FxHashSet::default(); steps],
            vectors: (0..steps).map(|_| StageVectors::default()).collect(),
            effort: 0,
        })
    }

    /// Satisfies the query with at most `effort` operations, from the start. With how many it
    /// took.
    pub(super) fn run(&mut self, effort: u64) -> (Found, u64) {
        if self.program.never_holds() {
            return (Found::Unsat, 0);
        }
        self.effort = effort;
        self.tried.iter_mut().for_each(FxHashSet::clear);
        match self.assign(0) {
            Some(true) => (Found::Sat(self.values.clone()), effort - self.effort),
            Some(false) => (Found::Unsat, effort - self.effort),
            None => (Found::GaveUp, effort),
        }
    }

    /// Assigns the bytes from this step on; `None` if the effort is used up.
    fn assign(&mut self, step: usize) -> Option<bool> {
        let Some(domain) = self.domains.get(step) else {
            return Some(true);
        };
        let values: Vec<u8> = domain.iter().collect();
        let mut computed = std::mem::take(&mut self.vectors[step]);
        let cost = self.program.run(step, &values, &mut computed);
        self.effort = self.effort.checked_sub(cost)?;
        for (lane, &value) in values.iter().enumerate() {
            if !computed.allows(lane) || !self.tried[step].insert(computed.key(lane)) {
                continue;
            }
            self.values[step] = value;
            self.program.choose(step, lane, &computed);
            if self.assign(step + 1)? {
                return Some(true);
            }
        }
        self.vectors[step] = computed;
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Byte, Term};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;
    use std::collections::BTreeSet;

    const STATES: usize = 13;
    const CLASSES: usize = 2;

    /// An automaton as a scanner's tables have it: the class of a byte, the next state of a state
    /// and a class.
    struct Automaton {
        class_of: Vec<u64>,
        next: Vec<u64>,
    }

    impl Automaton {
        fn random(generator: &mut Pcg64) -> Automaton {
            let mut below = |end: usize| generator.random_range(0..end) as u64;
            Automaton {
                class_of: (0..256).map(|_| below(CLASSES)).collect(),
                next: (0..STATES * CLASSES).map(|_| below(STATES)).collect(),
            }
        }

        /// The state after some bytes of an object.
        fn after(&self, terms: &Terms, bytes: &[Term]) -> Term {
            let mut state = terms.constant(16, 0);
            for &byte in bytes {
                let class = terms.zext(terms.table(&self.class_of, 8, byte), 16);
                let row = terms.bin(
                    homi_ir::ops::BinOp::Mul,
                    state,
                    terms.constant(16, CLASSES as u128),
                );
                let index = terms.bin(homi_ir::ops::BinOp::Add, row, class);
                state = terms.table(&self.next, 16, index);
            }
            state
        }

        /// Returns the states after `length` bytes such that at most the last leads to one of
        /// `avoided`.
        fn reachable(&self, length: usize, avoided: &[usize]) -> BTreeSet<usize> {
            let mut states = BTreeSet::from([0]);
            for step in 0..length {
                let from = states
                    .iter()
                    .filter(|state| step == 0 || !avoided.contains(state));
                let steps = from.flat_map(|state| {
                    let classes = self.class_of.iter();
                    classes.map(move |&class| self.next[state * CLASSES + class as usize] as usize)
                });
                states = steps.collect();
            }
            states
        }
    }

    #[test]
    fn runs_of_an_automaton_take_states_times_classes() {
        let mut generator = Pcg64::seed_from_u64(5);
        let mut answers = [0, 0];
        for _ in 0..6 {
            let automaton = Automaton::random(&mut generator);
            let terms = Terms::new();
            let array = terms.array("in", 0, 12);
            let bytes: Vec<Term> = (0..12)
                .map(|index| terms.symbol(Byte { array, index }))
                .collect();
            for wanted in 0..STATES {
                let avoided: Vec<usize> = (1..6).map(|more| (wanted + more) % STATES).collect();
                let mut constraints = Vec::new();
                for length in 1..bytes.len() {
                    let state = automaton.after(&terms, &bytes[..length]);
                    for &state_avoided in &avoided {
                        let there = terms.eq_const(state, state_avoided as u128);
                        constraints.push(terms.not(there));
                    }
                }
                let last = automaton.after(&terms, &bytes);
                constraints.push(terms.eq_const(last, wanted as u128));
                let query = Query::of_constraints(&terms, &constraints);
                let expected = automaton.reachable(bytes.len(), &avoided).contains(&wanted);
                let mut search =
                    StagedSearch::new(&terms, &query, &query.domains, &Tuning::default()).unwrap();
                match search.run(10_000_000).0 {
                    Found::Sat(values) => assert!(expected && query.holds(&terms, &values)),
                    Found::Unsat => assert!(!expected),
                    Found::GaveUp => panic!("12 bytes of {STATES} states took too much"),
                }
                answers[usize::from(expected)] += 1;
            }
        }
        assert!(answers.iter().all(|&count| count > 5), "{answers:?}");
    }
}
