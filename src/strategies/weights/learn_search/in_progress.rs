//! Trial in progress: its search, driven by the records of executions.
//!
//! Invariant: the search sees what it would see with an engine that runs every execution: states,
//! forks, ends, and the sides that each path was the first of this trial to cover.

use super::tree::{Event, Tree, mark};
use super::trial::{Reached, Trial};
use homi_explore::search::{Clock, Left, Metrics, Searcher, StateId, Update};
use rustc_hash::FxHashMap;

/// Requirement of a trial to continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// The next event of this state.
    Run(StateId),
    /// The trial is over: nothing is left to run.
    Nothing,
}

/// Cost of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Number of requested states: negated branches, ends of failing checks, the initial state.
    pub asked: u64,
    /// Requested states that no earlier trial had executed.
    pub asked_first: u64,
    /// Number of its executions that had to be run.
    pub run: u64,
    /// Nanoseconds that the engine took for new executions.
    pub engine_ns: u64,
    /// True if it lost states for lack of memory, so that its result may be too low.
    pub is_cut: bool,
}

/// Trial and its progress.
pub(super) struct TrialInProgress {
    pub(super) trial: Trial,
    searcher: Box<dyn Searcher>,
    /// Number of executions after which it is over.
    most: u64,
    /// Number of events read of each live state.
    read: FxHashMap<StateId, usize>,
    covered: Vec<bool>,
    reached: Reached,
    pub(super) cost: Cost,
    /// State that the engine runs for this trial.
    running: Option<StateId>,
}

/// Returns an empty update.
fn nothing() -> Update<'static> {
    Update {
        current: None,
        added: &[],
        removed: &[],
        left: None,
        covered: &[],
        taken: &[],
        clock: Clock::default(),
    }
}

impl TrialInProgress {
    /// Starts a trial. It is over after `most` executions; 0 is no limit.
    pub(super) fn new(trial: Trial, searcher: Box<dyn Searcher>, most: u64, tree: &Tree) -> Self {
        let mut trial_in_progress = Self {
            trial,
            searcher,
            most: match most {
                0 => u64::MAX,
                most => most,
            },
            read: FxHashMap::default(),
            covered: Vec::new(),
            reached: Reached::default(),
            cost: Cost::default(),
            running: None,
        };
        if let Some(root) = tree.root() {
            trial_in_progress.searcher.update(&Update {
                added: &[root.added(None)],
                ..nothing()
            });
        }
        trial_in_progress
    }

    pub(super) fn reached(&self) -> Reached {
        self.reached
    }

    /// Advances the trial as far as the records allow.
    pub(super) fn advance(&mut self, tree: &Tree) -> Need {
        while self.reached.executions < self.most {
            let Some(id) = self.searcher.select(Clock::default()) else {
                return Need::Nothing;
            };
            let place = self.read.get(&id).copied().unwrap_or(0);
            let Some(event) = tree.event(id, place) else {
                let begins = place == 0 && self.running != Some(id);
                self.cost.asked_first += u64::from(begins);
                self.running = Some(id);
                return Need::Run(id);
            };
            self.cost.asked += u64::from(place == 0);
            self.read.insert(id, place + 1);
            self.apply(tree, id, event);
        }
        Need::Nothing
    }

    /// Sends one event of a state to the search.
    fn apply(&mut self, tree: &Tree, id: StateId, event: &Event) {
        match event {
            Event::Forked(splits) => {
                let added: Vec<_> = splits.iter().map(|split| split.added(Some(id))).collect();
                self.searcher.update(&Update {
                    current: Some((id, Metrics::default())),
                    added: &added,
                    ..nothing()
                });
            }
            Event::Left(left) => {
                let covered = match left {
                    Left::Ended(_) => self.end(tree, id),
                    Left::Subsumed(_) | Left::Infeasible(_) | Left::Unknown(_) => Vec::new(),
                };
                self.leave(id, Some(*left), &covered);
            }
            Event::Dropped => {
                self.cost.is_cut = true;
                self.leave(id, None, &[]);
            }
        }
    }

    fn leave(&mut self, id: StateId, left: Option<Left>, covered: &[u32]) {
        self.read.remove(&id);
        self.searcher.update(&Update {
            removed: &[id],
            left,
            covered,
            ..nothing()
        });
    }

    /// Ends a path and returns the sides that it was the first to cover.
    fn end(&mut self, tree: &Tree, id: StateId) -> Vec<u32> {
        self.reached.executions += 1;
        self.cost.run += u64::from(self.running == Some(id));
        let mut covered = tree.sides(id).to_vec();
        covered.retain(|side| mark(&mut self.covered, *side));
        self.reached.branches += covered.len() as u64;
        covered
    }
}
