//! `cfg:target`: directed search for one uncovered block until it is reached, then for another.
//!
//! The strategy negates the open branch of the last path with the least distance to the target, and
//! after an infeasible one the next closest. A target is the block behind an uncovered side of user
//! code that control can reach from an open branch, drawn uniformly. If no branch of the last path
//! leads to the target, the nearest of all paths is taken; if none does, another target is drawn.
//! Jaffar, Murali and Navas, *Boosting Concolic Testing via Interpolation* (FSE 2013), whose
//! distances are between blocks; here they count branches.

use super::argument::Argument;
use super::cfg::{ROW, nearest, restart};
use super::graph::{SideDistances, SideGraph};
use super::path::BranchRef;
use super::pool::Pool;
use super::seen::Seen;
use super::strategy::{Choice, Strategy};
use rand::RngExt;
use rand_pcg::Pcg64;

#[derive(Debug)]
pub(super) struct Target {
    graph: SideGraph,
    target: Option<u32>,
    /// Distances to the target.
    distances: SideDistances,
    pool: Pool,
    generator: Pcg64,
}

impl Target {
    pub(super) fn new(graph: SideGraph, generator: Pcg64) -> Self {
        Self {
            graph,
            target: None,
            distances: SideDistances::default(),
            pool: Pool::default(),
            generator,
        }
    }

    /// Draws a target; returns false if no open branch leads to uncovered code.
    fn target(&mut self, seen: &Seen) -> bool {
        let from = self.pool.sides(seen).map(|(side, _)| side);
        let reachable = self.graph.reachable(from);
        let own = self.graph.user_sides().iter().copied();
        let targets: Vec<u32> = own
            .filter(|side| reachable[*side as usize] && !seen.history.is_covered(*side))
            .collect();
        self.target = match targets.len() {
            0 => None,
            count => Some(targets[self.generator.random_range(0..count)]),
        };
        self.distances = self.graph.distances(self.target.into_iter());
        self.target.is_some()
    }

    /// Returns the branch of all paths that is nearest to the target; of several to one side, the
    /// newest.
    fn nearest_of_all(&mut self, seen: &Seen) -> Option<BranchRef> {
        let sides = self.pool.sides(seen);
        let near = sides.filter_map(|(side, at)| Some((self.distances.of(side)?, at)));
        near.min_by_key(|(distance, _)| *distance).map(|(_, at)| at)
    }

    /// Returns the branch nearest to the target, from the last path if it has one.
    fn towards_target(&mut self, seen: &Seen) -> Option<Choice> {
        let here = nearest(seen.last_branches(), seen, &self.distances, 0);
        match here {
            Some(branch) => Some(Choice::by_rule(branch)),
            None => self.nearest_of_all(seen).map(restart),
        }
    }
}

impl Strategy for Target {
    fn path_ended(&mut self, seen: &Seen) {
        self.pool.path_ended(seen);
    }

    fn choose(&mut self, seen: &Seen) -> Option<Choice> {
        let reached = |target: u32| seen.history.is_covered(target);
        if self.target.is_none_or(reached) && !self.target(seen) {
            return self
                .pool
                .any(seen, &mut self.generator)
                .map(Choice::skipped);
        }
        if let Some(choice) = self.towards_target(seen) {
            return Some(choice);
        }
        // No open branch leads to the target any more.
        let choice = if self.target(seen) {
            self.towards_target(seen)
        } else {
            None
        };
        choice
            .map(|choice| Choice {
                restarted: true,
                ..choice
            })
            .or_else(|| {
                self.pool
                    .any(seen, &mut self.generator)
                    .map(Choice::skipped)
            })
    }

    fn describe(&self) -> String {
        ROW.with(&Argument::Keyword("target"))
    }
}
