//! Counters of a concolic run, which its searcher shares with reports.
//!
//! Invariant: each choice of a strategy is one negation, and each negation has one outcome; one
//! negation may be in progress.

use homi_report::ConcolicCounts;
use std::sync::{Mutex, PoisonError};

/// Counters that grow during the run; read them with `tally`.
#[derive(Debug, Default)]
pub struct Statistics(Mutex<ConcolicCounts>);

impl Statistics {
    /// Returns the current counters.
    pub fn tally(&self) -> ConcolicCounts {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Increments the counter that `of` selects.
    pub(super) fn count(&self, of: impl FnOnce(&mut ConcolicCounts) -> &mut u64) {
        // An increment cannot panic, so a poisoned lock guards consistent counters.
        *of(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)) += 1;
    }
}
