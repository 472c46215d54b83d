//! `klee_open_merge` and `klee_close_merge`: marks between which paths are to become one.
//!
//! Invariant: a mark only changes what the path remembers of merges; who waits for whom, and what
//! becomes one, is the engine's to decide after the step.

use super::{BuiltinCall, Outcome};
use crate::outcome::Termination;

/// Returns true if paths are merged. A warning reports once that they are not.
fn merges(call: &mut BuiltinCall<'_, '_, '_>) -> bool {
    let merges = call.prepared.config.merge.is_some();
    if !merges {
        let text = call.prepared.config.dialect.ignored_merge_warning();
        call.console.warning_once("merge", text);
    }
    merges
}

pub(super) fn open(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if merges(call) {
        let state = &mut *call.context.state;
        let merges = state.merges.get_or_insert_default();
        merges.open(&state.path, state.metrics.instructions);
        log(call, "open merge", "");
    }
    Ok(Outcome::Void)
}

pub(super) fn close(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if !merges(call) {
        return Ok(Outcome::Void);
    }
    let place = place(call);
    log(call, "close merge", &format!(" at [{place}]"));
    if !call.state.merges.get_or_insert_default().close() {
        let state = call.state.tags.sequence;
        if call.prepared.config.dialect.warns_of_each_unopened_merge() {
            call.console.warning(&format!(
                "s{state} ran into a close at {place} without a preceding open"
            ))
        } else {
            call.console.warning_once(
                "unopened merge",
                "a path ran into klee_close_merge without a klee_open_merge before it",
            )
        }
    }
    Ok(Outcome::Void)
}

/// Returns the location of the path.
fn place(call: &BuiltinCall<'_, '_, '_>) -> String {
    let location = call.prepared.location(call.state);
    call.prepared.program().describe_location(location)
}

/// A line of KLEE's `--debug-log-merge`.
fn log(call: &mut BuiltinCall<'_, '_, '_>, what: &str, rest: &str) {
    let config = call.prepared.config;
    if config.dialect.logs_merges_to_program() && config.merge.is_some_and(|merge| merge.logs) {
        let line = format!("{what}: s{}{rest}\n", call.state.tags.sequence);
        call.console.output(2, line.as_bytes());
    }
}
