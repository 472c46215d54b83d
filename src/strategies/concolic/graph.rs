//! Graph of the branch sides of a program, and distances in it.
//!
//! Invariant: an edge is a transition of control within a function or into a callee, over blocks
//! without a source branch. Returns have no edges, as in CREST's graph, because control continues
//! after the call. An indirect call may reach every function whose address is taken. An inlined
//! branch is one branch with the edges of all its copies.

use super::icfg::Icfg;
use homi_ir::program::flow::{Edges, Flow, Node};
use homi_ir::program::{BlockId, FuncId, Program};
use std::collections::VecDeque;

/// Control-flow graph reduced to branch sides. The nodes are, in this order: sides by their dense
/// numbers, branches, blocks of all functions, and one node for the targets of all indirect calls.
#[derive(Debug)]
pub struct SideGraph {
    sides: u32,
    after: Edges,
    before: Edges,
    /// Sides of user code.
    own: Vec<u32>,
    entry: Option<Node>,
    /// Node of the first block of each function.
    first_block: Vec<Node>,
}

/// Number of branches between each side and the nearest wanted side.
#[derive(Clone, Debug, Default)]
pub struct SideDistances(Vec<u32>);

impl SideDistances {
    /// Returns the distance of a side, 0 for a wanted one; `None` if control cannot reach a wanted
    /// side from it.
    pub fn of(&self, side: u32) -> Option<u32> {
        let distance = self.0.get(side as usize).copied();
        distance.filter(|distance| *distance != u32::MAX)
    }
}

impl SideGraph {
    /// Builds the graph of a program.
    pub fn new(program: &Program) -> Self {
        let ways = Icfg::of(program);
        let pairs = ways.pairs.iter().copied();
        let back = pairs.clone().map(|(from, to)| (to, from));
        Self {
            sides: ways.sides,
            after: Edges::new(ways.nodes, pairs),
            before: Edges::new(ways.nodes, back),
            own: ways.own,
            entry: ways.entry,
            first_block: ways.first_block,
        }
    }

    /// Returns the sides of user code.
    pub fn user_sides(&self) -> &[u32] {
        &self.own
    }

    /// Returns the distances to the nearest of these sides. Each branch on the path counts 1,
    /// including the branch of the wanted side.
    pub fn distances(&self, wanted: impl Iterator<Item = u32>) -> SideDistances {
        let mut distance = vec![u32::MAX; self.node_count()];
        let mut near: VecDeque<Node> = VecDeque::new();
        for side in wanted.filter(|side| *side < self.sides) {
            distance[side as usize] = 0;
            near.push_back(side);
        }
        // Edges into a side cost 1 and all others 0, so nodes reached at no cost go first.
        while let Some(node) = near.pop_front() {
            let cost = u32::from(node < self.sides);
            let way = distance[node as usize] + cost;
            for before in self.before.of(node) {
                if way < distance[*before as usize] {
                    distance[*before as usize] = way;
                    match cost {
                        0 => near.push_front(*before),
                        _ => near.push_back(*before),
                    }
                }
            }
        }
        distance.truncate(self.sides as usize);
        SideDistances(distance)
    }

    /// Returns true for each side that control can reach from one of these sides, including the
    /// sides themselves.
    pub fn reachable(&self, from: impl Iterator<Item = u32>) -> Vec<bool> {
        let mut reached = vec![false; self.node_count()];
        let mut open: Vec<Node> = from.filter(|side| *side < self.sides).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node as usize], true) {
                open.extend(self.after.of(node));
            }
        }
        reached.truncate(self.sides as usize);
        reached
    }

    /// Returns the next sides that control reaches after one, ascending.
    pub fn next_sides(&self, side: u32) -> Vec<u32> {
        let mut reached = vec![false; self.node_count()];
        let mut open = self.after.of(side).to_vec();
        while let Some(node) = open.pop() {
            let first = !std::mem::replace(&mut reached[node as usize], true);
            if first && node >= self.sides {
                open.extend(self.after.of(node));
            }
        }
        (0..self.sides)
            .filter(|side| reached[*side as usize])
            .collect()
    }

    /// Returns the node of a block; `None` if the program lacks it.
    pub(super) fn block(
        &self,
        program: &Program,
        function: FuncId,
        block: BlockId,
    ) -> Option<Node> {
        let first = *self.first_block.get(function.index())?;
        let count = program.function(function).blocks.len() as Node;
        (block.0 < count).then_some(first + block.0)
    }

    /// Returns the number of sides; nodes below this number are sides.
    pub(super) fn side_count(&self) -> u32 {
        self.sides
    }

    /// Returns the entry node; `None` if the program's first function has no body.
    pub(super) fn entry(&self) -> Option<Node> {
        self.entry
    }
}

impl Flow for SideGraph {
    fn node_count(&self) -> usize {
        self.after.nodes()
    }

    fn after(&self, node: Node) -> &[Node] {
        self.after.of(node)
    }

    fn before(&self, node: Node) -> &[Node] {
        self.before.of(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_ir::program::testing::{
        branch, call, call_indirect, function, jump, program, ret, step,
    };
    use homi_ir::program::{BlockId, BranchId, Inst, Origin, Slot, SwitchTable};

    fn near(graph: &SideGraph, wanted: &[u32], sides: std::ops::Range<u32>) -> Vec<Option<u32>> {
        let distances = graph.distances(wanted.iter().copied());
        sides.map(|side| distances.of(side)).collect()
    }

    #[test]
    fn a_distance_counts_branches() {
        // 0: branch 0 -> 1 / 4; 1: branch 1 -> 2 / 3; 2: jump 3; 3: branch 2 -> 0 / 4; 4: return.
        let program = program(vec![function(
            "main",
            vec![
                vec![branch(0, 1, 4)],
                vec![branch(1, 2, 3)],
                vec![step(), jump(3)],
                vec![branch(2, 0, 4)],
                vec![ret()],
            ],
        )]);
        let graph = SideGraph::new(&program);
        // To side 5: sides 2 and 3 reach its branch next, side 0 their branches, side 4 the one of
        // side 0.
        assert_eq!(
            near(&graph, &[5], 0..6),
            [Some(2), None, Some(1), Some(1), Some(3), Some(0)]
        );
        // The nearest of two.
        assert_eq!(
            near(&graph, &[5, 2], 0..6),
            [Some(1), None, Some(0), Some(1), Some(2), Some(0)]
        );
        assert_eq!(graph.next_sides(0), [2, 3]);
        assert_eq!(graph.next_sides(2), [4, 5]);
        assert_eq!(graph.next_sides(1), [0_u32; 0]);
        let reached = graph.reachable([3].into_iter());
        assert_eq!(reached[..6], [true; 6]);
        let reached = graph.reachable([1].into_iter());
        assert_eq!(reached.iter().filter(|reached| **reached).count(), 1);
    }

    #[test]
    fn calls_lead_into_callees_and_past_them() {
        let mut exit = function("exit", vec![]);
        exit.noreturn = true;
        let mut hidden = function("hidden", vec![vec![branch(4, 1, 1)], vec![ret()]]);
        hidden.address_taken = true;
        // main: branch 0 -> 1 / 2 / ...; 1: call inner, branch 1; 2: call exit, branch 2; 3: an
        // indirect call.
        let program = program(vec![
            function(
                "main",
                vec![
                    vec![branch(0, 1, 2)],
                    vec![call(1), branch(1, 3, 3)],
                    vec![call(2), branch(2, 3, 3)],
                    vec![call_indirect(), ret()],
                ],
            ),
            function("inner", vec![vec![branch(3, 1, 1)], vec![ret()]]),
            exit,
            hidden,
        ]);
        let graph = SideGraph::new(&program);
        // After side 0: branch 3 of the callee and branch 1 after the call. A return has no
        // successor.
        assert_eq!(graph.next_sides(0), [2, 3, 6, 7]);
        assert_eq!(graph.next_sides(6), [0_u32; 0]);
        // A call that does not return has no successor.
        assert_eq!(graph.next_sides(1), [0_u32; 0]);
        // The indirect call may reach branch 4.
        assert_eq!(graph.next_sides(2), [8, 9]);
    }

    #[test]
    fn switches_have_a_side_per_target() {
        let mut main = function(
            "main",
            vec![
                vec![Inst::Switch {
                    w: 8,
                    value: Slot(0),
                    table: 0,
                }],
                vec![branch(1, 2, 2)],
                vec![ret()],
            ],
        );
        main.switches.push(SwitchTable {
            cases: vec![(1, BlockId(1), 1), (2, BlockId(1), 1)],
            default: BlockId(2),
            default_side: 0,
            branch: Some(BranchId(0)),
        });
        let mut program = program(vec![main]);
        program.branches[1].origin = Origin::Libc;
        let graph = SideGraph::new(&program);
        assert_eq!(graph.next_sides(0), [0_u32; 0]);
        assert_eq!(graph.next_sides(1), [2, 3]);
        // Only user code needs coverage; edges lead through all code.
        assert!(!graph.user_sides().contains(&2) && graph.user_sides().contains(&1));
    }

    #[test]
    fn copies_of_a_branch_are_one_branch() {
        // 0: branch 0 -> 1 / 2, both branch 1, with different targets.
        let program = program(vec![function(
            "main",
            vec![
                vec![branch(0, 1, 2)],
                vec![branch(1, 3, 5)],
                vec![branch(1, 4, 5)],
                vec![branch(2, 5, 5)],
                vec![branch(3, 5, 5)],
                vec![ret()],
            ],
        )]);
        let graph = SideGraph::new(&program);
        assert_eq!(graph.next_sides(2), [4, 5, 6, 7]);
    }
}
