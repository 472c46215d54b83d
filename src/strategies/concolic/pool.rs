//! The open branches of all paths that have ended, by the side that their distance is that of.
//!
//! Invariant: every open branch of an ended path is in it; what has been closed is taken out when
//! it is met.

use super::path::{BranchRef, PathBranch};
use super::seen::Seen;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::collections::BTreeMap;

/// The branches; each list in the order in which paths ended.
#[derive(Debug, Default)]
pub(super) struct Pool {
    by_side: BTreeMap<u32, Vec<BranchRef>>,
    all: Vec<BranchRef>,
}

/// Each branch with the side whose distance is its own: the one that it leads to. A choice of a
/// value leads to none and goes on from the side that the path took last.
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
    /// Takes in the open branches that are the last path's own.
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

    /// The sides that some open branch leads to, with the newest such branch, in ascending order.
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

    /// Any open branch that leads to this side.
    pub(super) fn any_of_side(
        &mut self,
        seen: &Seen,
        side: u32,
        generator: &mut Pcg64,
    ) -> Option<BranchRef> {
        draw(self.by_side.get_mut(&side)?, seen, generator)
    }

    /// Any open branch.
    pub(super) fn any(&mut self, seen: &Seen, generator: &mut Pcg64) -> Option<BranchRef> {
        draw(&mut self.all, seen, generator)
    }
}

/// Any open one of some branches, each as likely as the others.
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
