//! Usage and budget of a run: time, instructions, work.
//!
//! Invariant: time is the last reading of the clock. Instructions count from before the entry
//! state, and work from the run's first slice. Own instructions and own work count from the start
//! of this slice, in this thread.

use super::clock::RunClock;
use super::solver_session::SolverSession;
use super::stop::RunBudget;
use super::threads::shared_exploration::SharedExploration;
use super::tuning::Tuning;
use super::work::{WorkMeter, Writing};
use homi_config::{Budget, Usage};
use homi_ir::util::clock::Moment;
use homi_solver::WORK_OF_INSTRUCTION;
use std::time::Duration;

/// Slices that a run with few open paths may have at once, where its budget is no time.
const SHORT_SLICES: u64 = 100;

/// Usage and budget of one slice of a run in one thread. Every `solver_session` is the solver of
/// the run, and `instructions` is the number of instructions on its clock.
pub(super) struct Spending {
    pub(super) budget: RunBudget,
    pub(super) clock: RunClock,
    pub(super) work: WorkMeter,
    /// Instructions on the clock before the first one of this slice.
    instructions_at_start: u64,
    /// Units of work on the clock before the first instruction of this slice.
    work_at_start: u64,
}

impl Spending {
    /// Begins a slice after these instructions and this work. Time counts from `start`. The
    /// solver's effort counts as work of the run from now on.
    pub(super) fn begin(
        budget: RunBudget,
        start: Moment,
        instructions: u64,
        mut work: WorkMeter,
        solver_session: &dyn SolverSession,
    ) -> Self {
        let solver = solver_session.effort().work;
        work.start(solver);
        Self {
            budget,
            clock: RunClock::since(start),
            instructions_at_start: instructions,
            work_at_start: work.total(instructions, solver),
            work,
        }
    }

    /// Ends or suspends the run: the solver's effort for its tests is not its work.
    pub(super) fn end(&mut self, solver_session: &mut dyn SolverSession) {
        self.work.stop(solver_session.effort().work);
        solver_session.set_work_limit(None);
    }

    /// Returns the work on the run's clock, with that before the run.
    pub(super) fn work(&self, instructions: u64, solver_session: &dyn SolverSession) -> u64 {
        self.work.total(instructions, solver_session.effort().work)
    }

    /// Returns the work of this slice in this thread.
    pub(super) fn work_of_slice(
        &self,
        instructions: u64,
        solver_session: &dyn SolverSession,
    ) -> u64 {
        let work = self.work(instructions, solver_session);
        work.saturating_sub(self.work_at_start)
    }

    /// Returns how many of these instructions belong to this slice.
    pub(super) fn instructions_of_slice(&self, instructions: u64) -> u64 {
        instructions - self.instructions_at_start
    }

    /// Returns the usage that counts against the budget, with the instructions and work of all
    /// threads; work is 0 if the budget does not limit it. With several threads, batches in
    /// progress are not included, so each thread may exceed the budget by one batch.
    #[inline(always)]
    pub(super) fn against_budget(
        &self,
        instructions: u64,
        solver_session: &dyn SolverSession,
        shared_exploration: Option<&SharedExploration>,
    ) -> Usage {
        let instructions_of_all = match shared_exploration {
            // Looking at the other threads' numbers costs something.
            Some(shared_exploration) if self.budget.counts_instructions() => {
                shared_exploration.sums().instructions
            }
            _ => instructions,
        };
        let work = match shared_exploration {
            // Asked several times in a batch, and asking the solver costs something.
            _ if !self.budget.counts_work() => 0,
            Some(shared_exploration) => shared_exploration.sums().work,
            None => self.work_of_slice(instructions, solver_session),
        };
        Usage {
            time: self.clock.now(),
            instructions: instructions_of_all,
            work,
        }
    }

    /// Limits the solver to the work that the budget has left after `usage`.
    pub(super) fn limit_solver(&self, usage: Usage, solver_session: &mut dyn SolverSession) {
        if let Some(left) = self.budget.work_left(usage.work) {
            let more = left.saturating_mul(WORK_OF_INSTRUCTION);
            let limit = solver_session.effort().work.saturating_add(more);
            solver_session.set_work_limit(Some(limit));
        }
    }

    /// Begins the test of a path: until `end_writing` the solver works for the test. `completions`
    /// is the number of instructions of tails.
    pub(super) fn begin_writing(
        &mut self,
        completions: u64,
        solver_session: &mut dyn SolverSession,
    ) -> Writing {
        if self.budget.counts_work() {
            solver_session.set_work_limit(None);
        }
        self.work
            .begin_writing(solver_session.effort().work, completions)
    }

    /// Ends the test of a path. The instructions of its tail are work. Returns true if the caller
    /// has to limit the solver again.
    #[must_use]
    pub(super) fn end_writing(
        &mut self,
        writing: Writing,
        completions: u64,
        solver_session: &dyn SolverSession,
    ) -> bool {
        self.work
            .end_writing(writing, solver_session.effort().work, completions);
        self.budget.counts_work() && !self.work.is_stopped()
    }
}

/// A time slice of a run that alternates with other runs.
#[derive(Clone, Copy)]
pub(super) struct Slice {
    /// Usage of the run when the slice began.
    start: Usage,
}

impl Slice {
    /// A slice that begins at this usage.
    pub(super) fn begin(start: Usage) -> Self {
        Self { start }
    }

    /// Returns true if the slice is over at this usage: if `span` is used up and enough states are
    /// open for other runs to choose from, or if the slice has lasted far longer.
    pub(super) fn is_over(
        self,
        span: Budget,
        usage: Usage,
        tuning: &Tuning,
        is_enough_open: impl FnOnce() -> bool,
    ) -> bool {
        let start = span.reading(self.start).count();
        let used = span.reading(usage).count().saturating_sub(start);
        used >= longest(span, tuning) || (used >= span.count() && is_enough_open())
    }
}

/// Returns the length after which a slice with few open paths ends. Until then a later session
/// could not resume the run from its latest state.
fn longest(span: Budget, tuning: &Tuning) -> u64 {
    let least = match span {
        Budget::Time(_) => {
            let often = Duration::from_secs_f64(tuning.checkpoint_every);
            Budget::Time(often).count()
        }
        Budget::Instructions(count) | Budget::Work(count) => count.saturating_mul(SHORT_SLICES),
    };
    least.max(span.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_of_few_open_paths_lasts_longer() {
        let usage = |instructions| Usage {
            instructions,
            ..Usage::default()
        };
        let (slice, tuning) = (Slice::begin(usage(5)), Tuning::default());
        let is_over = |instructions, enough| {
            let span = Budget::Instructions(10);
            slice.is_over(span, usage(instructions), &tuning, || enough)
        };
        assert!(!is_over(14, true));
        assert!(is_over(15, true));
        assert!(!is_over(15, false));
        assert!(is_over(1005, false));
    }
}
