//! The `nurs:` family: a state is drawn with a probability proportional to its weight.
//!
//! A state's weight is computed when the state is added, as in KLEE. Only the state that just ran
//! is weighed again, and only for the heuristics whose weight changes by running. Other weights
//! stay until their state runs, with one exception: new distances apply to all states at once
//! (KLEE's waiting states keep the old distances).

use super::code_locations::CodeLocations;
use super::heuristics::Weight;
use super::sum_tree::SumTree;
use super::{Clock, Metrics, Searcher, StateId, Update};
use homi_config::DistanceWeights;
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::FxHashMap;

/// A weight of zero (nurs:depth at the root, 2^-depth far down) must stay selectable.
fn selectable(weight: f64) -> f64 {
    weight.max(f64::MIN_POSITIVE)
}

/// One heuristic of the family.
pub(super) struct Weighted {
    name: &'static str,
    weight: Weight,
    generator: Pcg64,
    /// Weight of each slot alone.
    tree: SumTree,
    /// The part of the weight that is shared by place, if any is.
    locations: Option<CodeLocations>,
    states: Vec<Option<StateId>>,
    slots: FxHashMap<StateId, usize>,
    free: Vec<usize>,
    /// Solver work up to the last update, in instructions.
    solver_work: u64,
}

impl Weighted {
    pub(super) fn new(
        name: &'static str,
        weight: Weight,
        weights: DistanceWeights,
        generator: Pcg64,
    ) -> Self {
        let shares = weight.shared_by_location.is_some() && weights == DistanceWeights::PerLocation;
        Self {
            name,
            weight,
            generator,
            tree: SumTree::new(),
            locations: shares.then(CodeLocations::new),
            states: Vec::new(),
            slots: FxHashMap::default(),
            free: Vec::new(),
            solver_work: 0,
        }
    }

    fn weigh(&mut self, slot: usize, metrics: &Metrics) {
        let weight = (self.weight.of)(metrics);
        match &mut self.locations {
            None => self.tree.set(slot, selectable(weight)),
            Some(locations) => {
                let shared = self
                    .weight
                    .shared_by_location
                    .map_or(0.0, |part| part(metrics));
                self.tree.set(slot, weight - shared);
                locations.put(slot, (metrics.location, metrics.distance), shared);
            }
        }
    }
}

impl Weighted {
    /// Counts the solver work since the last update for the location where the batch began.
    fn count_work(&mut self, update: &Update<'_>) {
        let Some(locations) = &mut self.locations else {
            return;
        };
        let checkpoint_totals = update.clock.work.saturating_sub(update.clock.instructions);
        let work = checkpoint_totals.saturating_sub(self.solver_work);
        self.solver_work = checkpoint_totals;
        let ran = match update.current {
            Some((id, _)) => Some(id),
            None => update.removed.first().copied(),
        };
        if work > 0
            && let Some(slot) = ran.and_then(|id| self.slots.get(&id))
        {
            locations.count_work(*slot, work);
        }
    }
}

impl Searcher for Weighted {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        if self.slots.is_empty() {
            return None;
        }
        let fraction = self.generator.random::<f64>();
        let slot = match &mut self.locations {
            None => self.tree.find(fraction)?,
            Some(locations) => {
                let own = self.tree.total();
                let position = fraction * (own + locations.total());
                if position < own {
                    self.tree.find(position / own)?
                } else {
                    let rest = (position - own) / locations.total();
                    let slot = locations.find(rest, self.generator.random::<f64>())?;
                    locations.count_batch(slot);
                    slot
                }
            }
        };
        self.states[slot]
    }

    fn update(&mut self, update: &Update<'_>) {
        self.count_work(update);
        if let Some((id, metrics)) = &update.current
            && self.weight.changes_by_running
            && let Some(slot) = self.slots.get(id)
        {
            self.weigh(*slot, metrics);
        }
        for added in update.added {
            let slot = self.free.pop().unwrap_or_else(|| {
                self.states.push(None);
                self.states.len() - 1
            });
            self.states[slot] = Some(added.id);
            self.slots.insert(added.id, slot);
            self.weigh(slot, &added.metrics);
        }
        for id in update.removed {
            if let Some(slot) = self.slots.remove(id) {
                self.states[slot] = None;
                self.tree.set(slot, 0.0);
                if let Some(locations) = &mut self.locations {
                    locations.take(slot);
                }
                self.free.push(slot);
            }
        }
    }

    fn reweigh(&mut self, metrics: &mut dyn FnMut(StateId) -> Option<Metrics>) {
        if !self.weight.needs.distance {
            return;
        }
        let weight = self.weight.of;
        let states = &self.states;
        if self.locations.is_some() {
            for slot in 0..self.states.len() {
                if let Some(metrics) = self.states[slot].and_then(&mut *metrics) {
                    self.weigh(slot, &metrics);
                }
            }
            return;
        }
        self.tree.set_all(|slot| {
            let id = states.get(slot).copied().flatten()?;
            Some(selectable(weight(&metrics(id)?)))
        });
    }

    fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    fn describe(&self) -> String {
        format!("nurs:{}\n", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::heuristics::{Choice, row_of};
    use super::super::testing::{add, histogram, remove};
    use super::*;
    use homi_config::Heuristic;

    fn searcher(heuristic: Heuristic, weights: DistanceWeights) -> Weighted {
        let row = row_of(heuristic);
        let Choice::ByWeight(weight) = row.choice else {
            unreachable!("{} has no weights", row.name);
        };
        Weighted::new(row.name, weight, weights, super::super::generator(1, 0))
    }

    #[test]
    fn draws_are_proportional_to_weights() {
        let mut searcher = searcher(Heuristic::Md2u, DistanceWeights::PerState);
        for (id, distance) in [1u32, 2, 4].into_iter().enumerate() {
            let metrics = Metrics {
                distance,
                ..Metrics::default()
            };
            add(&mut searcher, None, id as u32, metrics);
        }
        // Weights 16 : 4 : 1.
        let counts = histogram(&mut searcher, 3, 21_000);
        assert!((15_500..16_500).contains(&counts[0]), "{counts:?}");
        assert!((3_700..4_300).contains(&counts[1]), "{counts:?}");
        remove(&mut searcher, 0);
        let counts = histogram(&mut searcher, 3, 5_000);
        assert_eq!(counts[0], 0);
        assert!((3_850..4_150).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn rp_keeps_the_weight_of_the_state_that_goes_on() {
        let mut searcher = searcher(Heuristic::Rp, DistanceWeights::PerState);
        add(&mut searcher, None, 0, Metrics::default());
        // The fork makes both sides deeper, but only the new state is weighed: 1 against 1/2.
        let deeper = Metrics {
            depth: 1,
            ..Metrics::default()
        };
        add(&mut searcher, Some(0), 1, deeper);
        let counts = histogram(&mut searcher, 2, 9_000);
        assert!((5_800..6_200).contains(&counts[0]), "{counts:?}");
    }

    #[test]
    fn reweighing_reaches_waiting_states() {
        let mut searcher = searcher(Heuristic::Md2u, DistanceWeights::PerState);
        for id in 0..3 {
            add(&mut searcher, None, id, Metrics::default());
        }
        remove(&mut searcher, 1);
        searcher.reweigh(&mut |id| {
            let distance = if id == StateId(2) { 1 } else { 3 };
            Some(Metrics {
                distance,
                ..Metrics::default()
            })
        });
        // Weights 1/9 and 1.
        let counts = histogram(&mut searcher, 3, 10_000);
        assert!((900..1_100).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[1], 0);
    }

    #[test]
    fn states_at_one_location_share_a_weight() {
        let mut searcher = searcher(Heuristic::Md2u, DistanceWeights::PerLocation);
        for id in 0..9 {
            // Eight states in a crowd, one elsewhere, both at distance 2.
            let metrics = Metrics {
                distance: 2,
                location: u32::from(id == 8),
                ..Metrics::default()
            };
            add(&mut searcher, None, id, metrics);
        }
        let counts = histogram(&mut searcher, 9, 16_000);
        assert!((7_600..8_400).contains(&counts[8]), "{counts:?}");
        assert!(
            counts[..8].iter().all(|count| (850..1_150).contains(count)),
            "{counts:?}"
        );
        remove(&mut searcher, 8);
        assert_eq!(histogram(&mut searcher, 9, 1_000)[8], 0);
    }

    #[test]
    fn freshness_stays_a_states_own() {
        let mut searcher = searcher(Heuristic::CovNew, DistanceWeights::PerLocation);
        for id in 0..4 {
            let metrics = Metrics {
                distance: 1,
                since_new: if id == 0 { 5 } else { 0 },
                ..Metrics::default()
            };
            add(&mut searcher, None, id, metrics);
        }
        // The place gets tired of, the fresh state does not.
        let counts = histogram(&mut searcher, 4, 16_000);
        assert!(counts[0] > 14_000, "{counts:?}");
        assert!(counts[1..].iter().all(|count| *count > 100), "{counts:?}");
    }

    #[test]
    fn a_state_of_weight_zero_can_be_chosen() {
        let mut searcher = searcher(Heuristic::Depth, DistanceWeights::PerState);
        add(&mut searcher, None, 0, Metrics::default());
        assert_eq!(histogram(&mut searcher, 1, 3), [3]);
    }
}
