//! Merge of two states.
//!
//! Invariant: after a call the first state either represents both, or is unchanged.

use super::apart::Apart;
use super::conditions::Conditions;
use super::registers::{self, LiveRegisters};
use homi_ir::program::Program;
use homi_machine::state::{Decision, Opening, State};
use homi_solver::PathCondition;
use homi_solver::term::{Model, Term, Terms};
use std::sync::Arc;

/// Maximum number of memory bytes in which two merged states may differ.
const MOST_BYTES: u64 = 1 << 16;

/// Program, terms and solver access that a merge needs.
pub struct Means<'m> {
    pub program: &'m Program,
    pub terms: &'m Terms,
    pub live: &'m mut LiveRegisters,
    /// Returns true if a condition of 1 bit is known to be infeasible on a path, given a model of
    /// the path.
    pub is_impossible: &'m mut dyn FnMut(&PathCondition, &Model, Term) -> bool,
}

/// Merges the second state into the first, after both have closed an opening. The second state is
/// no longer needed afterwards.
pub fn merge_states(
    first: &mut State,
    second: &State,
    opening: &Opening,
    means: &mut Means<'_>,
) -> Result<(), Apart> {
    compare(first, second)?;
    let terms = means.terms;
    let conditions = Conditions::since(terms, &opening.path, &first.path, &second.path)?;
    let common = conditions.common_path(terms, &opening.path);
    let chooses_first = conditions.chooses_first(terms);
    let either = conditions.either(terms);
    let chosen = registers::chosen(first, second, chooses_first, means)?;
    let mut memory = first.memory.clone();
    let merged = memory.merge(terms, &second.memory, chooses_first, MOST_BYTES);
    merged.map_err(Apart::Memory)?;
    // The only query to the solver comes last.
    if let Some(overlap) = conditions.overlap(terms)
        && !(means.is_impossible)(&common, &first.model, overlap)
    {
        return Err(Apart::Overlap);
    }
    first.memory = memory;
    registers::put(first, &chosen, means);
    first.path = common;
    first.path.add(terms, either);
    add_record(first, second);
    Ok(())
}

/// Checks that two states agree in all parts that cannot become an if-then-else.
fn compare(first: &State, second: &State) -> Result<(), Apart> {
    if !first.symbolics.are_same_objects(&second.symbolics) {
        return Err(Apart::Inputs);
    }
    let (own, theirs) = (&first.threads, &second.threads);
    let ticks = own.tick == theirs.tick
        && (own.tick.is_none() || first.metrics.instructions == second.metrics.instructions);
    // Recorded orders of accesses never agree between two paths.
    let modes = ticks
        && own.preemption == theirs.preemption
        && own.races.is_none()
        && own.sections == theirs.sections
        && first.floats == second.floats
        && first.jumps == second.jumps
        && first.record.heap == second.record.heap
        && (first.input.is_given, first.input.begins_objects)
            == (second.input.is_given, second.input.begins_objects)
        && first.forks == second.forks
        && registers::are_same_threads(first, second);
    if !modes || first.pending_check.is_some() || second.pending_check.is_some() {
        return Err(Apart::Modes);
    }
    let merges = match (&first.merges, &second.merges) {
        (Some(own), Some(theirs)) => own.is_in_the_same(theirs),
        _ => false,
    };
    merges.then_some(()).ok_or(Apart::Merges)
}

/// Merges the records of the second path into the first path's records.
fn add_record(first: &mut State, second: &State) {
    // The pattern lists every field, so that a new field fails to compile here.
    let State {
        tags: _,
        frames: _,
        threads: _,
        memory: _,
        path: _,
        // The model of the first state satisfies the merged path.
        model: _,
        symbolics,
        decisions,
        metrics,
        underapproximations,
        sides,
        covered_first,
        record,
        loops,
        floats: _,
        jumps: _,
        forks: _,
        input: _,
        standing: _,
        merges,
        pending_check: _,
        ending: _,
    } = first;
    let with = second.decisions.fingerprint();
    decisions.push(Decision::Merged { with });
    metrics.include(&second.metrics);
    underapproximations.learn(&second.underapproximations);
    Arc::make_mut(sides).add(&second.sides);
    covered_first.take_over(&second.covered_first);
    symbolics.keep_common_preferences(&second.symbolics);
    record.include(&second.record);
    // A kept visit belongs to one of the two paths.
    loops.clear();
    if let (Some(own), Some(theirs)) = (merges, &second.merges) {
        own.join(theirs);
    }
}
