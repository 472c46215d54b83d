//! PRUNE within the loop of Algorithm 1: when it is due, what it draws, which states it names.
//!
//! Invariant: theta and r are drawn anew at each event, by the run's policy, from a generator of the
//! run's own; with an interval in instructions nothing here depends on time.

use crate::config::Span;
use crate::expr::Terms;
use crate::learn::{DiscreteSpace, Policy, Probabilities, Recogniser, draw_index, sample_weights};
use crate::prune::{Candidate, FeatureSets, SetId, lowest, random};
use crate::search::{Clock, StateId};
use crate::solver::Folds;
use crate::state::State;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::BTreeMap;
use std::time::Duration;

/// What decides.
#[derive(Clone, PartialEq, Debug)]
pub enum PruneStrategy {
    /// RandomPrune: any states, the ratio uniform.
    Random,
    /// The states with the lowest score under weights drawn by the policy.
    Learned {
        probabilities: Probabilities,
        policy: Policy,
        /// |U| of reverse exploitation.
        draws: u32,
    },
}

/// The pruning of one run.
#[derive(Debug)]
pub struct Pruning {
    strategy: PruneStrategy,
    ratios: DiscreteSpace,
    interval: Span,
    /// |S| may grow by so many between two events; 0 is no limit.
    growth: usize,
    next_time: Duration,
    next_instructions: u64,
    /// |S| at which an event is due even within the interval.
    next_states: usize,
    generator: Pcg64,
}

/// What happened at one prune event.
#[derive(Clone, PartialEq, Debug)]
pub struct PruneEvent {
    pub time: Duration,
    /// Instructions of the run before the event.
    pub instructions: u64,
    /// theta; empty for RandomPrune.
    pub weights: Vec<f64>,
    /// Number of r in S_ratio, and r.
    pub ratio_index: usize,
    pub ratio: f64,
    /// |S|.
    pub before: usize,
    pub after: usize,
    /// Time to score and choose, and to take the chosen out with their tests.
    pub choosing: Duration,
    pub removing: Duration,
}

impl Pruning {
    /// Every `interval` from the start of the run, which begins at `start` on its clock, and sooner if |S| grows by
    /// `growth`.
    pub fn new(
        strategy: PruneStrategy,
        ratios: DiscreteSpace,
        (interval, growth): (Span, usize),
        start: u64,
        generator: Pcg64,
    ) -> Self {
        let (time, instructions) = match interval {
            Span::Time(time) => (time, 0),
            Span::Instructions(count) => (Duration::ZERO, count),
        };
        Self {
            strategy,
            ratios,
            interval,
            growth,
            next_time: time,
            next_instructions: start + instructions,
            next_states: growth,
            generator,
        }
    }

    /// Whether an event is due with so many states; the next is then due at the next multiple of the interval.
    pub(super) fn is_due(&mut self, clock: Clock, states: usize) -> bool {
        let grown = self.growth > 0 && states >= self.next_states;
        if grown {
            // Where nothing leaves, nothing is looked at again until it has grown further.
            self.next_states = states + self.growth;
        }
        self.interval_is_over(clock) || grown
    }

    fn interval_is_over(&mut self, clock: Clock) -> bool {
        match self.interval {
            Span::Time(interval) => {
                if clock.time < self.next_time {
                    return false;
                }
                // Events missed during a long turn are not made up for.
                while self.next_time <= clock.time {
                    self.next_time += interval.max(Duration::from_millis(1));
                }
            }
            Span::Instructions(interval) => {
                if clock.instructions < self.next_instructions {
                    return false;
                }
                while self.next_instructions <= clock.instructions {
                    self.next_instructions += interval.max(1);
                }
            }
        }
        true
    }

    /// Draws theta and r and names the states that leave, `spared` ones apart; nothing if there is no feature.
    pub(super) fn choose(
        &mut self,
        states: &BTreeMap<StateId, Box<State>>,
        spared: &dyn Fn(StateId) -> bool,
        terms: &Terms,
        recogniser: &mut Recogniser,
        clock: Clock,
    ) -> Option<(PruneEvent, Vec<StateId>)> {
        let generator = &mut self.generator;
        let (weights, ratio_index, chosen) = match &self.strategy {
            PruneStrategy::Random => {
                let ratio = generator.random_range(0..self.ratios.len());
                let ids = states.keys().copied().filter(|id| !spared(*id)).collect();
                let chosen = random(ids, self.ratios.value(ratio), generator);
                (Vec::new(), ratio, chosen)
            }
            PruneStrategy::Learned {
                probabilities,
                policy,
                draws,
            } => {
                if probabilities.features.is_empty() {
                    return None;
                }
                let weights = sample_weights(*policy, &probabilities.weights, *draws, generator);
                let ratio = match policy {
                    Policy::Exploit | Policy::Reverse => {
                        draw_index(&probabilities.ratio, generator)
                    }
                    Policy::Explore | Policy::Initial => {
                        generator.random_range(0..self.ratios.len())
                    }
                };
                let (sets, candidates) =
                    feature_sets(states, spared, terms, recogniser, &probabilities.features);
                let share = self.ratios.value(ratio);
                let chosen = lowest(candidates, &sets, &weights, share, generator);
                (weights, ratio, chosen)
            }
        };
        let after = states.len() - chosen.len();
        self.next_states = after + self.growth;
        let event = PruneEvent {
            time: clock.time,
            instructions: clock.instructions,
            weights,
            ratio_index,
            ratio: self.ratios.value(ratio_index),
            before: states.len(),
            after,
            choosing: Duration::ZERO,
            removing: Duration::ZERO,
        };
        Some((event, chosen))
    }
}

/// feat(s) of every state that may leave; `features` is F, ascending, and numbers in the sets are positions in it.
fn feature_sets(
    states: &BTreeMap<StateId, Box<State>>,
    spared: &dyn Fn(StateId) -> bool,
    terms: &Terms,
    recogniser: &mut Recogniser,
    features: &[crate::learn::FeatureId],
) -> (FeatureSets, Vec<Candidate>) {
    let mut sets = FeatureSets::new();
    let mut folds: Folds<'_, SetId> = Folds::default();
    let candidates = states
        .iter()
        .filter(|(id, _)| !spared(**id))
        .map(|(id, state)| {
            let set = state
                .path
                .fold(&mut folds, FeatureSets::EMPTY, |set, term| {
                    let position = recogniser
                        .feature(terms, term)
                        .and_then(|feature| features.binary_search(&feature).ok());
                    match position {
                        Some(position) => sets.with(set, position as u32),
                        None => set,
                    }
                });
            Candidate { state: *id, set }
        })
        .collect();
    (sets, candidates)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pruning(interval: Span) -> Pruning {
        let ratios = DiscreteSpace {
            greatest: 0.6,
            intervals: 3,
        };
        let generator = Pcg64::new(1, 1);
        Pruning::new(
            PruneStrategy::Random,
            ratios,
            (interval, 0),
            1000,
            generator,
        )
    }

    fn clock(seconds: u64, instructions: u64) -> Clock {
        Clock {
            instructions,
            work: instructions,
            time: Duration::from_secs(seconds),
        }
    }

    #[test]
    fn events_come_at_multiples_and_missed_ones_are_skipped() {
        let mut timed = pruning(Span::Time(Duration::from_secs(30)));
        let due: Vec<bool> = [0, 29, 30, 31, 95, 96, 119, 120]
            .into_iter()
            .map(|second| timed.is_due(clock(second, 0), 9))
            .collect();
        let expected = [false, false, true, false, true, false, false, true];
        assert_eq!(due, expected);
        let mut counted = pruning(Span::Instructions(100));
        assert!(!counted.is_due(clock(99, 1099), 9));
        assert!(counted.is_due(clock(0, 1100), 9));
        assert!(!counted.is_due(clock(0, 1101), 9));
    }

    #[test]
    fn events_come_sooner_if_the_states_grow() {
        let mut pruning = pruning(Span::Instructions(100));
        pruning.growth = 10;
        pruning.next_states = 10;
        let start = clock(0, 1000);
        assert!(!pruning.is_due(start, 9));
        assert!(pruning.is_due(start, 10));
        assert!(!pruning.is_due(start, 19), "nothing left: no second look");
        assert!(pruning.is_due(start, 20));
        assert!(pruning.is_due(clock(0, 1100), 20), "the interval is over");
    }

    #[test]
    fn without_features_nothing_is_pruned() {
        let mut pruning = pruning(Span::Instructions(1));
        pruning.strategy = PruneStrategy::Learned {
            probabilities: Probabilities {
                features: Vec::new(),
                weights: Vec::new(),
                ratio: vec![1.0],
                budget: vec![1.0],
            },
            policy: Policy::Exploit,
            draws: 100,
        };
        let states = BTreeMap::new();
        let chosen = pruning.choose(
            &states,
            &|_| false,
            &Terms::new(),
            &mut Recogniser::default(),
            clock(0, 0),
        );
        assert_eq!(chosen, None);
    }
}
