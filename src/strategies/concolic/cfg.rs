//! `cfg`: control-flow directed search (CFDS): the open branch of the last path whose other side is
//! nearest to uncovered code.
//!
//! A distance is the number of branches between two sides in the graph of sides. As in CREST, each
//! earlier branch of the path that leads to the same side adds 1, so that a loop does not always
//! win. Of equal branches the first one on the path is taken. After an infeasible branch the next
//! closest follows. The search is stuck if no open branch of the last path leads to uncovered code,
//! or after 30 runs that covered nothing new (CREST's number). It then restarts with the nearest
//! branch of all paths, or with any branch that leads to uncovered code. Burnim and Sen,
//! *Heuristics for Scalable Dynamic Test Generation* (ASE 2008). CREST restarts with a random input
//! and forgets its coverage; homi never executes a path twice.
//!
//! `cfg:target` is the variant of *Boosting Concolic Testing via Interpolation* (FSE 2013), in
//! `target.rs`.

use super::argument::{Argument, ArgumentKind};
use super::graph::{SideDistances, SideGraph};
use super::path::{BranchRef, PathBranch};
use super::pool::{Pool, with_sides};
use super::row::StrategyRow;
use super::seen::Seen;
use super::strategy::{Choice, Reason, Strategy};
use super::target::Target;
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::FxHashMap;

/// Number of consecutive runs without new coverage before the search restarts.
const BARREN_RUNS: u32 = 30;

pub(super) static ROW: StrategyRow = StrategyRow {
    name: "cfg",
    aliases: &["cfds"],
    help: "Select the branch of the last path nearest to uncovered code; cfg:target heads for one \
         uncovered block until it is reached",
    argument: ArgumentKind::Keyword("target"),
    make: |start| {
        let graph = SideGraph::new(start.program);
        match start.argument {
            Argument::Keyword(_) => Box::new(Target::new(graph, start.generator())),
            _ => Box::new(NearestUncovered::new(graph, start.generator())),
        }
    },
};

#[derive(Debug)]
struct NearestUncovered {
    graph: SideGraph,
    distances: SideDistances,
    /// Number of covered sides when the distances were computed; `None` before.
    computed_for: Option<usize>,
    barren: u32,
    pool: Pool,
    generator: Pcg64,
}

impl NearestUncovered {
    fn new(graph: SideGraph, generator: Pcg64) -> Self {
        Self {
            graph,
            distances: SideDistances::default(),
            computed_for: None,
            barren: 0,
            pool: Pool::default(),
            generator,
        }
    }

    fn refresh(&mut self, seen: &Seen) {
        let covered = Some(seen.history.covered_count());
        if self.computed_for != covered {
            let own = self.graph.user_sides().iter().copied();
            let uncovered = own.filter(|side| !seen.history.is_covered(*side));
            self.distances = self.graph.distances(uncovered);
            self.computed_for = covered;
        }
    }

    /// Returns the nearest branch of all paths; of several to one side, the newest.
    fn nearest_of_all(&mut self, seen: &Seen) -> Option<BranchRef> {
        let sides = self.pool.sides(seen);
        let near = sides.filter_map(|(side, at)| Some((self.distances.of(side)?, at)));
        near.min_by_key(|(distance, _)| *distance).map(|(_, at)| at)
    }

    /// Returns a random branch that leads to uncovered code: draws a side first, then a branch to
    /// it.
    fn any_that_leads(&mut self, seen: &Seen) -> Option<BranchRef> {
        let sides = self.pool.sides(seen).map(|(side, _)| side);
        let sides: Vec<u32> = sides
            .filter(|side| self.distances.of(*side).is_some())
            .collect();
        if sides.is_empty() {
            return None;
        }
        let side = sides[self.generator.random_range(0..sides.len())];
        self.pool.any_of_side(seen, side, &mut self.generator)
    }
}

/// Returns the open branch with the least distance; the first of equal ones. Each earlier branch to
/// the same side adds `again`.
pub(super) fn nearest(
    branches: &[PathBranch],
    seen: &Seen,
    distances: &SideDistances,
    again: u32,
) -> Option<BranchRef> {
    let mut times: FxHashMap<u32, u32> = FxHashMap::default();
    let mut best: Option<(u32, BranchRef)> = None;
    for (branch, side) in with_sides(branches) {
        let Some((side, distance)) = side.and_then(|side| Some((side, distances.of(side)?))) else {
            continue;
        };
        let times = times.entry(side).or_default();
        let cost = distance.saturating_add(*times);
        *times += again;
        let better = best.is_none_or(|(least, _)| cost < least);
        if better && seen.paths.is_open(branch.at) {
            best = Some((cost, branch.at));
        }
    }
    best.map(|(_, at)| at)
}

/// Returns the choice of a stuck search.
pub(super) fn restart(branch: BranchRef) -> Choice {
    Choice {
        branch,
        reason: Reason::Older,
        restarted: true,
    }
}

impl Strategy for NearestUncovered {
    fn path_ended(&mut self, seen: &Seen) {
        self.pool.path_ended(seen);
        let covered = seen.last.as_ref().is_some_and(|last| !last.news.is_empty());
        self.barren = if covered { 0 } else { self.barren + 1 };
    }

    fn choose(&mut self, seen: &Seen) -> Option<Choice> {
        self.refresh(seen);
        if self.barren >= BARREN_RUNS {
            self.barren = 0;
            if let Some(branch) = self.any_that_leads(seen) {
                return Some(restart(branch));
            }
        }
        let here = nearest(seen.last_branches(), seen, &self.distances, 1);
        if let Some(branch) = here {
            return Some(Choice::by_rule(branch));
        }
        if let Some(branch) = self.nearest_of_all(seen) {
            return Some(restart(branch));
        }
        let any = self.pool.any(seen, &mut self.generator);
        any.map(Choice::skipped)
    }

    fn describe(&self) -> String {
        ROW.name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Engine, Tree};
    use homi_ir::program::Program;
    use homi_ir::program::testing::{branch, function, program, ret};

    /// Program in which branch n is at the node of `example` with site n; its sides are 2n and 2n +
    /// 1.
    fn code() -> Program {
        program(vec![function(
            "main",
            vec![
                vec![branch(0, 1, 4)],
                vec![branch(1, 2, 5)],
                vec![branch(2, 3, 6)],
                vec![ret()],
                vec![branch(3, 7, 7)],
                vec![branch(5, 3, 3)],
                vec![ret()],
                vec![branch(4, 3, 3)],
            ],
        )])
    }

    fn example() -> Tree {
        Tree {
            sites: [("01", 5), ("1", 3), ("10", 4), ("11", 4)].into(),
            ..Tree::complete(3, &[])
        }
    }

    /// Returns all sides except these.
    fn but(uncovered: &[u32]) -> Vec<u32> {
        (0..20).filter(|side| !uncovered.contains(side)).collect()
    }

    #[test]
    fn the_branch_nearest_to_uncovered_code_is_negated() {
        let mut engine = Engine::new("cfg", &code(), example(), 1, &but(&[9, 11]));
        let order = engine.exhaust();
        // On 000: 1 leads to side 1, 2 branches from side 9; 01 to side 3, 1 from side 11; 001 to
        // nothing. On 010: 011 leads to side 11. On 011: 1. On 100: 101 leads to side 9, 11 to side
        // 7, 1 from it. Then all sides are covered.
        assert_eq!(order[..5], ["000", "010", "011", "100", "101"]);
        let tally = engine.tally();
        assert_eq!((tally.executions, tally.skipped), (8, 3));
        assert_eq!((tally.older, tally.restarts), (0, 0));
    }

    #[test]
    fn the_next_closest_follows_a_failure() {
        let tree = Tree {
            leaves: vec!["000", "100", "101"],
            unknown: vec!["01"],
            ..example()
        };
        let mut engine = Engine::new("cfg", &code(), tree, 1, &but(&[9, 11]));
        engine.exhaust();
        assert_eq!(engine.asked[..3], ["01", "1", "101"]);
        assert_eq!(engine.order, ["000", "100", "101"]);
        let tally = engine.tally();
        // Infeasible: 001 and 11. Both queries come last.
        assert_eq!(
            (
                tally.negations.feasible,
                tally.negations.unknown,
                tally.negations.infeasible
            ),
            (2, 1, 2)
        );
    }

    #[test]
    fn stuck_on_the_last_path_it_goes_to_the_nearest_branch_of_all() {
        let mut engine = Engine::new("cfg", &code(), example(), 1, &but(&[7, 11]));
        let order = engine.exhaust();
        // On 000: 1 is 1 branch from side 7 and comes first; on 100: 11. On 110 nothing leads to
        // side 11, but 01 of the first path does.
        assert_eq!(order[..5], ["000", "100", "110", "010", "011"]);
        let tally = engine.tally();
        assert_eq!((tally.older, tally.restarts, tally.skipped), (1, 1, 3));
    }

    #[test]
    fn each_earlier_branch_to_the_same_side_counts_one_more() {
        // A loop at branch 0, left by side 1 to branch 1; after the fourth iteration branch 2,
        // whose side 5 is 3 branches from side 11.
        let program = program(vec![function(
            "main",
            vec![
                vec![branch(0, 1, 2)],
                vec![branch(2, 0, 3)],
                vec![branch(1, 5, 6)],
                vec![branch(3, 4, 4)],
                vec![branch(4, 6, 6)],
                vec![ret()],
                vec![branch(5, 5, 5)],
            ],
        )]);
        let loops = ["", "0", "00", "000"].map(|node| (node, 0));
        let tree = Tree {
            leaves: vec!["00000"],
            unknown: vec!["1", "01", "001", "0001", "00001"],
            sites: loops.into_iter().chain([("0000", 2)]).collect(),
            ..Tree::default()
        };
        let mut engine = Engine::new("cfg", &program, tree, 1, &but(&[11]));
        engine.exhaust();
        // The loop's side 1 is 2 branches from side 11 (via side 3): 2, 3, 4, 5 by iteration. Side
        // 5 is 3 from it (via sides 6 and 8). It comes before the third iteration, which is
        // farther, and after the second, which comes first on the path.
        assert_eq!(engine.asked, ["1", "01", "00001", "001", "0001"]);
    }

    #[test]
    fn after_thirty_runs_without_news_it_restarts() {
        // A loop that never reaches branch 1, although the graph allows it.
        let program = program(vec![function(
            "main",
            vec![vec![branch(0, 0, 1)], vec![branch(1, 0, 2)], vec![ret()]],
        )]);
        let tree = Tree {
            sites: (0..6)
                .flat_map(|depth| Tree::complete(depth, &[]).leaves)
                .map(|node| (node, 0))
                .collect(),
            ..Tree::complete(6, &[])
        };
        let mut engine = Engine::new("cfg", &program, tree, 1, &but(&[2]));
        engine.exhaust();
        let tally = engine.tally();
        // After runs 30 and 60, and when the last path has no branch left.
        assert!(
            tally.restarts >= 2 && tally.restarts >= tally.older,
            "{tally:?}"
        );
        assert_eq!((tally.executions, tally.skipped), (64, 0));
    }

    #[test]
    fn a_target_is_kept_until_it_is_reached() {
        let mut seen = [false; 2];
        for seed in 0..20 {
            let covered = but(&[9, 11]);
            let mut engine = Engine::new("cfg:target", &code(), example(), seed, &covered);
            let order = engine.exhaust();
            // Side 9 first: 1, then 101; or side 11 first: 01, then 011, then 1 of that path.
            let first = usize::from(order[1] == "010");
            seen[first] = true;
            let expected = [
                ["000", "100", "101", "010", "011"],
                ["000", "010", "011", "100", "101"],
            ][first];
            assert_eq!(order[..5], expected);
            // From 101 only a branch of the first path leads to side 11.
            assert_eq!(engine.tally().restarts, 1 - first as u64);
        }
        assert_eq!(seen, [true, true]);
    }
}
