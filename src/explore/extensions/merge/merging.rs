//! Extension that merges paths where they close a merge (`--use-merge`): a path waits for the paths
//! that opened the merge with it.
//!
//! Invariant: a waiting state is in a group and not among the run's states, so the searcher does
//! not know it. Code that visits all living states visits both. Every waiting state waits for a
//! living one.

use super::{Apart, Group, Groups, LiveRegisters, Means, Waiting, merge_states};
use crate::extensions::{Extension, ExtensionStatistics, ExtensionView, Lent};
use crate::search::StateId;
use homi_config::RunConfig;
use homi_machine::exec::{EarlyReason, Termination};
use homi_machine::state::{Opening, State};
use homi_native::testcase::WriteError;
use homi_solver::Check;
use std::sync::Arc;

/// Merging of a run.
pub struct Merging {
    groups: Groups,
    live: LiveRegisters,
    /// Number of states that were merged into others.
    merged: u64,
    /// True if a group continues when no other state is close (`--use-incomplete-merge`).
    is_incomplete: bool,
    /// True if each merge and each wait is reported to the user.
    logs: bool,
    /// True if each path that ends has a test, whatever others have covered.
    tests_all: bool,
}

impl Merging {
    /// Returns the merging that the options request.
    pub fn of(config: &RunConfig) -> Option<Self> {
        config.merge.map(|merge| Self {
            groups: Groups::default(),
            live: LiveRegisters::default(),
            merged: 0,
            is_incomplete: merge.incomplete,
            logs: merge.logs,
            tests_all: config.tests.all,
        })
    }

    /// Merges a state that has closed a merge with a state that waits there, or makes it wait.
    fn arrive_at_close(
        &mut self,
        id: StateId,
        mut state: Box<State>,
        run: &mut dyn ExtensionView,
    ) -> Result<(), WriteError> {
        let merges = state.merges.as_mut();
        let closed = merges.and_then(|merges| merges.take_closed());
        // A state source that holds a state continues it on its path.
        let Some(opening) = closed.filter(|_| !run.is_held(id)) else {
            run.put_state(id, state);
            return Ok(());
        };
        run.leave_search(id, None);
        let point = state.point(run.program());
        let group = self.groups.arrive(&opening, &state);
        let mut others = std::mem::take(&mut group.waiting);
        let mut became = None;
        for other in others.iter_mut().filter(|other| other.point == point) {
            match self.merge_states((&mut other.state, &mut state), &opening, run)? {
                Ok(()) => became = Some(other.id),
                Err(apart) => self.log(run, || {
                    format!("{id} and {} are not merged: {apart}", other.id)
                }),
            }
            if became.is_some() {
                break;
            }
        }
        match became {
            Some(other) => {
                self.merged += 1;
                self.log(run, || format!("{id} is merged into {other}"));
            }
            None => {
                self.log(run, || format!("{id} waits"));
                state.trim();
                others.push(Waiting { id, point, state });
            }
        }
        self.groups.fill(&opening, others);
        Ok(())
    }

    fn log(&self, run: &mut dyn ExtensionView, text: impl FnOnce() -> String) {
        if self.logs {
            run.message(&format!("merge: {}", text()));
        }
    }

    /// Merges the second state into the first, if possible.
    fn merge_states(
        &mut self,
        (first, second): (&mut State, &mut State),
        opening: &Opening,
        run: &mut dyn ExtensionView,
    ) -> Result<Result<(), Apart>, WriteError> {
        // A test of the first state's coverage needs the path before the merge.
        let alone = first.metrics.covered_new.then(|| first.clone());
        let Lent {
            executor,
            terms,
            oracle,
            ..
        } = run.lend();
        let mut means = Means {
            program: executor.program(),
            terms,
            live: &mut self.live,
            is_impossible: &mut |path, model, condition| {
                oracle.check(terms, path, model, condition) == Check::Unsat
            },
        };
        if let Err(apart) = merge_states(first, second, opening, &mut means) {
            return Ok(Err(apart));
        }
        let mut unshown = false;
        if let Some(mut alone) = alone {
            self.show_news(&mut alone, run)?;
            unshown = alone.metrics.covered_new;
        }
        self.show_news(second, run)?;
        first.metrics.covered_new = unshown || second.metrics.covered_new;
        Ok(Ok(()))
    }

    /// Writes the test of a state with new coverage, unless each path that ends has a test anyway.
    fn show_news(&self, state: &mut State, run: &mut dyn ExtensionView) -> Result<(), WriteError> {
        if self.tests_all || !state.metrics.covered_new {
            return Ok(());
        }
        let shown = run.show(state, &Termination::Early(EarlyReason::Merged));
        state.metrics.covered_new = false;
        shown
    }

    /// Releases the groups that waited for the state that ran, if no other state can still reach
    /// their close.
    fn release_waiting(&mut self, ran: StateId, run: &mut dyn ExtensionView) {
        let mut released: Vec<Waiting> = Vec::new();
        // Descending order keeps the other indices valid.
        for number in self.groups.waiting_for(Some(ran)).into_iter().rev() {
            let opening = Arc::clone(&self.groups.groups()[number].opening);
            let witness = self
                .witness(&opening, run)
                // A state that is released from an inner merge can still reach the close of the
                // outer one.
                .or_else(|| on_the_way(released.iter(), &opening));
            match witness {
                Some(_) => self.groups.set_witness(number, witness),
                None => released.extend(self.groups.release(number)),
            }
        }
        enter(released, run);
    }

    /// Returns a state between the two marks of an opening: a running one, or one that waits in an
    /// inner merge.
    fn witness(&self, opening: &Arc<Opening>, run: &dyn ExtensionView) -> Option<StateId> {
        let running = run.find_state(&|state| has_open(state, opening));
        running.or_else(|| on_the_way(self.groups.states(), opening))
    }

    /// Releases all waiting states. Returns true if there were some.
    fn release_all(&mut self, run: &mut dyn ExtensionView) -> bool {
        let mut released = Vec::new();
        while !self.groups.is_empty() {
            released.extend(self.groups.release(0));
        }
        let some = !released.is_empty();
        enter(released, run);
        some
    }
}

impl Extension for Merging {
    /// Handles the close of a merge by the state that ran, and releases the groups that waited for
    /// it.
    fn after_batch(&mut self, ran: StateId, run: &mut dyn ExtensionView) -> Result<(), WriteError> {
        let merges = run.state(ran).and_then(|state| state.merges.as_ref());
        if merges.is_some_and(|merges| merges.has_closed())
            && let Some(state) = run.take_state(ran)
        {
            self.arrive_at_close(ran, state, run)?;
        }
        self.release_waiting(ran, run);
        Ok(())
    }

    /// Returns a state that others wait for and that is close, in an incomplete merge. Releases the
    /// groups that have no such state.
    fn next(&mut self, run: &mut dyn ExtensionView) -> Option<StateId> {
        if !self.is_incomplete {
            return None;
        }
        while !self.groups.is_empty() {
            let number = innermost(self.groups.groups());
            let group = &self.groups.groups()[number];
            let is_near = |state: &State| has_open(state, &group.opening) && group.is_close(state);
            let near = run.find_state(&is_near);
            if near.is_some() {
                return near;
            }
            enter(self.groups.release(number), run);
        }
        None
    }

    fn refill(&mut self, run: &mut dyn ExtensionView) -> bool {
        self.release_all(run)
    }

    fn release(&mut self, run: &mut dyn ExtensionView) {
        self.release_all(run);
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        let waiting = self.groups.states();
        waiting.for_each(|waiting| visit(&waiting.state));
    }

    fn add_statistics(&self, statistics: &mut ExtensionStatistics) {
        statistics.merged = Some(self.merged);
    }
}

/// Returns released states to the run.
fn enter(released: Vec<Waiting>, run: &mut dyn ExtensionView) {
    let states = released.into_iter();
    run.enter_search(states.map(|waiting| (waiting.id, waiting.state)).collect());
}

/// Returns one of these waiting or released states that is between the two marks of an opening.
fn on_the_way<'w>(
    mut waiting: impl Iterator<Item = &'w Waiting>,
    opening: &Arc<Opening>,
) -> Option<StateId> {
    let found = waiting.find(|waiting| has_open(&waiting.state, opening));
    found.map(|waiting| waiting.id)
}

/// True if a state is between the two marks of an opening.
fn has_open(state: &State, opening: &Arc<Opening>) -> bool {
    let merges = state.merges.as_ref();
    merges.is_some_and(|merges| merges.has_open(opening))
}

/// Returns the index of the first group that does not wait for a state of another group; it
/// continues first.
fn innermost(groups: &[Group]) -> usize {
    let waits_for_a_group = |group: &&Group| {
        let waiting = groups.iter().flat_map(|other| &other.waiting);
        on_the_way(waiting, &group.opening).is_some()
    };
    let found = groups.iter().position(|group| !waits_for_a_group(&group));
    found.unwrap_or(0)
}
