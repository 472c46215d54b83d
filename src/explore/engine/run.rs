//! A run: its states, and all that has to hear of them.
//!
//! Invariant: every state of `states` is known to the searcher, and no other; ids are given in
//! order of creation. A run does not know the loop: it is what sources of states and extensions
//! see. With budgets in instructions nothing in here depends on time.

use super::changes::Changes;
use super::parts::{Parts, Progress};
use super::pruning::Pruning;
use super::spending::Spending;
use super::threads::sharing::Sharing;
use super::warm::Warm;
use super::workbench::Workbench;
use crate::config::Spent;
use crate::explore::coverage::Fresh;
use crate::explore::search::Clock;
use crate::explore::sources::fuzz::Input;
use crate::machine::exec::{Example, Narrowing};
use crate::machine::state::State;

/// A run under way, without the loop.
pub(super) struct Run<'r, 'p> {
    pub(super) bench: Workbench<'r, 'p>,
    pub(super) parts: Parts<'r>,
    pub(super) progress: Progress,
    pub(super) spending: Spending,
    pub(super) warm: Warm,
    pub(super) sharing: Sharing,
    pub(super) pruning: Pruning,
    /// Own sides that this run was the first of the session to cover.
    pub(super) new_branches: u64,
    /// Inputs of seeds that sources have not been told of yet.
    pub(super) seed_inputs: Vec<Input>,
}

impl Run<'_, '_> {
    /// Work of this run, or of this slice of it, in this thread.
    pub(super) fn own_work(&self) -> u64 {
        let instructions = self.progress.observer.instructions;
        self.spending.own_work(instructions, &*self.bench.prover)
    }

    /// Time, instructions and work that count against the budget, the last two of all threads;
    /// work is 0 if none does. Time is that of the last look at the clock.
    #[inline(always)]
    pub(super) fn spent_for_budget(&self) -> Spent {
        let team = self.parts.team.map(|member| member.team);
        let instructions = self.progress.observer.instructions;
        (self.spending).against_budget(instructions, &*self.bench.prover, team)
    }

    /// The turn that begins must not keep the solver busy for longer than the budget allows.
    pub(super) fn limit_solver_work(&mut self, spent: Spent) {
        self.spending.limit_solver(spent, &mut *self.bench.prover);
    }

    /// What has been done so far, as policies see it.
    pub(super) fn clock(&self) -> Clock {
        let instructions = self.progress.observer.instructions;
        Clock {
            instructions,
            work: instructions + self.progress.measure.solver_work(),
            counted: self.spending.work(instructions, &*self.bench.prover),
            time: self.spending.clock.now(),
        }
    }

    /// Own branch sides covered so far, by earlier runs of the session too.
    pub(super) fn branches(&self) -> u64 {
        match &self.parts.context.earlier_coverage {
            Some(earlier) => earlier.branches + self.new_branches,
            None => self.progress.coverage.totals().branches,
        }
    }

    /// What has been covered for the first time since the last call, by any thread.
    pub(super) fn absorb_coverage(&mut self) -> Fresh {
        self.progress.absorb_coverage(self.parts.team)
    }

    /// Counts what was covered first. Returns the number of sides that no earlier run of the
    /// session has covered either.
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
        if events.is_heard() {
            let total = self.progress.coverage.totals().branches_total;
            events.tell_coverage(self.branches(), total);
        }
        new
    }

    /// The run loses something where a state stands.
    pub(super) fn note_lost(&mut self, state: &State, kind: Narrowing, example: Example) {
        let (function, pc) = self.bench.executor.place(state);
        let at = (kind, function, pc);
        self.progress.observer.narrowed.note(at, || example);
    }

    /// Tells the search what has changed, and what has been covered since it was last told.
    pub(super) fn update_search(&mut self, changes: Changes<'_>) {
        let clock = self.clock();
        (self.progress).update_search(self.bench.executor, clock, changes);
    }
}
