//! When a run's extensions are asked, and what follows from their answers.
//!
//! Invariant: a run without extensions pays a look for each hook, and allocates nothing.

use super::changes::Changes;
use super::parts::Progress;
use super::paths::Departure;
use super::run::Run;
use crate::extensions::{Batch, Extension, ExtensionStatistics, ExtensionView, Leaving, Lent, Ran};
use crate::search::{Added, Left, StateId};
use crate::sources::RunView;
use homi_machine::exec::{Absent, Observer, Termination};
use homi_machine::state::{CallPathId, State};
use homi_native::testcase::WriteError;
use homi_solver::Effort;
use homi_solver::term::Model;

impl Run<'_, '_> {
    /// Asks the extensions one after the other until one has an answer.
    pub(super) fn ask_extensions<T>(
        &mut self,
        mut ask: impl FnMut(&mut dyn Extension, &mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.progress.extensions.is_empty() {
            return None;
        }
        let mut extensions = std::mem::take(&mut self.progress.extensions);
        let answer = extensions.iter_mut().find_map(|one| ask(&mut **one, self));
        self.progress.extensions = extensions;
        answer
    }

    /// Notifies each extension by `tell`.
    pub(super) fn notify_extensions(
        &mut self,
        mut notify: impl FnMut(&mut dyn Extension, &mut Self),
    ) {
        self.ask_extensions(|one, run| {
            notify(one, run);
            None::<()>
        });
    }

    /// Asks the extensions whether a selected state runs.
    pub(super) fn extensions_before_batch(&mut self, id: StateId) -> Result<Batch, WriteError> {
        let mut work = 0;
        let asked = self.ask_extensions(|one, run| match one.before_batch(id, run) {
            Ok(Batch::Runs) => None,
            Ok(Batch::RunsAfter(more)) => {
                work += more;
                None
            }
            other => Some(other),
        });
        asked.unwrap_or(Ok(Batch::RunsAfter(work)))
    }

    /// Reports to the extensions that a state has run for a batch, in reverse order: the extension
    /// that was asked last before the batch receives the result first.
    pub(super) fn notify_of_batch(&mut self, ran: &mut Ran<'_>) {
        if self.progress.extensions.is_empty() {
            return;
        }
        let mut extensions = std::mem::take(&mut self.progress.extensions);
        for one in extensions.iter_mut().rev() {
            one.ran(ran, self);
        }
        self.progress.extensions = extensions;
    }

    /// Asks the extensions for states, now that the search knows of none. True if one gave some.
    pub(super) fn refill_from_extensions(&mut self) -> bool {
        let asked = self.ask_extensions(|one, run| one.refill(run).then_some(()));
        asked.is_some()
    }

    /// Runs the extensions' hooks after the last batch.
    pub(super) fn extensions_after_batch(&mut self) -> Result<(), WriteError> {
        let Some(ran) = self.cached.last() else {
            return Ok(());
        };
        let failed = self.ask_extensions(|one, run| one.after_batch(ran, run).err());
        failed.map_or(Ok(()), Err)
    }

    /// Reports to the extensions that a state is removed from the run for good.
    pub(super) fn leaves(&mut self, state: &State, leaving: Leaving<'_>) {
        self.notify_extensions(|one, run| one.left(state, leaving, run));
    }
}

impl Progress {
    /// Returns the statistics of the extensions.
    pub(super) fn extension_statistics(&self) -> ExtensionStatistics {
        let mut statistics = ExtensionStatistics::default();
        let extensions = self.extensions.iter();
        extensions.for_each(|one| one.add_statistics(&mut statistics));
        statistics
    }
}

impl ExtensionView for Run<'_, '_> {
    fn as_source(&mut self) -> &mut dyn RunView {
        self
    }

    fn lend(&mut self) -> Lent<'_, '_> {
        Lent {
            executor: self.bench.executor,
            terms: self.bench.terms,
            host: self.bench.host,
            oracle: &mut *self.bench.solver_session,
        }
    }

    fn observer(&self) -> &Observer {
        &self.progress.observer
    }

    fn effort(&self) -> Effort {
        self.bench.solver_session.effort()
    }

    fn find_state(&self, is_so: &dyn Fn(&State) -> bool) -> Option<StateId> {
        let mut states = self.progress.states.iter();
        let found = states.find(|(_, state)| is_so(state));
        found.map(|(id, _)| *id)
    }

    fn is_held(&self, id: StateId) -> bool {
        self.parts.policies.holds(id)
    }

    fn take_state(&mut self, id: StateId) -> Option<Box<State>> {
        self.progress.states.remove(&id)
    }

    fn put_state(&mut self, id: StateId, state: Box<State>) {
        self.progress.states.insert(id, state);
    }

    fn leave_search(&mut self, id: StateId, left: Option<Left>) {
        self.update_search(Changes {
            removed: &[id],
            left,
            ..Changes::default()
        });
    }

    fn enter_search(&mut self, states: Vec<(StateId, Box<State>)>) {
        let mut added = Vec::with_capacity(states.len());
        for (id, state) in states {
            let (executor, observer) = (self.bench.executor, &self.progress.observer);
            added.push(Added {
                id,
                parent: None,
                metrics: self.progress.measure.of(&state, executor, observer),
                fork: None,
                pending: false,
                ends: false,
            });
            self.progress.states.insert(id, state);
        }
        if !added.is_empty() {
            self.update_search(Changes {
                added: &added,
                ..Changes::default()
            });
        }
    }

    fn check_pending(&mut self, state: &mut State) -> Result<(), Absent> {
        Run::check_pending(self, state)
    }

    fn least_model(&mut self, state: &State) -> Model {
        let arrays: Vec<_> = state
            .symbolics
            .objects
            .iter()
            .map(|object| object.array)
            .collect();
        let (terms, solver_session) = (self.bench.terms, &mut *self.bench.solver_session);
        solver_session.canonical_model(terms, &state.path, &arrays, &state.model)
    }

    fn note_ran(&mut self, id: StateId) {
        self.update_search(Changes {
            current: Some(id),
            ..Changes::default()
        });
    }

    fn end_path(&mut self, state: &State, termination: &Termination) -> Result<(), WriteError> {
        self.finish(state, termination, Departure::default())
            .map(|_| ())
    }

    fn show(&mut self, state: &State, termination: &Termination) -> Result<(), WriteError> {
        let departure = Departure {
            goes_on: true,
            ..Departure::default()
        };
        self.finish(state, termination, departure).map(|_| ())
    }

    fn limit_solver(&mut self, most: Option<u64>) {
        let limit = most.map(|most| self.effort().work + most);
        self.bench.solver_session.set_work_limit(limit);
        if limit.is_none() {
            self.limit_solver_work(self.usage_for_budget());
        }
    }

    fn record_solver_work(&mut self, call_path: CallPathId, work: u64) {
        self.progress.measure.record(call_path, work);
    }

    fn note_work(&mut self, instructions: u64, nanoseconds: u64) {
        self.spending.work.note_beside(instructions);
        self.spending.work.note_looks(nanoseconds);
    }

    fn warn_once(&mut self, name: &str, text: &str) {
        self.bench.log.lock().warning_once(name, text);
    }
}
