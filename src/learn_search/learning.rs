//! Algorithm 2 of the paper as a table of trials to be made: Find, Check, Refine, round after round.
//!
//! Invariant: which trials there are depends on the plan and on what trials reached, never on the
//! order in which they end. So trials may run side by side, and what an earlier session has reached
//! may be told again.
//!
//! Learning is over when the best mean of a round does not rise above that of the round before,
//! whose best is the answer, as in the paper's tool. The paper goes on as long as it is not less,
//! which never ends where every vector covers all there is.

use super::plan::Plan;
use super::round::{Branches, Round};
use super::space::Space;
use super::trial::{Phase, Reached, Trial, TrialId};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Stream of the generator, different from those of other random choices with the same seed.
const STREAM: u128 = 0x1ea5_0f5e_a5c4_0de5;

/// What is to be done.
#[derive(Clone, PartialEq, Debug)]
pub enum Next {
    Trial(Trial),
    /// Others are under way; what comes then depends on them.
    Wait,
    /// Nothing is left to be done.
    Over,
}

/// Weights with what they reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned {
    pub weights: Arc<[f64]>,
    pub branches: Branches,
    /// The round that found them.
    pub round: u32,
}

/// The state of the algorithm.
#[derive(Debug)]
pub struct Learning {
    plan: Plan,
    generator: Pcg64,
    spaces: Vec<Space>,
    round: u32,
    phase: Phase,
    vectors: Vec<Arc<[f64]>>,
    waiting: VecDeque<Trial>,
    under_way: usize,
    /// What the trials of this phase reached.
    reached: BTreeMap<TrialId, Reached>,
    /// Find's result of this round, once it is over, and its best.
    found: Branches,
    chosen: Vec<(u32, Branches)>,
    rounds: Vec<Round>,
    /// Trials that are over, and their executions.
    totals: (u64, u64),
    best: Option<Learned>,
    is_over: bool,
}

impl Learning {
    pub fn new(plan: Plan) -> Self {
        let mut learning = Self {
            plan,
            generator: Pcg64::new(u128::from(plan.seed), STREAM),
            spaces: vec![Space::ALL; plan.features],
            round: 0,
            phase: Phase::Find,
            vectors: Vec::new(),
            waiting: VecDeque::new(),
            under_way: 0,
            reached: BTreeMap::new(),
            found: Branches::default(),
            chosen: Vec::new(),
            rounds: Vec::new(),
            totals: (0, 0),
            best: None,
            is_over: false,
        };
        learning.begin_round();
        learning
    }

    /// A trial to be made, which is under way from then on.
    pub fn take(&mut self) -> Next {
        if self.is_over {
            return Next::Over;
        }
        match self.waiting.pop_front() {
            Some(trial) => {
                self.under_way += 1;
                Next::Trial(trial)
            }
            None => Next::Wait,
        }
    }

    /// A trial that was taken was not made: it is to be made again.
    pub fn give_back(&mut self, trial: Trial) {
        self.under_way = self.under_way.saturating_sub(1);
        self.waiting.push_front(trial);
    }

    /// A trial that was taken is over.
    pub fn end(&mut self, id: TrialId, reached: Reached) {
        self.under_way = self.under_way.saturating_sub(1);
        self.reached.insert(id, reached);
        self.totals.0 += 1;
        self.totals.1 += reached.executions;
        if self.waiting.is_empty() && self.under_way == 0 {
            match self.phase {
                Phase::Find => self.begin_check(),
                Phase::Check => self.end_round(),
            }
        }
    }

    /// Rounds that are over.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Trials that are over, and their executions.
    pub fn totals(&self) -> (u64, u64) {
        self.totals
    }

    /// The round that is under way, from 1, and the phase.
    pub fn stands(&self) -> (u32, Phase) {
        (self.round, self.phase)
    }

    /// Trials of this phase that are over, and all of them.
    pub fn progress(&self) -> (usize, usize) {
        let over = self.reached.len();
        (over, over + self.under_way + self.waiting.len())
    }

    /// Trials that are left of this round if it is the last one.
    pub fn left_of_round(&self) -> usize {
        let left = self.under_way + self.waiting.len();
        match self.phase {
            Phase::Find => left + self.plan.best * self.plan.trials,
            Phase::Check => left,
        }
    }

    /// The answer; before the algorithm is over, the best that is known: that of the rounds which
    /// are over, else the best mean of what has been checked, else the best of Find.
    pub fn best(&self) -> Option<Learned> {
        let so_far = || {
            let ranking = self.ranking();
            let (vector, branches) = *ranking.first().or(self.chosen.first())?;
            Some(Learned {
                weights: Arc::clone(self.vectors.get(vector as usize)?),
                branches,
                round: self.round,
            })
        };
        self.best.clone().or_else(so_far)
    }

    /// Find: draws the vectors of a round from the spaces.
    fn begin_round(&mut self) {
        self.round += 1;
        self.phase = Phase::Find;
        self.reached.clear();
        self.chosen.clear();
        let (spaces, generator) = (&self.spaces, &mut self.generator);
        let vectors = (0..self.plan.samples).map(|_| {
            let weights = spaces.iter().map(|space| space.draw(&mut *generator));
            weights.collect()
        });
        self.vectors = vectors.collect();
        let all: Vec<u32> = (0..self.vectors.len() as u32).collect();
        self.plan_trials(&all, 1);
    }

    /// Check: the best of Find, several times.
    fn begin_check(&mut self) {
        let single: Vec<Reached> = self.reached.values().copied().collect();
        self.found = Branches::of(&single);
        self.chosen = self.ranking();
        self.chosen.truncate(self.plan.best);
        let best: Vec<u32> = self.chosen.iter().map(|(vector, _)| *vector).collect();
        self.phase = Phase::Check;
        self.reached.clear();
        self.plan_trials(&best, self.plan.trials);
    }

    fn plan_trials(&mut self, vectors: &[u32], trials: usize) {
        for &vector in vectors {
            for repeat in 0..trials as u32 {
                let id = TrialId {
                    round: self.round,
                    phase: self.phase,
                    vector,
                    repeat,
                };
                self.waiting.push_back(Trial {
                    id,
                    weights: Arc::clone(&self.vectors[vector as usize]),
                    seed: self.generator.random(),
                });
            }
        }
    }

    /// Vectors by the mean of their trials, the best first; of equal ones the one drawn first.
    fn ranking(&self) -> Vec<(u32, Branches)> {
        let mut trials: BTreeMap<u32, Vec<Reached>> = BTreeMap::new();
        for (id, reached) in &self.reached {
            trials.entry(id.vector).or_default().push(*reached);
        }
        let of_each = trials.into_iter();
        let mut ranking: Vec<(u32, Branches)> = of_each
            .map(|(vector, trials)| (vector, Branches::of(&trials)))
            .collect();
        // A sort that keeps the order of equal ones.
        ranking.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
        ranking
    }

    /// Refine, or the end.
    fn end_round(&mut self) {
        let checked = self.ranking();
        let weights = |place: usize| {
            let vector = checked.get(place).map(|(vector, _)| *vector as usize);
            vector.map(|vector| Arc::clone(&self.vectors[vector]))
        };
        let (Some(first), Some(second)) = (weights(0), weights(1)) else {
            self.is_over = true;
            return;
        };
        for (space, pair) in self.spaces.iter_mut().zip(first.iter().zip(&*second)) {
            *space = space.refined(*pair.0, *pair.1, self.plan.resets);
        }
        let undecided = self.spaces.iter().filter(|space| space.is_undecided());
        let round = Round {
            number: self.round,
            found: self.found,
            decided: self.spaces.len() - undecided.count(),
            checked,
        };
        let branches = round.best();
        self.rounds.push(round);
        let before = self.best.as_ref().map(|best| best.branches.mean);
        if before.is_some_and(|before| branches.mean <= before) {
            self.is_over = true;
            return;
        }
        self.best = Some(Learned {
            weights: first,
            branches,
            round: self.round,
        });
        self.begin_round();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// A round whose vectors reach these in Find and whose checked ones these in Check; which were
    /// checked.
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
        // Nothing has been checked.
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
}
