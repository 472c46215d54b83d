//! What becomes of the sides of a condition that a path left unasked.
//!
//! Idea: a path that goes on along its model leaves the other sides of a condition pending. If none
//! of them turns out to be possible, the condition was implied all along: it was no choice, and the
//! constraint says nothing new. Invariant: a count only falls, and all states whose paths have the
//! constraint share it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The sides of one condition that some path did not take.
#[derive(Clone, Debug)]
pub struct OtherSides(Arc<AtomicU32>);

impl OtherSides {
    /// So many sides that are possible for all that is known.
    pub fn open(count: u32) -> OtherSides {
        OtherSides(Arc::new(AtomicU32::new(count)))
    }

    /// One of them is not possible.
    pub fn refute_one(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// How many of them are possible for all that is known.
    pub fn remaining(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// All but so many are not possible: what was found out where this count was made first.
    pub fn lower_to(&self, remaining: u32) {
        self.0.fetch_min(remaining, Ordering::Relaxed);
    }

    /// True if none of them is possible.
    pub fn are_refuted(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sides_must_be_refuted() {
        let sides = OtherSides::open(2);
        let shared = sides.clone();
        shared.refute_one();
        assert!(!sides.are_refuted());
        shared.refute_one();
        assert!(sides.are_refuted());
    }
}
