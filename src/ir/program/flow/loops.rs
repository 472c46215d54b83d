//! The natural loops of a function.
//!
//! Invariant: loops that share a head are one; a way back to a block that does not dominate where
//! it comes from (a jump into the middle) is not a loop.

use super::{BlockFlow, Dominance, Flow, Node};
use std::collections::BTreeMap;

/// A natural loop: the blocks from which control can return to the header, through which all of
/// them are entered.
#[derive(Debug)]
pub struct Loop {
    /// The block over which it is entered.
    pub head: Node,
    /// The blocks from which control goes back to the head.
    pub back: Vec<Node>,
    /// True for each block that belongs to the loop.
    pub blocks: Vec<bool>,
    /// Number of blocks of the loop.
    pub size: usize,
}

/// The natural loops of a function.
pub fn loops(flow: &BlockFlow) -> Vec<Loop> {
    let forwards = Dominance::new(flow, 0);
    let mut back: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for node in 0..flow.end() {
        for head in flow.after(node) {
            if forwards.dominates(*head, node) {
                back.entry(*head).or_default().push(node);
            }
        }
    }
    let found = back.into_iter();
    found
        .map(|(head, back)| {
            let blocks = body(flow, head, &back);
            Loop {
                head,
                back,
                size: blocks.iter().filter(|inside| **inside).count(),
                blocks,
            }
        })
        .collect()
}

/// Returns true if every cycle of a function goes through the head of a natural loop: without the
/// ways back to heads, its graph has none.
pub fn is_reducible(flow: &BlockFlow, loops: &[Loop]) -> bool {
    let forwards = |node: Node| {
        let goes_back = move |next: Node| {
            loops
                .iter()
                .any(|one| one.head == next && one.back.contains(&node))
        };
        flow.after(node)
            .iter()
            .copied()
            .filter(move |next| !goes_back(*next))
    };
    let mut entries = vec![0_usize; flow.node_count()];
    for node in 0..flow.node_count() as Node {
        forwards(node).for_each(|next| entries[next as usize] += 1);
    }
    let mut open: Vec<Node> = (0..flow.node_count() as Node)
        .filter(|node| entries[*node as usize] == 0)
        .collect();
    let mut ordered = 0;
    while let Some(node) = open.pop() {
        ordered += 1;
        for next in forwards(node) {
            entries[next as usize] -= 1;
            if entries[next as usize] == 0 {
                open.push(next);
            }
        }
    }
    ordered == flow.node_count()
}

/// The blocks from which control gets to `back` without the head, and the head.
fn body(flow: &BlockFlow, head: Node, back: &[Node]) -> Vec<bool> {
    let mut inside = vec![false; flow.node_count()];
    inside[head as usize] = true;
    let mut open = back.to_vec();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut inside[node as usize], true) {
            open.extend(flow.before(node));
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::testing::{branch, function, jump, program, ret, step};

    #[test]
    fn blocks_lie_in_as_many_loops_as_lead_back_over_them() {
        // 0: jump 1; 1: branch 0 -> 2 / 5; 2: branch 1 -> 3 / 4; 3: branch 2 -> 2 / 4; 4: jump 1;
        // 5: return.
        let program = program(vec![function(
            "main",
            vec![
                vec![step(), jump(1)],
                vec![branch(0, 2, 5)],
                vec![branch(1, 3, 4)],
                vec![branch(2, 2, 4)],
                vec![step(), jump(1)],
                vec![ret()],
            ],
        )]);
        let main = &program.functions[0];
        let found = loops(&BlockFlow::of(&program, main));
        let heads: Vec<_> = found.iter().map(|one| (one.head, one.size)).collect();
        assert_eq!(heads, [(1, 4), (2, 2)]);
    }
}
