//! What a concolic run counts, shared between its searcher and whoever reports.
//!
//! Invariant: a choice of a strategy is one negation, and each ends in one outcome; one may be
//! under way.

use crate::report::ConcolicCounts;
use std::sync::{Mutex, PoisonError};

/// Counts that grow while the run goes on; read them with `tally`.
#[derive(Debug, Default)]
pub struct Figures(Mutex<ConcolicCounts>);

impl Figures {
    /// The counts as they are now.
    pub fn tally(&self) -> ConcolicCounts {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more of what `of` chooses.
    pub(super) fn count(&self, of: impl FnOnce(&mut ConcolicCounts) -> &mut u64) {
        // Adding one cannot panic, so a lock that is poisoned guards whole counts.
        *of(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)) += 1;
    }
}
