//! Limits of one location on all forks and on all solver time: beyond them, a path follows one side
//! of the location's conditions (`--max-static-fork-pct` and the other limits of KLEE).
//!
//! Invariant: without limits nothing is looked up; a location over its limit forks again once
//! others have caught up.

use super::observer::Observer;
use super::sites::SiteCounts;
use crate::state::CallPathId;
use homi_config::BudgetConfig;
use homi_ir::program::FuncId;

/// Returns true if an instruction, or its call path, has exceeded its limit.
pub(super) fn are_exceeded(
    budget: &BudgetConfig,
    observer: &Observer,
    function: FuncId,
    (path, pc): (CallPathId, u32),
) -> bool {
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
    if all.forks < budget.limit_delay {
        return false;
    }
    let forks = |counts: SiteCounts, share: f64| {
        share < 1.0 && counts.forks as f64 > all.forks as f64 * share
    };
    let solver =
        |counts: SiteCounts, share: f64| share < 1.0 && counts.solver > all.solver.mul_f64(share);
    forks(place, budget.fork_limit)
        || solver(place, budget.solver_limit)
        || forks(on_calls, budget.path_fork_limit)
        || solver(on_calls, budget.path_solver_limit)
}
