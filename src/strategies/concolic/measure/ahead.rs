//! Code after a side: the next sides, and functions within two branches.
//!
//! Invariant: static data of a side are computed on first use and kept. Coverage only grows, so
//! each list only shrinks.

use super::super::code::BranchCode;
use super::super::history::History;
use super::functions::FunctionCounts;
use homi_ir::program::flow::{Flow, Node};
use rustc_hash::FxHashMap;

/// Maximum number of branches to a near function.
const NEAR: u32 = 2;

/// Code after one side.
#[derive(Debug)]
struct Behind {
    /// Next sides in user code; emptied when one of them is covered.
    next: Box<[u32]>,
    next_covered: bool,
    /// Near functions, the largest last; reached functions are removed from the end.
    functions: Vec<u32>,
}

/// Code after sides, computed on demand.
#[derive(Debug)]
pub(super) struct Ahead {
    of_side: FxHashMap<u32, Behind>,
    search: Search,
}

/// Nodes that searches have found.
#[derive(Debug)]
struct Search {
    /// Number of the last search that found each node.
    found: Vec<u32>,
    number: u32,
}

impl Ahead {
    pub(super) fn new(code: &BranchCode) -> Self {
        Self {
            of_side: FxHashMap::default(),
            search: Search {
                found: vec![0; code.graph.node_count()],
                number: 0,
            },
        }
    }

    /// True if no run has taken any of the next sides in user code.
    pub(super) fn is_next_uncovered(
        &mut self,
        code: &BranchCode,
        history: &History,
        side: u32,
    ) -> bool {
        let behind = self.behind(code, side);
        if !behind.next_covered && behind.next.iter().any(|next| history.is_covered(*next)) {
            behind.next_covered = true;
            behind.next = Box::default();
        }
        !behind.next_covered
    }

    /// Returns the number of sides of the largest unreached near function; 0 if there is none.
    pub(super) fn unreached_near(
        &mut self,
        code: &BranchCode,
        functions: &FunctionCounts,
        side: u32,
    ) -> u32 {
        let behind = self.behind(code, side);
        while let Some(function) = behind.functions.last() {
            if let Some(size) = functions.unreached_size(*function) {
                return size;
            }
            behind.functions.pop();
        }
        0
    }

    fn behind(&mut self, code: &BranchCode, side: u32) -> &mut Behind {
        let search = &mut self.search;
        let entry = self.of_side.entry(side);
        entry.or_insert_with(|| search.look(code, side))
    }
}

impl Search {
    /// Computes the code after a side, over two branches.
    fn look(&mut self, code: &BranchCode, side: u32) -> Behind {
        self.number += 1;
        let table = code.functions();
        let mut next = Vec::new();
        let mut functions: Vec<u32> = table.of_side(side).into_iter().collect();
        let mut from = vec![side];
        for depth in 1..=NEAR {
            from = self.next_sides(code, &from);
            let own = from.iter().copied();
            let own = own.filter_map(|side| Some((side, table.of_side(side)?)));
            for (side, function) in own {
                functions.push(function);
                if depth == 1 {
                    next.push(side);
                }
            }
        }
        functions.sort_unstable_by_key(|function| (table.sizes()[*function as usize], *function));
        functions.dedup();
        Behind {
            next: next.into(),
            next_covered: false,
            functions,
        }
    }

    /// Returns the next sides of any of these, without sides that this search has already found.
    fn next_sides(&mut self, code: &BranchCode, from: &[u32]) -> Vec<u32> {
        let graph = &code.graph;
        let ways = from.iter().flat_map(|side| graph.after(*side));
        let mut open: Vec<Node> = ways.copied().collect();
        let mut sides = Vec::new();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut self.found[node as usize], self.number) == self.number {
                continue;
            }
            if node < graph.side_count() {
                sides.push(node)
            } else {
                open.extend(graph.after(node))
            }
        }
        sides
    }
}
