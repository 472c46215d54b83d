//! `random-path`: random walk down the execution tree: CREST's uniform random search.
//!
//! At each open branch of the last path, a fair coin decides if it is negated. The walk continues
//! behind the negated branch on the new path, or on the same path if the other side is infeasible.
//! At the end of a path, a new walk starts at the start of that path. Of n open branches ahead, the
//! first therefore has probability 1/2, the second 1/4 and so on: the walk favors paths that fork
//! early.

use super::argument::ArgumentKind;
use super::last_path::{Look, OnLastPath, OpenBranches, PathRule, Pick};
use super::path::PathId;
use super::row::StrategyRow;
use rand::RngExt;
use rand_pcg::Pcg64;

pub(super) static ROW: StrategyRow = StrategyRow {
    name: "random-path",
    aliases: &["uniform-random"],
    help: "Walk down the last path and select each open branch with probability 1/2",
    argument: ArgumentKind::Nothing,
    make: |start| {
        Box::new(OnLastPath::new(RandomPath {
            generator: start.generator(),
            walk: None,
        }))
    },
};

#[derive(Debug)]
struct RandomPath {
    generator: Pcg64,
    /// Path of the walk, and its current position.
    walk: Option<(PathId, u32)>,
}

impl PathRule for RandomPath {
    fn pick(&mut self, open: &OpenBranches<'_>, look: Look) -> Option<Pick> {
        let open = open.in_order();
        if open.is_empty() {
            return None;
        }
        let walked = self.walk.filter(|(path, _)| *path == look.path);
        let walked = walked.map(|(_, position)| position);
        let mut from = look.after_negated.or(walked);
        let mut restarted = from.is_none();
        loop {
            let ahead = open.iter().filter(|branch| Some(branch.position) >= from);
            for branch in ahead {
                if self.generator.random::<bool>() {
                    self.walk = Some((look.path, branch.position + 1));
                    return Some(Pick {
                        branch: branch.at,
                        restarted,
                    });
                }
            }
            from = None;
            restarted = true;
        }
    }

    fn describe(&self) -> String {
        ROW.name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Engine, Tree};
    use homi_ir::program::Program;
    use std::collections::BTreeMap;

    #[test]
    fn each_open_branch_ahead_is_half_as_likely_as_the_one_before() {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for seed in 0..7000 {
            let program = Program::empty("tree.bc");
            let tree = Tree::complete(3, &[]);
            let mut engine = Engine::new("random-path", &program, tree, seed, &[]);
            engine.exhaust();
            *counts.entry(engine.asked.swap_remove(0)).or_default() += 1;
        }
        // 1/2, 1/4 and 1/8 of the 7/8 that do not reach the end and restart.
        for (node, expected) in [("1", 4000_u32), ("01", 2000), ("001", 1000)] {
            let count = counts[node];
            assert!(count.abs_diff(expected) < 200, "{node}: {count} of 7000");
        }
    }

    #[test]
    fn the_walk_goes_on_behind_what_was_negated() {
        // One branch is left at the start: a restarted walk could negate it at once.
        let mut went_back = 0;
        for seed in 0..1000 {
            let program = Program::empty("tree.bc");
            let tree = Tree::complete(3, &[]);
            let mut engine = Engine::new("random-path", &program, tree, seed, &[]);
            while engine.asked.len() < 2 {
                engine.batch();
            }
            if engine.asked[0] == "01" && engine.asked[1] == "1" {
                went_back += 1;
            }
        }
        // 01 is first in 2/7 of the runs. Ahead of it is 011: with 1/2 the walk ends, and the next
        // one takes 1 with 2/3 of the rest. The result is 2/7 * 1/2 * 2/3 = 95 of 1000; with a
        // restart it would be 2/7 * 2/3 = 190.
        assert!((60..140).contains(&went_back), "{went_back}");
    }
}
