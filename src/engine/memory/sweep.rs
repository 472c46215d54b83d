//! Frees terms. The solver keeps no term between questions, so only states are roots.

use super::process_memory;
use crate::expr::Terms;
use crate::state::State;
use rustc_hash::FxHashSet;

/// Share of the memory limit that terms must hold for a sweep between runs: what stays spares the
/// next run rewriting and value sets.
const SHARE_BETWEEN_RUNS: f64 = 0.08;
/// Bytes of terms that may stay if there is no limit.
const BYTES_BETWEEN_RUNS: f64 = 256e6;

/// Whether the terms are so many that they should be swept before the next run. `limit` is the
/// memory limit in bytes, 0 if there is none.
pub fn terms_worth_sweeping(terms: &Terms, limit: u64) -> bool {
    let most = match limit {
        0 => BYTES_BETWEEN_RUNS,
        limit => limit as f64 * SHARE_BETWEEN_RUNS,
    };
    terms.memory() as f64 > most
}

/// Frees the terms that no state can reach. `states` shows every state that lives to its argument.
pub fn sweep_terms(terms: &Terms, states: impl FnOnce(&mut dyn FnMut(&State))) {
    terms.begin_mark();
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
