//! Collects open states of a run and of an earlier session.
//!
//! Invariant: between two calls of `pause` no collected state is dropped, because shared parts of
//! decision lists are identified by their addresses.

use super::open::{Frontier, OpenState, Waits};
use super::tree::{DecisionTree, NodeId};
use homi_machine::state::{DecisionList, State};
use rustc_hash::FxHashMap;

/// Open states as they are taken down.
#[derive(Debug, Default)]
pub struct Collector {
    frontier: Frontier,
    /// The nodes of entries of lists of decisions.
    shared: FxHashMap<usize, NodeId>,
}

impl Collector {
    /// Takes a state down.
    pub fn add(&mut self, state: &State) {
        let top = state.frames.top();
        let open = OpenState {
            node: DecisionTree::ROOT,
            instructions: state.metrics.instructions,
            waits: Waits::of(state),
            function: top.function,
            pc: top.pc,
        };
        self.add_decided(&state.decisions, open);
    }

    /// Adds a state that exists only as its decisions and its other checkpoint data.
    pub fn add_decided(&mut self, decisions: &DecisionList, open: OpenState) {
        let node = self.node(decisions);
        self.frontier.states.push(OpenState { node, ..open });
    }

    /// Takes states down that an earlier session has left.
    pub fn adopt<'s>(
        &mut self,
        tree: &DecisionTree,
        states: impl IntoIterator<Item = &'s OpenState>,
    ) {
        let mut known = FxHashMap::default();
        for state in states {
            let node = self.frontier.tree.adopt(tree, state.node, &mut known);
            self.frontier.states.push(OpenState { node, ..*state });
        }
    }

    /// Allows the states collected so far to be dropped.
    pub fn pause(&mut self) {
        self.shared.clear();
    }

    /// Number of states taken down.
    pub fn len(&self) -> usize {
        self.frontier.states.len()
    }

    /// True if nothing was taken down.
    pub fn is_empty(&self) -> bool {
        self.frontier.states.is_empty()
    }

    fn node(&mut self, decisions: &DecisionList) -> NodeId {
        let mut missing = Vec::new();
        let mut place = DecisionTree::ROOT;
        for listed in decisions.all_reversed() {
            if let Some(known) = self.shared.get(&listed.identity) {
                place = *known;
                break;
            }
            missing.push(listed);
        }
        for listed in missing.into_iter().rev() {
            let others = listed.others.map(|others| others.remaining());
            place = self.frontier.tree.extend(place, listed.decision, others);
            self.shared.insert(listed.identity, place);
        }
        place
    }

    /// Returns the collected states.
    pub fn finish(mut self) -> Frontier {
        self.frontier.states.sort_by_key(|state| state.node);
        self.frontier
    }
}
