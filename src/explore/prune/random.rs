//! RandomPrune, the paper's baseline: prunes random states at a random ratio.

use super::{OpenStates, PruneRules, Pruned, Pruner, Schedule, leave_some, share, shuffled};
use crate::search::Clock;
use rand::RngExt;
use rand_pcg::Pcg64;

/// Prunes at random.
#[derive(Clone, Debug)]
pub struct Random {
    rules: PruneRules,
    schedule: Schedule,
    generator: Pcg64,
}

impl Random {
    /// Creates the pruner for a run that begins at `start` instructions on its clock.
    pub fn new(rules: PruneRules, start: u64, generator: Pcg64) -> Self {
        Self {
            rules,
            schedule: Schedule::new(&rules, start),
            generator,
        }
    }
}

impl Pruner for Random {
    fn is_due(&mut self, clock: Clock, states: usize) -> bool {
        self.schedule.is_due(clock, states)
    }

    fn choose(&mut self, open: &dyn OpenStates, _clock: Clock) -> Option<Pruned> {
        let ratios = self.rules.ratios;
        let ratio_index = self.generator.random_range(0..ratios.len());
        let ratio = ratios.value(ratio_index);
        let order = shuffled(open.candidates(), &mut self.generator);
        let count = share(order.len(), ratio);
        let states = leave_some(order, count, self.rules.kept, |id| open.location(id));
        self.schedule.note_left(open.count() - states.len());
        Some(Pruned {
            states,
            ratio,
            ratio_index,
            ..Pruned::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Open, clock, rules};
    use super::*;
    use homi_config::Budget;

    #[test]
    fn a_ratio_of_the_states_is_pruned() {
        let rules = rules(Budget::Instructions(1), 0);
        let mut pruner = Random::new(rules, 0, Pcg64::new(1, 1));
        let open = Open { count: 10 };
        let pruned = pruner.choose(&open, clock(0, 1)).unwrap();
        let expected = [2, 4, 6][pruned.ratio_index];
        assert_eq!(pruned.states.len(), expected);
        assert!(pruned.weights.is_empty());
    }
}
