//! Frees terms. The solver keeps no term between questions, so only states are roots.

use super::memory;
use crate::expr::Terms;
use crate::state::State;
use rustc_hash::FxHashSet;

/// Frees the terms that none of the states can reach.
pub fn sweep_terms<'s>(terms: &Terms, states: impl Iterator<Item = &'s State>) {
    terms.begin_mark();
    let mut visited: FxHashSet<usize> = FxHashSet::default();
    for state in states {
        state.visit_register_terms(|term| terms.mark(term));
        state
            .memory
            .mark_terms(&mut |part| visited.insert(part), &mut |term| {
                terms.mark(term);
            });
        state.path.mark(terms);
    }
    terms.sweep();
}

/// Gives freed memory back to the system.
pub fn release_memory() {
    memory::release_freed();
}

/// User and system time of homi and its children so far.
pub fn cpu_seconds() -> f64 {
    memory::cpu_seconds()
}
