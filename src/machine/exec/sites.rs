//! Cost of single instructions in choices: forks, queries, solver time.
//!
//! Invariant: counted only if an instruction was executed on the general path and queried or
//! forked, so concrete code pays nothing. Kept by call path and instruction, from which sums by
//! line, function and caller follow.

use super::call_paths::CallPaths;
use crate::state::CallPathId;
use homi_ir::program::{Callee, FuncId, Inst, Program};
use homi_solver::Effort;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Cost of one instruction so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SiteCounts {
    /// States forked off.
    pub forks: u64,
    /// Queries to the solver, those included that a cheap layer answered.
    pub queries: u64,
    /// Time in the solver.
    pub solver: Duration,
}

impl SiteCounts {
    /// Adds another site's counts.
    pub fn add(&mut self, other: SiteCounts) {
        self.forks += other.forks;
        self.queries += other.queries;
        self.solver += other.solver;
    }

    /// Returns the difference to `earlier`.
    pub fn since(self, earlier: SiteCounts) -> SiteCounts {
        SiteCounts {
            forks: self.forks.saturating_sub(earlier.forks),
            queries: self.queries.saturating_sub(earlier.queries),
            solver: self.solver.saturating_sub(earlier.solver),
        }
    }
}

/// The counts of all instructions that asked or forked.
#[derive(Clone, Debug, Default)]
pub struct Sites {
    counts: FxHashMap<(CallPathId, u32), SiteCounts>,
    /// Calls through pointers, by caller, code index and callee. Of direct calls the callee is
    /// known.
    indirect: FxHashMap<(FuncId, u32, FuncId), u64>,
}

impl Sites {
    /// Books what the instruction at `site` (call path and code index) did between two looks at the
    /// oracle.
    #[inline(always)]
    pub(super) fn record(
        &mut self,
        site: (CallPathId, u32),
        before: Effort,
        after: Effort,
        forks: usize,
    ) {
        if forks == 0 && before.queries == after.queries {
            return;
        }
        self.counts.entry(site).or_default().add(SiteCounts {
            forks: forks as u64,
            queries: after.queries - before.queries,
            solver: after.time.saturating_sub(before.time),
        });
    }

    /// Counts a call through a pointer.
    pub(super) fn call_through_pointer(&mut self, caller: FuncId, pc: u32, callee: FuncId) {
        *self.indirect.entry((caller, pc, callee)).or_default() += 1;
    }

    /// Returns the number of calls per code location and function through a pointer, in no
    /// particular order.
    pub fn indirect_calls(&self) -> impl Iterator<Item = ((FuncId, u32, FuncId), u64)> {
        self.indirect.iter().map(|(call, count)| (*call, *count))
    }

    /// Returns the number of calls of one function at one code location through a pointer.
    pub fn indirect_count(&self, call: (FuncId, u32, FuncId)) -> u64 {
        self.indirect.get(&call).copied().unwrap_or(0)
    }

    /// All counts, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (CallPathId, u32, SiteCounts)> {
        let entries = self.counts.iter();
        entries.map(|(site, counts)| (site.0, site.1, *counts))
    }

    /// The counts summed by function and code index.
    pub fn by_instruction(&self, call_paths: &CallPaths) -> FxHashMap<(FuncId, u32), SiteCounts> {
        let mut sums: FxHashMap<(FuncId, u32), SiteCounts> = FxHashMap::default();
        for (path, pc, counts) in self.iter() {
            let function = call_paths.node(path).function;
            sums.entry((function, pc)).or_default().add(counts);
        }
        sums
    }
}

/// Reasons of forks, in the order of KLEE's statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum ForkKind {
    /// A conditional branch.
    Conditional,
    /// A computed goto.
    Indirect,
    Switch,
    /// A symbolic function pointer.
    Call,
    /// A load, a store or a copy at a symbolic address, and the checks of single operations.
    MemoryOperation,
    /// A built-in function on a symbolic address.
    ResolvePointer,
    /// A symbolic size of memory.
    Allocate,
    Reallocate,
    Free,
    /// The program asked for a value (`klee_get_value_*`, `klee_choose`).
    GetValue,
}

impl ForkKind {
    pub const COUNT: usize = 10;

    /// Returns the reason why an instruction forks.
    pub fn of(program: &Program, function: FuncId, pc: u32) -> ForkKind {
        let function = program.function(function);
        match function.code.get(pc as usize) {
            Some(Inst::Branch { .. }) => ForkKind::Conditional,
            Some(Inst::Switch { .. }) => ForkKind::Switch,
            Some(Inst::IndirectBranch { .. }) => ForkKind::Indirect,
            Some(Inst::AllocaDynamic { .. }) => ForkKind::Allocate,
            Some(Inst::Call { site }) => match function.calls[*site as usize].callee {
                Callee::Direct(callee) => Self::of_builtin(&program.function(callee).name),
                Callee::Indirect(_) => ForkKind::Call,
                Callee::Assembly { .. } => ForkKind::MemoryOperation,
            },
            _ => ForkKind::MemoryOperation,
        }
    }

    fn of_builtin(name: &str) -> ForkKind {
        match name.strip_prefix("homi_").unwrap_or(name) {
            "malloc" | "calloc" | "memalign" | "aligned_alloc" | "posix_memalign" | "valloc" => {
                ForkKind::Allocate
            }
            "realloc" | "reallocarray" => ForkKind::Reallocate,
            "free" => ForkKind::Free,
            "concretize" | "each_value" | "concretize_string" => ForkKind::GetValue,
            _ if name.starts_with("klee_") => ForkKind::GetValue,
            _ => ForkKind::ResolvePointer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sites_with_queries_or_forks_are_recorded() {
        let effort = |queries, micros| Effort {
            queries,
            time: Duration::from_micros(micros),
            work: 0,
        };
        let mut sites = Sites::default();
        let site = (CallPathId(0), 7);
        sites.record(site, effort(5, 10), effort(5, 10), 0);
        assert_eq!(sites.iter().count(), 0);
        sites.record(site, effort(5, 10), effort(7, 40), 0);
        sites.record(site, effort(7, 40), effort(7, 40), 2);
        let expected = SiteCounts {
            forks: 2,
            queries: 2,
            solver: Duration::from_micros(30),
        };
        let found: Vec<_> = sites.iter().collect();
        assert_eq!(found, [(CallPathId(0), 7, expected)]);
        assert_eq!(expected.since(expected), SiteCounts::default());
    }
}
