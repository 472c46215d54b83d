//! Algorithm 2 of the paper as a table of trials to be made: Find, Check, Refine, round after
//! round.
//!
//! Invariant: which trials there are depends on the plan and on what trials reached, never on the
//! order in which they end. So trials may run side by side, and what an earlier session has reached
//! may be told again.
//!
//! Learning is over when the best mean of a round does not rise above that of the round before,
//! whose best is the answer, as in the paper's tool. The paper goes on as long as it is not less,
//! which never ends where every vector covers all there is.

use super::plan::Plan;
use super::round::{Branches, Round, ranking};
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
    pub(super) spaces: Vec<Space>,
    round: u32,
    phase: Phase,
    pub(super) vectors: Vec<Arc<[f64]>>,
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
    /// The trials were drawn elsewhere, and it is over after them.
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
            under_way: 0,
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

    /// These trials alone, which were drawn elsewhere.
    pub fn of_trials(plan: Plan, trials: Vec<Trial>) -> Self {
        Self {
            waiting: trials.into(),
            vectors: Vec::new(),
            is_assigned: true,
            ..Self::new(plan)
        }
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
                _ if self.is_assigned => self.is_over = true,
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
            let ranking = ranking(&self.reached);
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

    /// Refine, or the end.
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
