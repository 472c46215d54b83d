//! What the run learns from executing: counts per segment and call path, and branch sides covered.
//!
//! Invariant: shared by all states of a run and only ever grows. A plain structure, so that the
//! interpreter's hot loop pays one addition per segment and one bit test per branch.

use super::fast::segments::Segments;
use super::first_input::GivenSeen;
use super::intrinsics::Misfit;
use super::sites::Sites;
use crate::ir::program::FuncId;
use crate::machine::outcome::Narrowed;
use crate::machine::state::{CallPathId, SideSet};
use rustc_hash::FxHashMap;

/// A node of the call-path tree.
#[derive(Clone, Debug)]
pub struct CallPathNode {
    pub parent: CallPathId,
    /// Code index of the call in the caller.
    pub site: u32,
    pub function: FuncId,
    /// Instructions that all states executed in this node.
    pub instructions: u64,
}

/// The tree of call paths. Node 0 is the outermost activation.
#[derive(Clone, Debug)]
pub struct CallPaths {
    nodes: Vec<CallPathNode>,
    children: FxHashMap<(CallPathId, u32, FuncId), CallPathId>,
    /// Direct-mapped cache of `children`.
    recent: Vec<(CallPathId, u32, FuncId, CallPathId)>,
}

/// A call path without ids: code index of the call in the caller, and callee, outermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallChain(Vec<(u32, FuncId)>);

impl CallChain {
    /// Code index of each call in its caller, and the callee, outermost first.
    pub fn calls(&self) -> &[(u32, FuncId)] {
        &self.0
    }
}

const RECENT: usize = 512;

impl CallPaths {
    /// A tree with the outermost activation only.
    pub fn new(entry: FuncId) -> Self {
        Self {
            nodes: vec![CallPathNode {
                parent: CallPathId(0),
                site: u32::MAX,
                function: entry,
                instructions: 0,
            }],
            children: FxHashMap::default(),
            recent: vec![(CallPathId(0), u32::MAX, FuncId(0), CallPathId(0)); RECENT],
        }
    }

    /// The node for a call made in `parent` from code index `site`. A recursive call folds onto the
    /// nearest ancestor with the same site and callee, as KLEE's call paths do.
    #[inline]
    pub fn enter(&mut self, parent: CallPathId, site: u32, callee: FuncId) -> CallPathId {
        let slot = (parent.0.wrapping_mul(31) ^ site.wrapping_mul(7) ^ callee.0) as usize % RECENT;
        let recent = self.recent[slot];
        if (recent.0, recent.1, recent.2) == (parent, site, callee) {
            return recent.3;
        }
        let node = self.find_or_make(parent, site, callee);
        self.recent[slot] = (parent, site, callee, node);
        node
    }

    fn find_or_make(&mut self, parent: CallPathId, site: u32, callee: FuncId) -> CallPathId {
        if let Some(node) = self.children.get(&(parent, site, callee)) {
            return *node;
        }
        // A site is a code index, which means something together with its function only.
        let caller = self.nodes[parent.index()].function;
        let mut ancestor = parent;
        loop {
            let node = &self.nodes[ancestor.index()];
            let called_from = self.nodes[node.parent.index()].function;
            if (node.site, node.function, called_from) == (site, callee, caller) {
                break;
            }
            if ancestor == node.parent {
                self.nodes.push(CallPathNode {
                    parent,
                    site,
                    function: callee,
                    instructions: 0,
                });
                ancestor = CallPathId::new(self.nodes.len() - 1);
                break;
            }
            ancestor = node.parent;
        }
        self.children.insert((parent, site, callee), ancestor);
        ancestor
    }

    /// The calls from the outermost activation to a node: what names it in every thread.
    pub fn chain(&self, mut node: CallPathId) -> CallChain {
        let mut calls = Vec::new();
        while node.index() != 0 {
            let found = &self.nodes[node.index()];
            calls.push((found.site, found.function));
            node = found.parent;
        }
        calls.reverse();
        CallChain(calls)
    }

    /// The node that a chain names, made if need be.
    pub fn enter_chain(&mut self, chain: &CallChain) -> CallPathId {
        let calls = chain.0.iter();
        calls.fold(CallPathId(0), |node, (site, callee)| {
            self.enter(node, *site, *callee)
        })
    }

    /// Instructions executed in a node so far (nurs:cpicnt's CP).
    pub fn instructions(&self, node: CallPathId) -> u64 {
        self.nodes[node.index()].instructions
    }

    #[inline(always)]
    pub fn add_instructions(&mut self, node: CallPathId, count: u64) {
        self.nodes[node.index()].instructions += count;
    }

    pub fn node(&self, node: CallPathId) -> &CallPathNode {
        &self.nodes[node.index()]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds nodes without meaning until there are `count`: for an observer whose counts nobody
    /// reads, but which must know every node that a state names.
    pub fn pad_to(&mut self, count: usize) {
        let root = self.nodes[0].clone();
        if self.nodes.len() < count {
            self.nodes.resize(count, root);
        }
    }

    /// Always false: the root is there from the start.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// How many segments and sides were new.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NewCounts {
    pub segments: usize,
    pub sides: usize,
}

/// What a sibling covered for the first time where it was forked.
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
    /// How often control came to each segment: at a jump, and for both sides at a fork.
    pub segment_entries: Vec<u64>,
    /// How often a state was left or given up where it had entered a segment and not begun it, by
    /// segment; empty where nobody asks.
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
    /// How many of them had been covered before the last instruction that asked the oracle, so
    /// that its siblings' paths have them too.
    pub new_before_step: NewCounts,
    /// What siblings covered for the first time where they were forked.
    pub new_of_siblings: Vec<SiblingNews>,
    /// Forks of the last instruction that asked the oracle at branches of the program: the place
    /// among its siblings, the side that the state itself keeps to, the sibling's side.
    pub forked_sides: Vec<(usize, u32, u32)>,
    /// What was seen of the objects that the first input gives bytes.
    pub given: GivenSeen,
    /// Earlier tests that do not fit the program whose path they are to follow.
    pub misfits: Vec<Misfit>,
    /// Symbolic values made concrete by choice.
    pub concretisations: u64,
    /// Forks at symbolic addresses.
    pub pointer_forks: u64,
    /// Sides dropped because the solver gave up on them.
    pub unknowns: u64,
    /// What the states no longer follow.
    pub narrowed: Narrowed,
    /// Heap objects made.
    pub allocations: u64,
    /// Forks, questions and solver time by instruction.
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
            misfits: Vec::new(),
            concretisations: 0,
            pointer_forks: 0,
            unknowns: 0,
            narrowed: Narrowed::default(),
            allocations: 0,
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

    /// From now on `executions` does not count those that only wait.
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

    /// A state that was left at the start of a segment goes on. It may have waited on the account
    /// of another thread's observer, or of an earlier run's.
    pub(super) fn end_wait(&mut self, segment: u32) {
        let before = self.executions(segment);
        if let Some(count) = self.waiting.get_mut(segment as usize) {
            *count = count.saturating_sub(1);
        }
        self.begun_late += u64::from(before == 0 && self.executions(segment) > 0);
    }

    /// How often a segment was executed: KLEE's count of each instruction in it (nurs:icnt's C),
    /// and of what is covered for its distances. Without `count_waiting` a segment counts as soon
    /// as control comes there.
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

    /// What was covered first since the lists were last drained is not covered after all.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_names_the_same_call_path_in_another_tree() {
        let (mut a, mut b) = (CallPaths::new(FuncId(0)), CallPaths::new(FuncId(0)));
        b.enter(CallPathId(0), 9, FuncId(9));
        let outer = a.enter(CallPathId(0), 1, FuncId(1));
        let inner = a.enter(outer, 2, FuncId(1));
        // Further recursion folds onto the ancestor.
        assert_eq!(a.enter(inner, 2, FuncId(1)), inner);
        for node in [CallPathId(0), outer, inner] {
            let moved = b.enter_chain(&a.chain(node));
            assert_eq!(b.chain(moved), a.chain(node));
        }
        let count = b.len();
        b.enter_chain(&a.chain(inner));
        assert_eq!(b.len(), count);
    }
}
