//! The loops of a function and what is nested in it.
//!
//! A loop is a natural loop: the blocks from which control gets back to the block that all of them
//! are entered over, its head. The condition of a loop is a branch with a side that stays in the
//! loop and one that leaves it, at the loop's head, where control goes back to the head, or on the
//! source line of either: so that of a `while` with `&&` is found in unoptimised code, and a
//! `break` of the loop's body is none. A block is nested if the function can be gone through
//! without it.

use crate::ir::program::flow::{Backwards, BlockFlow, Dominance, Flow, Loop, Node, loops};
use crate::ir::program::{BlockId, Function, Inst, Program};

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

/// What a loop is looked at with.
#[derive(Clone, Copy)]
struct Surroundings<'p> {
    program: &'p Program,
    function: &'p Function,
    flow: &'p BlockFlow,
}

impl Shape {
    pub(super) fn of(program: &Program, function: &Function) -> Self {
        let flow = BlockFlow::of(program, function);
        let count = function.blocks.len();
        let mut loops = loops(&flow);
        // Inner loops first.
        loops.sort_by_key(|one| (one.size, one.head));
        for one in &mut loops {
            pass_empty_blocks(one, &flow, function);
        }
        let backwards = Dominance::new(&Backwards(&flow), flow.end());
        let around = Surroundings {
            program,
            function,
            flow: &flow,
        };
        let block = |node: Node| {
            let mut facts = BlockFacts::default();
            for one in loops.iter().filter(|one| one.blocks[node as usize]) {
                match around.condition(one, node) {
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

/// Blocks that only move registers on the way back stand for the branch before them: lowering makes
/// them.
fn pass_empty_blocks(one: &mut Loop, flow: &BlockFlow, function: &Function) {
    let mut next = 0;
    while let Some(node) = one.back.get(next).copied() {
        next += 1;
        if let [before] = flow.before(node)
            && is_empty(function, node)
            && !one.back.contains(before)
        {
            one.back.push(*before);
        }
    }
}

impl Surroundings<'_> {
    /// If the branch that ends a block is the loop's condition: where it stays in the loop.
    fn condition(&self, one: &Loop, node: Node) -> Option<Vec<BlockId>> {
        let inside = |target: &&Node| one.blocks[**target as usize];
        let after = self.flow.after(node);
        let stays: Vec<BlockId> = after.iter().filter(inside).map(|at| BlockId(*at)).collect();
        let leaves = stays.len() < after.len();
        (leaves && !stays.is_empty() && self.decides(one, node)).then_some(stays)
    }

    fn decides(&self, one: &Loop, node: Node) -> bool {
        if node == one.head || one.back.contains(&node) {
            return true;
        }
        let line = |node: Node| {
            let last = self.function.block_range(BlockId(node)).next_back()?;
            let location = *self.function.locations.get(last)?;
            let location = self.program.location(location);
            (location.line != 0).then_some((location.file, location.line))
        };
        let here = line(node);
        let mut ends = one.back.iter().copied().chain([one.head]);
        here.is_some() && ends.any(|end| line(end) == here)
    }
}

fn is_empty(function: &Function, node: Node) -> bool {
    let code = &function.code[function.block_range(BlockId(node))];
    let empty = |inst: &Inst| matches!(inst, Inst::Moves { .. } | Inst::Move { .. });
    matches!(code, [moves @ .., Inst::Jump { .. }] if moves.iter().all(empty))
}
