//! The rows of `run.stats`, made of the threads' shares.
//!
//! Invariant: it only reads.

use super::record::Recorder;
use super::share::{Share, SiteSums};
use crate::coverage::Totals;
use crate::engine::memory::process_memory;
use crate::engine::paths::PathResults;
use homi_ir::program::Program;
use homi_machine::exec::ForkKind;
use homi_report::{HomiRow, KleeRow, LayerStatistics, StatsRow};
use homi_solver::{Layer, SolverStatistics};
use std::time::Duration;

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Writes what the solver did into a row.
fn add_solver(row: &mut StatsRow, solver: &SolverStatistics) {
    let answered = |layer: Layer| solver.layer(layer).answered;
    let time = |layers: &[Layer]| -> u64 {
        let times = layers.iter().map(|layer| solver.layer(*layer).time);
        micros(times.sum())
    };
    let klee = &mut row.klee;
    klee.queries = solver.queries;
    klee.solver_queries = solver.sat_calls + solver.smt_calls;
    klee.num_query_constructs = solver.smt_nodes;
    klee.solver_time = micros(solver.time);
    klee.query_time = time(&[Layer::Sat, Layer::Smt]);
    klee.cex_cache_time = time(&[
        Layer::Cache,
        Layer::Guided,
        Layer::Linear,
        Layer::Search,
        Layer::Sat,
        Layer::Smt,
    ]);
    klee.query_cache_hits = answered(Layer::Cache);
    let found = [Layer::Linear, Layer::Search, Layer::Sat, Layer::Smt];
    klee.query_cache_misses = found.into_iter().map(answered).sum();
    klee.query_cex_cache_hits = answered(Layer::Model) + answered(Layer::Guided);
    klee.query_cex_cache_misses = solver.queries.saturating_sub(klee.query_cex_cache_hits);
    row.homi.timeouts = solver.timeouts;
    row.homi.layers = Layer::ALL.map(|layer| {
        let layer = solver.layer(layer);
        LayerStatistics {
            answered: layer.answered,
            time: micros(layer.time),
        }
    });
}

/// Writes forks by kind into a row.
fn add_forks(row: &mut KleeRow, program: &Program, sites: &SiteSums) {
    let mut forks = [0; ForkKind::COUNT];
    for ((function, pc), counts) in sites {
        forks[ForkKind::of(program, *function, *pc) as usize] += counts.forks;
    }
    [
        row.branches_conditional,
        row.branches_indirect,
        row.branches_switch,
        row.branches_call,
        row.branches_mem_op,
        row.branches_resolve_pointer,
        row.branches_alloc,
        row.branches_realloc,
        row.branches_free,
        row.branches_get_val,
    ] = forks;
}

/// Returns a row of the session's statistics; `all` is the sum of all threads' shares.
pub(super) fn row(
    recorder: &Recorder,
    time: Duration,
    all: &Share,
    (program, totals, results): (&Program, Totals, &PathResults),
) -> StatsRow {
    let (paths, counts) = (all.paths, all.counts);
    let covered = recorder.branches.iter().map(|sides| {
        let covered = |side| u64::from(recorder.sides.contains(side));
        covered(sides.0) + covered(sides.1)
    });
    let covered: Vec<u64> = covered.collect();
    let with = |sides: u64| covered.iter().filter(|count| **count == sides).count() as u64;
    let memory = recorder.memory;
    let mut row = StatsRow {
        klee: KleeRow {
            instructions: counts.instructions,
            full_branches: with(2),
            partial_branches: with(1),
            num_branches: covered.len() as u64,
            user_time: (process_memory::user_seconds() * 1e6) as u64,
            num_states: all.states,
            malloc_usage: memory.allocated_bytes,
            wall_time: micros(time),
            covered_instructions: recorder.covered_instructions,
            uncovered_instructions: totals
                .instructions_total
                .saturating_sub(recorder.covered_instructions),
            inhibited_forks: counts.unknowns,
            allocations: counts.allocations,
            states: counts.states,
            termination_exit: paths.completed.saturating_sub(all.silent),
            termination_early: paths.early.saturating_sub(all.solver_ended),
            termination_solver_error: all.solver_ended,
            termination_program_error: paths
                .error
                .saturating_sub(all.user_errors + all.external_errors),
            termination_user_error: all.user_errors,
            termination_execution_error: paths.unsupported + all.external_errors,
            termination_early_algorithm: paths.pruned + all.merged,
            termination_early_user: all.silent,
            ..KleeRow::default()
        },
        homi: HomiRow {
            paths: paths.total(),
            tests: results.tests(),
            bugs: results.bug_count() as u64,
            branches: recorder.sides.iter().count() as u64,
            branches_total: totals.branches_total,
            resident: memory.resident_bytes,
            smt_memory: memory.smt_bytes,
            program_memory: memory.program_bytes,
            term_memory: memory.terms_bytes,
            cache_memory: memory.solver_cache_bytes,
            state_memory: memory.states_bytes,
            concretisations: counts.concretisations,
            ..HomiRow::default()
        },
    };
    add_solver(&mut row, &all.solver);
    add_forks(&mut row.klee, program, &all.sites);
    row
}
