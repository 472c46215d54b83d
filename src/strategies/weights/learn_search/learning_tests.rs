//! Tests of Find, Check and Refine against results derived by hand.

use super::learning::{Learning, Next};
use super::plan::Plan;
use super::trial::{Phase, Reached, Trial};

const PLAN: Plan = Plan {
    features: 3,
    samples: 4,
    best: 2,
    trials: 2,
    seed: 1,
    resets: false,
};

/// Takes all trials of a phase.
fn phase(learning: &mut Learning) -> Vec<Trial> {
    let mut trials = Vec::new();
    while let Next::Trial(trial) = learning.take() {
        trials.push(trial);
    }
    assert_eq!(learning.take(), Next::Wait);
    trials
}

fn end(learning: &mut Learning, trial: &Trial, branches: u64) {
    let executions = 10;
    learning.end(
        trial.id,
        Reached {
            branches,
            executions,
        },
    );
}

/// Runs a round with these results of the vectors in Find, and of the checked ones in Check.
/// Returns the checked vectors.
fn round(learning: &mut Learning, find: [u64; 4], check: [u64; 4]) -> Vec<u32> {
    let trials = phase(learning);
    for (trial, branches) in trials.iter().zip(find) {
        end(learning, trial, branches);
    }
    assert_eq!(learning.stands().1, Phase::Check);
    let trials = phase(learning);
    assert_eq!(trials.len(), 4);
    for (trial, branches) in trials.iter().zip(check) {
        end(learning, trial, branches);
    }
    trials.iter().map(|trial| trial.id.vector).collect()
}

#[test]
fn find_chooses_the_best_and_the_first_of_equal_ones() {
    let mut learning = Learning::new(PLAN);
    assert_eq!(
        round(&mut learning, [5, 9, 7, 7], [1, 1, 1, 1]),
        [1, 1, 2, 2]
    );
    let mut learning = Learning::new(PLAN);
    assert_eq!(
        round(&mut learning, [7, 7, 7, 7], [1, 1, 1, 1]),
        [0, 0, 1, 1]
    );
}

#[test]
fn check_takes_the_best_mean_not_the_best_run() {
    let mut learning = Learning::new(PLAN);
    let first_vectors: Vec<_> = learning.vectors.clone();
    // Vector 1 was best once, and 3 is better in the mean: (8 + 4) / 2 < (7 + 6) / 2.
    round(&mut learning, [1, 9, 2, 8], [8, 4, 7, 6]);
    let best = learning.best().unwrap();
    assert_eq!(best.weights, first_vectors[3]);
    assert_eq!((best.branches.mean, best.round), (6.5, 1));
    let round = &learning.rounds()[0];
    assert_eq!(
        round.checked.iter().map(|one| one.0).collect::<Vec<_>>(),
        [3, 1]
    );
    assert_eq!((round.found.most, round.found.mean), (9, 5.0));
}

#[test]
fn refine_makes_the_spaces_of_the_next_round_by_the_two_best() {
    let mut learning = Learning::new(PLAN);
    let vectors = learning.vectors.clone();
    round(&mut learning, [9, 8, 1, 1], [5, 5, 4, 4]);
    for (feature, space) in learning.spaces.iter().enumerate() {
        let (best, second) = (vectors[0][feature], vectors[1][feature]);
        let expected = match (best > 0.0, second > 0.0) {
            (true, true) => (best.min(second), 10.0),
            (false, false) => (-10.0, best.max(second)),
            _ => (-10.0, 10.0),
        };
        assert_eq!((space.low, space.high), expected);
    }
    for weights in &learning.vectors {
        for (weight, space) in weights.iter().zip(&learning.spaces) {
            assert!((space.low..=space.high).contains(weight));
        }
    }
    assert_eq!(learning.stands(), (2, Phase::Find));
}

#[test]
fn learning_ends_when_the_best_mean_does_not_rise() {
    for last in [[6, 6, 1, 1], [5, 6, 1, 1], [2, 2, 1, 1]] {
        let mut learning = Learning::new(PLAN);
        round(&mut learning, [9, 8, 1, 1], [5, 5, 4, 4]);
        let second = learning.vectors.clone();
        round(&mut learning, [1, 1, 9, 8], [6, 6, 4, 4]);
        assert_eq!(learning.stands(), (3, Phase::Find));
        round(&mut learning, [9, 8, 1, 1], last);
        assert_eq!(learning.take(), Next::Over);
        let best = learning.best().unwrap();
        assert_eq!((best.weights, best.round), (second[2].clone(), 2));
        assert_eq!(learning.rounds().len(), 3);
    }
}

#[test]
fn the_order_in_which_trials_end_does_not_matter() {
    let run = |backwards: bool| {
        let mut learning = Learning::new(PLAN);
        let mut all = Vec::new();
        for _ in 0..4 {
            let mut trials = phase(&mut learning);
            all.extend(trials.clone());
            if backwards {
                trials.reverse();
            }
            for trial in &trials {
                end(&mut learning, trial, trial.seed % 100);
            }
        }
        (all, learning.rounds().to_vec())
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn what_is_best_so_far_is_known_in_every_phase() {
    let mut learning = Learning::new(PLAN);
    assert_eq!(learning.best(), None);
    let vectors = learning.vectors.clone();
    let trials = phase(&mut learning);
    end(&mut learning, &trials[2], 7);
    assert_eq!(learning.best().unwrap().weights, vectors[2]);
    for (trial, branches) in [(0, 1), (1, 9), (3, 2)] {
        end(&mut learning, &trials[trial], branches);
    }
    // No vector has been checked.
    let best = learning.best().unwrap();
    assert_eq!((&best.weights, best.branches.mean), (&vectors[1], 9.0));
    assert_eq!(learning.progress(), (0, 4));
    let trials = phase(&mut learning);
    end(&mut learning, &trials[2], 3);
    assert_eq!(learning.best().unwrap().weights, vectors[2]);
    assert_eq!(learning.left_of_round(), 3);
}

#[test]
fn a_trial_that_is_given_back_comes_again() {
    let mut learning = Learning::new(PLAN);
    let Next::Trial(trial) = learning.take() else {
        panic!("there are trials");
    };
    learning.give_back(trial.clone());
    assert_eq!(learning.take(), Next::Trial(trial));
    assert_eq!(learning.progress(), (0, 4));
}
