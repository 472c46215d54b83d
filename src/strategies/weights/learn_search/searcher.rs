//! Searcher of an engine that runs for trials: it selects the states that a trial requests and no
//! earlier trial executed.
//!
//! Idea: the engine explores one execution tree for all trials, and keeps all states that wait at
//! branches. It runs a state when a trial negates its branch; the record answers later trials that
//! negate it. Invariant: one trial is in progress at a time. If the engine drops states for lack of
//! memory, the trial is returned and no state is selected any more; the caller restarts the engine
//! with an empty tree. A trial that fills an empty tree on its own continues with the remaining
//! states, as a separate run would.

use super::board::Board;
use super::in_progress::{Need, TrialInProgress};
use super::tree::Tree;
use super::trial::Trial;
use homi_explore::search::{Clock, Left, Searcher, StateId, Update};
use std::sync::Arc;
use std::time::Instant;

/// Creates the search of a trial from weights and a seed.
pub type SearcherMaker = Arc<dyn Fn(&[f64], u64) -> Box<dyn Searcher> + Send + Sync>;

/// Runs trials one after another.
pub struct TrialSearcher {
    board: Arc<Board>,
    make: SearcherMaker,
    /// Maximum number of executions of a trial.
    most: u64,
    tree: Tree,
    now: Option<TrialInProgress>,
    running: Option<StateId>,
    /// Time when the engine started the running state.
    since: Instant,
    trials: u64,
    /// True if a second trial may use the tree.
    shares: bool,
    /// True if the tree has lost states.
    is_spoilt: bool,
}

impl TrialSearcher {
    /// Creates a searcher. `most`: maximum number of executions of a trial, 0 for no limit.
    /// `shares`: trials share their executions; otherwise there is one trial.
    pub fn new(board: Arc<Board>, make: SearcherMaker, most: u64, shares: bool) -> Self {
        Self {
            board,
            make,
            most,
            tree: Tree::default(),
            now: None,
            running: None,
            since: Instant::now(),
            trials: 0,
            shares,
            is_spoilt: false,
        }
    }

    fn begin(&mut self, trial: Trial) -> TrialInProgress {
        self.trials += 1;
        let searcher = (self.make)(&trial.weights, trial.seed);
        TrialInProgress::new(trial, searcher, self.most, &self.tree)
    }

    /// Records that the engine dropped states it was to keep.
    fn lose(&mut self, ids: impl Iterator<Item = StateId>) {
        for id in ids {
            self.is_spoilt = true;
            self.tree.lose(id);
        }
        if self.is_spoilt
            && self.trials > 1
            && let Some(now) = self.now.take()
        {
            self.board.give_back(now.trial.clone());
        }
    }
}

impl Searcher for TrialSearcher {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        loop {
            if self.board.is_stopped() {
                return None;
            }
            let mut now = match self.now.take() {
                Some(now) => now,
                None if self.is_spoilt || (self.trials > 0 && !self.shares) => return None,
                None => {
                    let trial = self.board.take()?;
                    self.begin(trial)
                }
            };
            match now.advance(&self.tree) {
                Need::Run(id) => {
                    self.now = Some(now);
                    self.running = Some(id);
                    self.since = Instant::now();
                    return Some(id);
                }
                Need::Nothing => {
                    self.board.end(&now.trial, now.reached(), now.cost);
                }
            }
        }
    }

    fn update(&mut self, update: &Update<'_>) {
        self.tree.on_event(self.running, update);
        if let Some(now) = &mut self.now {
            now.cost.engine_ns += self.since.elapsed().as_nanos() as u64;
        }
        self.since = Instant::now();
        let left = update.left.map(|left| match left {
            Left::Ended(id) | Left::Subsumed(id) | Left::Infeasible(id) | Left::Unknown(id) => id,
        });
        let lost = update.removed.iter().copied();
        self.lose(lost.filter(|id| Some(*id) != left));
        if left == self.running {
            self.running = None;
        }
    }

    fn wants_taken(&self) -> bool {
        true
    }

    fn is_empty(&self) -> bool {
        false
    }

    fn describe(&self) -> String {
        "trials of learned weights\n".to_string()
    }
}

impl Drop for TrialSearcher {
    fn drop(&mut self) {
        if let Some(now) = self.now.take() {
            self.board.give_back(now.trial.clone());
        }
    }
}
