//! Order and number of pruned states: floor(|S| * r).

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

/// Returns how many of `count` states are pruned at a ratio.
pub fn share(count: usize, ratio: f64) -> usize {
    // 0.2 * 15 is 3.0000000000000004 and 0.6 * 5 is 3; a ratio one rounding below must not lose a
    // state.
    ((count as f64 * ratio + 1e-9).floor() as usize).min(count)
}

/// Ties of scores among states at one prune event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ties {
    /// Different scores among the states.
    pub distinct: usize,
    /// States that have the commonest score.
    pub largest: usize,
    /// Number of states that a random choice pruned: only a part of the states with the last pruned
    /// score.
    pub random_ties: usize,
}

impl Ties {
    /// Returns the ties of scores in ascending order; the first `leaving` scores are pruned.
    fn of(scores: &[i64], leaving: usize) -> Self {
        let mut ties = Self::default();
        let mut start = 0;
        for class in scores.chunk_by(|one, next| one == next) {
            let end = start + class.len();
            ties.distinct += 1;
            ties.largest = ties.largest.max(class.len());
            if start < leaving && leaving < end {
                ties.random_ties = leaving - start;
            }
            start = end;
        }
        ties
    }
}

/// PRUNE: the states by feat(s) . theta, lowest first, and how far the scores told them apart if a
/// share `ratio` leaves. Equal scores are common, because descendants share what their paths have;
/// a shuffle decides among them.
pub fn lowest_first(
    mut candidates: Vec<Candidate>,
    sets: &FeatureSets,
    weights: &[f64],
    ratio: f64,
    generator: &mut Pcg64,
) -> (Vec<StateId>, Ties) {
    let scores = sets.scores(weights);
    candidates.shuffle(generator);
    let score = |candidate: &Candidate| scores[candidate.set.index()];
    // Stable, so that the shuffle's order stands among equals.
    candidates.sort_by_key(score);
    let ordered: Vec<i64> = candidates.iter().map(score).collect();
    let ties = Ties::of(&ordered, share(ordered.len(), ratio));
    let order = candidates.iter().map(|candidate| candidate.state).collect();
    (order, ties)
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
            let weights = [0.5, -0.75];
            let (mut chosen, ties) =
                lowest_first(candidates.clone(), &sets, &weights, ratio, &mut generator);
            assert_eq!((ties.distinct, ties.largest), (4, 2));
            chosen.truncate(share(chosen.len(), ratio));
            chosen.sort_unstable();
            let chosen: Vec<usize> = chosen.iter().map(|id| id.index()).collect();
            (chosen, ties.random_ties)
        };
        // Scores 0.5, -0.75, 0, -0.25, -0.75.
        assert_eq!(prune(0.2 * 2.0), (vec![1, 4], 0));
        assert_eq!(prune(0.6), (vec![1, 3, 4], 0));
        assert_eq!(prune(0.19), (vec![], 0));
        assert_eq!(prune(1.0), (vec![0, 1, 2, 3, 4], 0));
        let (first, random_ties) = prune(0.2);
        assert!(first == [1] || first == [4]);
        assert_eq!(random_ties, 1, "one of two with the same score left");
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
            let (mut order, ties) = lowest_first(
                candidates.clone(),
                &FeatureSets::new(),
                &[],
                0.5,
                &mut generator,
            );
            assert_eq!(
                (ties.distinct, ties.largest, ties.random_ties),
                (1, 1000, 500)
            );
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
