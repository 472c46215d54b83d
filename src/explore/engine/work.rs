//! How much work a run has done, in units that are the same on every machine
//! (docs/research/work.md): an instruction is one, one on given bytes a quarter, and what the solver
//! does is counted in instructions' worth.
//!
//! Invariant: whatever the solver does while a run explores is the run's work, but for what makes
//! the bytes of tests nice. Nothing in here depends on time.

use super::run::Engine;
use crate::config::Spent;
use crate::solver::{WORK_OF_CONCRETE_INSTRUCTION, WORK_OF_INSTRUCTION};

/// The work of a run beside its own instructions. The solver and its counter (in nanoseconds) may
/// serve other runs before, after and between the slices of this one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WorkMeter {
    /// The solver's counter up to which all is booked or passed over.
    seen: u64,
    /// What the solver did for the run, and what else is counted in nanoseconds.
    solver: u64,
    /// Instructions of tails and of paths that are followed to confirm a bug.
    beside: u64,
    /// The run is over, or suspended.
    stopped: bool,
}

impl WorkMeter {
    /// What the solver has done before is not the run's work; from now on it is.
    fn start(&mut self, solver: u64) {
        self.stopped = false;
        self.pass_over(solver);
    }

    /// What the solver has done since the last call of any of these is the run's work.
    fn book(&mut self, solver: u64) {
        self.solver += self.open(solver);
        self.seen = solver;
    }

    /// What the solver has done since the last call of any of these is not the run's work.
    fn pass_over(&mut self, solver: u64) {
        self.seen = solver;
    }

    fn open(&self, solver: u64) -> u64 {
        match self.stopped {
            true => 0,
            false => solver.saturating_sub(self.seen),
        }
    }

    /// Units of work, with so many instructions of the run itself.
    fn total(&self, instructions: u64, solver: u64) -> u64 {
        instructions + self.beside + (self.solver + self.open(solver)) / WORK_OF_INSTRUCTION
    }
}

impl Engine<'_, '_> {
    fn solver_counter(&self) -> u64 {
        self.bench.prover.effort().work
    }

    /// Work on the run's clock: with what was executed before the run, as its instructions.
    pub(super) fn work(&self) -> u64 {
        let instructions = self.progress.observer.instructions;
        self.progress
            .work
            .total(instructions, self.solver_counter())
    }

    /// Work of this run, or of this slice of it, in this thread.
    pub(super) fn own_work(&self) -> u64 {
        self.work().saturating_sub(self.work_at_start)
    }

    /// Time, instructions and work that count against the budget, the last two of all threads;
    /// work is 0 if none does. Time is that of the last look at the clock.
    #[inline(always)]
    pub(super) fn spent_for_budget(&self) -> Spent {
        let instructions = self.instructions_for_budget();
        Spent {
            time: self.now,
            instructions,
            work: self.work_for_budget(),
        }
    }

    /// The run, or a slice of it, begins.
    pub(super) fn start_work(&mut self) {
        let solver = self.solver_counter();
        self.progress.work.start(solver);
        self.work_at_start = self.work();
    }

    /// The run is over or suspended: what the solver does for its tests is not its work.
    pub(super) fn stop_work(&mut self) {
        let solver = self.solver_counter();
        self.progress.work.book(solver);
        self.progress.work.stopped = true;
        self.bench.prover.set_work_limit(None);
    }

    /// The turn that begins must not keep the solver busy for longer than the budget allows.
    pub(super) fn limit_solver_work(&mut self, spent: Spent) {
        if let Some(left) = self.budget.work_left(spent.work) {
            let more = left.saturating_mul(WORK_OF_INSTRUCTION);
            let limit = self.solver_counter().saturating_add(more);
            self.bench.prover.set_work_limit(Some(limit));
        }
    }

    /// A path has ended: until `end_writing` the solver works for its test.
    pub(super) fn begin_writing(&mut self) -> Writing {
        let solver = self.solver_counter();
        self.progress.work.book(solver);
        if self.budget.counts_work() {
            self.bench.prover.set_work_limit(None);
        }
        Writing {
            tails: self.parts.results.tally.tail_instructions,
        }
    }

    /// The test is made. Going on with its path was work.
    pub(super) fn end_writing(&mut self, writing: Writing) {
        let solver = self.solver_counter();
        self.progress.work.pass_over(solver);
        let tails = self.parts.results.tally.tail_instructions;
        self.note_beside(tails - writing.tails);
        if self.budget.counts_work() && !self.progress.work.stopped {
            self.limit_solver_work(self.spent_for_budget());
        }
    }

    /// Comparing states and finding reasons has taken so many nanoseconds, counted.
    pub(super) fn note_looks(&mut self, nanoseconds: u64) {
        self.progress.work.solver += nanoseconds;
    }

    /// Probes have executed so many instructions on given bytes.
    pub(super) fn note_concrete(&mut self, instructions: u64) {
        self.progress.work.solver += instructions * WORK_OF_CONCRETE_INSTRUCTION;
    }

    /// Tails have executed so many instructions.
    pub(super) fn note_beside(&mut self, instructions: u64) {
        self.progress.work.beside += instructions;
    }
}

/// The test of a path is being made.
pub(super) struct Writing {
    /// Instructions of tails before.
    tails: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_booked_of_a_shared_solver_counts() {
        let mut meter = WorkMeter::default();
        meter.start(1_000_000);
        assert_eq!(meter.total(7, 1_000_000), 7);
        assert_eq!(meter.total(7, 1_000_400), 9, "under way");
        meter.book(1_000_400);
        meter.pass_over(9_000_000);
        assert_eq!(meter.total(7, 9_000_000), 9, "a test was made");
        meter.beside += 100;
        assert_eq!(meter.total(7, 9_000_200), 110);
        meter.book(9_000_200);
        meter.stopped = true;
        assert_eq!(meter.total(7, 20_000_000), 110, "another run has it");
        meter.start(20_000_000);
        assert_eq!(meter.total(8, 20_000_200), 112, "it goes on");
    }

    #[test]
    fn parts_of_a_unit_add_up() {
        let mut meter = WorkMeter::default();
        for counter in 1..=WORK_OF_INSTRUCTION {
            meter.book(counter);
        }
        assert_eq!(meter.total(0, WORK_OF_INSTRUCTION), 1);
    }
}
