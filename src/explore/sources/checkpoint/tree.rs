//! Lists of decisions as a tree: what states have in common is there once.
//!
//! Invariant: a node follows its parent, and no two nodes below one parent have the same decision.
//! So a list of decisions is one node, and a node one list.

use homi_ir::util::dense_id;
use homi_machine::state::{Decision, DecisionList, ListedDecision};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

dense_id! {
    /// A place in a tree of decisions.
    NodeId, "n"
}

#[derive(Clone, Debug)]
struct Node {
    parent: NodeId,
    decision: Decision,
    depth: u32,
    /// Number of the other outcomes that are not known to be infeasible, if they were left
    /// unchecked.
    others: Option<u32>,
}

/// A tree of decisions.
#[derive(Clone, Debug, Default)]
pub struct DecisionTree {
    /// All but the root.
    nodes: Vec<Node>,
    children: FxHashMap<(NodeId, Decision), NodeId>,
}

/// A node in a file: how far before it its parent stands, and the rest of it.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredNode {
    back: u32,
    decision: Decision,
    others: Option<u32>,
}

impl DecisionTree {
    /// No decision was made there.
    pub const ROOT: NodeId = NodeId(0);

    /// Number of nodes, the root among them.
    pub fn len(&self) -> usize {
        self.nodes.len() + 1
    }

    /// True if no decision was made at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index().checked_sub(1)?)
    }

    /// The node before; none for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).map(|node| node.parent)
    }

    /// Number of decisions up to there.
    pub fn depth(&self, id: NodeId) -> usize {
        self.node(id).map_or(0, |node| node.depth as usize)
    }

    /// The node below another one, made if need be.
    pub(super) fn extend(
        &mut self,
        parent: NodeId,
        decision: &Decision,
        others: Option<u32>,
    ) -> NodeId {
        if let Some(known) = self.children.get(&(parent, decision.clone())) {
            return *known;
        }
        let depth = self.depth(parent) as u32 + 1;
        self.nodes.push(Node {
            parent,
            decision: decision.clone(),
            depth,
            others,
        });
        let id = NodeId::new(self.nodes.len());
        self.children.insert((parent, decision.clone()), id);
        id
    }

    /// Adds the list of another tree's node. `known` has the nodes of that tree that were added
    /// before.
    pub(super) fn adopt(
        &mut self,
        other: &DecisionTree,
        id: NodeId,
        known: &mut FxHashMap<NodeId, NodeId>,
    ) -> NodeId {
        let mut missing = Vec::new();
        let mut at = id;
        let mut place = loop {
            if let Some(place) = known.get(&at) {
                break *place;
            }
            let Some(node) = other.node(at) else {
                break Self::ROOT;
            };
            missing.push((at, node));
            at = node.parent;
        };
        for (theirs, node) in missing.into_iter().rev() {
            place = self.extend(place, &node.decision, node.others);
            known.insert(theirs, place);
        }
        place
    }

    /// Returns the node for a list of decisions that begins with the list of `from`; `None` if it
    /// leads out of the tree. Known results of pending checks are added to the list.
    pub fn descend(&self, from: NodeId, list: &DecisionList) -> Option<NodeId> {
        let depth = self.depth(from);
        let new: Vec<ListedDecision<'_>> = list
            .all_reversed()
            .take_while(|listed| listed.length > depth)
            .collect();
        let mut at = from;
        for listed in new.into_iter().rev() {
            at = *self.children.get(&(at, listed.decision.clone()))?;
            let remaining = self.node(at).and_then(|node| node.others);
            if let (Some(others), Some(remaining)) = (listed.others, remaining) {
                others.lower_to(remaining);
            }
        }
        Some(at)
    }

    pub(super) fn stored(&self) -> Vec<StoredNode> {
        let numbered = (1..).zip(&self.nodes);
        numbered
            .map(|(number, node)| StoredNode {
                back: number - node.parent.0,
                decision: node.decision.clone(),
                others: node.others,
            })
            .collect()
    }

    /// Returns `None` if the nodes do not form a tree.
    pub(super) fn restored(stored: Vec<StoredNode>) -> Option<Self> {
        let mut tree = Self::default();
        for (number, node) in (1u32..).zip(stored) {
            let parent = NodeId(number.checked_sub(node.back).filter(|_| node.back > 0)?);
            let id = tree.extend(parent, &node.decision, node.others);
            if id.0 != number {
                return None;
            }
        }
        Some(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(sides: &[u8]) -> DecisionList {
        let mut list = DecisionList::default();
        for side in sides {
            list.push(Decision::Branch { side: *side });
        }
        list
    }

    #[test]
    fn a_tree_comes_back_and_lists_lead_to_their_nodes() {
        let mut tree = DecisionTree::default();
        let mut ends = Vec::new();
        for sides in [&[0, 0, 1][..], &[0, 1], &[1], &[0, 0]] {
            let mut at = DecisionTree::ROOT;
            for side in sides {
                at = tree.extend(at, &Decision::Branch { side: *side }, None);
            }
            ends.push((sides, at));
        }
        assert_eq!(tree.len(), 6);
        let again = DecisionTree::restored(tree.stored()).unwrap();
        for (sides, end) in ends {
            assert_eq!(again.descend(DecisionTree::ROOT, &list(sides)), Some(end));
            assert_eq!(again.depth(end), sides.len());
        }
        assert_eq!(again.descend(DecisionTree::ROOT, &list(&[1, 1])), None);
        let mut other = DecisionTree::default();
        let mut known = FxHashMap::default();
        let end = again.descend(DecisionTree::ROOT, &list(&[0, 0, 1]));
        let there = other.adopt(&again, end.unwrap(), &mut known);
        assert_eq!((other.len(), other.depth(there)), (4, 3));
    }

    #[test]
    fn nodes_of_no_tree_are_refused() {
        let node = |back| StoredNode {
            back,
            decision: Decision::Unknown,
            others: None,
        };
        assert!(DecisionTree::restored(vec![node(0)]).is_none());
        assert!(DecisionTree::restored(vec![node(2)]).is_none());
        assert!(DecisionTree::restored(vec![node(1), node(2)]).is_none());
        assert!(DecisionTree::restored(vec![node(1), node(1)]).is_some());
    }
}
