//! Results of a run at a checkpoint: all data that another session resumes, except the open states.
//!
//! Invariant: coverage of open states that no test shows is left out: they cover it again when they
//! are found again, and must show it then.

use super::paths::PathTally;
use homi_machine::exec::Underapproximations;
use homi_machine::state::SideSet;
use homi_report::SolverSummary;
use serde::{Deserialize, Serialize};

/// Statistics of all sessions of a directory together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CheckpointTotals {
    /// Sessions that have left something.
    pub sessions: u64,
    /// The number of the last test that was begun before.
    pub last_test: u64,
    /// Tests before that one whose paths are still to come once more.
    pub unmet: Vec<String>,
    pub wall_s: f64,
    pub cpu_s: f64,
    pub instructions: u64,
    pub work: u64,
    pub states_peak: u64,
    pub tally: PathTally,
    pub underapproximations: Underapproximations,
    pub solver: SolverSummary,
    /// Covered code of any origin, by dense numbers, ascending.
    pub sides: Vec<u32>,
    pub segments: Vec<u32>,
}

impl CheckpointTotals {
    /// Adds what another thread of the same session has to say.
    pub(super) fn add(&mut self, other: &CheckpointTotals) {
        // A new field does not compile until it is thought of here.
        let CheckpointTotals {
            sessions: _,
            last_test,
            // Threads share their tests.
            unmet: _,
            wall_s,
            cpu_s,
            instructions,
            work,
            states_peak,
            tally,
            underapproximations,
            solver,
            sides,
            segments,
        } = self;
        // Tests that are written after the first thread arrived are inspected.
        *last_test = other.last_test.min(*last_test);
        *wall_s = wall_s.max(other.wall_s);
        *cpu_s = cpu_s.max(other.cpu_s);
        *instructions += other.instructions;
        *work += other.work;
        *states_peak = other.states_peak.max(*states_peak);
        tally.add(&other.tally);
        underapproximations.add(&other.underapproximations);
        solver.add(&other.solver);
        sides.extend(&other.sides);
        segments.extend(&other.segments);
    }

    /// Takes what is not shown yet out of what is covered.
    pub(super) fn leave_out(&mut self, unshown: &Unshown) {
        let tidy = |covered: &mut Vec<u32>, unshown: &SideSet| {
            covered.retain(|number| !unshown.contains(*number));
            covered.sort_unstable();
            covered.dedup();
        };
        tidy(&mut self.sides, &unshown.sides);
        tidy(&mut self.segments, &unshown.segments);
    }
}

/// Coverage of some path that no test shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Unshown {
    pub(super) sides: SideSet,
    pub(super) segments: SideSet,
}
