//! Algorithm 2 of the paper as a table of trials to run: rounds of Find, Check and Refine.
//!
//! Invariant: the plan and the results of trials determine the trials, never the order in which
//! they end. Trials may therefore run in parallel, and results of an earlier session can be reused.
//!
//! Learning is over when the best mean of a round does not exceed the previous round's. The
//! previous round's best vector is then the answer, as in the paper's tool. The paper continues
//! while the mean is not less, which never ends if every vector covers everything.

use super::plan::Plan;
use super::round::{Branches, Round, ranking};
use super::space::Space;
use super::trial::{Phase, Reached, Trial, TrialId};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Random stream of learning, which differs from other random choices with the same seed.
const STREAM: u128 = 0x1ea5_0f5e_a5c4_0de5;

/// Next step of the algorithm.
#[derive(Clone, PartialEq, Debug)]
pub enum Next {
    Trial(Trial),
    /// Trials are in progress, and the next step depends on them.
    Wait,
    /// Learning is over.
    Over,
}

/// Weights with their results.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned {
    pub weights: Arc<[f64]>,
    pub branches: Branches,
    /// Round that found the weights.
    pub round: u32,
}

/// State of the algorithm.
#[derive(Debug)]
pub struct Learning {
    plan: Plan,
    generator: Pcg64,
    pub(super) spaces: Vec<Space>,
    round: u32,
    phase: Phase,
    pub(super) vectors: Vec<Arc<[f64]>>,
    waiting: VecDeque<Trial>,
    running: usize,
    /// Results of the trials of this phase.
    reached: BTreeMap<TrialId, Reached>,
    /// Result of Find in this round, once it is over; `chosen` are its best vectors.
    found: Branches,
    chosen: Vec<(u32, Branches)>,
    rounds: Vec<Round>,
    /// Numbers of ended trials and of their executions.
    totals: (u64, u64),
    best: Option<Learned>,
    is_over: bool,
    /// True if another process drew the trials, so that learning ends after them.
    is_assigned: bool,
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
            running: 0,
            reached: BTreeMap::new(),
            found: Branches::default(),
            chosen: Vec::new(),
            rounds: Vec::new(),
            totals: (0, 0),
            best: None,
            is_over: false,
            is_assigned: false,
        };
        learning.begin_round();
        learning
    }

    /// Creates an algorithm with only these trials, which another process drew.
    pub fn of_trials(plan: Plan, trials: Vec<Trial>) -> Self {
        Self {
            waiting: trials.into(),
            vectors: Vec::new(),
            is_assigned: true,
            ..Self::new(plan)
        }
    }

    /// Returns a trial to run, which is in progress from then on.
    pub fn take(&mut self) -> Next {
        if self.is_over {
            return Next::Over;
        }
        match self.waiting.pop_front() {
            Some(trial) => {
                self.running += 1;
                Next::Trial(trial)
            }
            None => Next::Wait,
        }
    }

    /// Returns a trial that was taken and not completed; it must run again.
    pub fn give_back(&mut self, trial: Trial) {
        self.running = self.running.saturating_sub(1);
        self.waiting.push_front(trial);
    }

    /// Records the end of a trial that was taken.
    pub fn end(&mut self, id: TrialId, reached: Reached) {
        self.running = self.running.saturating_sub(1);
        self.reached.insert(id, reached);
        self.totals.0 += 1;
        self.totals.1 += reached.executions;
        if self.waiting.is_empty() && self.running == 0 {
            match self.phase {
                _ if self.is_assigned => self.is_over = true,
                Phase::Find => self.begin_check(),
                Phase::Check => self.end_round(),
            }
        }
    }

    /// Returns the rounds that are over.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Returns the numbers of ended trials and of their executions.
    pub fn totals(&self) -> (u64, u64) {
        self.totals
    }

    /// Returns the current round, from 1, and its phase.
    pub fn stands(&self) -> (u32, Phase) {
        (self.round, self.phase)
    }

    /// Returns the numbers of ended trials and of all trials of this phase.
    pub fn progress(&self) -> (usize, usize) {
        let over = self.reached.len();
        (over, over + self.running + self.waiting.len())
    }

    /// Returns the number of trials left if this round is the last one.
    pub fn left_of_round(&self) -> usize {
        let left = self.running + self.waiting.len();
        match self.phase {
            Phase::Find => left + self.plan.best * self.plan.trials,
            Phase::Check => left,
        }
    }

    /// Returns the answer. Before the algorithm is over, returns the best weights so far: of the
    /// finished rounds, else the best mean in Check, else the best of Find.
    pub fn best(&self) -> Option<Learned> {
        let checkpoint_totals = || {
            let ranking = ranking(&self.reached);
            let (vector, branches) = *ranking.first().or(self.chosen.first())?;
            Some(Learned {
                weights: Arc::clone(self.vectors.get(vector as usize)?),
                branches,
                round: self.round,
            })
        };
        self.best.clone().or_else(checkpoint_totals)
    }

    /// Starts Find: draws the vectors of a round from the spaces.
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

    /// Starts Check: several trials of the best vectors of Find.
    fn begin_check(&mut self) {
        let single: Vec<Reached> = self.reached.values().copied().collect();
        self.found = Branches::of(&single);
        self.chosen = ranking(&self.reached);
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

    /// Refines the spaces, or ends learning.
    fn end_round(&mut self) {
        let checked = ranking(&self.reached);
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
