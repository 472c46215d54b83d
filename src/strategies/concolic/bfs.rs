//! `bfs`: breadth-first search: the shallowest open branch of all paths; of equal ones, the branch
//! of the oldest path.

use super::argument::ArgumentKind;
use super::path::BranchRef;
use super::row::StrategyRow;
use super::seen::Seen;
use super::strategy::{Choice, Strategy};
use std::collections::BTreeSet;

pub(super) static ROW: StrategyRow = StrategyRow {
    name: "bfs",
    aliases: &["breadth-first"],
    help: "Select the open branch with the fewest branches before it, over all paths",
    argument: ArgumentKind::Nothing,
    make: |_| Box::new(BreadthFirst::default()),
};

#[derive(Debug, Default)]
struct BreadthFirst {
    /// Open branches by position and age.
    waiting: BTreeSet<(u32, BranchRef)>,
}

impl Strategy for BreadthFirst {
    fn path_ended(&mut self, seen: &Seen) {
        let path = seen.last.iter().map(|last| last.id);
        let open = path.flat_map(|path| seen.paths.open_in_part(path));
        self.waiting
            .extend(open.map(|branch| (branch.position, branch.at)));
    }

    fn choose(&mut self, seen: &Seen) -> Option<Choice> {
        while let Some((position, at)) = self.waiting.first().copied() {
            if seen.paths.is_open(at) {
                return Some(Choice::by_rule(at));
            }
            self.waiting.remove(&(position, at));
        }
        None
    }

    fn describe(&self) -> String {
        ROW.name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Tree, explore};

    #[test]
    fn the_shallowest_open_branch_is_negated_first() {
        let (order, tally) = explore("bfs", Tree::complete(3, &[]));
        // Position 0: 1. Position 1: 01 of the first path, 11 of the second. Position 2 in the
        // order of the paths 000, 100, 010, 110.
        assert_eq!(
            order,
            ["000", "100", "010", "110", "001", "101", "011", "111"]
        );
        assert_eq!((tally.executions, tally.older, tally.skipped), (8, 0, 0));
    }
}
