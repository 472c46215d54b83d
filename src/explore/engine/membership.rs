//! Adds states to a run, and removes pending states that have no path.
//!
//! Invariant: the searcher and the extensions learn of each.

use super::changes::Changes;
use super::run::Run;
use crate::extensions::Leaving;
use crate::search::{Added, Fork, Left, StateId};
use homi_machine::exec::Absent;
use homi_machine::state::Siblings;

impl Run<'_, '_> {
    /// Adds states that no fork has created.
    pub(super) fn add_states(&mut self, states: Siblings) {
        self.add_forked(None, states, &[]);
    }

    /// Adds states, numbers them and updates the searcher. `forks` has the branch sides at which
    /// the parent, if there is one, has forked (see `Observer::forked_sides`).
    pub(super) fn add_forked(
        &mut self,
        parent: Option<StateId>,
        states: Siblings,
        forks: &[(usize, u32, u32)],
    ) {
        let mut added = Vec::with_capacity(states.len());
        let most = self.bench.tuning.engine.cached_states;
        for (place, mut state) in states.into_iter().enumerate() {
            if parent.is_none() {
                let extensions = &mut self.progress.extensions;
                extensions.iter_mut().for_each(|one| one.begun(&mut state));
            }
            let id = StateId::new(self.progress.next_id);
            state.tags.sequence = self.parts.sequence(self.progress.next_id);
            self.progress.next_id += 1;
            let metrics =
                self.progress
                    .measure
                    .of(&state, self.bench.executor, &self.progress.observer);
            added.push(Added {
                id,
                parent,
                metrics,
                fork: fork_of(forks, place),
                pending: state.pending_check.is_some(),
                ends: state.ending.is_some(),
            });
            if let Some(parent) = parent.and_then(|parent| self.progress.states.get(&parent)) {
                state.memory.copy_cache(&parent.memory);
            }
            if let Some(parent) = parent {
                let extensions = &mut self.progress.extensions;
                extensions
                    .iter_mut()
                    .for_each(|one| one.forked(parent, id, &state));
            }
            self.progress.states.insert(id, state);
            self.cached.keep(id, &mut self.progress.states, most);
        }
        self.progress.states_peak = self.progress.states_peak.max(self.progress.states.len());
        self.update_search(Changes {
            current: parent,
            added: &added,
            ..Changes::default()
        });
    }

    /// Removes a pending state whose path is infeasible or unknown.
    pub(super) fn leave_pending(&mut self, id: StateId, absent: Absent) {
        if let Some(state) = self.progress.states.remove(&id) {
            self.leaves(&state, Leaving::Absent(absent));
        }
        self.update_search(Changes {
            removed: &[id],
            left: Some(match absent {
                Absent::Infeasible => Left::Infeasible(id),
                Absent::Unknown => Left::Unknown(id),
            }),
            ..Changes::default()
        });
    }
}

/// Returns the sides of the sibling with this index.
fn fork_of(forks: &[(usize, u32, u32)], place: usize) -> Option<Fork> {
    let found = forks.iter().find(|(sibling, ..)| *sibling == place);
    found.map(|&(_, kept, taken)| Fork { kept, taken })
}
