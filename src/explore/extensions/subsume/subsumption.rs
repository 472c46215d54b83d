//! Execution tree and table of interpolants of a run: the tree learns the fate of each state, and
//! the table decides whether a state is subsumed.
//!
//! Invariant: each living state that has a node is counted at the node once. A removal that is not
//! reported as the end of a path counts as lost.

use super::account::Account;
use super::backoff::Backoff;
use super::entry::Entry;
use super::interpolant::Interpolant;
use super::storage::StorageLocs;
use super::tree::{Arrival, Below, NodeId, Status, Tree};
use homi_ir::util::clock::Moment;
use homi_machine::exec::{Executor, Host, Observer, Termination};
use homi_machine::state::State;
use homi_report::{SubsumptionSummary, WorstLocations};
use homi_solver::Oracle;
use homi_solver::term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Maximum number of nodes kept.
const MOST_NODES: usize = 200_000;
/// Node of states that are explored although they, or one of their ancestors, were subsumed, to
/// check that they cover nothing new.
pub const SUBSUMED: u32 = NodeId::MAX;
/// Under `--self-check`, one in this number of subsumed states is explored.
const CHECKED_PART: u64 = 8;

/// Form of the interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InterpolantKind {
    /// Weakest condition on the storage locations under which the same paths are taken.
    #[default]
    Wp,
    /// Values of the relevant storage locations, with the path constraints that relate them.
    Core,
}

/// Parts of a run that re-execution and tests need.
pub struct SubsumptionContext<'s, 'a> {
    pub executor: &'s Executor<'a>,
    pub terms: &'s Terms,
    pub host: &'s dyn Host,
    /// Number of call paths of the run.
    pub call_paths: usize,
    /// Work of the run so far, in work units.
    pub work: u64,
}

/// Execution tree of a run, with the table of its interpolants.
#[derive(Default)]
pub struct Subsumption {
    pub(super) tree: Tree,
    pub(super) table: FxHashMap<u64, Vec<Entry>>,
    pub(super) locs: StorageLocs,
    pub(super) observer: Option<Observer>,
    pub(super) statistics: SubsumptionSummary,
    /// Storage locations whose values made tests fail, with the number of failures.
    pub(super) refused_locs: BTreeMap<String, u64>,
    pub(super) form: InterpolantKind,
    /// True if half successors are explored separately once a sibling of theirs is full (greedy
    /// confirmation).
    pub(super) is_greedy: bool,
    /// Nodes with a successor that has become full.
    pub(super) candidates: Vec<NodeId>,
    /// True while a half node is explored separately.
    pub(super) is_confirming: bool,
    /// Points at which separate exploration failed.
    pub(super) backoff: Backoff,
    /// Work of the solver for tests, in nanoseconds.
    pub(super) tests_work: u64,
    pub(super) account: Account,
}

impl Subsumption {
    /// Returns an empty tree; `is_greedy` enables greedy confirmation of half nodes.
    pub fn new(form: InterpolantKind, is_greedy: bool) -> Self {
        Self {
            form,
            is_greedy,
            ..Self::default()
        }
    }

    /// Returns the statistics so far.
    pub fn statistics(&self) -> SubsumptionSummary {
        let kept = self
            .table
            .values()
            .map(|interpolants| interpolants.len() as u64);
        SubsumptionSummary {
            interpolants_kept: kept.sum(),
            pauses: self.account.pauses(),
            storage_locations: WorstLocations::of(self.refused_locs.clone()),
            ..self.statistics.clone()
        }
    }

    /// Resets the statistics when the run resumes after other runs.
    pub fn begin_slice(&mut self) {
        self.statistics = SubsumptionSummary::default();
        self.refused_locs.clear();
        self.account = Account::default();
    }

    /// Returns the number of instructions that greedy confirmation executed so far.
    pub fn greedy_instructions(&self) -> u64 {
        self.statistics.greedy_instructions
    }

    /// Returns the number of instructions in re-executed subpaths so far.
    pub fn subpath_instructions(&self) -> u64 {
        self.statistics.subpath_instructions
    }

    /// Returns the number of interpolants that were tested on states so far.
    pub fn tests_tried(&self) -> u64 {
        self.statistics.tests_tried
    }

    /// Calls `visit` for every state of the tree.
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

    /// Frees memory: drops the data that is kept to complete nodes, or the entries if there is no
    /// such data. Dropping either is sound.
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

    /// Adds a node for a state that enters the run without a fork.
    pub fn begin(&mut self, state: &mut State) {
        state.tags.tree_node = Some(self.tree.add(None));
    }

    /// Handles a state that is about to run, after its pending check. Returns true if an entry
    /// subsumes it; the caller then ends its path as `subsumed`.
    pub fn arrives(
        &mut self,
        with: &SubsumptionContext<'_, '_>,
        state: &mut State,
        oracle: &mut dyn Oracle,
    ) -> bool {
        let Some(id) = state.tags.tree_node.filter(|id| *id != SUBSUMED) else {
            return false;
        };
        if self.is_paused() {
            self.step_out(state);
            return false;
        }
        let is_known = self.tree.get(id).map(|node| node.arrival.is_none());
        // A node that is already full, or removed, was explored separately.
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
        if let Some((interpolant, below)) = found {
            if !self.is_confirming {
                self.statistics.subsumed += 1;
                let leaves = self.statistics.leaves_subsumed;
                self.statistics.leaves_subsumed = leaves.saturating_add(below.leaves);
                self.account.spare(below.instructions);
            }
            self.is_subsumed(with, id, (interpolant, below));
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

    /// Marks the node of a subsumed state as full.
    fn is_subsumed(
        &mut self,
        with: &SubsumptionContext<'_, '_>,
        id: NodeId,
        (interpolant, below): (Interpolant, Below),
    ) {
        let Some(node) = self.tree.get_mut(id) else {
            return;
        };
        node.open -= 1;
        if matches!(node.status, Status::Full(..)) {
            return;
        }
        node.status = Status::Full(Box::new(interpolant), below);
        match node.parent {
            Some(parent) => {
                self.candidates.push(parent);
                self.complete(with, parent);
            }
            None if node.is_confirmed => {}
            None => drop(self.tree.remove(id)),
        }
    }

    /// Returns true if a subsumed state is explored nevertheless as a check. Such a state belongs
    /// to the node `SUBSUMED` only.
    pub fn is_checked(&mut self, state: &mut State) -> bool {
        let is_checked = self.statistics.subsumed % CHECKED_PART == 1;
        if is_checked {
            self.statistics.checked += 1;
            state.tags.tree_node = Some(SUBSUMED);
        }
        is_checked
    }

    /// Adds instructions and seconds of the separate exploration of half nodes.
    pub fn note_greedy(&mut self, instructions: u64, seconds: f64) {
        self.statistics.greedy_instructions += instructions;
        self.statistics.greedy_s += seconds;
    }

    /// Counts a state that was subsumed, was explored nevertheless, and covered something new.
    pub fn contradicted(&mut self) {
        self.statistics.contradicted += 1;
    }

    /// Handles a fork of the state that ran: adds nodes for its successors, itself and the
    /// siblings.
    pub fn forked(&mut self, state: &mut State, siblings: &mut [Box<State>]) {
        let Some(parent) = state.tags.tree_node else {
            let siblings = siblings.iter_mut().map(Box::as_mut);
            return self.begin_again(siblings.chain(std::iter::once(state)));
        };
        if parent == SUBSUMED {
            return;
        }
        if self.is_paused() {
            self.step_out(state);
            for sibling in siblings {
                sibling.tags.tree_node = None;
            }
            return;
        }
        if self.tree.len() > MOST_NODES {
            // Dropping the ancestors of a long path lets the nodes below it become full separately.
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

    /// Begins a tree at each successor of a state that has no node, unless subsumption pauses.
    fn begin_again<'s>(&mut self, successors: impl Iterator<Item = &'s mut State>) {
        for state in successors {
            let is_at_point = !state.standing.executes_again && state.ending.is_none();
            state.tags.tree_node = None;
            if is_at_point && !self.is_paused() && self.tree.len() <= MOST_NODES {
                self.begin(state);
            }
        }
    }

    /// Returns true if the run goes on as a plain one for now.
    fn is_paused(&self) -> bool {
        self.account.is_paused() && !self.is_confirming
    }

    /// Removes a state from the tree.
    fn step_out(&mut self, state: &mut State) {
        self.lost(state);
        state.tags.tree_node = None;
    }

    /// Adds a node for a state.
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

    /// Counts one state less that runs below a node without a separate node.
    fn leave(&mut self, id: NodeId) {
        if let Some(node) = self.tree.get_mut(id) {
            node.open -= 1;
        }
        self.tree.sweep(id);
    }

    /// Handles the end of a path, whether it ended or was dropped.
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

    /// Handles a pending state that has no path.
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

    /// Handles a state that is removed although its paths are not explored.
    pub fn lost(&mut self, state: &State) {
        let Some(id) = state.tags.tree_node else {
            return;
        };
        self.statistics.half_nodes += self.tree.lose(id);
        self.leave(id);
    }
}
