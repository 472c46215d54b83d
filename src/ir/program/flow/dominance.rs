//! Dominators of a flow graph, after Cooper, Harvey and Kennedy (*A Simple, Fast Dominance
//! Algorithm*).
//!
//! Invariant: a node is dominated by those nodes, itself included, that every way from the entry to
//! it goes over. A node that no way leads to is dominated by none and dominates none.

use super::{Flow, Node};

/// The dominator tree of a graph, as intervals: a node's interval lies within the intervals of its
/// dominators.
#[derive(Debug, Default)]
pub struct Dominance {
    intervals: Vec<(u32, u32)>,
}

/// No node.
const NONE: u32 = u32::MAX;

impl Dominance {
    /// Computes the dominators of the nodes that `entry` reaches.
    pub fn new(flow: &impl Flow, entry: Node) -> Self {
        let order = postorder(flow, entry);
        let immediate = immediate(flow, &order);
        Self {
            intervals: intervals(flow.node_count(), &order, &immediate),
        }
    }

    /// Returns true if every path to `later` contains `earlier`; a node dominates itself.
    pub fn dominates(&self, earlier: Node, later: Node) -> bool {
        let interval = |node: Node| self.intervals.get(node as usize).copied();
        let (Some(outer), Some(inner)) = (interval(earlier), interval(later)) else {
            return false;
        };
        inner.1 != 0 && outer.0 <= inner.0 && inner.1 <= outer.1
    }
}

/// Returns the reachable nodes in postorder.
fn postorder(flow: &impl Flow, entry: Node) -> Vec<Node> {
    let mut order = Vec::new();
    let mut seen = vec![false; flow.node_count()];
    seen[entry as usize] = true;
    let mut stack = vec![(entry, 0)];
    while let Some((node, next)) = stack.last_mut() {
        match flow.after(*node).get(*next) {
            Some(after) => {
                *next += 1;
                if !std::mem::replace(&mut seen[*after as usize], true) {
                    stack.push((*after, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}

/// The immediate dominator of each node, both as places in the order; the entry, which is last, is
/// its own.
fn immediate(flow: &impl Flow, order: &[Node]) -> Vec<u32> {
    let mut place = vec![NONE; flow.node_count()];
    for (index, node) in order.iter().enumerate() {
        place[*node as usize] = index as u32;
    }
    let mut immediate = vec![NONE; order.len()];
    let entry = order.len() - 1;
    immediate[entry] = entry as u32;
    let mut changed = true;
    while changed {
        changed = false;
        for index in (0..entry).rev() {
            let before = flow.before(order[index]).iter();
            let before = before.map(|node| place[*node as usize]);
            let known = before.filter(|at| *at != NONE && immediate[*at as usize] != NONE);
            let common = known.reduce(|a, b| meet(&immediate, a, b)).unwrap_or(NONE);
            changed |= std::mem::replace(&mut immediate[index], common) != common;
        }
    }
    immediate
}

/// The nearest node that dominates both.
fn meet(immediate: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a < b {
            a = immediate[a as usize];
        }
        while b < a {
            b = immediate[b as usize];
        }
    }
    a
}

/// Returns an interval per node: from the number of its visit to the number of the last visit below
/// it.
fn intervals(nodes: usize, order: &[Node], immediate: &[u32]) -> Vec<(u32, u32)> {
    // Dominators come later in the order than what they dominate, so sizes can be summed up in
    // order, and numbers given out against it.
    let mut size = vec![1_u32; order.len()];
    let entry = order.len() - 1;
    for index in 0..entry {
        size[immediate[index] as usize] += size[index];
    }
    let mut start = vec![0_u32; order.len()];
    let mut next = vec![0_u32; order.len()];
    start[entry] = 1;
    next[entry] = 2;
    for index in (0..entry).rev() {
        let parent = immediate[index] as usize;
        start[index] = next[parent];
        next[parent] += size[index];
        next[index] = start[index] + 1;
    }
    let mut intervals = vec![(NONE, 0); nodes];
    for (index, node) in order.iter().enumerate() {
        intervals[*node as usize] = (start[index], start[index] + size[index] - 1);
    }
    intervals
}
