//! Lists of nodes, one for each node of a graph.
//!
//! Invariant: all lists lie in one array, in the order of the nodes.

use super::Node;

/// A list of nodes for each node.
#[derive(Debug)]
pub struct Edges {
    first: Vec<u32>,
    to: Vec<Node>,
}

impl Edges {
    /// Returns the lists of this many nodes, from pairs of a node and one of its list.
    pub fn new(nodes: usize, pairs: impl Iterator<Item = (Node, Node)> + Clone) -> Self {
        let mut first = vec![0; nodes + 1];
        for (from, _) in pairs.clone() {
            first[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut to = vec![0; first[nodes] as usize];
        for (from, node) in pairs {
            let place = &mut next[from as usize];
            to[*place as usize] = node;
            *place += 1;
        }
        Self { first, to }
    }

    /// The list of a node.
    pub fn of(&self, node: Node) -> &[Node] {
        let node = node as usize;
        &self.to[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Returns the number of nodes with a list.
    pub fn nodes(&self) -> usize {
        self.first.len() - 1
    }
}
