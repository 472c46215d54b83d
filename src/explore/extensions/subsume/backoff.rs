//! Exponential backoff of the separate exploration of half nodes, by point.
//!
//! Idea: in a loop whose end depends on input, each iteration has a half node, and its exploration
//! always ends at the next iteration. So the pause between two attempts at a point doubles after
//! the first few failures.
//!
//! Invariant: an attempt that succeeds resets its point.

use rustc_hash::FxHashMap;

/// Number of failed attempts at a point before the first pause.
const FREE: u32 = 8;
/// Maximum length of a pause, as a power of two.
const LONGEST: u32 = 16;
/// Maximum number of points remembered.
const MOST_POINTS: usize = 1 << 16;

/// Failures at a point since the last success.
#[derive(Clone, Copy, Default, Debug)]
struct Failures {
    failures: u32,
    /// Nodes to skip before the next attempt.
    pause: u32,
}

/// Points at which attempts have failed, by their hashes.
#[derive(Default, Debug)]
pub(super) struct Backoff(FxHashMap<u64, Failures>);

impl Backoff {
    /// Returns true if a node at a point is to be explored; otherwise counts it as skipped.
    pub(super) fn tries(&mut self, point: u64) -> bool {
        let Some(failed) = self.0.get_mut(&point).filter(|failed| failed.pause > 0) else {
            return true;
        };
        failed.pause -= 1;
        false
    }

    /// Records the result of an attempt at a point.
    pub(super) fn note(&mut self, point: u64, succeeded: bool) {
        if succeeded {
            self.0.remove(&point);
            return;
        }
        if self.0.len() >= MOST_POINTS && !self.0.contains_key(&point) {
            self.0.clear();
        }
        let failed = self.0.entry(point).or_default();
        failed.failures += 1;
        if failed.failures >= FREE {
            failed.pause = 1 << (failed.failures - FREE).min(LONGEST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns which of a number of nodes at a point are explored if every attempt fails.
    fn tried(backoff: &mut Backoff, nodes: u32) -> Vec<u32> {
        let mut tried = Vec::new();
        for node in 0..nodes {
            if backoff.tries(7) {
                backoff.note(7, false);
                tried.push(node);
            }
        }
        tried
    }

    #[test]
    fn pauses_between_failed_attempts_double_until_one_succeeds() {
        let mut backoff = Backoff::default();
        let expected = [0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 17, 26, 43];
        assert_eq!(tried(&mut backoff, 60), expected);
        assert!(!backoff.tries(7));
        assert!(backoff.tries(8), "another point");
        backoff.note(7, true);
        assert_eq!(tried(&mut backoff, 60), expected);
    }
}
