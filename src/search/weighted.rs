//! The `nurs:` family: a state is drawn with a probability proportional to its weight.
//!
//! As in KLEE, a state's weight is computed when it is added; only the state that just ran is
//! weighed again, and only for the heuristics whose weight changes by running. Other weights stay
//! as they are until their state runs, but that all states' distances count anew when they have
//! been computed anew (KLEE's waiting states keep the old ones).

use super::places::Places;
use super::sum_tree::SumTree;
use super::{Clock, Metrics, Searcher, StateId, Update};
use crate::config::{DistanceWeights, Heuristic};
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::FxHashMap;

/// The weight of a state by the formulas of KLEE's `WeightedRandomSearcher`. Zero for the unweighted
/// heuristics.
pub fn weight(heuristic: Heuristic, metrics: &Metrics) -> f64 {
    let inverse_square = |value: f64| 1.0 / (value * value);
    // A state that can reach nothing uncovered counts as very far away.
    let distance = if metrics.distance == 0 {
        10_000.0
    } else {
        f64::from(metrics.distance)
    };
    match heuristic {
        Heuristic::Depth => f64::from(metrics.depth),
        Heuristic::Rp => (-f64::from(metrics.depth)).exp2(),
        Heuristic::Icnt => inverse_square(metrics.point_count.max(1) as f64),
        Heuristic::CpIcnt => 1.0 / metrics.call_path_count.max(1) as f64,
        Heuristic::Qc if metrics.solver_seconds < 0.1 => 1.0,
        Heuristic::Qc => 1.0 / metrics.solver_seconds,
        Heuristic::Md2u => inverse_square(distance),
        Heuristic::CovNew => {
            let freshness = match metrics.since_new {
                0 => 0.0,
                count => inverse_square(count.saturating_sub(1000).max(1) as f64),
            };
            freshness + inverse_square(distance)
        }
        Heuristic::Dfs | Heuristic::Bfs | Heuristic::RandomState | Heuristic::RandomPath => 0.0,
    }
}

/// The weight in two parts: what a state has for itself, and what it has for where it stands.
fn parts(heuristic: Heuristic, metrics: &Metrics) -> (f64, f64) {
    let shared = weight(Heuristic::Md2u, metrics);
    match heuristic {
        Heuristic::CovNew => (weight(heuristic, metrics) - shared, shared),
        _ => (0.0, shared),
    }
}

/// True if running a state changes its weight.
fn changes_by_running(heuristic: Heuristic) -> bool {
    !matches!(heuristic, Heuristic::Depth | Heuristic::Rp)
}

/// True if the weight changes when distances are computed anew.
fn looks_at_distances(heuristic: Heuristic) -> bool {
    matches!(heuristic, Heuristic::Md2u | Heuristic::CovNew)
}

/// A weight of zero (nurs:depth at the root, 2^-depth far down) must stay selectable.
fn selectable(weight: f64) -> f64 {
    weight.max(f64::MIN_POSITIVE)
}

/// One heuristic of the family.
pub(super) struct Weighted {
    heuristic: Heuristic,
    generator: Pcg64,
    /// What each slot weighs by itself.
    tree: SumTree,
    /// The part of the weight that is shared by place, if any is.
    places: Option<Places>,
    states: Vec<Option<StateId>>,
    slots: FxHashMap<StateId, usize>,
    free: Vec<usize>,
    /// What the solver had done by the last update, in instructions' worth.
    solver_work: u64,
}

impl Weighted {
    pub(super) fn new(heuristic: Heuristic, weights: DistanceWeights, generator: Pcg64) -> Self {
        let shares = looks_at_distances(heuristic) && weights == DistanceWeights::PerPlace;
        Self {
            heuristic,
            generator,
            tree: SumTree::new(),
            places: shares.then(Places::new),
            states: Vec::new(),
            slots: FxHashMap::default(),
            free: Vec::new(),
            solver_work: 0,
        }
    }

    fn weigh(&mut self, slot: usize, metrics: &Metrics) {
        match &mut self.places {
            None => {
                let weight = weight(self.heuristic, metrics);
                self.tree.set(slot, selectable(weight));
            }
            Some(places) => {
                let (own, shared) = parts(self.heuristic, metrics);
                self.tree.set(slot, own);
                places.put(slot, (metrics.place, metrics.distance), shared);
            }
        }
    }
}

impl Weighted {
    /// What the solver did since the last update is on account of the place where the turn began.
    fn count_work(&mut self, update: &Update<'_>) {
        let Some(places) = &mut self.places else {
            return;
        };
        let so_far = update.clock.work.saturating_sub(update.clock.instructions);
        let work = so_far.saturating_sub(self.solver_work);
        self.solver_work = so_far;
        let ran = match update.current {
            Some((id, _)) => Some(id),
            None => update.removed.first().copied(),
        };
        if work > 0
            && let Some(slot) = ran.and_then(|id| self.slots.get(&id))
        {
            places.count_work(*slot, work);
        }
    }
}

impl Searcher for Weighted {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        if self.slots.is_empty() {
            return None;
        }
        let fraction = self.generator.random::<f64>();
        let slot = match &mut self.places {
            None => self.tree.find(fraction)?,
            Some(places) => {
                let own = self.tree.total();
                let position = fraction * (own + places.total());
                match position < own {
                    true => self.tree.find(position / own)?,
                    false => {
                        let rest = (position - own) / places.total();
                        let slot = places.find(rest, self.generator.random::<f64>())?;
                        places.count_turn(slot);
                        slot
                    }
                }
            }
        };
        self.states[slot]
    }

    fn update(&mut self, update: &Update<'_>) {
        self.count_work(update);
        if let Some((id, metrics)) = &update.current
            && changes_by_running(self.heuristic)
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
                if let Some(places) = &mut self.places {
                    places.take(slot);
                }
                self.free.push(slot);
            }
        }
    }

    fn reweigh(&mut self, metrics: &mut dyn FnMut(StateId) -> Option<Metrics>) {
        if !looks_at_distances(self.heuristic) {
            return;
        }
        let heuristic = self.heuristic;
        let states = &self.states;
        if self.places.is_some() {
            for slot in 0..self.states.len() {
                if let Some(metrics) = self.states[slot].and_then(&mut *metrics) {
                    self.weigh(slot, &metrics);
                }
            }
            return;
        }
        self.tree.set_all(|slot| {
            let id = states.get(slot).copied().flatten()?;
            Some(selectable(weight(heuristic, &metrics(id)?)))
        });
    }

    fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    fn describe(&self) -> String {
        format!("nurs:{}\n", self.heuristic.name())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{add, histogram, metrics, remove};
    use super::*;

    #[test]
    fn weights_follow_the_formulas() {
        let base = metrics();
        for (heuristic, metrics, expected) in [
            (Heuristic::Depth, Metrics { depth: 7, ..base }, 7.0),
            (Heuristic::Rp, Metrics { depth: 3, ..base }, 0.125),
            (Heuristic::Icnt, base, 1.0),
            (
                Heuristic::Icnt,
                Metrics {
                    point_count: 4,
                    ..base
                },
                0.0625,
            ),
            (Heuristic::CpIcnt, base, 1.0),
            (
                Heuristic::CpIcnt,
                Metrics {
                    call_path_count: 8,
                    ..base
                },
                0.125,
            ),
            (
                Heuristic::Qc,
                Metrics {
                    solver_seconds: 0.09,
                    ..base
                },
                1.0,
            ),
            (
                Heuristic::Qc,
                Metrics {
                    solver_seconds: 4.0,
                    ..base
                },
                0.25,
            ),
            (Heuristic::Md2u, base, 1e-8),
            (
                Heuristic::Md2u,
                Metrics {
                    distance: 2,
                    ..base
                },
                0.25,
            ),
            (
                Heuristic::CovNew,
                Metrics {
                    distance: 2,
                    ..base
                },
                0.25,
            ),
            (
                Heuristic::CovNew,
                Metrics {
                    distance: 2,
                    since_new: 900,
                    ..base
                },
                1.25,
            ),
            (
                Heuristic::CovNew,
                Metrics {
                    distance: 1,
                    since_new: 1004,
                    ..base
                },
                1.0625,
            ),
        ] {
            let got = weight(heuristic, &metrics);
            assert!(
                (got - expected).abs() < 1e-12,
                "{heuristic:?} {metrics:?}: {got}"
            );
        }
    }

    #[test]
    fn draws_are_proportional_to_weights() {
        let mut searcher = Weighted::new(
            Heuristic::Md2u,
            DistanceWeights::PerState,
            super::super::generator(1, 0),
        );
        for (id, distance) in [1u32, 2, 4].into_iter().enumerate() {
            let metrics = Metrics {
                distance,
                ..metrics()
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
        let mut searcher = Weighted::new(
            Heuristic::Rp,
            DistanceWeights::PerState,
            super::super::generator(1, 0),
        );
        add(&mut searcher, None, 0, metrics());
        // The fork makes both sides deeper, but only the new state is weighed: 1 against 1/2.
        let deeper = Metrics {
            depth: 1,
            ..metrics()
        };
        add(&mut searcher, Some(0), 1, deeper);
        let counts = histogram(&mut searcher, 2, 9_000);
        assert!((5_800..6_200).contains(&counts[0]), "{counts:?}");
    }

    #[test]
    fn reweighing_reaches_waiting_states() {
        let mut searcher = Weighted::new(
            Heuristic::Md2u,
            DistanceWeights::PerState,
            super::super::generator(1, 0),
        );
        for id in 0..3 {
            add(&mut searcher, None, id, metrics());
        }
        remove(&mut searcher, 1);
        searcher.reweigh(&mut |id| {
            let distance = if id == StateId(2) { 1 } else { 3 };
            Some(Metrics {
                distance,
                ..metrics()
            })
        });
        // Weights 1/9 and 1.
        let counts = histogram(&mut searcher, 3, 10_000);
        assert!((900..1_100).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[1], 0);
    }

    #[test]
    fn states_at_one_place_share_a_weight() {
        let generator = super::super::generator(1, 0);
        let mut searcher = Weighted::new(Heuristic::Md2u, DistanceWeights::PerPlace, generator);
        for id in 0..9 {
            // Eight states in a crowd, one elsewhere, both at distance 2.
            let metrics = Metrics {
                distance: 2,
                place: u32::from(id == 8),
                ..metrics()
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
        let generator = super::super::generator(1, 0);
        let mut searcher = Weighted::new(Heuristic::CovNew, DistanceWeights::PerPlace, generator);
        for id in 0..4 {
            let metrics = Metrics {
                distance: 1,
                since_new: if id == 0 { 5 } else { 0 },
                ..metrics()
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
        let mut searcher = Weighted::new(
            Heuristic::Depth,
            DistanceWeights::PerState,
            super::super::generator(1, 0),
        );
        add(&mut searcher, None, 0, metrics());
        assert_eq!(histogram(&mut searcher, 1, 3), [3]);
    }
}
