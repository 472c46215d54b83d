//! What the tree of paths is told of states, and asked: whether one need not run on.
//!
//! Invariant: each living state that has a node is counted at it once. Whatever is not told as an
//! end of a path counts as lost.

use super::backoff::Backoff;
use super::entry::Entry;
use super::interpolant::Interpolant;
use super::storage::StorageLocs;
use super::tree::{Arrival, NodeId, Status, Tree};
use crate::ir::util::clock::Moment;
use crate::machine::exec::{Executor, Host, Observer, Termination};
use crate::machine::state::State;
use crate::report::{SubsumptionSummary, WorstLocations};
use crate::solver::Oracle;
use crate::solver::term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Nodes kept at a time.
const MOST_NODES: usize = 200_000;
/// The node of states that are followed although they, or one that they come from, were subsumed:
/// to check that they show nothing new.
pub const SUBSUMED: u32 = NodeId::MAX;
/// One in so many subsumed states is followed where that is checked.
const CHECKED_PART: u64 = 8;

/// The form of interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InterpolantKind {
    /// The weakest condition on the places for which the same paths are taken.
    #[default]
    Wp,
    /// The values of the places that matter, with the constraints of the path that tie them.
    Core,
}

/// What following a path once more, or testing, needs of a run.
pub struct SubsumptionContext<'s, 'a> {
    pub executor: &'s Executor<'a>,
    pub terms: &'s Terms,
    pub host: &'s dyn Host,
    /// Number of call paths of the run.
    pub call_paths: usize,
    /// Units of work that the run has taken so far.
    pub work: u64,
}

/// The tree of a run and its table.
#[derive(Default)]
pub struct Subsumption {
    pub(super) tree: Tree,
    pub(super) table: FxHashMap<u64, Vec<Entry>>,
    pub(super) locs: StorageLocs,
    pub(super) observer: Option<Observer>,
    pub(super) statistics: SubsumptionSummary,
    /// Places whose values made tries fail, with their number.
    pub(super) refused_locs: BTreeMap<String, u64>,
    pub(super) form: InterpolantKind,
    /// Half successors of nodes are explored on their own when a successor has become full.
    pub(super) is_greedy: bool,
    /// Nodes of which a successor has become full.
    pub(super) candidates: Vec<NodeId>,
    /// A half node is explored on its own just now.
    pub(super) is_confirming: bool,
    /// Where that was in vain.
    pub(super) backoff: Backoff,
    /// What the solver did for tests, in nanoseconds.
    pub(super) tests_work: u64,
}

impl Subsumption {
    /// An empty tree; `is_greedy` says whether half nodes are explored on their own (greedy
    /// confirmation).
    pub fn new(form: InterpolantKind, is_greedy: bool) -> Self {
        Self {
            form,
            is_greedy,
            ..Self::default()
        }
    }

    /// Counts so far.
    pub fn statistics(&self) -> SubsumptionSummary {
        let kept = self
            .table
            .values()
            .map(|interpolants| interpolants.len() as u64);
        SubsumptionSummary {
            interpolants_kept: kept.sum(),
            storage_locations: WorstLocations::of(self.refused_locs.clone()),
            ..self.statistics.clone()
        }
    }

    /// The run goes on after others: counts begin anew.
    pub fn begin_slice(&mut self) {
        self.statistics = SubsumptionSummary::default();
        self.refused_locs.clear();
    }

    /// Instructions of subpaths followed once more, so far.
    pub fn subpath_instructions(&self) -> u64 {
        self.statistics.subpath_instructions
    }

    /// Reasons that were tried on states, so far.
    pub fn tests_tried(&self) -> u64 {
        self.statistics.tests_tried
    }

    /// Calls `visit` for every state that is kept.
    pub fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        let nodes = self.tree.values();
        let states = nodes.flat_map(|node| [&node.start, &node.fresh]);
        states.flatten().for_each(|state| visit(state));
    }

    /// Calls `visit` for every term of entries and interpolants.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        for entry in self.table.values().flatten() {
            entry.visit_terms(visit);
        }
        self.locs.visit_terms(visit);
        for node in self.tree.values() {
            if let Status::Full(interpolant, _) = &node.status {
                interpolant.visit_terms(visit);
            }
        }
    }

    /// Memory is short: what is kept to make nodes full goes, and if there is none of it, the
    /// entries go. Dropping either is sound.
    pub fn relieve(&mut self) {
        let dropped = self.tree.give_up();
        self.candidates.clear();
        self.statistics.nodes_dropped += dropped;
        if dropped == 0 {
            let interpolants = self
                .table
                .values()
                .map(|interpolants| interpolants.len() as u64);
            self.statistics.interpolants_dropped += interpolants.sum::<u64>();
            self.table.clear();
        }
    }

    /// A state comes into the run that no fork has made.
    pub fn begin(&mut self, state: &mut State) {
        state.tags.tree_node = Some(self.tree.add(None));
    }

    /// A state is about to run, with the side that it awaited settled. True if it need not, because
    /// an entry subsumes it: then it leaves as `subsumed`.
    pub fn arrives(
        &mut self,
        with: &SubsumptionContext<'_, '_>,
        state: &mut State,
        oracle: &mut dyn Oracle,
    ) -> bool {
        let Some(id) = state.tags.tree_node.filter(|id| *id != SUBSUMED) else {
            return false;
        };
        let is_known = self.tree.get(id).map(|node| node.arrival.is_none());
        // One that is full already, or done with, was explored on its own.
        let is_new = is_known.unwrap_or(true) || self.tree.is_full(id);
        if !is_new || state.ending.is_some() {
            return false;
        }
        if let Some(node) = self.tree.get_mut(id) {
            node.arrival.get_or_insert_with(|| Arrival::of(state));
            node.fresh = None;
        }
        let start = Moment::now();
        let before = oracle.effort().work;
        let found = self.subsumer(with, state, oracle);
        self.tests_work += oracle.effort().work - before;
        self.statistics.test_s += start.elapsed().as_secs_f64();
        if let Some((interpolant, leaves)) = found {
            if !self.is_confirming {
                self.statistics.subsumed += 1;
                self.statistics.leaves_subsumed += leaves;
            }
            self.is_subsumed(with, id, (interpolant, leaves));
            return true;
        }
        if let Some(node) = self.tree.get_mut(id)
            && !node.lost
            && matches!(node.status, Status::Open)
        {
            node.start = Some(state.fork());
        }
        false
    }

    /// The state of a node is subsumed.
    fn is_subsumed(
        &mut self,
        with: &SubsumptionContext<'_, '_>,
        id: NodeId,
        (interpolant, leaves): (Interpolant, u64),
    ) {
        let Some(node) = self.tree.get_mut(id) else {
            return;
        };
        node.open -= 1;
        if matches!(node.status, Status::Full(..)) {
            return;
        }
        node.status = Status::Full(Box::new(interpolant), leaves);
        match node.parent {
            Some(parent) => {
                self.candidates.push(parent);
                self.complete(with, parent);
            }
            None if node.is_confirmed => {}
            None => drop(self.tree.remove(id)),
        }
    }

    /// A state was subsumed, and subsumed states are checked: whether this one is followed all the
    /// same. Then it belongs to no node but `SUBSUMED`.
    pub fn is_checked(&mut self, state: &mut State) -> bool {
        let is_checked = self.statistics.subsumed % CHECKED_PART == 1;
        if is_checked {
            self.statistics.checked += 1;
            state.tags.tree_node = Some(SUBSUMED);
        }
        is_checked
    }

    /// Exploring half nodes on their own has taken so many instructions and seconds.
    pub fn note_greedy(&mut self, instructions: u64, seconds: f64) {
        self.statistics.greedy_instructions += instructions;
        self.statistics.greedy_s += seconds;
    }

    /// A state that was subsumed, and is followed all the same, showed something new.
    pub fn contradicted(&mut self) {
        self.statistics.contradicted += 1;
    }

    /// A state that ran has forked: it goes on as one successor, and siblings as others.
    pub fn forked(&mut self, state: &mut State, siblings: &mut [Box<State>]) {
        let Some(parent) = state.tags.tree_node else {
            siblings
                .iter_mut()
                .for_each(|sibling| sibling.tags.tree_node = None);
            return;
        };
        if parent == SUBSUMED {
            return;
        }
        if self.tree.len() > MOST_NODES {
            // A long path's nodes go, and what is below it can become full on its own.
            self.statistics.half_nodes += self.tree.lose(parent);
        }
        if self.tree.len() > MOST_NODES {
            self.statistics.nodes_dropped += 1 + siblings.len() as u64;
            siblings
                .iter_mut()
                .for_each(|sibling| sibling.tags.tree_node = None);
            state.tags.tree_node = None;
            self.leave(parent);
            return;
        }
        for sibling in siblings {
            if sibling.standing.executes_again || sibling.ending.is_some() {
                sibling.tags.tree_node = Some(parent);
                if let Some(node) = self.tree.get_mut(parent) {
                    node.open += 1;
                }
            } else {
                self.add(parent, sibling);
            }
        }
        if state.ending.is_none() {
            self.add(parent, state);
            self.leave(parent);
        }
    }

    /// A new node for a state.
    fn add(&mut self, parent: NodeId, state: &mut State) {
        let id = self.tree.add(Some(parent));
        state.tags.tree_node = Some(id);
        if self.is_greedy
            && let Some(node) = self.tree.get_mut(id)
            && node.parent.is_some()
        {
            node.fresh = Some(state.fork());
        }
    }

    /// One state less runs below a node without a node of its own.
    fn leave(&mut self, id: NodeId) {
        if let Some(node) = self.tree.get_mut(id) {
            node.open -= 1;
        }
        self.tree.sweep(id);
    }

    /// A path has come to its end: by itself, or as it was given up.
    pub fn ended(
        &mut self,
        with: &SubsumptionContext<'_, '_>,
        state: &State,
        termination: &Termination,
    ) {
        let Some(id) = state.tags.tree_node else {
            return;
        };
        let underapproximations = self
            .tree
            .get(id)
            .and_then(|node| node.start.as_ref())
            .is_some_and(|start| start.underapproximations != state.underapproximations);
        let is_followed = match termination {
            Termination::Exit(_) | Termination::Silent | Termination::Bug(_) => {
                !underapproximations
            }
            Termination::Unsupported(_) | Termination::Early(_) => false,
        };
        if !is_followed {
            return self.lost(state);
        }
        if let Some(node) = self.tree.get_mut(id)
            && !node.lost
        {
            node.ends.push(Arrival::of(state));
        }
        self.leave(id);
        self.complete(with, id);
    }

    /// A pending state turned out not to have a path.
    pub fn infeasible(&mut self, with: &SubsumptionContext<'_, '_>, state: &State) {
        let Some(id) = state.tags.tree_node else {
            return;
        };
        self.leave(id);
        let is_new = self.tree.get(id).is_some_and(|node| node.arrival.is_none());
        if !is_new {
            return self.complete(with, id);
        }
        let parent = self.tree.remove(id).and_then(|node| node.parent);
        if let Some(parent) = parent {
            if let Some(node) = self.tree.get_mut(parent) {
                node.children.retain(|child| *child != id);
            }
            self.complete(with, parent);
        }
    }

    /// A state leaves whose paths are not followed.
    pub fn lost(&mut self, state: &State) {
        let Some(id) = state.tags.tree_node else {
            return;
        };
        self.statistics.half_nodes += self.tree.lose(id);
        self.leave(id);
    }
}
