//! `dfs`: bounded depth-first search, as in DART: the deepest open branch of the last path.
//!
//! A bound of N means that only the first N decisions of a path are negated; deeper ones come last.
//! The bound and its default are CREST's. CREST first negates the shallowest branch behind the last
//! negated one, which visits the same subtrees from the top. The order here completes the lowest
//! subtree first, which the papers call depth-first.

use super::argument::{Argument, ArgumentKind};
use super::last_path::{Look, OnLastPath, OpenBranches, PathRule, Pick};
use super::row::StrategyRow;

/// Default number of decisions of a path that are negated, as in CREST.
const DEFAULT_DEPTH: u64 = 1_000_000;

pub(super) static ROW: StrategyRow = StrategyRow {
    name: "dfs",
    aliases: &["depth-first"],
    help: "Select the deepest open branch of the last path; dfs:N considers only the first N \
         branches",
    argument: ArgumentKind::Number,
    make: |start| {
        Box::new(OnLastPath::new(DepthFirst {
            depth: start.argument.number().unwrap_or(DEFAULT_DEPTH),
            argument: start.argument.clone(),
        }))
    },
};

#[derive(Debug)]
struct DepthFirst {
    depth: u64,
    argument: Argument,
}

impl PathRule for DepthFirst {
    fn pick(&mut self, open: &OpenBranches<'_>, _look: Look) -> Option<Pick> {
        let mut deepest_first = open.deepest_first();
        let found = deepest_first.find(|branch| u64::from(branch.position) < self.depth);
        found.map(|branch| Pick::of(branch.at))
    }

    fn describe(&self) -> String {
        ROW.with(&self.argument)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Tree, explore};

    #[test]
    fn the_deepest_open_branch_is_negated_first() {
        let tree = Tree::complete(3, &["01", "110"]);
        let (order, tally) = explore("dfs", tree);
        // 000 leaves 1, 01, 001 open; 01 is infeasible; 1 leads to 100, with 11 and 101 open.
        assert_eq!(order, ["000", "001", "100", "101", "111"]);
        // Infeasible: 01, and 110, which 111 leaves open.
        assert_eq!(
            (tally.negations.feasible, tally.negations.infeasible),
            (4, 2)
        );
        assert_eq!((tally.executions, tally.older, tally.skipped), (5, 0, 0));
    }

    #[test]
    fn what_lies_below_the_depth_comes_last_and_is_counted() {
        let (order, tally) = explore("dfs:2", Tree::complete(3, &[]));
        // Without the third branch: 000, 010, 100, 110. Then the deepest branch of the newest path
        // first.
        assert_eq!(
            order,
            ["000", "010", "100", "110", "111", "101", "011", "001"]
        );
        assert_eq!((tally.executions, tally.skipped), (8, 4));
    }
}
