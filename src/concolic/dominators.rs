//! Which sides lie on every way from the program's beginning to a branch.
//!
//! Invariant: computed once, over the graph of sides, after Cooper, Harvey and Kennedy (*A Simple,
//! Fast Dominance Algorithm*). A node that control does not get to from the beginning is dominated
//! by none.

use super::graph::{Node, SideGraph};

/// The dominator tree of a graph, as intervals: a node's interval lies in those of its dominators.
#[derive(Debug, Default)]
pub struct Dominators {
    intervals: Vec<(u32, u32)>,
}

/// No node.
const NONE: u32 = u32::MAX;

impl Dominators {
    pub fn new(graph: &SideGraph) -> Self {
        let Some(entry) = graph.entry() else {
            return Self::default();
        };
        let order = postorder(graph, entry);
        let immediate = immediate(graph, &order);
        Self {
            intervals: intervals(graph.node_count(), &order, &immediate),
        }
    }

    /// Whether control gets to the branch of side `later` only over side `earlier`.
    pub fn dominates(&self, earlier: u32, later: u32) -> bool {
        let interval = |side: u32| self.intervals.get(side as usize).copied();
        let (Some(outer), Some(inner)) = (interval(earlier), interval(later)) else {
            return false;
        };
        earlier != later && inner.1 != 0 && outer.0 <= inner.0 && inner.1 <= outer.1
    }
}

/// The nodes that control gets to, each after those that it leads to for the first time.
fn postorder(graph: &SideGraph, entry: Node) -> Vec<Node> {
    let mut order = Vec::new();
    let mut seen = vec![false; graph.node_count()];
    seen[entry as usize] = true;
    let mut stack = vec![(entry, 0)];
    while let Some((node, next)) = stack.last_mut() {
        match graph.after(*node).get(*next) {
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
fn immediate(graph: &SideGraph, order: &[Node]) -> Vec<u32> {
    let mut place = vec![NONE; graph.node_count()];
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
            let before = graph.before(order[index]).iter();
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

/// An interval per node: from the number of its visit to that of the last visit below it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::testing::{branch, call, function, jump, program, ret, step};

    #[test]
    fn sides_dominate_what_is_reached_over_them_only() {
        // 0: branch 0 -> 1 / 2; 1: branch 1 -> 3 / 3; 2: branch 2 -> 3 / 4; 3: branch 3 -> 4 / 1.
        let program = program(vec![function(
            "main",
            vec![
                vec![branch(0, 1, 2)],
                vec![branch(1, 3, 3)],
                vec![branch(2, 3, 4)],
                vec![branch(3, 4, 1)],
                vec![ret()],
            ],
        )]);
        let dominators = Dominators::new(&SideGraph::new(&program));
        let of = |later: u32| -> Vec<u32> {
            let earlier = (0..20).filter(|side| dominators.dominates(*side, later));
            earlier.collect()
        };
        // Side 1 is the only way to branch 2; branches 1 and 3 are reached over either side of 0,
        // branch 1 also over side 7. A side does not dominate itself.
        assert_eq!((of(4), of(5)), (vec![1], vec![1]));
        assert_eq!(
            (of(0), of(2), of(6), of(7)),
            (vec![], vec![], vec![], vec![])
        );
        // Nothing leads to branch 9.
        assert_eq!(of(18), [0_u32; 0]);
        assert!(!dominators.dominates(18, 0));
    }

    #[test]
    fn what_leads_to_all_calls_dominates_the_callee() {
        // main: branch 0 -> 1 / 2; 1: call inner, jump 2; 2: return. inner: branch 1.
        let program = program(vec![
            function(
                "main",
                vec![
                    vec![branch(0, 1, 2)],
                    vec![step(), call(1), jump(2)],
                    vec![ret()],
                ],
            ),
            function("inner", vec![vec![branch(1, 1, 1)], vec![ret()]]),
        ]);
        let dominators = Dominators::new(&SideGraph::new(&program));
        assert!(dominators.dominates(0, 2) && dominators.dominates(0, 3));
        assert!(!dominators.dominates(1, 2));
    }

    #[test]
    fn loops_have_dominators() {
        // 0: branch 0 -> 1 / 3; 1: branch 1 -> 2 / 0; 2: branch 2 -> 0 / 0; 3: return.
        let program = program(vec![function(
            "main",
            vec![
                vec![branch(0, 1, 3)],
                vec![branch(1, 2, 0)],
                vec![branch(2, 0, 0)],
                vec![ret()],
            ],
        )]);
        let dominators = Dominators::new(&SideGraph::new(&program));
        assert!(
            dominators.dominates(0, 2) && dominators.dominates(2, 4) && dominators.dominates(0, 4)
        );
        assert!(!dominators.dominates(4, 0) && !dominators.dominates(3, 0));
    }
}
