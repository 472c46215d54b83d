//! Access caches of waiting states: the states that ran or were forked last keep theirs.
//!
//! Invariant: in addition to the state that ran last, at most `MENTIONS` times the allowed number
//! of states have a cache.

use crate::search::StateId;
use homi_machine::state::State;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, VecDeque};

/// Mentions of states per state that keeps its cache, after which the caches are counted.
const MENTIONS: usize = 4;

/// The states that ran or were forked last.
#[derive(Default)]
pub(super) struct CachedStates {
    /// The state that ran last.
    last: Option<StateId>,
    /// States that ran before the last one or were forked, oldest first; some may have been removed
    /// or have run again.
    mentions: VecDeque<StateId>,
}

impl CachedStates {
    /// Returns the state that ran last; it may have been removed.
    pub(super) fn last(&self) -> Option<StateId> {
        self.last
    }

    /// Notes that a state was selected to run. At most `most` waiting states keep their caches.
    pub(super) fn run(
        &mut self,
        id: StateId,
        states: &mut BTreeMap<StateId, Box<State>>,
        most: usize,
    ) {
        if let Some(last) = self.last.replace(id)
            && last != id
        {
            self.keep(last, states, most);
        }
    }

    /// Lets a state keep its access cache for now, as one that ran or was forked last.
    pub(super) fn keep(
        &mut self,
        id: StateId,
        states: &mut BTreeMap<StateId, Box<State>>,
        most: usize,
    ) {
        self.mentions.push_back(id);
        if self.mentions.len() >= MENTIONS * most {
            self.evict(states, most);
        }
    }

    /// Drops the caches of the states that ran or were forked first. Removed states do not count: a
    /// depth-first search returns to a few states after any number of paths, and their descendants
    /// inherit the caches.
    #[cold]
    fn evict(&mut self, states: &mut BTreeMap<StateId, Box<State>>, most: usize) {
        let mut seen = FxHashSet::default();
        let mentions = std::mem::take(&mut self.mentions);
        for id in mentions.into_iter().rev() {
            let Some(state) = states.get_mut(&id) else {
                continue;
            };
            if !seen.insert(id) {
                continue;
            }
            if self.mentions.len() < most {
                self.mentions.push_front(id);
            } else if Some(id) != self.last {
                state.trim();
            }
        }
    }
}
