//! What an engine tells of its states, and asks: whether one need not run on.
//!
//! Invariant: each living state that has a node is counted at it once. Whatever is not told as an
//! end of a path counts as lost.

use super::entry::{Candidate, Entry, Point};
use super::figures::{Figures, Refusal};
use super::frames::FrameView;
use super::interpolant::Interpolant;
use super::places::{Place, Places, Region};
use super::stretch::{Equipment, Failure, Stretch, Until};
use super::tree::{Arrival, Node, NodeId, Status, Tree};
use super::{core, weakest};
use crate::exec::{Executor, Host, Observer, Termination};
use crate::expr::{Term, Terms};
use crate::solver::{Oracle, WORK_OF_INSTRUCTION};
use crate::state::State;
use crate::util::clock::Moment;
use rustc_hash::{FxHashMap, FxHashSet};

/// Entries kept for one point.
const MOST_ENTRIES: usize = 64;
/// Nodes kept at a time.
const MOST_NODES: usize = 200_000;
/// Units of work that the solver may take for tests in any run; beyond, it is asked only for what it
/// knows at little cost as long as its part in the run's work is above one in `TESTS_PART`.
const TESTS_FREE: u64 = 100_000;
const TESTS_PART: u64 = 4;
/// Places named in figures.
const MOST_PLACES: usize = 4096;

/// The form of interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// The weakest condition on the places for which the same paths are taken.
    #[default]
    Wp,
    /// The values of the places that matter, with the constraints of the path that tie them.
    Core,
}

/// What following a path once more, or testing, needs of a run.
pub struct Surroundings<'s, 'a> {
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
    tree: Tree,
    table: FxHashMap<u64, Vec<Entry>>,
    places: Places,
    observer: Option<Observer>,
    figures: Figures,
    form: Form,
    /// Half successors of nodes are explored on their own when a successor has become full.
    is_greedy: bool,
    /// Nodes of which a successor has become full.
    candidates: Vec<NodeId>,
    /// A half node is explored on its own just now.
    is_confirming: bool,
    /// What the solver did for tests, in nanoseconds.
    tests_work: u64,
}

/// A half node that is explored on its own.
pub struct Confirmation {
    node: NodeId,
    /// The node under which that happens.
    own: NodeId,
    /// Points that were explored.
    seen: FxHashSet<u64>,
}

impl Subsumption {
    /// An empty tree; `is_greedy` says whether half nodes are explored on their own (greedy
    /// confirmation).
    pub fn new(form: Form, is_greedy: bool) -> Self {
        Self {
            form,
            is_greedy,
            ..Self::default()
        }
    }

    /// Counts so far.
    pub fn figures(&self) -> Figures {
        let kept = self.table.values().map(|entries| entries.len() as u64);
        Figures {
            entries_kept: kept.sum(),
            ..self.figures.clone()
        }
    }

    /// Instructions of stretches followed once more, so far.
    pub fn retraced_instructions(&self) -> u64 {
        self.figures.retraced_instructions
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
        for node in self.tree.values() {
            if let Status::Full(interpolant, _) = &node.status {
                interpolant.visit_terms(visit);
            }
        }
    }

    /// A state comes into the run that no fork has made.
    pub fn begin(&mut self, state: &mut State) {
        state.tree_node = Some(self.tree.add(None));
    }

    /// A state is about to run, with the side that it awaited settled. True if it need not, because
    /// an entry subsumes it: then it leaves as `subsumed`.
    pub fn arrives(
        &mut self,
        with: &Surroundings<'_, '_>,
        state: &mut State,
        oracle: &mut dyn Oracle,
    ) -> bool {
        let Some(id) = state.tree_node else {
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
        self.figures.test_seconds += start.elapsed().as_secs_f64();
        if let Some((interpolant, leaves)) = found {
            if !self.is_confirming {
                self.figures.subsumed += 1;
                self.figures.leaves_spared += leaves;
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
        with: &Surroundings<'_, '_>,
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

    /// What subsumes a state: its interpolant in the state's addresses, and the paths below it.
    fn subsumer(
        &mut self,
        with: &Surroundings<'_, '_>,
        state: &State,
        oracle: &mut dyn Oracle,
    ) -> Option<(Interpolant, u64)> {
        let mut candidate = Candidate::new(state);
        let point = Point::of(state, &candidate.frames)?;
        let entries = self.table.get_mut(&point.hash())?;
        self.figures.states_tested += 1;
        let spent = self.tests_work / WORK_OF_INSTRUCTION;
        let may_search = spent < TESTS_FREE + with.work / TESTS_PART;
        let mut refusals = Vec::new();
        let mut found = None;
        for (index, entry) in entries.iter_mut().enumerate().rev() {
            self.figures.tests_tried += 1;
            let tested = (&mut candidate, &point);
            match entry.admits(with.terms, &self.places, tested, (&mut *oracle, may_search)) {
                Ok(()) => {
                    entry.uses += 1;
                    found = Some((index, entry.interpolant(&candidate.frames)?, entry.leaves));
                    break;
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        // What subsumes now will do so again soon.
        if let Some((index, ..)) = found {
            let entry = entries.remove(index);
            entries.push(entry);
        }
        for refusal in refusals {
            self.note_refusal(with, state, refusal);
        }
        found.map(|(_, interpolant, leaves)| (interpolant, leaves))
    }

    fn note_refusal(&mut self, with: &Surroundings<'_, '_>, state: &State, refusal: Refusal) {
        self.figures.refuse(refusal);
        let Some(clause) = refusal.clause() else {
            return;
        };
        let support = with.terms.support(clause);
        let place = support
            .iter()
            .find_map(|byte| self.places.place(byte.array));
        let Some(place) = place else {
            return;
        };
        let name = self.describe(with, state, place);
        if self.figures.places.len() < MOST_PLACES || self.figures.places.contains_key(&name) {
            *self.figures.places.entry(name).or_default() += 1;
        }
    }

    /// A place as people know it.
    fn describe(&self, with: &Surroundings<'_, '_>, state: &State, place: Place) -> String {
        let frames = FrameView::new(state);
        let function = |depth: u32| {
            let frame = frames.get(depth as usize);
            frame.map_or("?", |frame| {
                &with.executor.program().function(frame.function).name
            })
        };
        match place {
            Place::Register { depth, .. } => format!("a register of {}", function(depth)),
            Place::Object { region, .. } => {
                let address = frames.address(region);
                let object = address.and_then(|address| state.memory.object_at(address));
                match (object, region) {
                    (Some(object), _) => with.executor.describe(&object),
                    (None, Region::Frame { depth, .. }) => {
                        format!("a local of {}", function(depth))
                    }
                    (None, Region::Absolute(base)) => format!("an object at {base:#x}"),
                }
            }
        }
    }

    /// A state that ran has forked: it goes on as one successor, and siblings as others.
    pub fn forked(&mut self, state: &mut State, siblings: &mut [Box<State>]) {
        let Some(parent) = state.tree_node else {
            siblings
                .iter_mut()
                .for_each(|sibling| sibling.tree_node = None);
            return;
        };
        if self.tree.len() > MOST_NODES {
            self.figures.nodes_dropped += 1 + siblings.len() as u64;
            self.figures.half_nodes += self.tree.lose(parent);
            siblings
                .iter_mut()
                .for_each(|sibling| sibling.tree_node = None);
            state.tree_node = None;
            self.leave(parent);
            return;
        }
        for sibling in siblings {
            if sibling.executes_again || sibling.ending.is_some() {
                sibling.tree_node = Some(parent);
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
        state.tree_node = Some(id);
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
    pub fn ended(&mut self, with: &Surroundings<'_, '_>, state: &State, termination: &Termination) {
        let Some(id) = state.tree_node else {
            return;
        };
        let narrowed = self
            .tree
            .get(id)
            .and_then(|node| node.start.as_ref())
            .is_some_and(|start| start.narrowed != state.narrowed);
        let is_followed = match termination {
            Termination::Exit(_) | Termination::Silent | Termination::Bug(_) => !narrowed,
            Termination::Gap(_) | Termination::Early(_) => false,
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
    pub fn refuted(&mut self, with: &Surroundings<'_, '_>, state: &State) {
        let Some(id) = state.tree_node else {
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
        let Some(id) = state.tree_node else {
            return;
        };
        self.figures.half_nodes += self.tree.lose(id);
        self.leave(id);
    }

    /// Makes a node full if all below it is, and those above it that become full by that.
    fn complete(&mut self, with: &Surroundings<'_, '_>, id: NodeId) {
        let start = Moment::now();
        let mut next = Some(id);
        while let Some(id) = next {
            next = match self.tree.is_complete(id) {
                true => self.annotate(with, id),
                false => None,
            };
        }
        self.figures.annotate_seconds += start.elapsed().as_secs_f64();
    }

    /// Gives a node its interpolant and makes an entry of it. The parent, if that may be full now.
    fn annotate(&mut self, with: &Surroundings<'_, '_>, id: NodeId) -> Option<NodeId> {
        let mut node = self.tree.remove(id)?;
        let children: Vec<Node> = std::mem::take(&mut node.children)
            .into_iter()
            .filter_map(|child| self.tree.remove(child))
            .collect();
        let parent = node.parent;
        match self.interpolant(with, &node, &children) {
            Ok((interpolant, leaves)) => {
                self.figures.full_nodes += 1;
                if let Some(start) = node.start.take() {
                    self.enter(with.terms, &start, &interpolant, leaves);
                }
                node.ends.clear();
                self.candidates.extend(parent);
                if parent.is_some() || node.is_confirmed {
                    node.status = Status::Full(Box::new(interpolant), leaves);
                    self.tree.put(id, node);
                }
                parent
            }
            Err((failure, place)) => {
                self.figures.fail(&failure, &place);
                self.figures.half_nodes += 1;
                if let Some(parent) = parent {
                    self.figures.half_nodes += self.tree.lose(parent);
                }
                None
            }
        }
    }

    /// The interpolant of a node all of whose successors are full, and the paths that ended below.
    fn interpolant(
        &mut self,
        with: &Surroundings<'_, '_>,
        node: &Node,
        children: &[Node],
    ) -> Result<(Interpolant, u64), (Failure, String)> {
        let nowhere = |failure| (failure, String::new());
        let start = node
            .start
            .as_deref()
            .ok_or_else(|| nowhere(Failure::Diverged("the first state is gone")))?;
        let entry = start.frames.top().function;
        let observer = self
            .observer
            .get_or_insert_with(|| Observer::new(with.executor.segments(), entry));
        // What is explored beside the run has call paths that the run does not know.
        let named = start.frames.iter().map(|frame| frame.call_path.index() + 1);
        let most = named.fold(with.call_paths, usize::max);
        observer.call_paths.pad_to(most);
        observer.new_segments.clear();
        observer.new_sides.clear();
        let mut equipment = Equipment {
            executor: with.executor,
            terms: with.terms,
            host: with.host,
            observer,
            places: &mut self.places,
        };
        let mut ways = Vec::new();
        let mut leaves = 0;
        for child in children {
            let (Some(arrival), Status::Full(interpolant, below)) = (&child.arrival, &child.status)
            else {
                return Err(nowhere(Failure::Diverged("a successor is gone")));
            };
            let mut stretch = Stretch::new(start, &arrival.model);
            let count = arrival.instructions - start.metrics.instructions;
            let followed = stretch.follow(&mut equipment, Until::Instructions(count));
            self.figures.retraced_instructions += stretch.length();
            followed.map_err(|failure| (failure, stretch.place(with.executor)))?;
            let top = stretch.state.frames.top();
            let stands = (stretch.state.frames.len(), top.function, top.pc);
            if stands != arrival.stands || stretch.state.narrowed != start.narrowed {
                return Err((
                    Failure::Diverged("it stands elsewhere"),
                    stretch.place(with.executor),
                ));
            }
            let way = weakest::way(&mut equipment, stretch, Some(interpolant));
            ways.push(way.map_err(nowhere)?);
            leaves += below;
        }
        for end in &node.ends {
            let mut stretch = Stretch::new(start, &end.model);
            let count = end.instructions - start.metrics.instructions;
            let followed = stretch.follow(&mut equipment, Until::End(count + 1));
            self.figures.retraced_instructions += stretch.length();
            followed.map_err(|failure| (failure, stretch.place(with.executor)))?;
            ways.push(weakest::way(&mut equipment, stretch, None).map_err(nowhere)?);
            leaves += 1;
        }
        let whole = match self.form {
            Form::Wp => weakest::interpolant(with.terms, ways),
            Form::Core => core::interpolant(&mut equipment, start, ways),
        };
        let whole = whole.map_err(nowhere)?;
        Ok((whole, leaves))
    }

    /// Adds an entry for a state; at a point that has enough, the one used longest ago goes.
    fn enter(&mut self, terms: &Terms, start: &State, interpolant: &Interpolant, leaves: u64) {
        let frames = FrameView::new(start);
        let Some(point) = Point::of(start, &frames) else {
            return;
        };
        let hash = point.hash();
        let Some(entry) = Entry::new(terms, (start, &frames, point), interpolant, leaves) else {
            return;
        };
        let entries = self.table.entry(hash).or_default();
        if entries.iter().any(|known| known.says_the_same(&entry)) {
            return;
        }
        self.figures.entries += 1;
        if entries.len() >= MOST_ENTRIES {
            entries.remove(0);
            self.figures.entries_dropped += 1;
        }
        entries.push(entry);
    }

    /// A half successor of a node that another successor of has become full, to be explored on its
    /// own (greedy confirmation): its state, under a node of its own.
    pub fn next_confirmation(&mut self) -> Option<(Confirmation, Box<State>)> {
        while let Some(&candidate) = self.candidates.last() {
            let half = self
                .tree
                .half_successor(candidate)
                .filter(|_| self.is_greedy);
            let Some(id) = half else {
                self.candidates.pop();
                continue;
            };
            let node = self.tree.get_mut(id)?;
            node.was_tried = true;
            let kept = node.start.as_ref().or(node.fresh.as_ref());
            let mut state = kept?.clone();
            let own = self.tree.add(None);
            if let Some(node) = self.tree.get_mut(own) {
                node.is_confirmed = true;
            }
            state.tree_node = Some(own);
            self.figures.greedy_tried += 1;
            self.is_confirming = true;
            let confirmation = Confirmation {
                node: id,
                own,
                seen: FxHashSet::default(),
            };
            return Some((confirmation, state));
        }
        None
    }

    /// Whether a state of a confirmation may run on: each point may be explored once.
    pub fn may_explore(&self, confirmation: &mut Confirmation, state: &State) -> bool {
        let frames = FrameView::new(state);
        let point = Point::of(state, &frames);
        point.is_some_and(|point| confirmation.seen.insert(point.hash()))
    }

    /// A confirmation is over. Where all below its node is full, so is the half node.
    pub fn confirmed(&mut self, with: &Surroundings<'_, '_>, confirmation: Confirmation) -> bool {
        let Confirmation { node, own, .. } = confirmation;
        self.is_confirming = false;
        let found = match self.tree.is_full(own) {
            true => self.tree.remove(own),
            false => None,
        };
        self.tree.forget_since(own);
        self.candidates.retain(|candidate| *candidate < own);
        let Some(found) = found else {
            return false;
        };
        let Some(half) = self.tree.get_mut(node) else {
            return false;
        };
        self.figures.greedy_succeeded += 1;
        half.arrival = found.arrival;
        half.status = found.status;
        half.start = None;
        half.fresh = None;
        half.ends.clear();
        let children = std::mem::take(&mut half.children);
        let parent = half.parent;
        self.tree.orphan(&children);
        if let Some(parent) = parent {
            self.candidates.push(parent);
            self.complete(with, parent);
        }
        true
    }
}
