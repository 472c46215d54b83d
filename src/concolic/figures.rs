//! What a concolic run counts, shared between its searcher and whoever reports.
//!
//! Invariant: a choice of a strategy is one negation, and each ends in one outcome; one may be
//! under way.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts that grow while the run goes on; read them with `tally`.
#[derive(Debug, Default)]
pub struct Figures {
    pub(super) runs: AtomicU64,
    pub(super) cut_runs: AtomicU64,
    pub(super) side_runs: AtomicU64,
    pub(super) possible: AtomicU64,
    pub(super) subsumed: AtomicU64,
    pub(super) refuted: AtomicU64,
    pub(super) unknown: AtomicU64,
    pub(super) gone: AtomicU64,
    pub(super) older: AtomicU64,
    pub(super) skipped: AtomicU64,
    pub(super) restarts: AtomicU64,
}

/// The counts of a moment.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Executions: paths that were followed from a first input or from a negated branch to their
    /// end.
    pub runs: u64,
    /// Paths that left before their end, for want of memory or by pruning.
    pub cut_runs: u64,
    /// Failing sides of checks, which are run as soon as they have split off; no executions.
    pub side_runs: u64,
    /// Negations by outcome: the other side is possible, it is but can only do what followed paths
    /// have done, it is not, nobody knows.
    pub possible: u64,
    pub subsumed: u64,
    pub refuted: u64,
    pub unknown: u64,
    /// Negations of branches that left before they were asked.
    pub gone: u64,
    /// Choices of a branch of an older path, because the last one had none left.
    pub older: u64,
    /// Choices of what the strategy's rule skips, because nothing else was left.
    pub skipped: u64,
    /// How often the strategy was stuck and began anew.
    pub restarts: u64,
}

impl Figures {
    /// The counts as they are now.
    pub fn tally(&self) -> Tally {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Tally {
            runs: read(&self.runs),
            cut_runs: read(&self.cut_runs),
            side_runs: read(&self.side_runs),
            possible: read(&self.possible),
            subsumed: read(&self.subsumed),
            refuted: read(&self.refuted),
            unknown: read(&self.unknown),
            gone: read(&self.gone),
            older: read(&self.older),
            skipped: read(&self.skipped),
            restarts: read(&self.restarts),
        }
    }
}

/// One more.
pub(super) fn count(what: &AtomicU64) {
    what.fetch_add(1, Ordering::Relaxed);
}
