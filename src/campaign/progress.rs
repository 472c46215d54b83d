//! Where a campaign stands between two runs.

use super::account::Sums;
use super::arm::Arm;
use super::ledger::Ledger;
use super::seeds::GivenSeeds;
use super::test_features::TestFeatures;
use super::turns::Turns;
use crate::coverage::{Coverage, Totals};
use crate::engine::{RewalkedPrefixes, Suspended};
use crate::learn::SharedRecogniser;
use crate::report::ProbeSummary;
use crate::roots::{Launch, Probes, RootSource, SwappedOut};
use crate::select::AddsCoverage;
use crate::util::clock::Moment;

/// A run that was suspended, with the states that it swapped out.
pub(super) struct Waiting {
    pub run: Suspended,
    pub swapped_out: Option<SwappedOut>,
}

impl Waiting {
    /// How many paths wait.
    pub(super) fn paths(&self) -> u64 {
        let swapped_out = self.swapped_out.as_ref();
        self.run.waiting() + swapped_out.map_or(0, RootSource::waiting)
    }
}

/// The runs that were put aside, each to go on where it stopped. A session that takes up a campaign
/// has none; they are started anew.
#[derive(Default)]
pub(super) struct WaitingRuns {
    /// The run without pruning.
    pub unpruned: Option<Waiting>,
    /// The one that follows single paths.
    pub single: Option<Waiting>,
}

impl WaitingRuns {
    /// Those that there are.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Suspended> {
        let both = self.unpruned.iter().chain(&self.single);
        both.map(|waiting| &waiting.run)
    }

    /// How many paths wait in them.
    pub(super) fn paths(&self) -> u64 {
        let both = self.unpruned.iter().chain(&self.single);
        both.map(Waiting::paths).sum()
    }

    /// Where the run of an arm waits that goes on; nothing where each run is a fresh one.
    pub(super) fn place(&mut self, arm: Arm) -> Option<&mut Option<Waiting>> {
        match arm {
            Arm::Pruned => None,
            Arm::Unpruned => Some(&mut self.unpruned),
            Arm::SinglePaths => Some(&mut self.single),
        }
    }
}

/// All that outlives a run, except what the user gets (the results) and what homi works with.
pub(super) struct CampaignProgress {
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
    pub rewalked: RewalkedPrefixes,
    pub turns: Turns,
    /// Probes go on from run to run.
    pub probes: Option<Probes>,
    /// Tests from elsewhere.
    pub given: GivenSeeds,
    pub waiting: WaitingRuns,
    /// Runs with an N' of their own, those of earlier sessions too.
    pub pruned_runs: u64,
    pub sums: Sums,
}

impl CampaignProgress {
    /// Number of the next run, from 0 and over all sessions.
    pub(super) fn next_run(&self) -> u64 {
        self.ledger.data.runs.len() as u64
    }

    /// What the probes of all runs of the session did.
    pub(super) fn probes_done(&self) -> Option<ProbeSummary> {
        self.probes.as_ref().map(Probes::done)
    }

    /// What all runs covered.
    pub(super) fn totals(&self) -> Totals {
        self.coverage
            .totals_of(&self.ledger.sides, &self.ledger.segments)
    }
}
