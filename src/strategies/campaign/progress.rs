//! State of a campaign between two runs, which its threads share.

use super::account::Sums;
use super::campaign_data::CampaignData;
use super::given_seeds::GivenSeeds;
use super::native::NativeCoverage;
use super::order::Order;
use super::parts::Parts;
use super::scheduler::Scheduler;
use super::store::Store;
use super::test_features::LearnedTest;
use homi_explore::coverage::{Coverage, Totals};
use homi_explore::engine::StopReason;
use homi_explore::prune::learn::Recogniser;
use homi_explore::sources::checkpoint::Frontier;
use homi_machine::exec::Observer;
use homi_native::testcase::WriteError;

/// Coverage of a file that one thread wrote, for the other threads.
pub(super) struct ShownFile {
    pub worker: usize,
    pub sides: Vec<u32>,
    pub segments: Vec<u32>,
}

/// Reason why the campaign ends, with the observer of the run that caused it.
pub(super) struct Ending {
    pub reason: StopReason,
    pub observer: Option<Observer>,
}

/// Data that outlive a run and belong to no thread, except the user's results.
pub(super) struct CampaignProgress<'r> {
    pub store: Store,
    /// Source of B(t) by native replays; `None` if the engine's coverage counts.
    pub native: Option<&'r mut (dyn NativeCoverage + Send)>,
    /// Counts the user code's branches in `data.sides`.
    pub coverage: Coverage,
    pub data: CampaignData,
    /// Numbers the conditions of all runs.
    pub conditions: Recogniser,
    pub scheduler: Scheduler,
    /// Given seeds.
    pub given: GivenSeeds,
    /// Number of runs that drew an N', including earlier sessions.
    pub pruned_runs: u64,
    pub sums: Sums,
    /// Number of started runs, including earlier sessions.
    pub begun: u64,
    /// Parts of the unpruned run.
    pub parts: Parts,
    /// Paths of the unpruned run that an earlier session left, until a run takes them.
    pub left_open: Option<Frontier>,
    pub order: Order,
    /// Files of all threads in creation order; empty with one thread.
    pub shown: Vec<ShownFile>,
    /// Weakest result of an input layout that is over, if there are several layouts.
    pub worst_layout: Option<StopReason>,
    pub ending: Option<Ending>,
}

impl CampaignProgress<'_> {
    /// Returns the coverage of all runs.
    pub(super) fn totals(&self) -> Totals {
        self.coverage
            .totals_of(&self.data.sides, &self.data.segments)
    }

    /// Ends the campaign. The first reason counts, but a failed write is always reported.
    pub(super) fn end(&mut self, ending: Ending) {
        let failed = |ending: &Ending| matches!(ending.reason, StopReason::WriteFailed(_));
        let is_news = match &self.ending {
            None => true,
            Some(known) => failed(&ending) && !failed(known),
        };
        if is_news {
            self.ending = Some(ending);
        }
    }

    /// Adds the files of a run for the other threads.
    pub(super) fn show_others(&mut self, worker: usize, tests: &[LearnedTest]) {
        let written = tests.iter().filter(|test| test.file.is_some());
        self.shown.extend(written.map(|test| ShownFile {
            worker,
            sides: test.sides.to_vec(),
            segments: test.segments.clone(),
        }));
    }

    /// Returns the stop reason for a failed write.
    pub(super) fn not_stored(&self, source: std::io::Error) -> StopReason {
        StopReason::WriteFailed(WriteError {
            path: self.store.path().to_path_buf(),
            source,
        })
    }
}
