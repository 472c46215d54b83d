//! Shares of all forks and of all time in the solver that one place may have: where it has more, a
//! path follows one side of its conditions (`--max-static-fork-pct` and its kin).
//!
//! Invariant: nothing is looked up unless a share was limited; a place that is over its share forks
//! again once others have caught up.

use super::observer::Observer;
use super::sites::SiteCounts;
use crate::program::FuncId;
use crate::state::CallPathId;

/// What one place may have of all; 1 is no limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlaceShares {
    /// Of the forks, an instruction.
    pub forks: f64,
    /// Of the time in the solver, an instruction.
    pub solver: f64,
    /// Of the forks, a call path.
    pub path_forks: f64,
    /// Of the time in the solver, a call path.
    pub path_solver: f64,
    /// Forks of the whole run before any of these holds.
    pub delay: u64,
}

impl Default for PlaceShares {
    fn default() -> Self {
        Self {
            forks: 1.0,
            solver: 1.0,
            path_forks: 1.0,
            path_solver: 1.0,
            delay: 1000,
        }
    }
}

impl PlaceShares {
    fn limit_nothing(&self) -> bool {
        let all = [self.forks, self.solver, self.path_forks, self.path_solver];
        all.iter().all(|share| *share >= 1.0)
    }

    /// Whether an instruction, or its call path, has had more than its share.
    pub(super) fn are_exceeded(
        &self,
        observer: &Observer,
        function: FuncId,
        (path, pc): (CallPathId, u32),
    ) -> bool {
        if self.limit_nothing() {
            return false;
        }
        let [mut all, mut place, mut on_calls] = [SiteCounts::default(); 3];
        for (at, at_pc, counts) in observer.sites.iter() {
            all.add(counts);
            if at == path {
                on_calls.add(counts);
            }
            if at_pc == pc && observer.call_paths.node(at).function == function {
                place.add(counts);
            }
        }
        if all.forks < self.delay {
            return false;
        }
        let forks = |counts: SiteCounts, share: f64| {
            share < 1.0 && counts.forks as f64 > all.forks as f64 * share
        };
        let solver = |counts: SiteCounts, share: f64| {
            share < 1.0 && counts.solver > all.solver.mul_f64(share)
        };
        forks(place, self.forks)
            || solver(place, self.solver)
            || forks(on_calls, self.path_forks)
            || solver(on_calls, self.path_solver)
    }
}
