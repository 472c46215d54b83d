//! Coverage of all threads of a run.
//!
//! Invariant: bits are only ever set, and the thread that sets one covered it first. A thread reads
//! the coverage of others when `version` has changed.

use homi_machine::state::SideSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Segments entered and branch sides taken by any thread.
#[derive(Debug)]
pub struct SharedCoverage {
    segments: Box<[AtomicU64]>,
    sides: Box<[AtomicU64]>,
    version: AtomicU64,
}

fn words(bits: usize) -> Box<[AtomicU64]> {
    (0..bits.div_ceil(64)).map(|_| AtomicU64::new(0)).collect()
}

/// Sets a bit; true if it was not set. Bits beyond the end do not exist and are never new.
fn claim(words: &[AtomicU64], bit: u32) -> bool {
    let mask = 1 << (bit % 64);
    words
        .get(bit as usize / 64)
        .is_some_and(|word| word.fetch_or(mask, Ordering::Relaxed) & mask == 0)
}

fn collect(words: &[AtomicU64]) -> SideSet {
    let mut set = SideSet::new(words.len() * 64);
    for_each(words, &mut |bit| {
        set.insert(bit);
    });
    set
}

fn for_each(words: &[AtomicU64], visit: &mut dyn FnMut(u32)) {
    for (index, word) in words.iter().enumerate() {
        let mut bits = word.load(Ordering::Relaxed);
        while bits != 0 {
            visit(index as u32 * 64 + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}

impl SharedCoverage {
    /// Returns an empty coverage of this many segments and sides.
    pub fn new(segments: usize, sides: usize) -> Self {
        Self {
            segments: words(segments),
            sides: words(sides),
            version: AtomicU64::new(0),
        }
    }

    /// Notes a segment; true if no thread had entered it.
    pub(super) fn claim_segment(&self, segment: u32) -> bool {
        claim(&self.segments, segment)
    }

    /// Notes a side; true if no thread had taken it.
    pub(super) fn claim_side(&self, side: u32) -> bool {
        claim(&self.sides, side)
    }

    /// Reports new coverage to the other threads.
    pub(super) fn publish(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }

    /// A number that grows whenever a thread covers something new.
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(super) fn for_each_segment(&self, visit: &mut dyn FnMut(u32)) {
        for_each(&self.segments, visit);
    }

    pub(super) fn for_each_side(&self, visit: &mut dyn FnMut(u32)) {
        for_each(&self.sides, visit);
    }

    /// All segments entered so far.
    pub fn segments(&self) -> SideSet {
        collect(&self.segments)
    }

    /// All sides taken so far.
    pub fn sides(&self) -> SideSet {
        collect(&self.sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_threads_exactly_one_is_first() {
        let shared = SharedCoverage::new(1000, 10);
        let claimed: usize = std::thread::scope(|scope| {
            let claim = || (0..1000).filter(|bit| shared.claim_segment(*bit)).count();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(claim)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!(claimed, 1000);
        assert_eq!(shared.segments().len(), 1000);
        assert!(shared.claim_side(9) && !shared.claim_side(9));
        assert!(!shared.claim_side(1 << 20), "there is no such side");
        assert_eq!(shared.sides().iter().collect::<Vec<_>>(), [9]);
    }
}
