//! The next vectors: children of the best, unlike the worst, and some that are drawn.
//!
//! Invariant: weights lie between -10 and 10, and all random choices come from the generator.
//!
//! A feature of which the best and the worst have like weights (the distance of the means and that
//! of the standard deviations add up to 1 at most) does not matter: children have 0 there. Else a
//! child's weight is drawn around the parent's, and what the worst are likely to have is left out.

use super::knowledge::{Knowledge, Known};
use crate::features::BRANCH;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_distr::{Distribution, Normal};
use rand_pcg::Pcg64;

/// Vectors of a round; children of one parent; parents.
const ROUND: usize = 50;
const CHILDREN: usize = 5;
const PARENTS: usize = 8;

/// Share of the known vectors that are the best, or the worst, if that is more than `PARENTS`.
const SHARE: f64 = 0.03;

/// The greatest weight, and that of vectors that are drawn beside the children.
const GREATEST: f64 = 10.0;
const GREATEST_DRAWN: f64 = 1.0;

/// Weights of best and worst vectors are alike if they differ by no more.
const ALIKE: f64 = 1.0;

/// The standard deviation of children around their parent.
const SPREAD: f64 = 1.0;

/// Weights that are drawn for the children of one parent, from which what the worst have leaves.
const DRAWS: usize = 100;

/// Times that weights are drawn anew if too few are left.
const TRIES: u32 = 10;

/// A vector whose turn is to come.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Child {
    pub(super) parent: Option<u64>,
    pub(super) values: Vec<f64>,
}

/// The vectors of a round, and those that the children among them come from.
#[derive(Debug)]
pub(super) struct Round {
    pub(super) parents: Vec<u64>,
    pub(super) children: Vec<Child>,
}

/// Vectors that are drawn.
pub(super) fn first_round(generator: &mut Pcg64) -> Vec<Child> {
    (0..ROUND).map(|_| drawn(GREATEST, generator)).collect()
}

fn drawn(greatest: f64, generator: &mut Pcg64) -> Child {
    let values = BRANCH.features.iter();
    Child {
        parent: None,
        values: values
            .map(|_| generator.random_range(-greatest..greatest))
            .collect(),
    }
}

/// The vectors that follow from what is known.
pub(super) fn next_round(knowledge: &Knowledge, generator: &mut Pcg64) -> Round {
    let count = PARENTS.max((SHARE * knowledge.len() as f64) as usize);
    let (best, worst) = (knowledge.best(count), knowledge.worst(count));
    let matters = which_matter(&best, &worst);
    let parents = &best[..best.len().min(PARENTS)];
    let mut children = Vec::with_capacity(ROUND);
    for parent in parents {
        children.extend(children_of(parent, &worst, &matters, generator));
    }
    while children.len() < ROUND {
        children.push(drawn(GREATEST_DRAWN, generator));
    }
    Round {
        parents: parents.iter().map(|known| known.number).collect(),
        children,
    }
}

/// Mean and standard deviation of the weights of one feature.
fn moments(vectors: &[&Known], feature: usize) -> (f64, f64) {
    let values = || vectors.iter().filter_map(|known| known.values.get(feature));
    let count = values().count().max(1) as f64;
    let mean = values().sum::<f64>() / count;
    let variance = values().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

/// For each feature whether the best and the worst differ in it.
fn which_matter(best: &[&Known], worst: &[&Known]) -> Vec<bool> {
    let features = 0..BRANCH.len();
    features
        .map(|feature| {
            let (best, worst) = (moments(best, feature), moments(worst, feature));
            (best.0 - worst.0).abs() + (best.1 - worst.1).abs() > ALIKE
        })
        .collect()
}

/// The children of one parent.
fn children_of(
    parent: &Known,
    worst: &[&Known],
    matters: &[bool],
    generator: &mut Pcg64,
) -> Vec<Child> {
    let mut children = vec![
        Child {
            parent: Some(parent.number),
            values: Vec::with_capacity(matters.len()),
        };
        CHILDREN
    ];
    for (feature, matters) in matters.iter().enumerate() {
        let weights = match matters {
            false => vec![0.0; CHILDREN],
            true => {
                let mean = parent.values.get(feature).copied().unwrap_or(0.0);
                weights_around(mean, moments(worst, feature), generator)
            }
        };
        for (child, weight) in children.iter_mut().zip(weights) {
            child.values.push(weight);
        }
    }
    children
}

/// Weights around a parent's, without as many of each whole number as the worst are likely to have.
fn weights_around(mean: f64, worst: (f64, f64), generator: &mut Pcg64) -> Vec<f64> {
    let unlike: Vec<i64> = (0..DRAWS)
        .map(|_| truncated(worst.0, worst.1, generator) as i64)
        .collect();
    let mut left = Vec::new();
    for _ in 0..TRIES {
        left = (0..DRAWS)
            .map(|_| truncated(mean, SPREAD, generator))
            .collect();
        let all = left.clone();
        leave_out(&mut left, &unlike);
        if left.len() >= CHILDREN {
            break;
        }
        left = all;
    }
    left.shuffle(generator);
    left.truncate(CHILDREN);
    left
}

/// Takes out of the weights one for each of the numbers, as far as one with that whole part is
/// left.
fn leave_out(weights: &mut Vec<f64>, unlike: &[i64]) {
    let mut unlike = unlike.to_vec();
    weights.retain(|weight| {
        let found = unlike.iter().position(|number| *number == *weight as i64);
        match found {
            Some(at) => {
                unlike.swap_remove(at);
                false
            }
            None => true,
        }
    });
}

/// A normally distributed number between the least and the greatest weight.
fn truncated(mean: f64, deviation: f64, generator: &mut Pcg64) -> f64 {
    let values = Normal::new(mean, deviation).map(|normal| normal.sample_iter(generator));
    let within = |value: &f64| value.abs() <= GREATEST;
    let value = values
        .ok()
        .and_then(|values| values.take(DRAWS).find(within));
    value.unwrap_or(mean.clamp(-GREATEST, GREATEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// A vector of which the first weights are these and the others are 3.
    fn known(number: u64, first: &[f64], sides: &[u32]) -> Known {
        let mut values = vec![3.0; BRANCH.len()];
        values[..first.len()].copy_from_slice(first);
        Known {
            number,
            values,
            sides: sides.iter().copied().collect(),
            ..Known::default()
        }
    }

    #[test]
    fn features_matter_where_the_best_differ_from_the_worst() {
        let best = [
            known(1, &[4.0, 1.0, -2.0], &[]),
            known(2, &[6.0, 3.0, 2.0], &[]),
        ];
        let worst = [
            known(3, &[-4.0, 2.0, 0.5], &[]),
            known(4, &[-6.0, 2.0, -0.5], &[]),
        ];
        let best: Vec<&Known> = best.iter().collect();
        let worst: Vec<&Known> = worst.iter().collect();
        assert_eq!(moments(&best, 0), (5.0, 1.0));
        assert_eq!(moments(&worst, 2), (0.0, 0.5));
        // 1: means 10 apart. 2: means 2 and 2, deviations 1 and 0: alike. 3: deviations 2 and 0.5.
        let matters = which_matter(&best, &worst);
        assert_eq!(matters[..4], [true, false, true, false]);
    }

    #[test]
    fn what_the_worst_have_leaves_once_for_each_of_them() {
        let mut weights = vec![1.5, 1.25, 2.5, -0.5, 0.5, 7.0];
        leave_out(&mut weights, &[1, 0, 9, 0]);
        // 1.5 goes for 1, and -0.5 and 0.5 for the two 0.
        assert_eq!(weights, [1.25, 2.5, 7.0]);
    }

    #[test]
    fn children_are_like_their_parent_and_unlike_the_worst() {
        let mut generator = Pcg64::seed_from_u64(1);
        let parent = known(7, &[9.5, 0.5], &[]);
        let worst = [known(1, &[-5.0, 0.5], &[]), known(2, &[-5.0, 0.5], &[])];
        let worst: Vec<&Known> = worst.iter().collect();
        let mut matters = vec![false; BRANCH.len()];
        matters[0] = true;
        matters[1] = true;
        let mut first = Vec::new();
        for _ in 0..100 {
            for child in children_of(&parent, &worst, &matters, &mut generator) {
                assert_eq!(child.parent, Some(7));
                assert_eq!(child.values.len(), 40);
                assert!(child.values[2..].iter().all(|weight| *weight == 0.0));
                first.push((child.values[0], child.values[1]));
            }
        }
        assert_eq!(first.len(), 100 * CHILDREN);
        assert!(
            first
                .iter()
                .all(|(weight, _)| (4.0..=10.0).contains(weight))
        );
        // All of the worst have the whole part 0: of a hundred weights around 0.5 about 93 lie
        // between -1 and 1 and leave, as often as the worst have it.
        let near = first
            .iter()
            .filter(|(_, weight)| (*weight as i64) == 0)
            .count();
        assert!(near < 25, "{near} of {}", first.len());
    }

    #[test]
    fn a_round_has_children_of_the_best_and_some_that_are_drawn() {
        let mut generator = Pcg64::seed_from_u64(2);
        let mut knowledge = Knowledge::default();
        let round = (0..20).map(|at| {
            let sides: Vec<u32> = (0..=at).map(|side| 100 * at + side).collect();
            known(0, &[f64::from(at) - 10.0], &sides)
        });
        knowledge.refine(&[], round.collect());
        let round = next_round(&knowledge, &mut generator);
        // All sides are different, so the best have most: numbers 20 down to 13.
        assert_eq!(round.parents, [20, 19, 18, 17, 16, 15, 14, 13]);
        assert_eq!(round.children.len(), ROUND);
        for (at, child) in round.children.iter().enumerate() {
            let parent = round.parents.get(at / CHILDREN).copied();
            assert_eq!(child.parent, parent);
            let greatest = if parent.is_some() { 10.0 } else { 1.0 };
            assert!(child.values.iter().all(|weight| weight.abs() <= greatest));
        }
        let first = first_round(&mut generator);
        assert_eq!(first.len(), ROUND);
        let beyond = |child: &Child| child.values.iter().any(|weight| weight.abs() > 9.0);
        assert!(first.iter().all(|child| child.parent.is_none()));
        assert!(first.iter().filter(|child| beyond(child)).count() > ROUND / 2);
    }
}
