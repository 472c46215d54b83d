//! PRUNE of Homi (FSE'20): prunes the states that score lowest under weights drawn from learned
//! distributions.
//!
//! Invariant: each event draws new weights (theta) and a new ratio (r), by the run's policy, from a
//! generator of this run.

use super::sets::{FeatureSets, SetId};
use super::{
    OpenStates, PruneRules, Pruned, Pruner, Schedule, choose::Candidate, leave_some, lowest_first,
    share,
};
use crate::prune::learn::{
    FeatureId, Policy, Probabilities, SharedRecogniser, draw_index, sample_weights,
};
use crate::search::Clock;
use rand::RngExt;
use rand_pcg::Pcg64;

/// Prunes by learned scores.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Learned distributions of weights and ratios.
    pub probabilities: Probabilities,
    /// Policy by which it is drawn.
    pub policy: Policy,
    /// Number of draws; reverse exploitation takes the farthest (|U|).
    pub draws: u32,
    /// Numbers the conditions of the campaign.
    pub recogniser: SharedRecogniser,
    pub rules: PruneRules,
    pub schedule: Schedule,
    pub generator: Pcg64,
}

impl Learned {
    /// feat(s) of every state that may leave. `features` is F, ascending, and numbers in the sets
    /// are positions in it.
    fn feature_sets(
        &self,
        open: &dyn OpenStates,
        features: &[FeatureId],
    ) -> (FeatureSets, Vec<Candidate>) {
        let mut sets = FeatureSets::new();
        let mut recogniser = self.recogniser.lock();
        let mut step = |set: SetId, term| {
            let position = recogniser
                .feature(open.terms(), term)
                .and_then(|feature| features.binary_search(&feature).ok());
            match position {
                Some(position) => sets.with(set, position as u32),
                None => set,
            }
        };
        let candidates = open.fold_conditions(FeatureSets::EMPTY, &mut step);
        (sets, candidates)
    }
}

impl Pruner for Learned {
    fn is_due(&mut self, clock: Clock, states: usize) -> bool {
        self.schedule.is_due(clock, states)
    }

    /// Returns `None` if there is no feature: then no state scores lower than another.
    fn choose(&mut self, open: &dyn OpenStates, _clock: Clock) -> Option<Pruned> {
        if self.probabilities.features.is_empty() {
            return None;
        }
        let generator = &mut self.generator;
        let (known, ratios) = (&self.probabilities, self.rules.ratios);
        let weights = sample_weights(self.policy, &known.weights, self.draws, generator);
        let ratio_index = match self.policy {
            Policy::Exploit | Policy::Reverse => draw_index(&known.ratio, generator),
            Policy::Explore | Policy::Initial => generator.random_range(0..ratios.len()),
        };
        let (sets, candidates) = self.feature_sets(open, &self.probabilities.features);
        let ratio = ratios.value(ratio_index);
        let (order, ties) = lowest_first(candidates, &sets, &weights, ratio, &mut self.generator);
        let count = share(order.len(), ratio);
        let states = leave_some(order, count, self.rules.kept, |id| open.location(id));
        self.schedule.note_left(open.count() - states.len());
        Some(Pruned {
            states,
            weights,
            ratio,
            ratio_index,
            ties,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Open, clock, rules};
    use super::*;
    use homi_config::Budget;

    #[test]
    fn without_features_nothing_is_pruned() {
        let rules = rules(Budget::Instructions(1), 0);
        let mut pruner = Learned {
            probabilities: Probabilities {
                features: Vec::new(),
                weights: Vec::new(),
                ratio: vec![1.0],
                budget: vec![1.0],
            },
            policy: Policy::Exploit,
            draws: 100,
            recogniser: SharedRecogniser::default(),
            rules,
            schedule: Schedule::new(&rules, 0),
            generator: Pcg64::new(1, 1),
        };
        assert_eq!(pruner.choose(&Open { count: 9 }, clock(0, 0)), None);
    }
}
