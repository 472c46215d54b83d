//! Frees terms. The solver keeps no term between queries, so states are the roots, and what is
//! kept of finished paths to spare others.

use super::process_memory;
use crate::engine::tuning::Tuning;
use homi_machine::state::State;
use homi_solver::term::{Term, Terms};
use rustc_hash::FxHashSet;

/// Returns true if the terms should be swept before the next run: kept ones spare the next run
/// rewriting and value sets. `limit` is the memory limit in bytes, 0 if there is none.
pub fn terms_worth_sweeping(tuning: &Tuning, terms: &Terms, limit: u64) -> bool {
    let most = match limit {
        0 => tuning.terms_bytes_between_runs,
        limit => limit as f64 * tuning.terms_share_between_runs,
    };
    terms.memory() as f64 > most
}

/// Frees the unreachable terms. `states` passes every live state to its argument, `others` every
/// other term that is kept.
pub fn sweep_terms(
    terms: &Terms,
    states: impl FnOnce(&mut dyn FnMut(&State)),
    others: impl FnOnce(&mut dyn FnMut(Term)),
) {
    terms.begin_mark();
    others(&mut |term| terms.mark(term));
    let mut visited: FxHashSet<usize> = FxHashSet::default();
    states(&mut |state| {
        state.visit_register_terms(|term| terms.mark(term));
        state
            .memory
            .mark_terms(&mut |part| visited.insert(part), &mut |term| {
                terms.mark(term);
            });
        state.path.mark(terms);
    });
    terms.sweep();
}

/// Gives freed memory back to the system.
pub fn release_memory() {
    process_memory::release_freed();
}
