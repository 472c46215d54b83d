//! What control comes to behind a side: the next sides, and functions within two branches.
//!
//! Invariant: what the code says of a side is computed when the side is first asked about, and
//! kept. What is covered or reached stays so, so a list only gets shorter.

use super::super::code::BranchCode;
use super::super::history::History;
use super::functions::FunctionCounts;
use crate::ir::program::flow::{Flow, Node};
use rustc_hash::FxHashMap;

/// Branches within which a function is near.
const NEAR: u32 = 2;

/// What lies behind one side.
#[derive(Debug)]
struct Behind {
    /// Own sides that control comes to next; empty as soon as one of them is covered.
    next: Box<[u32]>,
    next_covered: bool,
    /// Functions that are near, the largest last; reached ones have left from the end.
    functions: Vec<u32>,
}

/// What lies behind sides, as far as it has been asked for.
#[derive(Debug)]
pub(super) struct Ahead {
    of_side: FxHashMap<u32, Behind>,
    search: Search,
}

/// Which nodes have been found.
#[derive(Debug)]
struct Search {
    /// The number of the search in which each node was found last.
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

    /// True if no run has taken any of the user's own sides that control comes to next.
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

    /// Sides of the largest unreached function that is near; 0 if there is none.
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
    /// Goes on from a side over two branches.
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

    /// The sides that control comes to next from any of these, but for those found before in this
    /// search.
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
