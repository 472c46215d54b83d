//! Counts of a run's execution: per segment and call path, and covered branch sides.
//!
//! Invariant: all states of a run share it, and it only grows. A plain structure, so that the
//! interpreter's hot loop pays one addition per segment and one bit test per branch.

use super::call_paths::CallPaths;
use super::fast::segments::Segments;
use super::induction::LoopProofs;
use super::initial_input::{GivenSeen, SizeMismatch};
use super::sites::Sites;
use crate::outcome::Underapproximations;
use crate::state::SideSet;
use homi_ir::program::FuncId;

/// Numbers of new segments and sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NewCounts {
    pub segments: usize,
    pub sides: usize,
}

/// New coverage of a sibling at its fork.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SiblingNews {
    /// Its place among the siblings of the step, from 0.
    pub sibling: usize,
    pub segments: Vec<u32>,
    pub sides: Vec<u32>,
}

/// Counters of one run.
#[derive(Clone, Debug)]
pub struct Observer {
    /// Number of times that control reached each segment: at a jump, and for both sides at a fork.
    pub segment_entries: Vec<u64>,
    /// Number of times that a state left a segment that it had entered and not begun, by segment;
    /// empty if unused.
    waiting: Vec<u64>,
    /// Segments that were begun first by a state that had waited.
    begun_late: u64,
    /// Branch sides covered by anyone.
    pub sides: SideSet,
    pub call_paths: CallPaths,
    /// Instructions executed by all states.
    pub instructions: u64,
    /// Segments and sides that the state which runs covered for the first time, in order; the
    /// engine may drain it.
    pub new_segments: Vec<u32>,
    pub new_sides: Vec<u32>,
    /// Number of them that were covered before the last instruction that asked the oracle, so that
    /// its siblings' paths have them too.
    pub new_before_step: NewCounts,
    /// New coverage of siblings at their forks.
    pub new_of_siblings: Vec<SiblingNews>,
    /// Forks of the last instruction that asked the oracle at branches of the program: the place
    /// among its siblings, the side that the state itself keeps to, the sibling's side.
    pub forked_sides: Vec<(usize, u32, u32)>,
    /// Objects with bytes of the first input that were seen.
    pub given: GivenSeen,
    /// Earlier tests that do not fit the program whose path they are to follow.
    pub size_mismatches: Vec<SizeMismatch>,
    /// Symbolic values made concrete by choice.
    pub concretisations: u64,
    /// Forks at symbolic addresses.
    pub pointer_forks: u64,
    /// Sides dropped because the solver gave up on them.
    pub unknowns: u64,
    /// Under-approximations of the states.
    pub underapproximations: Underapproximations,
    /// Heap objects made.
    pub allocations: u64,
    /// Attempts to prove loops.
    pub proofs: LoopProofs,
    /// Forks, queries and solver time by instruction.
    pub sites: Sites,
}

impl Observer {
    pub fn new(segments: &Segments, entry: FuncId) -> Self {
        Self {
            segment_entries: vec![0; segments.segment_count()],
            waiting: Vec::new(),
            begun_late: 0,
            sides: SideSet::new(segments.side_count()),
            call_paths: CallPaths::new(entry),
            instructions: 0,
            new_segments: Vec::new(),
            new_sides: Vec::new(),
            new_before_step: NewCounts::default(),
            new_of_siblings: Vec::new(),
            forked_sides: Vec::new(),
            given: GivenSeen::default(),
            size_mismatches: Vec::new(),
            concretisations: 0,
            pointer_forks: 0,
            unknowns: 0,
            underapproximations: Underapproximations::default(),
            allocations: 0,
            proofs: LoopProofs::default(),
            sites: Sites::default(),
        }
    }

    /// Counts an entry of a segment; true if it is the first one of the run.
    #[inline(always)]
    pub fn enter_segment(&mut self, segment: u32) -> bool {
        let count = &mut self.segment_entries[segment as usize];
        *count += 1;
        if *count == 1 {
            self.first_entry(segment);
            return true;
        }
        false
    }

    /// Segments and sides that others covered count as covered here, too.
    pub fn adopt(&mut self, segments: &SideSet, sides: &SideSet) {
        for segment in segments.iter() {
            if let Some(entries) = self.segment_entries.get_mut(segment as usize)
                && *entries == 0
            {
                *entries = 1;
            }
        }
        for side in sides.iter() {
            self.sides.insert(side);
        }
    }

    /// Makes `executions` ignore states that only wait.
    pub fn count_waiting(&mut self) {
        self.waiting = vec![0; self.segment_entries.len()];
    }

    pub(super) fn counts_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// A state is left where it has entered a segment and not begun it. True if it is counted.
    pub(super) fn begin_wait(&mut self, segment: u32) -> bool {
        if let Some(count) = self.waiting.get_mut(segment as usize) {
            *count += 1;
        }
        self.counts_waiting()
    }

    /// Records that a state which waited at the start of a segment continues. Another thread's
    /// observer, or an earlier run's, may have counted its waiting.
    pub(super) fn end_wait(&mut self, segment: u32) {
        let before = self.executions(segment);
        if let Some(count) = self.waiting.get_mut(segment as usize) {
            *count = count.saturating_sub(1);
        }
        self.begun_late += u64::from(before == 0 && self.executions(segment) > 0);
    }

    /// Returns the number of executions of a segment: KLEE's count of each instruction in it
    /// (nurs:icnt's C), and of covered code for its distances. Without `count_waiting` a segment
    /// counts as soon as control reaches it.
    pub fn executions(&self, segment: u32) -> u64 {
        let waiting = self.waiting.get(segment as usize).copied().unwrap_or(0);
        self.segment_entries[segment as usize].saturating_sub(waiting)
    }

    /// A number that grows whenever a segment that had been entered is begun for the first time.
    pub fn begun_late(&self) -> u64 {
        self.begun_late
    }

    #[cold]
    fn first_entry(&mut self, segment: u32) {
        self.new_segments.push(segment);
    }

    /// Forgets the coverage since the lists were last drained.
    pub fn forget_new(&mut self) {
        for segment in self.new_segments.drain(..) {
            self.segment_entries[segment as usize] = 0;
        }
        for side in self.new_sides.drain(..) {
            self.sides.remove(side);
        }
        for news in self.new_of_siblings.drain(..) {
            for segment in news.segments {
                self.segment_entries[segment as usize] = 0;
            }
            for side in news.sides {
                self.sides.remove(side);
            }
        }
    }

    /// An instruction that may fork begins.
    #[inline(always)]
    pub(super) fn begin_step(&mut self) {
        self.forked_sides.clear();
        self.new_before_step = NewCounts {
            segments: self.new_segments.len(),
            sides: self.new_sides.len(),
        };
    }

    /// Counts an entry of a segment by a sibling, given by its place among the step's siblings;
    /// true if it is the first one of the run.
    pub(super) fn sibling_enters_segment(&mut self, sibling: usize, segment: u32) -> bool {
        let count = &mut self.segment_entries[segment as usize];
        *count += 1;
        let fresh = *count == 1;
        if fresh {
            self.news_of(sibling).segments.push(segment);
        }
        fresh
    }

    /// Records a branch side taken by a sibling, given by its place among the step's siblings; true
    /// if it is the first time in the run.
    pub(super) fn sibling_takes_side(&mut self, sibling: usize, side: u32) -> bool {
        let fresh = self.sides.insert(side);
        if fresh {
            self.news_of(sibling).sides.push(side);
        }
        fresh
    }

    fn news_of(&mut self, sibling: usize) -> &mut SiblingNews {
        let mut known = self.new_of_siblings.iter();
        let known = known.rposition(|news| news.sibling == sibling);
        let place = known.unwrap_or_else(|| {
            self.new_of_siblings.push(SiblingNews {
                sibling,
                ..SiblingNews::default()
            });
            self.new_of_siblings.len() - 1
        });
        &mut self.new_of_siblings[place]
    }

    /// Records a branch side taken; true if it is the first time in the run.
    pub fn take_side(&mut self, side: u32) -> bool {
        let fresh = self.sides.insert(side);
        if fresh {
            self.new_sides.push(side);
        }
        fresh
    }
}
