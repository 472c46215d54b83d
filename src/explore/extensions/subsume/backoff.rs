//! At which points half nodes are still explored on their own, when that was in vain before.
//!
//! Idea: in a loop whose end depends on input each round has a half node, and exploring it always
//! comes to the next round, where it ends. So the pauses between two attempts at a point double,
//! once a few have failed. Invariant: an attempt that succeeds makes its point as good as new.

use rustc_hash::FxHashMap;

/// Attempts at a point that may fail before some are left out.
const FREE: u32 = 8;
/// So many times as long the pause can become, as a power of two.
const LONGEST: u32 = 16;
/// Points remembered.
const MOST_POINTS: usize = 1 << 16;

/// What happened at a point since an attempt succeeded there.
#[derive(Clone, Copy, Default, Debug)]
struct Vain {
    failures: u32,
    /// Nodes to be passed over before the next attempt.
    pause: u32,
}

/// The points at which attempts have failed, by their hashes.
#[derive(Default, Debug)]
pub(super) struct Backoff(FxHashMap<u64, Vain>);

impl Backoff {
    /// Whether a node at a point is to be explored; if not, it is one less to be passed over.
    pub(super) fn tries(&mut self, point: u64) -> bool {
        let Some(vain) = self.0.get_mut(&point).filter(|vain| vain.pause > 0) else {
            return true;
        };
        vain.pause -= 1;
        false
    }

    /// An attempt at a point is over.
    pub(super) fn note(&mut self, point: u64, succeeded: bool) {
        if succeeded {
            self.0.remove(&point);
            return;
        }
        if self.0.len() >= MOST_POINTS && !self.0.contains_key(&point) {
            self.0.clear();
        }
        let vain = self.0.entry(point).or_default();
        vain.failures += 1;
        if vain.failures >= FREE {
            vain.pause = 1 << (vain.failures - FREE).min(LONGEST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes, of so many at a point, that are explored in vain.
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
    fn pauses_between_attempts_in_vain_double_until_one_succeeds() {
        let mut backoff = Backoff::default();
        let expected = [0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 17, 26, 43];
        assert_eq!(tried(&mut backoff, 60), expected);
        assert!(!backoff.tries(7));
        assert!(backoff.tries(8), "another point");
        backoff.note(7, true);
        assert_eq!(tried(&mut backoff, 60), expected);
    }
}
