//! Loops of a function and nesting of its blocks.
//!
//! A loop is a natural loop: the blocks from which control returns to a block that dominates all of
//! them, its head. The condition of a loop is a branch with one side in the loop and one side
//! outside. It is at the head, at a back edge, or on the source line of either. This finds a
//! `while` with `&&` in unoptimized code, and excludes a `break` in the body. A block is nested if
//! the function can be executed without it.

use homi_ir::program::flow::{Backwards, BlockFlow, Dominance, Flow, Loop, Node, loops};
use homi_ir::program::{BlockId, Function, Inst, Program};

/// Facts about a branch from the block that it ends.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct BlockFacts {
    /// Blocks with which the innermost loop continues if the branch is its condition; else `None`.
    pub(super) loop_condition: Option<Vec<BlockId>>,
    /// True if the branch is in a loop and is not its condition.
    pub(super) in_loop_body: bool,
    pub(super) nested: bool,
}

/// Loops and nesting of a function.
#[derive(Debug)]
pub(super) struct Shape {
    blocks: Vec<BlockFacts>,
}

/// Context of the analysis of a loop.
#[derive(Clone, Copy)]
struct RunEnvironment<'p> {
    program: &'p Program,
    function: &'p Function,
    flow: &'p BlockFlow,
}

impl Shape {
    pub(super) fn of(program: &Program, function: &Function) -> Self {
        let flow = BlockFlow::of(program, function);
        let count = function.blocks.len();
        let mut loops = loops(&flow);
        // Inner loops come first.
        loops.sort_by_key(|one| (one.size, one.head));
        for one in &mut loops {
            pass_empty_blocks(one, &flow, function);
        }
        let backwards = Dominance::new(&Backwards(&flow), flow.end());
        let around = RunEnvironment {
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

    /// Returns the facts of a block.
    pub(super) fn block(&self, block: BlockId) -> BlockFacts {
        self.blocks.get(block.index()).cloned().unwrap_or_default()
    }
}

/// Replaces blocks on the back edge that only move registers by the branch before them. Lowering
/// creates such blocks.
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

impl RunEnvironment<'_> {
    /// Returns the successors that stay in the loop if the branch that ends a block is the loop's
    /// condition.
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
