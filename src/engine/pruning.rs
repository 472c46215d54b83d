//! PRUNE within the loop of Algorithm 1: when it is due, what it draws, which states it names.
//!
//! Invariant: theta and r are drawn anew at each event, by the run's policy, from a generator of
//! the run's own; with an interval in instructions nothing here depends on time.

use crate::config::Span;
use crate::exec::Segments;
use crate::expr::Terms;
use crate::learn::{DiscreteSpace, Policy, Probabilities, Recogniser, draw_index, sample_weights};
use crate::prune::{Candidate, FeatureSets, SetId, leave_some, lowest_first, share, shuffled};
use crate::search::{Clock, StateId};
use crate::solver::Folds;
use crate::state::{CallPathId, State};
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

/// When an event comes, how much leaves, and what is kept from it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PruneRules {
    /// S_ratio.
    pub ratios: DiscreteSpace,
    /// eta_t, from the start of the run.
    pub interval: Span,
    /// |S| may grow by so many between two events; 0 is no limit.
    pub growth: usize,
    /// So many states of each place, with the same calls above them, stay as long as others can
    /// leave.
    pub kept: usize,
}

/// The pruning of one run.
#[derive(Debug)]
pub struct Pruning {
    strategy: PruneStrategy,
    rules: PruneRules,
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

/// S at a prune event, and what is looked at in it.
pub(super) struct Open<'a> {
    pub(super) states: &'a BTreeMap<StateId, Box<State>>,
    pub(super) segments: &'a Segments,
    pub(super) terms: &'a Terms,
    /// Whether a state may not leave.
    pub(super) spared: &'a dyn Fn(StateId) -> bool,
}

impl Open<'_> {
    /// Those that may leave.
    fn states(&self) -> impl Iterator<Item = (StateId, &State)> {
        let states = self.states.iter().map(|(id, state)| (*id, &**state));
        states.filter(|(id, _)| !(self.spared)(*id))
    }

    /// Where a state stands: its segment, and the calls that led there.
    fn place(&self, id: StateId) -> Option<(CallPathId, u32)> {
        let top = self.states.get(&id)?.frames.top();
        Some((top.call_path, self.segments.segment(top.function, top.pc)))
    }

    /// feat(s) of every state that may leave; `features` is F, ascending, and numbers in the sets
    /// are positions in it.
    fn feature_sets(
        &self,
        recogniser: &mut Recogniser,
        features: &[crate::learn::FeatureId],
    ) -> (FeatureSets, Vec<Candidate>) {
        let mut sets = FeatureSets::new();
        let mut folds: Folds<'_, SetId> = Folds::default();
        let candidates = self
            .states()
            .map(|(id, state)| {
                let set = state
                    .path
                    .fold(&mut folds, FeatureSets::EMPTY, |set, term| {
                        let position = recogniser
                            .feature(self.terms, term)
                            .and_then(|feature| features.binary_search(&feature).ok());
                        match position {
                            Some(position) => sets.with(set, position as u32),
                            None => set,
                        }
                    });
                Candidate { state: id, set }
            })
            .collect();
        (sets, candidates)
    }
}

impl Pruning {
    /// For a run that begins at `start` instructions on its clock.
    pub fn new(strategy: PruneStrategy, rules: PruneRules, start: u64, generator: Pcg64) -> Self {
        let (time, instructions) = match rules.interval {
            Span::Time(time) => (time, 0),
            Span::Instructions(count) => (Duration::ZERO, count),
        };
        Self {
            strategy,
            rules,
            next_time: time,
            next_instructions: start + instructions,
            next_states: rules.growth,
            generator,
        }
    }

    /// Whether an event is due with so many states; the next is then due at the next multiple of
    /// the interval.
    pub(super) fn is_due(&mut self, clock: Clock, states: usize) -> bool {
        let growth = self.rules.growth;
        let grown = growth > 0 && states >= self.next_states;
        if grown {
            // Where nothing leaves, nothing is looked at again until it has grown further.
            self.next_states = states + growth;
        }
        self.interval_is_over(clock) || grown
    }

    fn interval_is_over(&mut self, clock: Clock) -> bool {
        match self.rules.interval {
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

    /// Draws theta and r and names the states that leave; nothing if there is no feature.
    pub(super) fn choose(
        &mut self,
        open: &Open<'_>,
        recogniser: &mut Recogniser,
        clock: Clock,
    ) -> Option<(PruneEvent, Vec<StateId>)> {
        let generator = &mut self.generator;
        let ratios = self.rules.ratios;
        let (weights, ratio_index, order) = match &self.strategy {
            PruneStrategy::Random => {
                let ratio = generator.random_range(0..ratios.len());
                let ids = open.states().map(|(id, _)| id).collect();
                (Vec::new(), ratio, shuffled(ids, generator))
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
                    Policy::Explore | Policy::Initial => generator.random_range(0..ratios.len()),
                };
                let (sets, candidates) = open.feature_sets(recogniser, &probabilities.features);
                let order = lowest_first(candidates, &sets, &weights, generator);
                (weights, ratio, order)
            }
        };
        let ratio = ratios.value(ratio_index);
        let count = share(order.len(), ratio);
        let chosen = leave_some(order, count, self.rules.kept, |id| open.place(id));
        let before = open.states.len();
        let after = before - chosen.len();
        self.next_states = after + self.rules.growth;
        let event = PruneEvent {
            time: clock.time,
            instructions: clock.instructions,
            weights,
            ratio_index,
            ratio,
            before,
            after,
            choosing: Duration::ZERO,
            removing: Duration::ZERO,
        };
        Some((event, chosen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::testing::{function, program, ret};

    fn pruning(interval: Span, growth: usize) -> Pruning {
        let ratios = DiscreteSpace {
            greatest: 0.6,
            intervals: 3,
        };
        let rules = PruneRules {
            ratios,
            interval,
            growth,
            kept: 0,
        };
        Pruning::new(PruneStrategy::Random, rules, 1000, Pcg64::new(1, 1))
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
        let mut timed = pruning(Span::Time(Duration::from_secs(30)), 0);
        let due: Vec<bool> = [0, 29, 30, 31, 95, 96, 119, 120]
            .into_iter()
            .map(|second| timed.is_due(clock(second, 0), 9))
            .collect();
        let expected = [false, false, true, false, true, false, false, true];
        assert_eq!(due, expected);
        let mut counted = pruning(Span::Instructions(100), 0);
        assert!(!counted.is_due(clock(99, 1099), 9));
        assert!(counted.is_due(clock(0, 1100), 9));
        assert!(!counted.is_due(clock(0, 1101), 9));
    }

    #[test]
    fn events_come_sooner_if_the_states_grow() {
        let mut pruning = pruning(Span::Instructions(100), 10);
        let start = clock(0, 1000);
        assert!(!pruning.is_due(start, 9));
        assert!(pruning.is_due(start, 10));
        assert!(!pruning.is_due(start, 19), "nothing left: no second look");
        assert!(pruning.is_due(start, 20));
        assert!(pruning.is_due(clock(0, 1100), 20), "the interval is over");
    }

    #[test]
    fn without_features_nothing_is_pruned() {
        let mut pruning = pruning(Span::Instructions(1), 0);
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
        let open = Open {
            states: &BTreeMap::new(),
            segments: &Segments::new(&program(vec![function("main", vec![vec![ret()]])])),
            terms: &Terms::new(),
            spared: &|_| false,
        };
        let chosen = pruning.choose(&open, &mut Recogniser::default(), clock(0, 0));
        assert_eq!(chosen, None);
    }
}
