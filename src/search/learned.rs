//! `param:FILE`: the state with the highest score: the sum of the weights of the features that it
//! has among all states. ParaDySE's version for KLEE.
//!
//! Invariant: a state's numbers are those of its last turn, but that distances count anew when they
//! have been computed anew; its score is by the limits of the tenths that were computed last. These
//! are computed anew after a number of choices that grows with the number of states, so that they
//! cost no more than the batches between them. With fewer than 10 states any is as likely.

use super::{Clock, Metrics, Searcher, StateId, Update};
use crate::features::{Preferences, StateBits, StateNumbers, Tenths, Weights};
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// States for each choice between two computations of the tenths.
const STATES_PER_CHOICE: usize = 200;

/// A state in the order of scores; chance orders equal ones.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Scored {
    score: f64,
    chance: u64,
    id: StateId,
}

impl Eq for Scored {}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        let chance = self.chance.cmp(&other.chance);
        let by_score = self.score.total_cmp(&other.score);
        by_score.then(chance).then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A search by weights.
#[derive(Debug)]
pub(super) struct Learned {
    weights: Weights<StateBits>,
    generator: Pcg64,
    states: Vec<(StateId, StateNumbers)>,
    position: FxHashMap<StateId, usize>,
    tenths: Option<Tenths>,
    order: BTreeSet<Scored>,
    place: FxHashMap<StateId, Scored>,
    /// Choices until the tenths are computed anew.
    left: usize,
}

impl Learned {
    pub(super) fn new(weights: Weights<StateBits>, generator: Pcg64) -> Self {
        Self {
            weights,
            generator,
            states: Vec::new(),
            position: FxHashMap::default(),
            tenths: None,
            order: BTreeSet::new(),
            place: FxHashMap::default(),
            left: 0,
        }
    }

    /// The numbers that features are about, in the order of the table.
    fn numbers(metrics: &Metrics) -> StateNumbers {
        let sizes = &metrics.sizes;
        [
            sizes.instructions as f64,
            metrics.since_new as f64,
            metrics.call_path_count as f64,
            f64::from(metrics.distance),
            sizes.objects as f64,
            f64::from(sizes.symbolic_objects),
            sizes.constant_registers as f64,
            sizes.symbolic_registers as f64,
            metrics.solver_seconds,
            f64::from(metrics.depth),
            f64::from(sizes.constraints),
            f64::from(sizes.loop_depth),
            f64::from(sizes.caller_loop_depth),
        ]
    }

    /// Gives a state its place by the tenths that are known.
    fn score(&mut self, id: StateId, numbers: &StateNumbers) {
        let Some(tenths) = &self.tenths else {
            return;
        };
        let scored = Scored {
            score: self.weights.score(&tenths.bits(numbers)),
            chance: self.generator.random(),
            id,
        };
        if let Some(before) = self.place.insert(id, scored) {
            self.order.remove(&before);
        }
        self.order.insert(scored);
    }

    fn recompute(&mut self) {
        self.tenths = Tenths::of(self.states.iter().map(|(_, numbers)| numbers));
        self.order.clear();
        self.place.clear();
        let states = std::mem::take(&mut self.states);
        for (id, numbers) in &states {
            self.score(*id, numbers);
        }
        self.states = states;
        self.left = self.states.len() / STATES_PER_CHOICE;
    }

    fn add(&mut self, id: StateId, metrics: &Metrics) {
        let numbers = Self::numbers(metrics);
        self.position.insert(id, self.states.len());
        self.states.push((id, numbers));
        self.score(id, &numbers);
    }

    fn change(&mut self, id: StateId, metrics: &Metrics) {
        let numbers = Self::numbers(metrics);
        let index = self.position.get(&id).copied();
        let Some(state) = index.and_then(|index| self.states.get_mut(index)) else {
            return;
        };
        if state.1 != numbers {
            state.1 = numbers;
            self.score(id, &numbers);
        }
    }

    fn remove(&mut self, id: StateId) {
        if let Some(index) = self.position.remove(&id) {
            self.states.swap_remove(index);
            if let Some((moved, _)) = self.states.get(index) {
                self.position.insert(*moved, index);
            }
        }
        if let Some(scored) = self.place.remove(&id) {
            self.order.remove(&scored);
        }
    }
}

impl Searcher for Learned {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        if self.states.is_empty() {
            return None;
        }
        match self.left.checked_sub(1) {
            Some(left) if self.tenths.is_some() => self.left = left,
            _ => self.recompute(),
        }
        if self.states.len() < 10 || self.tenths.is_none() {
            let index = self.generator.random_range(0..self.states.len());
            return Some(self.states[index].0);
        }
        self.order.last().map(|scored| scored.id)
    }

    fn update(&mut self, update: &Update<'_>) {
        if let Some((id, metrics)) = &update.current {
            self.change(*id, metrics);
        }
        for added in update.added {
            self.add(added.id, &added.metrics);
        }
        for id in update.removed {
            self.remove(*id);
        }
    }

    fn reweigh(&mut self, metrics: &mut dyn FnMut(StateId) -> Option<Metrics>) {
        for (id, numbers) in &mut self.states {
            if let Some(metrics) = metrics(*id) {
                *numbers = Self::numbers(&metrics);
            }
        }
        self.left = 0;
    }

    fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    fn describe(&self) -> String {
        format!("param: {}\n", Preferences::of(&self.weights))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sizes;
    use super::super::testing::{add, clock, histogram, remove};
    use super::*;
    use crate::features::STATE;

    /// Weights of these features, by number; the others have none.
    fn searcher(weights: &[(usize, f64)], seed: u64) -> Learned {
        let mut values = vec![0.0; 26];
        for (number, weight) in weights {
            values[number - 1] = *weight;
        }
        let weights = Weights::new(&STATE, values).unwrap();
        Learned::new(weights, super::super::generator(seed, 0))
    }

    fn of_depth(depth: u32) -> Metrics {
        Metrics {
            depth,
            ..Metrics::default()
        }
    }

    #[test]
    fn every_number_is_at_its_place() {
        let numbers = Learned::numbers(&Metrics {
            depth: 10,
            since_new: 2,
            solver_seconds: 9.0,
            distance: 4,
            call_path_count: 3,
            sizes: Sizes {
                instructions: 1,
                objects: 5,
                symbolic_objects: 6,
                constant_registers: 7,
                symbolic_registers: 8,
                constraints: 11,
                loop_depth: 12,
                caller_loop_depth: 13,
            },
            ..Metrics::default()
        });
        let expected: Vec<f64> = (1..=13).map(f64::from).collect();
        assert_eq!(numbers.to_vec(), expected);
    }

    #[test]
    fn the_highest_score_among_all_states_runs() {
        // Depth among the highest tenth is worth 2, among the lowest 1.
        let mut searcher = searcher(&[(20, 2.0), (19, 1.0)], 1);
        for id in 0..20 {
            add(&mut searcher, None, id, of_depth(id + 1));
        }
        // Two of twenty are the highest tenth: depths 19 and 20.
        let counts = histogram(&mut searcher, 20, 2000);
        assert_eq!(counts[..18].iter().sum::<usize>(), 0);
        assert!(counts[18] > 800 && counts[19] > 800, "{counts:?}");
        remove(&mut searcher, 18);
        remove(&mut searcher, 19);
        // Of eighteen, one: depth 18.
        assert_eq!(searcher.select(clock(0)), Some(StateId(17)));
        // It runs and gets a lesser number than all others: now the deepest of them is id 16.
        let update = Update {
            current: Some((StateId(17), of_depth(0))),
            added: &[],
            removed: &[],
            left: None,
            covered: &[],
            taken: &[],
            clock: clock(0),
        };
        searcher.update(&update);
        assert_eq!(searcher.select(clock(0)), Some(StateId(16)));
    }

    #[test]
    fn few_states_run_by_chance() {
        let mut searcher = searcher(&[(20, 5.0)], 1);
        for id in 0..9 {
            add(&mut searcher, None, id, of_depth(id));
        }
        let counts = histogram(&mut searcher, 9, 9000);
        assert!(
            counts.iter().all(|count| count.abs_diff(1000) < 150),
            "{counts:?}"
        );
        add(&mut searcher, None, 9, of_depth(9));
        assert_eq!(histogram(&mut searcher, 10, 10)[9], 10);
        remove(&mut searcher, 9);
        assert!(histogram(&mut searcher, 9, 900)[8] < 200);
        for id in 0..9 {
            remove(&mut searcher, id);
        }
        assert!(searcher.is_empty() && searcher.select(clock(0)).is_none());
    }

    #[test]
    fn equal_seeds_choose_equal_states() {
        let choices = |seed| -> Vec<Option<StateId>> {
            let mut searcher = searcher(&[], seed);
            for id in 0..500 {
                add(&mut searcher, None, id, of_depth(id % 7));
            }
            (0..50).map(|_| searcher.select(clock(0))).collect()
        };
        assert_eq!(choices(3), choices(3));
        assert_ne!(choices(3), choices(4));
    }

    #[test]
    fn new_distances_count_at_once() {
        let mut searcher = searcher(&[(7, 1.0)], 1);
        for id in 0..10 {
            add(&mut searcher, None, id, Metrics::default());
        }
        searcher.reweigh(&mut |id| {
            Some(Metrics {
                distance: 10 - id.0,
                ..Metrics::default()
            })
        });
        assert_eq!(searcher.select(clock(0)), Some(StateId(9)));
    }
}
