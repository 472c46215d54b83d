//! Reports the changes of a run to its searcher.
//!
//! Invariant: the searcher learns of every state that is added or removed, once, and of new
//! coverage before it selects again.

use super::parts::Progress;
use crate::search::{Added, Clock, Left, StateId, Update};
use homi_config::Usage;
use homi_machine::exec::Executor;

/// Changes since the searcher was updated last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Changes<'c> {
    /// The state that ran, if it continues.
    pub(super) current: Option<StateId>,
    pub(super) added: &'c [Added],
    pub(super) removed: &'c [StateId],
    pub(super) left: Option<Left>,
    /// Own sides of the path that ended, if the search wants to know.
    pub(super) taken: &'c [u32],
}

impl Progress {
    /// Updates the searcher with these changes, and with the coverage since its last update.
    pub(super) fn update_search(
        &mut self,
        executor: &Executor<'_>,
        clock: Clock,
        changes: Changes<'_>,
    ) {
        let current = changes.current.and_then(|id| {
            let state = self.states.get(&id)?;
            Some((id, self.measure.of(state, executor, &self.observer)))
        });
        self.searcher.update(&Update {
            current,
            added: changes.added,
            removed: changes.removed,
            left: changes.left,
            covered: &self.newly_covered,
            taken: changes.taken,
            clock,
        });
        self.newly_covered.clear();
    }

    /// Computes the distances if they are due, and lets the searcher weigh its states by them.
    pub(super) fn refresh_distances(&mut self, executor: &Executor<'_>, usage: Usage) {
        let (measure, observer) = (&mut self.measure, &self.observer);
        if measure.refresh(executor, observer, &self.coverage, usage) {
            let states = &self.states;
            self.searcher
                .reweigh(&mut |id| Some(measure.of(states.get(&id)?, executor, observer)));
        }
    }
}
