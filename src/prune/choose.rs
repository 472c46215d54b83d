//! The choice of floor(|S| * r) states.

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
fn share(count: usize, ratio: f64) -> usize {
    // 0.2 * 15 is 3.0000000000000004 and 0.6 * 5 is 3; a ratio one rounding below must not lose a state.
    ((count as f64 * ratio + 1e-9).floor() as usize).min(count)
}

/// PRUNE: the floor(|S| * r) states with the lowest feat(s) . theta, lowest first. Equal scores are common
/// (most states have none of the features); a shuffle decides among them.
pub fn lowest(
    mut candidates: Vec<Candidate>,
    sets: &FeatureSets,
    weights: &[f64],
    ratio: f64,
    generator: &mut Pcg64,
) -> Vec<StateId> {
    let count = share(candidates.len(), ratio);
    let scores = sets.scores(weights);
    candidates.shuffle(generator);
    // Stable, so that the shuffle's order stands among equals.
    candidates.sort_by_key(|candidate| scores[candidate.set.index()]);
    candidates.truncate(count);
    candidates.iter().map(|candidate| candidate.state).collect()
}

/// RandomPrune: any floor(|S| * r) states.
pub fn random(mut states: Vec<StateId>, ratio: f64, generator: &mut Pcg64) -> Vec<StateId> {
    let count = share(states.len(), ratio);
    states.shuffle(generator);
    states.truncate(count);
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
            let mut chosen = lowest(
                candidates.clone(),
                &sets,
                &[0.5, -0.75],
                ratio,
                &mut generator,
            );
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
            lowest(
                candidates.clone(),
                &FeatureSets::new(),
                &[],
                0.5,
                &mut generator,
            )
        };
        assert_eq!(prune(1), prune(1));
        assert_ne!(prune(1), prune(2));
        let old = prune(1).iter().filter(|id| id.index() < 500).count();
        assert!((200..300).contains(&old), "{old} of the older half");
    }

    #[test]
    fn random_takes_the_share() {
        let states: Vec<_> = (0..10).map(StateId::new).collect();
        let mut generator = Pcg64::new(3, 0);
        let mut chosen = random(states.clone(), 0.6, &mut generator);
        chosen.sort_unstable();
        chosen.dedup();
        assert_eq!(chosen.len(), 6);
        assert!(random(states[..1].to_vec(), 0.6, &mut generator).is_empty());
    }
}
