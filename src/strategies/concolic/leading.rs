//! Sides that lead to a piece of code: control may reach it after them before the next source
//! branch.
//!
//! Invariant: the numbers of the sides are ascending. Code that control reaches without any branch
//! has no such side.

use super::graph::SideGraph;
use homi_ir::program::flow::{Flow, Node};
use homi_ir::program::{BlockId, FuncId, Program};
use homi_machine::exec::Segments;
use std::collections::BTreeSet;

/// Returns the sides that lead to one of these segments, by their dense numbers.
pub fn leading_sides(
    program: &Program,
    segments: &Segments,
    wanted: impl Iterator<Item = u32>,
) -> Vec<u32> {
    let graph = SideGraph::new(program);
    let mut open: Vec<Node> = wanted
        .filter_map(|segment| {
            let (function, start, _) = segments.range(segment);
            graph.block(program, function, block_at(program, function, start)?)
        })
        .collect();
    let mut seen = BTreeSet::new();
    let mut sides = BTreeSet::new();
    while let Some(node) = open.pop() {
        if node < graph.side_count() {
            sides.insert(node);
        } else if seen.insert(node) {
            open.extend(graph.before(node));
        }
    }
    sides.into_iter().collect()
}

/// Returns the block of an instruction.
fn block_at(program: &Program, function: FuncId, pc: u32) -> Option<BlockId> {
    let function = program.function(function);
    let mut blocks = (0..function.blocks.len()).map(BlockId::new);
    blocks.find(|block| function.block_range(*block).contains(&(pc as usize)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::program::testing::{branch, call, function, jump, program, ret, step};

    #[test]
    fn a_side_leads_to_what_comes_before_the_next_branch() {
        // main: branch 0 -> 1 / 2; 1: jump 3; 2: branch 1 -> 3 / 4; 3: call inner; 4: return.
        let program = program(vec![
            function(
                "main",
                vec![
                    vec![branch(0, 1, 2)],
                    vec![step(), jump(3)],
                    vec![branch(1, 3, 4)],
                    vec![call(1), ret()],
                    vec![ret()],
                ],
            ),
            function("inner", vec![vec![step(), ret()]]),
        ]);
        let segments = Segments::new(&program);
        let leading = |function: usize, block: u32| {
            let start = program.functions[function].blocks[block as usize].start;
            let segment = segments.segment(FuncId::new(function), start);
            leading_sides(&program, &segments, std::iter::once(segment))
        };
        assert_eq!(leading(0, 1), [0]);
        assert_eq!(leading(0, 2), [1]);
        assert_eq!(leading(0, 3), [0, 2]);
        assert_eq!(leading(1, 0), [0, 2], "the callee too");
        assert_eq!(leading(0, 0), [0_u32; 0], "no branch comes before it");
    }
}
