//! Work of a run, in units that are the same on every machine (docs/research/work.md): an
//! instruction is one, an instruction on given bytes a quarter, and solver work is counted in
//! instructions.
//!
//! Invariant: all solver work during a run is the run's work, except for making the bytes of tests
//! readable. Nothing here depends on time.

use homi_solver::{WORK_OF_CONCRETE_INSTRUCTION, WORK_OF_INSTRUCTION};

/// The work of a run other than its instructions. The solver and its counter (in nanoseconds) may
/// serve other runs before, after and between the slices of this one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WorkMeter {
    /// The solver's counter up to which all is recorded or passed over.
    seen: u64,
    /// Solver work of the run, and other work counted in nanoseconds.
    solver: u64,
    /// Instructions of tails and of paths that are followed to confirm a bug.
    beside: u64,
    /// The run is over, or suspended.
    stopped: bool,
}

impl WorkMeter {
    /// Leaves earlier solver work out of the run's work.
    pub(super) fn start(&mut self, solver: u64) {
        self.stopped = false;
        self.pass_over(solver);
    }

    /// Adds the solver work since the last call of these functions to the run's work.
    fn record(&mut self, solver: u64) {
        self.solver += self.open(solver);
        self.seen = solver;
    }

    /// Leaves the solver work since the last call of these functions out of the run's work.
    fn pass_over(&mut self, solver: u64) {
        self.seen = solver;
    }

    /// Ends or suspends the run: the solver's effort from now on is not its work.
    pub(super) fn stop(&mut self, solver: u64) {
        self.record(solver);
        self.stopped = true;
    }

    /// Returns true if the run is over or suspended.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Begins the test of a path: the solver's effort until `end_writing` is for the test.
    /// `completions` is the number of instructions of tails.
    pub(super) fn begin_writing(&mut self, solver: u64, completions: u64) -> Writing {
        self.record(solver);
        Writing { completions }
    }

    /// Ends the test of a path. The instructions of its tail are work.
    pub(super) fn end_writing(&mut self, writing: Writing, solver: u64, completions: u64) {
        self.pass_over(solver);
        self.note_beside(completions - writing.completions);
    }

    /// Adds the counted nanoseconds of comparing states and computing interpolants.
    pub(super) fn note_looks(&mut self, nanoseconds: u64) {
        self.solver += nanoseconds;
    }

    /// Adds the instructions of fuzzing runs on given bytes.
    pub(super) fn note_concrete(&mut self, instructions: u64) {
        self.solver += instructions * WORK_OF_CONCRETE_INSTRUCTION;
    }

    /// Adds the instructions of completion runs, and of paths that are followed to confirm a bug.
    pub(super) fn note_beside(&mut self, instructions: u64) {
        self.beside += instructions;
    }

    fn open(&self, solver: u64) -> u64 {
        if self.stopped {
            0
        } else {
            solver.saturating_sub(self.seen)
        }
    }

    /// Returns the units of work, with this many instructions of the run.
    pub(super) fn total(&self, instructions: u64, solver: u64) -> u64 {
        instructions + self.beside + (self.solver + self.open(solver)) / WORK_OF_INSTRUCTION
    }
}

/// The test of a path is being made.
pub(super) struct Writing {
    /// Instructions of tails before.
    completions: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_recorded_work_of_a_shared_solver_counts() {
        let mut meter = WorkMeter::default();
        meter.start(1_000_000);
        assert_eq!(meter.total(7, 1_000_000), 7);
        assert_eq!(meter.total(7, 1_000_400), 9, "under way");
        let writing = meter.begin_writing(1_000_400, 5);
        meter.end_writing(writing, 9_000_000, 5);
        assert_eq!(meter.total(7, 9_000_000), 9, "a test was made");
        meter.note_beside(100);
        assert_eq!(meter.total(7, 9_000_200), 110);
        meter.stop(9_000_200);
        assert_eq!(meter.total(7, 20_000_000), 110, "another run has it");
        meter.start(20_000_000);
        assert_eq!(meter.total(8, 20_000_200), 112, "it goes on");
    }

    #[test]
    fn parts_of_a_unit_add_up() {
        let mut meter = WorkMeter::default();
        for counter in 1..=WORK_OF_INSTRUCTION {
            meter.record(counter);
        }
        assert_eq!(meter.total(0, WORK_OF_INSTRUCTION), 1);
    }
}
