//! Where a campaign stands between two runs.

use super::account::Sums;
use super::guard::{Arm, Guard};
use super::ledger::Ledger;
use super::reserve::Reserve;
use super::seeds::GivenSeeds;
use super::test_features::TestFeatures;
use crate::coverage::{Coverage, Totals};
use crate::engine::{KnownGround, Launch, Probing, Suspended};
use crate::learn::SharedRecogniser;
use crate::report::ProbeSummary;
use crate::select::AddsCoverage;
use crate::util::clock::Moment;

/// All that outlives a run, except what the user gets (the results) and what homi works with.
pub(super) struct Course {
    pub start: Moment,
    /// Where each run starts.
    pub launch: Launch,
    /// Counts the program's own branches of `ledger.sides`.
    pub coverage: Coverage,
    pub ledger: Ledger,
    /// Numbers the conditions of all runs.
    pub recogniser: SharedRecogniser,
    /// Which tests become files, over all runs.
    pub selector: AddsCoverage,
    /// The tests of the run under way.
    pub features: TestFeatures,
    pub ground: KnownGround,
    pub guard: Guard,
    pub reserve: Reserve,
    /// Probes go on from run to run.
    pub probing: Option<Box<Probing>>,
    /// Tests from elsewhere.
    pub given: GivenSeeds,
    /// The run without pruning that was put aside.
    pub waiting: Option<Suspended>,
    /// Runs with an N' of their own, those of earlier sessions too.
    pub pruned_runs: u64,
    pub sums: Sums,
}

impl Course {
    /// Number of the next run, from 0 and over all sessions.
    pub(super) fn next_run(&self) -> u64 {
        self.ledger.data.runs.len() as u64
    }

    /// What the probes of all runs of the session did.
    pub(super) fn probes(&self) -> Option<ProbeSummary> {
        self.probing.as_ref().map(|probing| probing.done())
    }

    /// What all runs covered.
    pub(super) fn totals(&self) -> Totals {
        self.coverage
            .totals_of(&self.ledger.sides, &self.ledger.segments)
    }

    /// Takes the waiting run out: to go on with, or to stay idle while another runs. A session that
    /// takes up a campaign has none; it is started anew.
    pub(super) fn take_waiting(&mut self, arm: Arm) -> (Option<Suspended>, Option<Suspended>) {
        match arm {
            Arm::Pruned => (None, self.waiting.take()),
            Arm::Unpruned => (self.waiting.take(), None),
        }
    }
}
