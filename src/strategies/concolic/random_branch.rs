//! `random-branch`: an open branch of the last path, drawn uniformly. This is CREST's random
//! search, called uniform random search (URS) in the papers.

use super::argument::ArgumentKind;
use super::last_path::{Look, OnLastPath, OpenBranches, PathRule, Pick};
use super::row::StrategyRow;
use rand::RngExt;
use rand_pcg::Pcg64;

pub(super) static ROW: StrategyRow = StrategyRow {
    name: "random-branch",
    aliases: &["random", "urs"],
    help: "Select a random open branch of the last path",
    argument: ArgumentKind::Nothing,
    make: |start| Box::new(OnLastPath::new(RandomBranch(start.generator()))),
};

#[derive(Debug)]
struct RandomBranch(Pcg64);

impl PathRule for RandomBranch {
    fn pick(&mut self, open: &OpenBranches<'_>, _look: Look) -> Option<Pick> {
        let open = open.in_order();
        if open.is_empty() {
            return None;
        }
        let index = self.0.random_range(0..open.len());
        Some(Pick::of(open[index].at))
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
    fn every_open_branch_is_as_likely() {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for seed in 0..3000 {
            let program = Program::empty("tree.bc");
            let tree = Tree::complete(3, &[]);
            let mut engine = Engine::new("random-branch", &program, tree, seed, &[]);
            engine.exhaust();
            *counts.entry(engine.asked.swap_remove(0)).or_default() += 1;
        }
        let counted: Vec<&str> = counts.keys().map(String::as_str).collect();
        assert_eq!(counted, ["001", "01", "1"]);
        for (node, count) in counts {
            assert!(count.abs_diff(1000) < 100, "{node}: {count} of 3000");
        }
    }
}
