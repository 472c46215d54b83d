//! What a run has spent, and what its budget has left: time, instructions, work.
//!
//! Invariant: time is that of the last look at the clock. Instructions count from before the launch,
//! work from the run's first slice, and own ones from the start of this slice, in this thread.

use super::clock::RunClock;
use super::prover::Prover;
use super::stop::Budget;
use super::threads::team::Team;
use super::tuning::Tuning;
use super::work::{WorkMeter, Writing};
use crate::config::{Span, Spent};
use crate::ir::util::clock::Moment;
use crate::solver::WORK_OF_INSTRUCTION;
use std::time::Duration;

/// Slices that a run with few open paths may have at once, where its budget is no time.
const SHORT_SLICES: u64 = 100;

/// What a run, or a slice of one, has spent in one thread. The solver is the one that works for the
/// run, and `instructions` are those on the clock.
pub(super) struct Spending {
    pub(super) budget: Budget,
    pub(super) clock: RunClock,
    pub(super) work: WorkMeter,
    /// On the clock before the first instruction of this slice.
    instructions_at_start: u64,
    /// On the clock then, in units of work.
    work_at_start: u64,
}

impl Spending {
    /// A slice begins, before which so much had been done. Time counts from `start`; what the
    /// solver has done before is not the run's work, and from now on it is.
    pub(super) fn begin(
        budget: Budget,
        start: Moment,
        instructions: u64,
        mut work: WorkMeter,
        prover: &dyn Prover,
    ) -> Self {
        let solver = prover.effort().work;
        work.start(solver);
        Self {
            budget,
            clock: RunClock::since(start),
            instructions_at_start: instructions,
            work_at_start: work.total(instructions, solver),
            work,
        }
    }

    /// The run is over or suspended: what the solver does for its tests is not its work.
    pub(super) fn end(&mut self, prover: &mut dyn Prover) {
        self.work.stop(prover.effort().work);
        prover.set_work_limit(None);
    }

    /// Work on the run's clock: with what was executed before the run, as its instructions.
    pub(super) fn work(&self, instructions: u64, prover: &dyn Prover) -> u64 {
        self.work.total(instructions, prover.effort().work)
    }

    /// Work of this slice in this thread.
    pub(super) fn own_work(&self, instructions: u64, prover: &dyn Prover) -> u64 {
        let work = self.work(instructions, prover);
        work.saturating_sub(self.work_at_start)
    }

    /// Those of so many instructions that are of this slice.
    pub(super) fn own_instructions(&self, instructions: u64) -> u64 {
        instructions - self.instructions_at_start
    }

    /// What counts against the budget, instructions and work of all threads; work is 0 if none
    /// does. With several threads the turns under way are not in it, so each thread may go beyond
    /// the budget by a turn.
    #[inline(always)]
    pub(super) fn against_budget(
        &self,
        instructions: u64,
        prover: &dyn Prover,
        team: Option<&Team>,
    ) -> Spent {
        let instructions_of_all = match team {
            // Looking at the other threads' numbers costs something.
            Some(team) if self.budget.counts_instructions() => team.sums().instructions,
            _ => instructions,
        };
        let work = match team {
            // Asked several times in a turn, and asking the solver costs something.
            _ if !self.budget.counts_work() => 0,
            Some(team) => team.sums().work,
            None => self.own_work(instructions, prover),
        };
        Spent {
            time: self.clock.now(),
            instructions: instructions_of_all,
            work,
        }
    }

    /// Keeps the solver from being busy for longer than the budget allows, of which so much is
    /// spent.
    pub(super) fn limit_solver(&self, spent: Spent, prover: &mut dyn Prover) {
        if let Some(left) = self.budget.work_left(spent.work) {
            let more = left.saturating_mul(WORK_OF_INSTRUCTION);
            let limit = prover.effort().work.saturating_add(more);
            prover.set_work_limit(Some(limit));
        }
    }

    /// A path has ended: until `end_writing` the solver works for its test.
    pub(super) fn begin_writing(&mut self, tails: u64, prover: &mut dyn Prover) -> Writing {
        if self.budget.counts_work() {
            prover.set_work_limit(None);
        }
        self.work.begin_writing(prover.effort().work, tails)
    }

    /// The test is made. Going on with its path was work. True if the solver is to be limited
    /// again.
    #[must_use]
    pub(super) fn end_writing(
        &mut self,
        writing: Writing,
        tails: u64,
        prover: &dyn Prover,
    ) -> bool {
        self.work.end_writing(writing, prover.effort().work, tails);
        self.budget.counts_work() && !self.work.is_stopped()
    }
}

/// A part of a run, after which other runs have their turn.
#[derive(Clone, Copy)]
pub(super) struct Slice {
    /// What was spent when it began.
    start: Spent,
}

impl Slice {
    /// A slice begins when so much is spent.
    pub(super) fn begin(start: Spent) -> Self {
        Self { start }
    }

    /// Whether a slice of `span` is over, now that so much is spent in all: once it is used up and
    /// there is enough for other runs to choose from, or once it has lasted far longer.
    pub(super) fn is_over(
        self,
        span: Span,
        spent: Spent,
        tuning: &Tuning,
        is_enough_open: impl FnOnce() -> bool,
    ) -> bool {
        let start = span.reading(self.start).count();
        let used = span.reading(spent).count().saturating_sub(start);
        used >= longest(span, tuning) || (used >= span.count() && is_enough_open())
    }
}

/// A slice of few open paths ends, too, once it has lasted so long: until then nothing of it is
/// written down for a later session.
fn longest(span: Span, tuning: &Tuning) -> u64 {
    let least = match span {
        Span::Time(_) => {
            let often = Duration::from_secs_f64(tuning.checkpoint_every);
            Span::Time(often).count()
        }
        Span::Instructions(count) | Span::Work(count) => count.saturating_mul(SHORT_SLICES),
    };
    least.max(span.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_of_few_open_paths_lasts_longer() {
        let spent = |instructions| Spent {
            instructions,
            ..Spent::default()
        };
        let (slice, tuning) = (Slice::begin(spent(5)), Tuning::default());
        let is_over = |instructions, enough| {
            let span = Span::Instructions(10);
            slice.is_over(span, spent(instructions), &tuning, || enough)
        };
        assert!(!is_over(14, true));
        assert!(is_over(15, true));
        assert!(!is_over(15, false));
        assert!(is_over(1005, false));
    }
}
