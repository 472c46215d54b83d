//! Which waiting states keep their access caches: those that ran or were forked last.
//!
//! Invariant: at most so many states beside the one that ran last have a cache as there may be, and
//! a few times as many until somebody looks.

use crate::explore::search::StateId;
use crate::machine::state::State;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, VecDeque};

/// Mentions of states that ran or were forked, for each that keeps its cache, after which their
/// number is looked at.
const MENTIONS: usize = 4;

/// The states that ran or were forked lately.
#[derive(Default)]
pub(super) struct Warm {
    /// The state that ran last.
    last: Option<StateId>,
    /// States that ran before the last one or were forked lately, oldest first; some may have left
    /// or run again.
    mentions: VecDeque<StateId>,
}

impl Warm {
    /// The state that ran last; it may have left.
    pub(super) fn last(&self) -> Option<StateId> {
        self.last
    }

    /// A state is the last one that was chosen to run. `most` states may keep their caches.
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

    /// Lets a state keep its access cache for a while, as one of the last that ran or were forked.
    pub(super) fn keep(
        &mut self,
        id: StateId,
        states: &mut BTreeMap<StateId, Box<State>>,
        most: usize,
    ) {
        self.mentions.push_back(id);
        if self.mentions.len() >= MENTIONS * most {
            self.cool(states, most);
        }
    }

    /// Takes their caches from the states that ran or were forked longest ago. Those that have left
    /// do not count: a depth-first search comes back to a few states after any number of paths, and
    /// all below them inherit what they remember.
    #[cold]
    fn cool(&mut self, states: &mut BTreeMap<StateId, Box<State>>, most: usize) {
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
