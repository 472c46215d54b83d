//! Execution tree with half and full nodes.
//!
//! Idea: a node is a state right after a fork, on the side that it took, or the initial state. Its
//! successors are the nodes after the next fork below it, and the paths that end before that fork.
//! A node is full when every successor is full, subsumed, or ended without an unsupported feature,
//! a limit or a loss. A full node has an interpolant, and its parent may become full in turn. Any
//! other node is half; it stays half for good if something below it was lost.
//!
//! Invariant: the field `open` of a node is the number of living states that run below it without a
//! separate node.

use super::interpolant::Interpolant;
use homi_ir::program::FuncId;
use homi_machine::state::State;
use homi_solver::term::Model;
use rustc_hash::FxHashMap;

/// Number of a node.
pub(super) type NodeId = u32;

/// Input and position of a path at a node, sufficient to re-execute the path up to the node.
#[derive(Clone, Debug)]
pub(super) struct Arrival {
    pub(super) model: Model,
    /// Instructions of the path up to the node.
    pub(super) instructions: u64,
    /// Number of frames, then function and instruction of the innermost frame.
    pub(super) stands: (usize, FuncId, u32),
}

impl Arrival {
    pub(super) fn of(state: &State) -> Self {
        let top = state.frames.top();
        Self {
            model: state.model.clone(),
            instructions: state.metrics.instructions,
            stands: (state.frames.len(), top.function, top.pc),
        }
    }
}

/// Knowledge about the paths below a node.
#[derive(Debug)]
pub(super) enum Status {
    /// Some paths are unexplored.
    Open,
    /// All paths are explored: the interpolant, and what is below the node.
    Full(Box<Interpolant>, Below),
}

/// Paths below a full node, with the paths below the entries that subsumed nodes there: what a run
/// without subsumption explores.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Below {
    /// Number of paths.
    pub(super) leaves: u64,
    /// Their instructions below the node; a shared part counts once.
    pub(super) instructions: u64,
}

impl Below {
    /// Adds what is below a successor that is reached by a number of instructions.
    pub(super) fn add(&mut self, instructions: u64, successor: Self) {
        self.leaves = self.leaves.saturating_add(successor.leaves);
        let instructions = instructions.saturating_add(successor.instructions);
        self.instructions = self.instructions.saturating_add(instructions);
    }
}

/// Node of the execution tree.
pub(super) struct Node {
    pub(super) parent: Option<NodeId>,
    /// State as it was forked, if it may be explored before the searcher selects it.
    pub(super) fresh: Option<Box<State>>,
    /// State as it arrived; `None` once it is no longer needed.
    pub(super) start: Option<Box<State>>,
    pub(super) arrival: Option<Arrival>,
    pub(super) open: u32,
    pub(super) children: Vec<NodeId>,
    /// Paths that ended below the node before the next fork.
    pub(super) ends: Vec<Arrival>,
    /// True if something below the node was lost, so that the node never becomes full.
    pub(super) lost: bool,
    /// True if the node is explored separately: it has no parent, and its interpolant is kept when
    /// it is full.
    pub(super) is_confirmed: bool,
    /// True if the node was explored separately and did not become full.
    pub(super) was_tried: bool,
    pub(super) status: Status,
}

/// All nodes that are still needed.
#[derive(Default)]
pub(super) struct Tree {
    nodes: FxHashMap<NodeId, Node>,
    next: NodeId,
}

impl Tree {
    /// Adds a node for one state.
    pub(super) fn add(&mut self, parent: Option<NodeId>) -> NodeId {
        let id = self.next;
        self.next += 1;
        let parent = parent.filter(|parent| self.nodes.get(parent).is_some_and(|node| !node.lost));
        self.nodes.insert(
            id,
            Node {
                parent,
                fresh: None,
                start: None,
                arrival: None,
                open: 1,
                children: Vec::new(),
                ends: Vec::new(),
                lost: false,
                is_confirmed: false,
                was_tried: false,
                status: Status::Open,
            },
        );
        if let Some(parent) = parent.and_then(|parent| self.nodes.get_mut(&parent)) {
            parent.children.push(id);
        }
        id
    }

    pub(super) fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(&id)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Node> {
        self.nodes.values()
    }

    /// Removes a node.
    pub(super) fn remove(&mut self, id: NodeId) -> Option<Node> {
        self.nodes.remove(&id)
    }

    /// Puts a node back.
    pub(super) fn put(&mut self, id: NodeId, node: Node) {
        self.nodes.insert(id, node);
    }

    /// True if an open node can become full: no state runs below it, nothing below it was lost, and
    /// all its successors are full.
    pub(super) fn is_complete(&self, id: NodeId) -> bool {
        let Some(node) = self.nodes.get(&id) else {
            return false;
        };
        let is_open = matches!(node.status, Status::Open);
        let mut children = node.children.iter();
        is_open && node.open == 0 && !node.lost && children.all(|child| self.is_full(*child))
    }

    /// True if a node is full.
    pub(super) fn is_full(&self, id: NodeId) -> bool {
        let node = self.nodes.get(&id);
        node.is_some_and(|node| matches!(node.status, Status::Full(..)))
    }

    /// Returns a half successor of a node that has not been explored separately.
    pub(super) fn half_successor(&self, id: NodeId) -> Option<NodeId> {
        let node = self.nodes.get(&id)?;
        if node.lost || node.open > 0 {
            return None;
        }
        let mut half = node.children.iter().filter(|child| !self.is_full(**child));
        half.find(|child| {
            let node = self.nodes.get(child);
            node.is_some_and(|node| {
                !node.lost && !node.was_tried && (node.start.is_some() || node.fresh.is_some())
            })
        })
        .copied()
    }

    /// Removes all nodes from the number `first` on.
    pub(super) fn forget_since(&mut self, first: NodeId) {
        for id in first..self.next {
            self.nodes.remove(&id);
        }
    }

    /// Marks a node and its ancestors as lost, and drops the data that was kept to complete them.
    /// Returns the number of nodes that are half from now on.
    pub(super) fn lose(&mut self, id: NodeId) -> u64 {
        let mut lost = 0;
        let mut next = Some(id);
        while let Some(id) = next {
            let Some(node) = self.nodes.get_mut(&id) else {
                break;
            };
            if std::mem::replace(&mut node.lost, true) {
                break;
            }
            node.start = None;
            node.fresh = None;
            node.ends.clear();
            lost += 1;
            next = node.parent;
            let children = std::mem::take(&mut node.children);
            self.orphan(&children);
            self.sweep(id);
        }
        lost
    }

    /// Drops the data that is kept to complete nodes, to free memory. Nodes below which states run
    /// become half for good, and the others are removed. Returns the number of nodes that were
    /// removed or became half.
    pub(super) fn give_up(&mut self) -> u64 {
        let mut dropped = 0;
        self.nodes.retain(|_, node| {
            dropped += u64::from(!node.lost);
            node.lost = true;
            (node.start, node.fresh, node.parent) = (None, None, None);
            node.ends.clear();
            node.children.clear();
            node.open > 0
        });
        dropped
    }

    /// Detaches children from their parent: removes the full ones and keeps the others for the
    /// nodes below them.
    pub(super) fn orphan(&mut self, children: &[NodeId]) {
        for child in children {
            let Some(node) = self.nodes.get_mut(child) else {
                continue;
            };
            node.parent = None;
            if matches!(node.status, Status::Full(..)) {
                self.nodes.remove(child);
            }
        }
    }

    /// Removes a lost node below which no state runs.
    pub(super) fn sweep(&mut self, id: NodeId) {
        let is_over = |node: &Node| node.lost && node.open == 0;
        if self.nodes.get(&id).is_some_and(is_over) {
            self.nodes.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(tree: &mut Tree, id: NodeId) {
        if let Some(node) = tree.get_mut(id) {
            node.open = 0;
            node.status = Status::Full(Box::default(), Below::default());
        }
    }

    #[test]
    fn a_node_is_complete_when_nothing_is_open_and_all_successors_are_full() {
        let mut tree = Tree::default();
        let root = tree.add(None);
        let (left, right) = (tree.add(Some(root)), tree.add(Some(root)));
        assert!(!tree.is_complete(root), "its own state still runs");
        if let Some(node) = tree.get_mut(root) {
            node.open = 0;
        }
        fill(&mut tree, left);
        assert!(!tree.is_complete(root), "one successor is half");
        fill(&mut tree, right);
        assert!(tree.is_complete(root));
    }

    #[test]
    fn a_dropped_state_makes_its_ancestors_half_and_frees_waiting_nodes() {
        let mut tree = Tree::default();
        let root = tree.add(None);
        let (left, right) = (tree.add(Some(root)), tree.add(Some(root)));
        fill(&mut tree, left);
        let below = tree.add(Some(right));
        assert_eq!(tree.lose(below), 3);
        assert!(tree.get(left).is_none(), "full, and nobody waits for it");
        assert!(!tree.is_complete(root) && !tree.is_complete(right));
        let later = tree.add(Some(right));
        let parent = tree.get(later).and_then(|node| node.parent);
        assert_eq!(
            parent, None,
            "what is below a lost node may become full on its own"
        );
    }

    #[test]
    fn for_want_of_memory_only_nodes_stay_below_which_states_run() {
        let mut tree = Tree::default();
        let root = tree.add(None);
        let left = tree.add(Some(root));
        if let Some(node) = tree.get_mut(root) {
            node.open = 0;
        }
        assert_eq!(tree.give_up(), 2);
        assert!(tree.get(root).is_none());
        assert!(tree.get(left).is_some_and(|node| node.lost));
        assert_eq!(tree.give_up(), 0);
    }
}
