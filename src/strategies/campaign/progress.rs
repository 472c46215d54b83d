//! Where a campaign stands between two runs: what its threads share.

use super::account::Sums;
use super::given_seeds::GivenSeeds;
use super::ledger::Ledger;
use super::native::NativeCoverage;
use super::order::Order;
use super::parts::Parts;
use super::store::Store;
use super::test_features::LearnedTest;
use super::turns::Turns;
use crate::explore::coverage::{Coverage, Totals};
use crate::explore::engine::StopReason;
use crate::explore::prune::learn::Recogniser;
use crate::explore::sources::checkpoint::Frontier;
use crate::machine::exec::Observer;
use crate::native::testcase::WriteError;

/// What a file shows that a thread wrote, for the others.
pub(super) struct ShownFile {
    pub lane: usize,
    pub sides: Vec<u32>,
    pub segments: Vec<u32>,
}

/// Why the campaign ends, with the observer of the run that said so.
pub(super) struct Ending {
    pub reason: StopReason,
    pub observer: Option<Observer>,
}

/// All that outlives a run and belongs to no thread, except what the user gets (the results).
pub(super) struct CampaignProgress<'r> {
    pub store: Store,
    /// Present if B(t) is what native replays take.
    pub native: Option<&'r mut (dyn NativeCoverage + Send)>,
    /// Counts the program's own branches of `ledger.sides`.
    pub coverage: Coverage,
    pub ledger: Ledger,
    /// Numbers the conditions of all runs.
    pub conditions: Recogniser,
    pub turns: Turns,
    /// Tests from elsewhere.
    pub given: GivenSeeds,
    /// Runs with an N' of their own, those of earlier sessions too.
    pub pruned_runs: u64,
    pub sums: Sums,
    /// Runs that have begun, those of earlier sessions too.
    pub begun: u64,
    /// Of the run without pruning.
    pub parts: Parts,
    /// Its paths that an earlier session left, until they are taken up.
    pub left_open: Option<Frontier>,
    pub order: Order,
    /// Files of all threads, in order, if there are several.
    pub shown: Vec<ShownFile>,
    /// The least that was shown of a shape of input that is over, where there are several.
    pub worst_shape: Option<StopReason>,
    pub ending: Option<Ending>,
}

impl CampaignProgress<'_> {
    /// What all runs covered.
    pub(super) fn totals(&self) -> Totals {
        self.coverage
            .totals_of(&self.ledger.sides, &self.ledger.segments)
    }

    /// The campaign ends. The first reason counts, but a file that could not be written is always
    /// told.
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

    /// The files of a run, for the other threads.
    pub(super) fn show_others(&mut self, lane: usize, tests: &[LearnedTest]) {
        let written = tests.iter().filter(|test| test.file.is_some());
        self.shown.extend(written.map(|test| ShownFile {
            lane,
            sides: test.sides.to_vec(),
            segments: test.segments.clone(),
        }));
    }

    /// A file could not be written: why the campaign ends.
    pub(super) fn not_stored(&self, source: std::io::Error) -> StopReason {
        StopReason::WriteFailed(WriteError {
            path: self.store.path().to_path_buf(),
            source,
        })
    }
}
