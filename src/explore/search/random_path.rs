//! `random-path`: a fair coin at every open branching of the execution tree, from the root down.
//!
//! Invariant: the tree is binary and holds no unary nodes: a leaf is a live state, an inner node
//! has two subtrees with live states. A fork turns a leaf into an inner node; a removed state takes
//! its parent node with it. So a state's probability is 2^-(open branchings above it), and the
//! expected length of a walk is the entropy of that distribution, at most log2 of the number of
//! states.

use super::{Clock, Searcher, StateId, Update};
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug)]
enum Content {
    Leaf(StateId),
    Inner([usize; 2]),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: Option<usize>,
    content: Content,
}

/// The searcher with its tree.
#[derive(Debug)]
pub(super) struct RandomPath {
    generator: Pcg64,
    /// 32 coin flips at a time.
    flips: u32,
    flips_left: u32,
    nodes: Vec<Node>,
    free: Vec<usize>,
    root: Option<usize>,
    leaf_of: FxHashMap<StateId, usize>,
}

impl RandomPath {
    pub(super) fn new(generator: Pcg64) -> Self {
        Self {
            generator,
            flips: 0,
            flips_left: 0,
            nodes: Vec::new(),
            free: Vec::new(),
            root: None,
            leaf_of: FxHashMap::default(),
        }
    }

    fn coin(&mut self) -> usize {
        if self.flips_left == 0 {
            self.flips = self.generator.random();
            self.flips_left = 32;
        }
        self.flips_left -= 1;
        (self.flips >> self.flips_left & 1) as usize
    }

    fn allocate(&mut self, node: Node) -> usize {
        match self.free.pop() {
            Some(index) => {
                self.nodes[index] = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        }
    }

    /// Inserts a new leaf as the sibling of the leaf or subtree at `at`.
    fn attach(&mut self, at: usize, id: StateId) {
        let moved = self.allocate(self.nodes[at]);
        let leaf = self.allocate(Node {
            parent: Some(at),
            content: Content::Leaf(id),
        });
        self.nodes[moved].parent = Some(at);
        match self.nodes[moved].content {
            Content::Leaf(state) => {
                self.leaf_of.insert(state, moved);
            }
            Content::Inner(children) => {
                for child in children {
                    self.nodes[child].parent = Some(moved);
                }
            }
        }
        self.nodes[at].content = Content::Inner([moved, leaf]);
        self.leaf_of.insert(id, leaf);
    }

    fn add(&mut self, id: StateId, beside: Option<StateId>) {
        let leaf = beside.and_then(|state| self.leaf_of.get(&state).copied());
        match (leaf, self.root) {
            (Some(leaf), _) => self.attach(leaf, id),
            // A state without a known parent joins the whole tree.
            (None, Some(root)) => self.attach(root, id),
            (None, None) => {
                let leaf = self.allocate(Node {
                    parent: None,
                    content: Content::Leaf(id),
                });
                self.root = Some(leaf);
                self.leaf_of.insert(id, leaf);
            }
        }
    }

    fn remove(&mut self, id: StateId) {
        let Some(leaf) = self.leaf_of.remove(&id) else {
            return;
        };
        let Some(parent) = self.nodes[leaf].parent else {
            self.free.push(leaf);
            self.root = None;
            return;
        };
        let Content::Inner(children) = self.nodes[parent].content else {
            return;
        };
        let sibling = if children[0] == leaf {
            children[1]
        } else {
            children[0]
        };
        // The sibling's content takes the parent's place.
        self.nodes[parent].content = self.nodes[sibling].content;
        match self.nodes[parent].content {
            Content::Leaf(state) => {
                self.leaf_of.insert(state, parent);
            }
            Content::Inner(grandchildren) => {
                for child in grandchildren {
                    self.nodes[child].parent = Some(parent);
                }
            }
        }
        self.free.push(leaf);
        self.free.push(sibling);
    }
}

impl Searcher for RandomPath {
    fn select(&mut self, _clock: Clock) -> Option<StateId> {
        let mut node = self.root?;
        loop {
            match self.nodes[node].content {
                Content::Leaf(state) => return Some(state),
                Content::Inner(children) => node = children[self.coin()],
            }
        }
    }

    fn update(&mut self, update: &Update<'_>) {
        // The states of a branch with many targets join at random earlier siblings, as in KLEE.
        let mut family: Vec<StateId> = Vec::new();
        let mut family_of = None;
        for added in update.added {
            if added.parent.is_none() || added.parent != family_of {
                family.clear();
                family.extend(added.parent);
                family_of = added.parent;
            }
            let beside = match family.len() {
                0 => None,
                1 => Some(family[0]),
                count => Some(family[self.generator.random_range(0..count)]),
            };
            self.add(added.id, beside);
            family.push(added.id);
        }
        for id in update.removed {
            self.remove(*id);
        }
    }

    fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    fn describe(&self) -> String {
        "random-path\n".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{add, histogram, remove};
    use super::*;
    use crate::search::Metrics;

    fn close(counts: &[usize], expected: &[usize]) {
        for (count, expected) in counts.iter().zip(expected) {
            assert!(
                count.abs_diff(*expected) <= expected / 15,
                "{counts:?} against {expected:?}"
            );
        }
    }

    #[test]
    fn probabilities_halve_at_open_branchings() {
        let mut searcher = RandomPath::new(super::super::generator(3, 0));
        add(&mut searcher, None, 0, Metrics::default());
        add(&mut searcher, Some(0), 1, Metrics::default());
        add(&mut searcher, Some(0), 2, Metrics::default());
        // ((0 2) 1): 1/4 1/2 1/4
        close(&histogram(&mut searcher, 3, 16_000), &[4_000, 8_000, 4_000]);
        remove(&mut searcher, 0);
        // (2 1)
        close(&histogram(&mut searcher, 3, 16_000), &[0, 8_000, 8_000]);
        add(&mut searcher, Some(1), 3, Metrics::default());
        // (2 (1 3))
        close(
            &histogram(&mut searcher, 4, 16_000),
            &[0, 4_000, 8_000, 4_000],
        );
        remove(&mut searcher, 2);
        close(&histogram(&mut searcher, 4, 16_000), &[0, 8_000, 0, 8_000]);
        remove(&mut searcher, 1);
        remove(&mut searcher, 3);
        assert!(searcher.is_empty());
        add(&mut searcher, None, 4, Metrics::default());
        assert_eq!(histogram(&mut searcher, 5, 2)[4], 2);
    }

    #[test]
    fn the_tree_stays_as_large_as_the_set_of_states() {
        let mut searcher = RandomPath::new(super::super::generator(3, 0));
        add(&mut searcher, None, 0, Metrics::default());
        for id in 1..1_000 {
            add(&mut searcher, Some(id - 1), id, Metrics::default());
            remove(&mut searcher, id - 1);
        }
        assert!(searcher.nodes.len() <= 3, "{}", searcher.nodes.len());
    }
}
