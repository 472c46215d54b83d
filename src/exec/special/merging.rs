//! `klee_open_merge` and `klee_close_merge`: marks between which paths are to become one.
//!
//! Invariant: a mark only changes what the path remembers of merges; who waits for whom, and what
//! becomes one, is the engine's to decide after the step.

use super::{Outcome, SpecialCall};
use crate::exec::Merging;
use crate::outcome::Termination;

/// Whether paths are merged. That they are not is said once.
fn merges(call: &mut SpecialCall<'_, '_, '_>) -> bool {
    let merges = call.executor.config.merges == Merging::Marked;
    if !merges {
        call.console.warning_once(
            "merge",
            "klee_open_merge and klee_close_merge are ignored: paths are merged with --use-merge",
        );
    }
    merges
}

pub(super) fn open(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if merges(call) {
        let state = &mut *call.context.state;
        let merges = state.merges.get_or_insert_default();
        merges.open(&state.path, state.metrics.instructions);
    }
    Ok(Outcome::Void)
}

pub(super) fn close(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if merges(call) && !call.state.merges.get_or_insert_default().close() {
        call.console.warning_once(
            "unopened merge",
            "a path ran into klee_close_merge without a klee_open_merge before it",
        );
    }
    Ok(Outcome::Void)
}
