//! Paths that close a merge wait for those that opened it with them, and become one
//! (`--use-merge`).
//!
//! Invariant: a state that waits is in a group and not among the run's states, so that the searcher
//! does not know it; whoever looks at all states that live looks at both. No state waits for
//! nobody.

use super::{Apart, Group, Groups, LiveRegisters, Means, Waiting, merge_states};
use crate::config::RunConfig;
use crate::explore::extensions::{Extension, ExtensionStatistics, ExtensionView, Lent};
use crate::explore::search::StateId;
use crate::machine::exec::{EarlyReason, Termination};
use crate::machine::state::{Opening, State};
use crate::native::testcase::WriteError;
use crate::solver::Check;
use std::sync::Arc;

/// The merging of a run.
pub struct Merging {
    groups: Groups,
    live: LiveRegisters,
    /// States that have become one with another.
    merged: u64,
    /// Groups that nobody is close to go on.
    is_incomplete: bool,
    /// The user is told of each state that merges or waits.
    logs: bool,
    /// Each path that ends has a test, whatever others have shown.
    tests_all: bool,
}

impl Merging {
    /// The merging that the options ask for.
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

    /// A state has closed a merge: it becomes one with a state that waits there, or waits.
    fn arrive_at_close(
        &mut self,
        id: StateId,
        mut state: Box<State>,
        run: &mut dyn ExtensionView,
    ) -> Result<(), WriteError> {
        let merges = state.merges.as_mut();
        let closed = merges.and_then(|merges| merges.take_closed());
        // Whoever gives the run a state has plans for it.
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
                Err(apart) => self.log(run, || format!("{id} and {}: {apart}", other.id)),
            }
            if became.is_some() {
                break;
            }
        }
        match became {
            Some(other) => {
                self.merged += 1;
                self.log(run, || format!("{id} goes on as {other}"));
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

    /// Makes the first state stand for both, if they can be one.
    fn merge_states(
        &mut self,
        (first, second): (&mut State, &mut State),
        opening: &Opening,
        run: &mut dyn ExtensionView,
    ) -> Result<Result<(), Apart>, WriteError> {
        // What the first covered has to be shown as the path that it was.
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

    /// Writes the test of a state that covered something first, unless each path that ends has one
    /// anyway.
    fn show_news(&self, state: &mut State, run: &mut dyn ExtensionView) -> Result<(), WriteError> {
        if self.tests_all || !state.metrics.covered_new {
            return Ok(());
        }
        let shown = run.show(state, &Termination::Early(EarlyReason::Merged));
        state.metrics.covered_new = false;
        shown
    }

    /// Lets groups go on that nobody is on the way to any more of those that waited for the state
    /// that ran.
    fn release_waiting(&mut self, ran: StateId, run: &mut dyn ExtensionView) {
        let mut released: Vec<Waiting> = Vec::new();
        // From the last on, so that the numbers of the others stay.
        for number in self.groups.waiting_for(Some(ran)).into_iter().rev() {
            let opening = Arc::clone(&self.groups.groups()[number].opening);
            let witness = self
                .witness(&opening, run)
                // Who leaves a merge within is on its way to the close of the one around it.
                .or_else(|| on_the_way(released.iter(), &opening));
            match witness {
                Some(_) => self.groups.set_witness(number, witness),
                None => released.extend(self.groups.release(number)),
            }
        }
        enter(released, run);
    }

    /// A state that is between the two marks of an opening: one that runs, or one that waits for a
    /// merge within.
    fn witness(&self, opening: &Arc<Opening>, run: &dyn ExtensionView) -> Option<StateId> {
        let running = run.find_state(&|state| has_open(state, opening));
        running.or_else(|| on_the_way(self.groups.states(), opening))
    }

    /// All states that wait go on. Whether there was one.
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
    /// The state that ran may have closed a merge, or may be the last that somebody waited for.
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

    /// In an incomplete merge, the state that runs next because others wait for it and it is close.
    /// Groups that nobody is close to go on.
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

/// States that waited are the run's again.
fn enter(released: Vec<Waiting>, run: &mut dyn ExtensionView) {
    let states = released.into_iter();
    run.enter_search(states.map(|waiting| (waiting.id, waiting.state)).collect());
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
