//! Paths that close a merge wait for those that opened it with them, and become one
//! (`--use-merge`).
//!
//! Invariant: a state that waits is in a group and not among the run's states, so that the searcher
//! does not know it; whoever looks at all states that live looks at both. No state waits for
//! nobody.

use super::changes::Changes;
use super::paths::Departure;
use super::run::Engine;
use crate::config::MergeConfig;
use crate::explore::extensions::merge::{
    Apart, Group, Groups, LiveRegisters, Means, Waiting, unite,
};
use crate::explore::search::{Added, StateId};
use crate::machine::exec::{EarlyReason, Termination};
use crate::machine::state::{Opening, State};
use crate::native::testcase::WriteError;
use crate::solver::Check;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The merging of a run.
pub(super) struct Merging {
    groups: Groups,
    live: LiveRegisters,
    /// States that have become one with another.
    merged: u64,
    config: MergeConfig,
}

impl Merging {
    pub(super) fn new(config: MergeConfig) -> Self {
        Self {
            groups: Groups::default(),
            live: LiveRegisters::default(),
            merged: 0,
            config,
        }
    }

    /// The states that wait.
    pub(super) fn states(&self) -> impl Iterator<Item = &State> {
        self.groups.states().map(|waiting| &*waiting.state)
    }

    /// States that have become one with another.
    pub(super) fn merged(&self) -> u64 {
        self.merged
    }
}

impl Engine<'_, '_> {
    /// What follows from a turn for those that wait: the state that ran may have closed a merge, or
    /// may be the last that somebody waited for.
    pub(super) fn merge_after_turn(&mut self) -> Result<(), WriteError> {
        let Some(ran) = self.warm.last() else {
            return Ok(());
        };
        let state = self.progress.states.get_mut(&ran);
        let merges = state.and_then(|state| state.merges.as_mut());
        if let Some(opening) = merges.and_then(|merges| merges.take_closed()) {
            self.arrive_at_close(ran, &opening)?;
        }
        self.release_waiting(Some(ran));
        Ok(())
    }

    /// A state has closed a merge: it becomes one with a state that waits there, or waits.
    fn arrive_at_close(&mut self, id: StateId, opening: &Arc<Opening>) -> Result<(), WriteError> {
        // Whoever gives the run a state has plans for it.
        let held = self.parts.policies.roots.iter().any(|root| root.holds(id));
        let Some(mut merging) = self.progress.merging.take() else {
            return Ok(());
        };
        let state = match held {
            true => None,
            false => self.progress.states.remove(&id),
        };
        let arrived = match state {
            Some(state) => self.wait_or_merge(&mut merging, id, state, opening),
            None => Ok(()),
        };
        self.progress.merging = Some(merging);
        arrived
    }

    fn wait_or_merge(
        &mut self,
        merging: &mut Merging,
        id: StateId,
        mut state: Box<State>,
        opening: &Arc<Opening>,
    ) -> Result<(), WriteError> {
        self.update_search(Changes {
            removed: &[id],
            ..Changes::default()
        });
        let point = state.point(self.bench.executor.program());
        let logs = merging.config.logs;
        let group = merging.groups.arrive(opening, &state);
        let mut others = std::mem::take(&mut group.waiting);
        let mut became = None;
        for other in others.iter_mut().filter(|other| other.point == point) {
            match self.unite(&mut merging.live, &mut other.state, &mut state, opening)? {
                Ok(()) => became = Some(other.id),
                Err(apart) if logs => self.log_merge(&format!("{id} and {}: {apart}", other.id)),
                Err(_) => {}
            }
            if became.is_some() {
                break;
            }
        }
        match became {
            Some(other) => {
                merging.merged += 1;
                if logs {
                    self.log_merge(&format!("{id} goes on as {other}"));
                }
            }
            None => {
                if logs {
                    self.log_merge(&format!("{id} waits"));
                }
                state.trim();
                others.push(Waiting { id, point, state });
            }
        }
        merging.groups.fill(opening, others);
        Ok(())
    }

    fn log_merge(&mut self, text: &str) {
        self.bench.log.lock().message(&format!("merge: {text}"));
    }

    /// Makes the first state stand for both, if they can be one.
    fn unite(
        &mut self,
        live: &mut LiveRegisters,
        first: &mut State,
        second: &mut State,
        opening: &Opening,
    ) -> Result<Result<(), Apart>, WriteError> {
        // What the first covered has to be shown as the path that it was.
        let alone = first.metrics.covered_new.then(|| first.clone());
        let (terms, prover) = (self.bench.terms, &mut *self.bench.prover);
        let mut means = Means {
            program: self.bench.executor.program(),
            terms,
            live,
            is_impossible: &mut |path, model, condition| {
                prover.check(terms, path, model, condition) == Check::Unsat
            },
        };
        if let Err(apart) = unite(first, second, opening, &mut means) {
            return Ok(Err(apart));
        }
        let mut unshown = false;
        if let Some(mut alone) = alone {
            self.show_news(&mut alone)?;
            unshown = alone.metrics.covered_new;
        }
        self.show_news(second)?;
        first.metrics.covered_new = unshown || second.metrics.covered_new;
        Ok(Ok(()))
    }

    /// Writes the test of a state that covered something first, unless each path that ends has one
    /// anyway.
    fn show_news(&mut self, state: &mut State) -> Result<(), WriteError> {
        if self.parts.config.tests.all || !state.metrics.covered_new {
            return Ok(());
        }
        let termination = Termination::Early(EarlyReason::Merged);
        let departure = Departure {
            goes_on: true,
            ..Departure::default()
        };
        let finished = self.finish(state, &termination, departure);
        state.metrics.covered_new = false;
        finished
    }

    /// Lets groups go on that nobody is on the way to any more: those that waited for this state,
    /// or all that there are.
    pub(super) fn release_waiting(&mut self, ran: Option<StateId>) {
        let Some(mut merging) = self.progress.merging.take() else {
            return;
        };
        let mut released: Vec<Waiting> = Vec::new();
        let affected = match ran {
            Some(ran) => merging.groups.waiting_for(Some(ran)),
            None => (0..merging.groups.groups().len()).collect(),
        };
        // From the last on, so that the numbers of the others stay.
        for number in affected.into_iter().rev() {
            let opening = Arc::clone(&merging.groups.groups()[number].opening);
            let witness = witness(&self.progress.states, merging.groups.groups(), &opening)
                // Who leaves a merge within is on its way to the close of the one around it.
                .or_else(|| on_the_way(released.iter(), &opening));
            match witness {
                Some(_) => merging.groups.set_witness(number, witness),
                None => released.extend(merging.groups.release(number)),
            }
        }
        self.progress.merging = Some(merging);
        self.add_released(released);
    }

    /// All states that wait go on. Whether there was one.
    pub(super) fn release_all_waiting(&mut self) -> bool {
        let Some(merging) = &mut self.progress.merging else {
            return false;
        };
        let mut released = Vec::new();
        while !merging.groups.is_empty() {
            released.extend(merging.groups.release(0));
        }
        let some = !released.is_empty();
        self.add_released(released);
        some
    }

    fn add_released(&mut self, released: Vec<Waiting>) {
        let mut added = Vec::with_capacity(released.len());
        for Waiting { id, state, .. } in released {
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

    /// In an incomplete merge, the state that runs next because others wait for it and it is close.
    /// Groups that nobody is close to go on.
    pub(super) fn hurried_by_merge(&mut self) -> Option<StateId> {
        let merging = self.progress.merging.as_ref()?;
        if !merging.config.incomplete || merging.groups.is_empty() {
            return None;
        }
        let number = innermost(merging.groups.groups());
        let group = &merging.groups.groups()[number];
        let mut states = self.progress.states.iter();
        let is_near = |state: &State| has_open(state, &group.opening) && group.is_close(state);
        if let Some((id, _)) = states.find(|(_, state)| is_near(state)) {
            return Some(*id);
        }
        let merging = self.progress.merging.as_mut();
        let released = merging.map(|merging| merging.groups.release(number));
        self.add_released(released.unwrap_or_default());
        self.hurried_by_merge()
    }
}

/// A state that is between the two marks of an opening: one that runs, or one that waits for a
/// merge within.
fn witness(
    states: &BTreeMap<StateId, Box<State>>,
    groups: &[Group],
    opening: &Arc<Opening>,
) -> Option<StateId> {
    let mut running = states.iter();
    let running = running.find(|(_, state)| has_open(state, opening));
    let waiting = groups.iter().flat_map(|group| &group.waiting);
    running
        .map(|(id, _)| *id)
        .or_else(|| on_the_way(waiting, opening))
}

/// One of the states that wait, or have waited, which is between the two marks of an opening.
fn on_the_way<'w>(
    mut waiting: impl Iterator<Item = &'w Waiting>,
    opening: &Arc<Opening>,
) -> Option<StateId> {
    let found = waiting.find(|waiting| has_open(&waiting.state, opening));
    found.map(|waiting| waiting.id)
}

/// Whether a state is between the two marks of an opening.
fn has_open(state: &State, opening: &Arc<Opening>) -> bool {
    let merges = state.merges.as_ref();
    merges.is_some_and(|merges| merges.has_open(opening))
}

/// The first group that does not wait for one of another group: it has to go on first.
fn innermost(groups: &[Group]) -> usize {
    let waits_for_a_group = |group: &&Group| {
        let waiting = groups.iter().flat_map(|other| &other.waiting);
        on_the_way(waiting, &group.opening).is_some()
    };
    let found = groups.iter().position(|group| !waits_for_a_group(&group));
    found.unwrap_or(0)
}
