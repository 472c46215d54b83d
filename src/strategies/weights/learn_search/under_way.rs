//! A trial under way: its own search, which hears from the records what executions did.
//!
//! Invariant: the search sees the same as one whose engine runs every execution: states, forks,
//! ends, and what each path was the first of this trial to cover.

use super::tree::{Event, Tree, mark};
use super::trial::{Reached, Trial};
use crate::explore::search::{Clock, Left, Metrics, Searcher, StateId, Update};
use rustc_hash::FxHashMap;

/// What a trial needs to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// What comes next of this state.
    Run(StateId),
    /// Nothing: it is over.
    Nothing,
}

/// What a trial cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// States that it asked for: negated branches, ends of failing checks, the beginning.
    pub asked: u64,
    /// Those of them that had to be run.
    pub asked_anew: u64,
    /// Its executions that had to be run.
    pub run: u64,
    /// Nanoseconds that the engine took for those.
    pub engine_ns: u64,
    /// It lost states for want of memory, so that it is less than it could be.
    pub is_cut: bool,
}

/// A trial and how far it is.
pub(super) struct UnderWay {
    pub(super) trial: Trial,
    searcher: Box<dyn Searcher>,
    /// Executions after which it is over.
    most: u64,
    /// Events read of states that have not left.
    read: FxHashMap<StateId, usize>,
    covered: Vec<bool>,
    reached: Reached,
    pub(super) cost: Cost,
    /// The state that the engine runs for it.
    running: Option<StateId>,
}

/// An update that tells nothing.
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

impl UnderWay {
    /// A trial at its beginning. It is over after `most` executions; 0 is no limit.
    pub(super) fn new(trial: Trial, searcher: Box<dyn Searcher>, most: u64, tree: &Tree) -> Self {
        let mut under_way = Self {
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
            under_way.searcher.update(&Update {
                added: &[root.added(None)],
                ..nothing()
            });
        }
        under_way
    }

    pub(super) fn reached(&self) -> Reached {
        self.reached
    }

    /// Goes on as far as the records tell.
    pub(super) fn advance(&mut self, tree: &Tree) -> Need {
        while self.reached.executions < self.most {
            let Some(id) = self.searcher.select(Clock::default()) else {
                return Need::Nothing;
            };
            let place = self.read.get(&id).copied().unwrap_or(0);
            let Some(event) = tree.event(id, place) else {
                let begins = place == 0 && self.running != Some(id);
                self.cost.asked_anew += u64::from(begins);
                self.running = Some(id);
                return Need::Run(id);
            };
            self.cost.asked += u64::from(place == 0);
            self.read.insert(id, place + 1);
            self.tell(tree, id, event);
        }
        Need::Nothing
    }

    /// Tells the search one event of a state.
    fn tell(&mut self, tree: &Tree, id: StateId, event: &Event) {
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
                    Left::Subsumed(_) | Left::Refuted(_) | Left::Unknown(_) => Vec::new(),
                };
                self.leave(id, Some(*left), &covered);
            }
            Event::Lost => {
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

    /// A path ended: what it was the first to cover.
    fn end(&mut self, tree: &Tree, id: StateId) -> Vec<u32> {
        self.reached.executions += 1;
        self.cost.run += u64::from(self.running == Some(id));
        let mut covered = tree.sides(id).to_vec();
        covered.retain(|side| mark(&mut self.covered, *side));
        self.reached.branches += covered.len() as u64;
        covered
    }
}
