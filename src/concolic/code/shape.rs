//! The loops of a function and what is nested in it.
//!
//! A loop is a natural loop: the blocks from which control gets back to the block that all of them
//! are entered over, its head. The condition of a loop is a branch with a side that stays in the
//! loop and one that leaves it, at the loop's head, where control goes back to the head, or on the
//! source line of either: so that of a `while` with `&&` is found in unoptimised code, and a
//! `break` of the loop's body is none. A block is nested if the function can be gone through
//! without it.

use super::super::dominance::{Dominance, Flow};
use super::super::graph::Node;
use super::flow::{Backwards, BlockFlow};
use crate::program::{BlockId, Function, Inst, Program};
use std::collections::BTreeMap;

/// What holds of a branch because of the block that it ends.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct BlockFacts {
    /// If it is the condition of a loop: the blocks with which the innermost such loop goes on.
    pub(super) loop_condition: Option<Vec<BlockId>>,
    /// It stands in a loop of which it is not the condition.
    pub(super) in_loop_body: bool,
    pub(super) nested: bool,
}

/// The shape of a function.
#[derive(Debug)]
pub(super) struct Shape {
    blocks: Vec<BlockFacts>,
}

/// A loop: its head, the blocks from which control goes back there, and all of its blocks.
#[derive(Debug)]
struct Loop {
    head: Node,
    back: Vec<Node>,
    blocks: Vec<bool>,
    size: usize,
}

impl Shape {
    pub(super) fn of(program: &Program, function: &Function) -> Self {
        let flow = BlockFlow::of(program, function);
        let count = function.blocks.len();
        let mut loops = loops(&flow);
        // Inner loops first.
        loops.sort_by_key(|one| (one.size, one.head));
        for one in &mut loops {
            one.pass_empty_blocks(&flow, function);
        }
        let backwards = Dominance::new(&Backwards(&flow), flow.end());
        let block = |node: Node| {
            let mut facts = BlockFacts::default();
            for one in loops.iter().filter(|one| one.blocks[node as usize]) {
                match one.condition(program, function, &flow, node) {
                    Some(stays) => {
                        facts.loop_condition.get_or_insert(stays);
                    }
                    None => facts.in_loop_body = true,
                }
            }
            facts.nested = !backwards.dominates(node, 0);
            facts
        };
        Self {
            blocks: (0..count as Node).map(block).collect(),
        }
    }

    /// What holds of a block.
    pub(super) fn block(&self, block: BlockId) -> BlockFacts {
        self.blocks.get(block.index()).cloned().unwrap_or_default()
    }
}

/// The natural loops of a function.
fn loops(flow: &BlockFlow) -> Vec<Loop> {
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

impl Loop {
    /// Blocks that only move registers on the way back stand for the branch before them: lowering
    /// makes them.
    fn pass_empty_blocks(&mut self, flow: &BlockFlow, function: &Function) {
        let mut next = 0;
        while let Some(node) = self.back.get(next).copied() {
            next += 1;
            if let [before] = flow.before(node)
                && is_empty(function, node)
                && !self.back.contains(before)
            {
                self.back.push(*before);
            }
        }
    }

    /// If the branch that ends a block is the loop's condition: where it stays in the loop.
    fn condition(
        &self,
        program: &Program,
        function: &Function,
        flow: &BlockFlow,
        node: Node,
    ) -> Option<Vec<BlockId>> {
        let inside = |target: &&Node| self.blocks[**target as usize];
        let after = flow.after(node);
        let stays: Vec<BlockId> = after.iter().filter(inside).map(|at| BlockId(*at)).collect();
        let leaves = stays.len() < after.len();
        (leaves && !stays.is_empty() && self.decides(program, function, node)).then_some(stays)
    }

    fn decides(&self, program: &Program, function: &Function, node: Node) -> bool {
        if node == self.head || self.back.contains(&node) {
            return true;
        }
        let line = |node: Node| {
            let last = function.block_range(BlockId(node)).next_back()?;
            let location = program.location(*function.locations.get(last)?);
            (location.line != 0).then_some((location.file, location.line))
        };
        let here = line(node);
        let mut ends = self.back.iter().copied().chain([self.head]);
        here.is_some() && ends.any(|end| line(end) == here)
    }
}

fn is_empty(function: &Function, node: Node) -> bool {
    let code = &function.code[function.block_range(BlockId(node))];
    let empty = |inst: &Inst| matches!(inst, Inst::Moves { .. } | Inst::Move { .. });
    matches!(code, [moves @ .., Inst::Jump { .. }] if moves.iter().all(empty))
}
