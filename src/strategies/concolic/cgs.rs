//! `cgs`: context-guided search: breadth-first search that skips branches in known contexts.
//!
//! The search visits all open branches by their position, and within a position in the order of
//! their paths. It negates a branch whose context of length k is new, and defers all others. After
//! the last position, k grows by 1 and the search visits the deferred branches again. Branches
//! whose longest context is known come last, shallowest first. The search is Seo and Kim's. The
//! default of 5 for the maximum k follows ParaDySE's features; the original order within a position
//! is random.

use super::argument::{Argument, ArgumentKind};
use super::context::context_of;
use super::dominators::Dominators;
use super::graph::SideGraph;
use super::path::BranchRef;
use super::row::StrategyRow;
use super::seen::Seen;
use super::strategy::{Choice, Strategy};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Default maximum length of a context.
const DEFAULT_LENGTH: u64 = 5;

pub(super) static ROW: StrategyRow = StrategyRow {
    name: "cgs",
    aliases: &["context-guided"],
    help: "Select the shallowest open branch in a new context; cgs:K compares up to K sides",
    argument: ArgumentKind::Number,
    make: |start| {
        let length = start.argument.number().unwrap_or(DEFAULT_LENGTH);
        Box::new(ContextGuided {
            dominators: Dominators::new(&SideGraph::new(start.program)),
            greatest: usize::try_from(length).unwrap_or(usize::MAX),
            length: 1,
            growing: false,
            known: FxHashSet::default(),
            waiting: BTreeSet::new(),
            passed: BTreeSet::new(),
            argument: start.argument.clone(),
        })
    },
};

#[derive(Debug)]
struct ContextGuided {
    dominators: Dominators,
    greatest: usize,
    /// Length of the contexts compared now.
    length: usize,
    known: FxHashSet<Box<[u32]>>,
    /// True if a context reached the current length, so that longer contexts can distinguish more
    /// branches.
    growing: bool,
    /// Open branches by position and age: branches to visit; `passed` are branches deferred at this
    /// length.
    waiting: BTreeSet<(u32, BranchRef)>,
    passed: BTreeSet<(u32, BranchRef)>,
    argument: Argument,
}

impl ContextGuided {
    /// Returns the next branch in a new context of the current length.
    fn of_new_context(&mut self, seen: &Seen) -> Option<BranchRef> {
        while let Some(place) = self.waiting.pop_first() {
            let at = place.1;
            if !seen.paths.is_open(at) {
                continue;
            }
            let context = context_of(&seen.paths, &self.dominators, at, self.length);
            self.growing |= context.len() == self.length;
            if self.known.insert(context) {
                return Some(at);
            }
            self.passed.insert(place);
        }
        None
    }
}

impl Strategy for ContextGuided {
    fn path_ended(&mut self, seen: &Seen) {
        let path = seen.last.iter().map(|last| last.id);
        let open = path.flat_map(|path| seen.paths.open_in_part(path));
        self.waiting
            .extend(open.map(|branch| (branch.position, branch.at)));
    }

    fn choose(&mut self, seen: &Seen) -> Option<Choice> {
        loop {
            if let Some(branch) = self.of_new_context(seen) {
                return Some(Choice::by_rule(branch));
            }
            if self.length >= self.greatest || !self.growing || self.passed.is_empty() {
                break;
            }
            self.length += 1;
            self.growing = false;
            self.waiting = std::mem::take(&mut self.passed);
        }
        while let Some((_, at)) = self.passed.pop_first() {
            if seen.paths.is_open(at) {
                return Some(Choice::skipped(at));
            }
        }
        None
    }

    fn describe(&self) -> String {
        ROW.with(&self.argument)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Engine, Tree, explore};
    use homi_ir::program::Program;

    /// Order derived by hand. Contexts: 1 [side 1], 01 [3], 001 [5]; on 100: 11 [3] and 101 [5] are
    /// known with k = 1, on 010: 011 [5] is. With k = 2: 11 [3, 1] is new, 101 [5, 2] (10 was taken
    /// before), 011 [5, 3]; on 110: 111 [5, 3] is known then, and new with k = 3.
    const ORDER: [&str; 8] = ["000", "100", "010", "001", "110", "101", "011", "111"];

    #[test]
    fn branches_of_known_contexts_wait_until_contexts_are_longer() {
        let (order, tally) = explore("cgs", Tree::complete(3, &[]));
        assert_eq!(order, ORDER);
        assert_eq!((tally.executions, tally.skipped), (8, 0));
    }

    #[test]
    fn what_is_known_by_the_greatest_length_comes_last_and_is_counted() {
        let (order, tally) = explore("cgs:1", Tree::complete(3, &[]));
        assert_eq!(order, ORDER);
        assert_eq!((tally.executions, tally.skipped), (8, 4));
        let (order, tally) = explore("cgs:2", Tree::complete(3, &[]));
        assert_eq!(order, ORDER);
        assert_eq!((tally.executions, tally.skipped), (8, 1));
    }

    #[test]
    fn contexts_grow_no_longer_than_paths() {
        // With two roots, every context is met twice, whatever its length.
        let program = Program::empty("tree.bc");
        let tree = Tree::complete(3, &[]);
        let mut engine = Engine::new("cgs:4000000000", &program, tree, 1, &[]);
        engine.add_root("");
        assert_eq!(engine.exhaust().len(), 16);
        assert!(engine.tally().skipped > 0);
    }
}
