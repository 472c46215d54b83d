//! Open branches of all ended paths, by the side whose distance they have.
//!
//! Invariant: the pool holds every open branch of an ended path. Closed branches are removed when
//! they are found.

use super::path::{BranchRef, PathBranch};
use super::seen::Seen;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::BTreeMap;

/// Open branches; each list is in the order in which paths ended.
#[derive(Debug, Default)]
pub(super) struct Pool {
    by_side: BTreeMap<u32, Vec<BranchRef>>,
    all: Vec<BranchRef>,
}

/// Returns each branch with the side whose distance it has: the side that it leads to. A choice of
/// a value leads to no side and has the distance of the last side taken.
pub(super) fn with_sides(
    branches: &[PathBranch],
) -> impl Iterator<Item = (&PathBranch, Option<u32>)> {
    let mut last = None;
    let mut now = (0, None);
    branches.iter().map(move |branch| {
        if branch.position != now.0 {
            last = now.1.or(last);
        }
        now = (branch.position, branch.taken);
        (branch, branch.other.or(last))
    })
}

impl Pool {
    /// Adds the open branches in the last path's own part.
    pub(super) fn path_ended(&mut self, seen: &Seen) {
        let Some(last) = &seen.last else {
            return;
        };
        for (branch, side) in with_sides(seen.last_branches()) {
            if branch.at.path == last.id && seen.paths.is_open(branch.at) {
                self.all.push(branch.at);
                if let Some(side) = side {
                    self.by_side.entry(side).or_default().push(branch.at);
                }
            }
        }
    }

    /// Returns the sides that open branches lead to, ascending, each with its newest branch.
    pub(super) fn sides(&mut self, seen: &Seen) -> impl Iterator<Item = (u32, BranchRef)> {
        self.by_side.retain(|_, branches| {
            while branches.last().is_some_and(|at| !seen.paths.is_open(*at)) {
                branches.pop();
            }
            !branches.is_empty()
        });
        let newest = |(side, branches): (&u32, &Vec<BranchRef>)| {
            let branch = branches.last().copied();
            branch.map(|branch| (*side, branch))
        };
        self.by_side.iter().filter_map(newest)
    }

    /// Returns a random open branch that leads to this side.
    pub(super) fn any_of_side(
        &mut self,
        seen: &Seen,
        side: u32,
        generator: &mut Pcg64,
    ) -> Option<BranchRef> {
        draw(self.by_side.get_mut(&side)?, seen, generator)
    }

    /// Returns a random open branch.
    pub(super) fn any(&mut self, seen: &Seen, generator: &mut Pcg64) -> Option<BranchRef> {
        draw(&mut self.all, seen, generator)
    }
}

/// Draws an open branch uniformly.
fn draw(branches: &mut Vec<BranchRef>, seen: &Seen, generator: &mut Pcg64) -> Option<BranchRef> {
    while !branches.is_empty() {
        let index = generator.random_range(0..branches.len());
        if seen.paths.is_open(branches[index]) {
            return Some(branches[index]);
        }
        branches.swap_remove(index);
    }
    None
}
