//! A run: its states, and the listeners of their changes.
//!
//! Invariant: the searcher knows exactly the states of `states`; ids are given in order of
//! creation. A run does not know the loop; sources of states and extensions see it through their
//! views. With budgets in instructions nothing in here depends on time.

use super::cached::CachedStates;
use super::changes::Changes;
use super::engine_context::EngineContext;
use super::parts::{Parts, Progress};
use super::pruning::Pruning;
use super::spending::Spending;
use super::threads::sharing::Sharing;
use crate::coverage::Fresh;
use crate::search::Clock;
use crate::sources::fuzz::Input;
use homi_config::Usage;
use homi_machine::exec::{Example, Underapproximation};
use homi_machine::state::State;

/// A run in progress, without the loop.
pub(super) struct Run<'r, 'p> {
    pub(super) bench: EngineContext<'r, 'p>,
    pub(super) parts: Parts<'r>,
    pub(super) progress: Progress,
    pub(super) spending: Spending,
    pub(super) cached: CachedStates,
    pub(super) sharing: Sharing,
    pub(super) pruning: Pruning,
    /// Number of sides of user code that this run was the first of the session to cover.
    pub(super) new_branches: u64,
    /// Inputs of seeds that the sources do not know yet.
    pub(super) seed_inputs: Vec<Input>,
    /// Inputs that are longer than the run's objects, which the sources do not know yet.
    pub(super) longer_inputs: Vec<Input>,
}

impl Run<'_, '_> {
    /// Returns the work of this slice of the run in this thread.
    pub(super) fn work_of_slice(&self) -> u64 {
        let instructions = self.progress.observer.instructions;
        self.spending
            .work_of_slice(instructions, &*self.bench.solver_session)
    }

    /// Returns the time, instructions and work that count against the budget, the last two of all
    /// threads; work is 0 if the budget does not limit it. Time is the last reading of the clock.
    #[inline(always)]
    pub(super) fn usage_for_budget(&self) -> Usage {
        let shared_exploration = self
            .parts
            .shared_exploration
            .map(|member| member.shared_exploration);
        let instructions = self.progress.observer.instructions;
        (self.spending).against_budget(
            instructions,
            &*self.bench.solver_session,
            shared_exploration,
        )
    }

    /// Limits the solver to the work that the budget has left after `usage`.
    pub(super) fn limit_solver_work(&mut self, usage: Usage) {
        self.spending
            .limit_solver(usage, &mut *self.bench.solver_session);
    }

    /// Returns the usage of the run as policies see it.
    pub(super) fn clock(&self) -> Clock {
        let instructions = self.progress.observer.instructions;
        Clock {
            instructions,
            work: instructions + self.progress.measure.solver_work(),
            counted: self
                .spending
                .work(instructions, &*self.bench.solver_session),
            time: self.spending.clock.now(),
        }
    }

    /// Returns the number of branch sides of user code that this or an earlier run of the session
    /// covered.
    pub(super) fn branches(&self) -> u64 {
        match &self.parts.context.earlier_coverage {
            Some(earlier) => earlier.branches + self.new_branches,
            None => self.progress.coverage.totals().branches,
        }
    }

    /// Returns the coverage that is new since the last call, for all threads.
    pub(super) fn absorb_coverage(&mut self) -> Fresh {
        self.progress.absorb_coverage(self.parts.shared_exploration)
    }

    /// Counts new coverage. Returns the number of sides that no earlier run of the session has
    /// covered.
    pub(super) fn note_covered(&mut self, fresh: &Fresh) -> u64 {
        if fresh.is_empty() {
            return 0;
        }
        self.progress.newly_covered.extend(&fresh.sides);
        self.bench
            .recorder
            .lock()
            .cover(fresh, &self.progress.coverage);
        let new = self.parts.context.new_to_session(fresh);
        self.new_branches += new;
        let events = self.parts.results.events();
        if events.has_listeners() {
            let total = self.progress.coverage.totals().branches_total;
            events.report_coverage(self.branches(), total);
        }
        new
    }

    /// Notes a loss at the code location of a state.
    pub(super) fn note_dropped(
        &mut self,
        state: &State,
        kind: Underapproximation,
        example: Example,
    ) {
        let (function, pc) = self.bench.executor.place(state);
        let at = (kind, function, pc);
        self.progress
            .observer
            .underapproximations
            .note(at, || example);
    }

    /// Updates the searcher with these changes, and with the coverage since its last update.
    pub(super) fn update_search(&mut self, changes: Changes<'_>) {
        let clock = self.clock();
        (self.progress).update_search(self.bench.executor, clock, changes);
    }
}
