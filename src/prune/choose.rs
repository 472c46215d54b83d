//! The order in which states leave, and how many do: floor(|S| * r).

use super::sets::{FeatureSets, SetId};
use crate::search::StateId;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

/// A state that may be pruned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub state: StateId,
    pub set: SetId,
}

/// How many of `count` states leave at a ratio.
pub fn share(count: usize, ratio: f64) -> usize {
    // 0.2 * 15 is 3.0000000000000004 and 0.6 * 5 is 3; a ratio one rounding below must not lose a
    // state.
    ((count as f64 * ratio + 1e-9).floor() as usize).min(count)
}

/// PRUNE: the states by feat(s) . theta, lowest first. Equal scores are common (most states have
/// none of the features); a shuffle decides among them.
pub fn lowest_first(
    mut candidates: Vec<Candidate>,
    sets: &FeatureSets,
    weights: &[f64],
    generator: &mut Pcg64,
) -> Vec<StateId> {
    let scores = sets.scores(weights);
    candidates.shuffle(generator);
    // Stable, so that the shuffle's order stands among equals.
    candidates.sort_by_key(|candidate| scores[candidate.set.index()]);
    candidates.iter().map(|candidate| candidate.state).collect()
}

/// RandomPrune: the states in any order.
pub fn shuffled(mut states: Vec<StateId>, generator: &mut Pcg64) -> Vec<StateId> {
    states.shuffle(generator);
    states
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_leave() {
        let mut sets = FeatureSets::new();
        let good = sets.with(FeatureSets::EMPTY, 0);
        let bad = sets.with(FeatureSets::EMPTY, 1);
        let both = sets.with(good, 1);
        let sets_of = [good, bad, FeatureSets::EMPTY, both, bad];
        let candidates: Vec<_> = sets_of
            .into_iter()
            .enumerate()
            .map(|(index, set)| Candidate {
                state: StateId::new(index),
                set,
            })
            .collect();
        let mut generator = Pcg64::new(1, 2);
        let mut prune = |ratio: f64| {
            let mut chosen = lowest_first(candidates.clone(), &sets, &[0.5, -0.75], &mut generator);
            chosen.truncate(share(chosen.len(), ratio));
            chosen.sort_unstable();
            chosen.iter().map(|id| id.index()).collect::<Vec<_>>()
        };
        // Scores 0.5, -0.75, 0, -0.25, -0.75.
        assert_eq!(prune(0.2 * 2.0), [1, 4]);
        assert_eq!(prune(0.6), [1, 3, 4]);
        assert_eq!(prune(0.19), [0usize; 0]);
        assert_eq!(prune(1.0), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn ties_are_broken_by_the_seed_not_by_age() {
        let candidates: Vec<_> = (0..1000)
            .map(|index| Candidate {
                state: StateId::new(index),
                set: FeatureSets::EMPTY,
            })
            .collect();
        let prune = |seed: u128| {
            let mut generator = Pcg64::new(seed, 0);
            let mut order =
                lowest_first(candidates.clone(), &FeatureSets::new(), &[], &mut generator);
            order.truncate(500);
            order
        };
        assert_eq!(prune(1), prune(1));
        assert_ne!(prune(1), prune(2));
        let old = prune(1).iter().filter(|id| id.index() < 500).count();
        assert!((200..300).contains(&old), "{old} of the older half");
    }

    #[test]
    fn random_order_has_every_state_once() {
        let states: Vec<_> = (0..10).map(StateId::new).collect();
        let mut order = shuffled(states.clone(), &mut Pcg64::new(3, 0));
        assert_ne!(order, states);
        order.sort_unstable();
        assert_eq!(order, states);
    }

    #[test]
    fn the_share_is_rounded_down() {
        assert_eq!(share(10, 0.6), 6);
        assert_eq!(share(15, 0.2), 3);
        assert_eq!(share(1, 0.6), 0);
    }
}
