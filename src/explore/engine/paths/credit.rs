//! Coverage that the test of a path must show because no other test does: branch sides and segments
//! that a path of the run covered first.
//!
//! Invariant: over a session every side and every segment is claimed by at most one test, and that
//! test's path has taken it. Coverage that a path left without a test belongs to the next path with
//! it.

use homi_machine::exec::{Executor, Segments, Termination};
use homi_machine::state::{SideSet, State};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Coverage of a path to show, by dense numbers in the order of covering.
#[derive(Clone, Default, Debug)]
pub(super) struct Credit {
    pub(super) sides: Vec<u32>,
    pub(super) segments: Vec<u32>,
}

impl Credit {
    /// Returns the coverage that a path with this end must show. A path that ended in the middle of
    /// a segment leaves it, and later coverage, to the path that entered it first and may continue.
    pub(super) fn of(state: &State, termination: &Termination, segments: &Segments) -> Self {
        let (sides, segments) = match unfinished_segment(termination, segments) {
            Some((segment, _)) if !state.metrics.covered_new => {
                state.covered_first.before_segment(segment).unclaimed()
            }
            _ => state.covered_first.unclaimed(),
        };
        Self { sides, segments }
    }

    /// The test that shows it was made, so that no other path has to.
    pub(super) fn settle(state: &State, termination: &Termination, segments: &Segments) {
        match unfinished_segment(termination, segments) {
            Some((segment, _)) if !state.metrics.covered_new => {
                state.covered_first.before_segment(segment).claim();
            }
            _ => state.covered_first.claim(),
        }
    }
}

/// The segment in which a bug ended a path, and the instruction within its function's code.
fn unfinished_segment(termination: &Termination, segments: &Segments) -> Option<(u32, u32)> {
    let Termination::Bug(bug) = termination else {
        return None;
    };
    let (function, pc) = bug.at;
    Some((segments.segment(function, pc), pc))
}

/// The source lines of segments, as (number of the file, number of the line). Of the segment in
/// which a path ended, those up to its end.
pub(super) fn lines_of(
    segments: &[u32],
    termination: &Termination,
    executor: &Executor<'_>,
) -> BTreeSet<(u32, u32)> {
    let unfinished = unfinished_segment(termination, executor.segments());
    let mut lines = BTreeSet::new();
    for segment in segments {
        let (function, start, end) = executor.segments().range(*segment);
        let end = match unfinished {
            Some((last, pc)) if last == *segment => end.min(pc + 1),
            _ => end,
        };
        let locations = &executor.program().function(function).locations;
        for location in &locations[start as usize..end as usize] {
            let location = executor.program().location(*location);
            if location.line != 0 {
                lines.insert((location.file, location.line));
            }
        }
    }
    lines
}

/// Coverage that a session's tests show, and that paths have left unshown.
#[derive(Default, Debug)]
pub(super) struct Claimed {
    /// Sides as (branch, side), which the log of an earlier session has.
    sides: FxHashSet<(u32, u32)>,
    segments: SideSet,
    /// Sides that paths which left without a test had covered first.
    orphans: SideSet,
    /// Boundaries of comparisons at which a test is, or none can be.
    pub(super) boundaries: FxHashSet<u32>,
    /// Test of each watched segment; `None` before there is one.
    watched: FxHashMap<u32, Option<String>>,
}

impl Claimed {
    pub(super) fn claim_boundaries(&mut self, keys: impl IntoIterator<Item = u32>) {
        self.boundaries.extend(keys);
    }

    /// Takes what is not claimed yet of a test's sides, as (branch, side) in ascending order.
    pub(super) fn claim_sides(&mut self, sides: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let sides = sides.iter().copied();
        sides.filter(|side| self.sides.insert(*side)).collect()
    }

    /// Takes what is not claimed yet of the segments that a test has to show.
    pub(super) fn claim_segments(&mut self, segments: &[u32]) -> Vec<u32> {
        let segments = segments.iter().copied();
        segments
            .filter(|segment| self.segments.insert(*segment))
            .collect()
    }

    /// Starts to record the first test that shows each of these segments.
    pub(super) fn watch(&mut self, segments: impl Iterator<Item = u32>) {
        self.watched.extend(segments.map(|segment| (segment, None)));
    }

    /// A test with this name shows these segments.
    pub(super) fn name(&mut self, segments: &[u32], test: &str) {
        for segment in segments {
            if let Some(first) = self.watched.get_mut(segment) {
                first.get_or_insert_with(|| test.to_string());
            }
        }
    }

    /// The first test that shows one of these segments; by its name, since they are numbered.
    pub(super) fn test_of(&self, segments: &BTreeSet<u32>) -> Option<String> {
        let tests = segments
            .iter()
            .filter_map(|one| self.watched.get(one)?.as_ref());
        tests.min().cloned()
    }

    /// Sides that paths which left without a test had covered first.
    pub(super) fn orphans(&self) -> &SideSet {
        &self.orphans
    }

    /// Marks these sides as shown by a test.
    pub(super) fn adopt(&mut self, sides: &[u32]) {
        for side in sides {
            self.orphans.remove(*side);
        }
    }

    /// A path leaves without a test.
    fn orphan(&mut self, credit: &Credit, segments: &Segments) {
        for side in &credit.sides {
            let (branch, number) = segments.branch_of_side(*side);
            if !self.sides.contains(&(branch.0, number)) {
                self.orphans.insert(*side);
            }
        }
    }
}

/// The claims of a session, shared by its threads.
#[derive(Clone, Default, Debug)]
pub(super) struct Claims(Arc<SharedClaims>);

#[derive(Default, Debug)]
struct SharedClaims {
    claimed: Mutex<Claimed>,
    /// Some path left something unshown: until then no path has to look whether it has it too.
    some_orphaned: AtomicBool,
}

impl Claims {
    /// Returns the claims of an earlier session's tests.
    pub(super) fn of_earlier(sides: impl Iterator<Item = (u32, u32)>) -> Self {
        let claimed = Claimed {
            sides: sides.collect(),
            ..Claimed::default()
        };
        Self(Arc::new(SharedClaims {
            claimed: Mutex::new(claimed),
            some_orphaned: AtomicBool::new(false),
        }))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Claimed> {
        // No insertion is half done if its thread panics.
        let claimed = self.0.claimed.lock();
        claimed.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if a path has coverage that another one had first and left without a test.
    pub(super) fn has_orphans(&self, state: &State) -> bool {
        state.covered_first.has_orphans()
            || self.0.some_orphaned.load(Ordering::Acquire)
                && self.lock().orphans.intersects(&state.sides)
    }

    /// A path leaves and no test shows what it covered first.
    pub(super) fn orphan(&self, state: &State, credit: &Credit, segments: &Segments) {
        state.covered_first.orphan();
        self.lock().orphan(credit, segments);
        self.0.some_orphaned.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_claimed_once() {
        let claims = Claims::of_earlier([(0, 1)].into_iter());
        let mut claimed = claims.lock();
        assert_eq!(claimed.claim_sides(&[(0, 0), (0, 1)]), [(0, 0)]);
        assert!(claimed.claim_sides(&[(0, 0)]).is_empty());
        assert_eq!(claimed.claim_segments(&[3, 4]), [3, 4]);
        assert_eq!(claimed.claim_segments(&[4, 5]), [5]);
    }

    #[test]
    fn the_first_test_of_a_watched_segment_is_known() {
        let claims = Claims::default();
        let mut claimed = claims.lock();
        claimed.watch([3, 7].into_iter());
        claimed.name(&[2, 3], "test000002");
        claimed.name(&[3], "test000005");
        let test_of = |segments: &[u32]| claimed.test_of(&segments.iter().copied().collect());
        assert_eq!(test_of(&[3, 7]).as_deref(), Some("test000002"));
        assert_eq!((test_of(&[7]), test_of(&[2])), (None, None));
    }
}
