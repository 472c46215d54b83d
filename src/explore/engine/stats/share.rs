//! Statistics of one thread of a run so far: its part of a row of `run.stats`.
//!
//! Invariant: all of them only grow except the open states and the bytes, so that shares can be
//! summed.

use homi_ir::program::FuncId;
use homi_machine::exec::{Observer, SiteCounts};
use homi_report::PathSummary;
use homi_solver::SolverStatistics;
use rustc_hash::FxHashMap;

/// Counts by function and instruction.
pub(in crate::engine) type SiteSums = FxHashMap<(FuncId, u32), SiteCounts>;

/// Counts that only grow.
#[derive(Clone, Copy, Default)]
pub(in crate::engine) struct Counts {
    pub(in crate::engine) instructions: u64,
    pub(in crate::engine) allocations: u64,
    pub(in crate::engine) unknowns: u64,
    pub(in crate::engine) concretisations: u64,
    pub(in crate::engine) states: u64,
}

impl Counts {
    pub(in crate::engine) fn of(observer: &Observer, states: usize) -> Self {
        Self {
            instructions: observer.instructions,
            allocations: observer.allocations,
            unknowns: observer.unknowns,
            concretisations: observer.concretisations,
            states: states as u64,
        }
    }

    /// `self + now - start`.
    pub(in crate::engine) fn plus(self, now: Counts, start: Counts) -> Self {
        let plus = |sum: u64, now: u64, start: u64| sum + now.saturating_sub(start);
        Self {
            instructions: plus(self.instructions, now.instructions, start.instructions),
            allocations: plus(self.allocations, now.allocations, start.allocations),
            unknowns: plus(self.unknowns, now.unknowns, start.unknowns),
            concretisations: plus(
                self.concretisations,
                now.concretisations,
                start.concretisations,
            ),
            states: plus(self.states, now.states, start.states),
        }
    }
}

/// One thread's share of a row.
#[derive(Clone, Default)]
pub(in crate::engine) struct Share {
    pub(in crate::engine) counts: Counts,
    pub(in crate::engine) sites: SiteSums,
    pub(in crate::engine) paths: PathSummary,
    pub(in crate::engine) silent: u64,
    pub(in crate::engine) solver_ended: u64,
    pub(in crate::engine) user_errors: u64,
    pub(in crate::engine) external_errors: u64,
    /// Paths that were merged into another.
    pub(in crate::engine) merged: u64,
    /// Number of open states.
    pub(in crate::engine) states: u64,
    pub(in crate::engine) solver: SolverStatistics,
    pub(in crate::engine) terms_bytes: u64,
    pub(in crate::engine) smt_bytes: u64,
}

impl Share {
    pub(in crate::engine) fn add(&mut self, other: &Share) {
        let Share {
            counts,
            sites,
            paths,
            silent,
            solver_ended,
            user_errors,
            external_errors,
            merged,
            states,
            solver,
            terms_bytes,
            smt_bytes,
        } = other;
        self.counts = self.counts.plus(*counts, Counts::default());
        for (site, counts) in sites {
            self.sites.entry(*site).or_default().add(*counts);
        }
        self.paths.add(paths);
        self.silent += silent;
        self.solver_ended += solver_ended;
        self.user_errors += user_errors;
        self.external_errors += external_errors;
        self.merged += merged;
        self.states += states;
        self.solver.add(solver);
        self.terms_bytes += terms_bytes;
        self.smt_bytes += smt_bytes;
    }
}
