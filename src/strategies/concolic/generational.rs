//! `generational`: SAGE's generational search. The open branches that a path added are its
//! generation, which is negated in order; then follows the generation of the run that covered most.
//!
//! The score of a run is the number of sides of user code that it covered first; SAGE counts
//! blocks. Of equal scores the newest run comes first, as in the implementation for CREST.
//! Godefroid, Levin and Molnar, *Automated Whitebox Fuzz Testing* (NDSS 2008).

use super::argument::ArgumentKind;
use super::path::{BranchRef, PathId};
use super::row::StrategyRow;
use super::seen::Seen;
use super::strategy::{Choice, Strategy};
use std::collections::{BinaryHeap, VecDeque};

pub(super) static ROW: StrategyRow = StrategyRow {
    name: "generational",
    aliases: &["sage"],
    help: "Select all open branches of the execution that covered most, then of the next best",
    argument: ArgumentKind::Nothing,
    make: |_| Box::new(Generational::default()),
};

#[derive(Debug, Default)]
struct Generational {
    /// Runs with waiting generations, by score and age.
    runs: BinaryHeap<(usize, PathId)>,
    /// Rest of the current generation.
    generation: VecDeque<BranchRef>,
}

impl Strategy for Generational {
    fn path_ended(&mut self, seen: &Seen) {
        if let Some(last) = &seen.last {
            self.runs.push((last.news.len(), last.id));
        }
    }

    fn choose(&mut self, seen: &Seen) -> Option<Choice> {
        loop {
            while let Some(at) = self.generation.front().copied() {
                if seen.paths.is_open(at) {
                    return Some(Choice::by_rule(at));
                }
                self.generation.pop_front();
            }
            let (_, path) = self.runs.pop()?;
            let children = seen.paths.open_in_part(path);
            self.generation.extend(children.map(|branch| branch.at));
        }
    }

    fn describe(&self) -> String {
        ROW.name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Tree, explore};

    #[test]
    fn generations_come_in_the_order_of_new_coverage() {
        let tree = Tree {
            sites: [
                ("", 0),
                ("0", 1),
                ("00", 2),
                ("01", 2),
                ("1", 3),
                ("10", 4),
                ("11", 4),
            ]
            .into(),
            ..Tree::complete(3, &[])
        };
        let (order, tally) = explore("generational", tree);
        // From 000: 100 (covers 1, 6, 8: score 3), 010 (3: score 1), 001 (5: score 1). From 100:
        // 110 (7), 101 (9). Then score 1, newest first: 101 and 110 (111), 001, 010 (011).
        assert_eq!(
            order,
            ["000", "100", "010", "001", "110", "101", "111", "011"]
        );
        assert_eq!((tally.executions, tally.older, tally.skipped), (8, 0, 0));
    }

    #[test]
    fn a_generation_is_finished_before_a_better_one_begins() {
        // 100 covers more than its siblings, which still come before its children.
        let tree = Tree {
            sites: [("1", 5), ("10", 6), ("11", 7)].into(),
            ..Tree::complete(3, &["01"])
        };
        let (order, _) = explore("generational", tree);
        assert_eq!(order, ["000", "100", "001", "110", "101", "111"]);
    }
}
