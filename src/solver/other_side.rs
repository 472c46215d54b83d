//! The sides of a condition that a path left unchecked.
//!
//! Idea: a path that continues along its model leaves the other sides of a condition pending. If
//! all of them turn out infeasible, the condition was implied all along, and the constraint adds
//! nothing. Invariant: a count only falls, and all states whose paths have the constraint share it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The sides of one condition that some path did not take.
#[derive(Clone, Debug)]
pub struct OtherSides(Arc<AtomicU32>);

impl OtherSides {
    /// Returns a count of sides that may be feasible.
    pub fn open(count: u32) -> OtherSides {
        OtherSides(Arc::new(AtomicU32::new(count)))
    }

    /// Records that one of the sides is infeasible.
    pub fn refute_one(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// Returns the number of sides that are not known to be infeasible.
    pub fn remaining(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Lowers the count to the sides that remain feasible, as found where the count was made first.
    pub fn lower_to(&self, remaining: u32) {
        self.0.fetch_min(remaining, Ordering::Relaxed);
    }

    /// True if none of them is possible.
    pub fn are_infeasible(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sides_must_be_infeasible() {
        let sides = OtherSides::open(2);
        let shared = sides.clone();
        shared.refute_one();
        assert!(!sides.are_infeasible());
        shared.refute_one();
        assert!(sides.are_infeasible());
    }
}
