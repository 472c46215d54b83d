//! Built-in functions of exceptions: what landing pads the frames have, and how control gets to
//! one.
//!
//! Invariant: who catches what is decided in C (runtime/cxx/unwind.c), from the clauses told here.
//! Frames are named by their depth, 1 for the outermost: what cleans up runs above the frames that
//! are still to be left, so the depth of the one that catches stays what it was.

use super::{BuiltinCall, Outcome};
use crate::exec::step::registers;
use crate::memory::Value;
use crate::outcome::{BugKind, Termination};
use crate::state::Frame;
use homi_ir::program::{ClauseKind, LANDING_RESULTS, Landing, type_name};

/// Results of `homi_unwind_clause` (runtime/include/homi/engine.h).
const NONE: u64 = 0;
const CATCH: u64 = 1;
const FILTER: u64 = 2;
const LISTED: u64 = 3;
const CLEANUP: u64 = 4;
const STOP: u64 = 5;

/// `homi_unwind_depth()`: the depth of the function that asks.
pub(super) fn depth(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Ok(Outcome::number(call.state.frames.len() as u64))
}

/// `homi_unwind_clause(depth, index, words)`: one clause of the landing pad of the call that the
/// frame is in; its type and selector are put into two words.
pub(super) fn clause(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (depth, index) = (call.number(0) as usize, call.number(1) as usize);
    let words = call.pointer(2, 16, true)?;
    let Some((frame, above)) = frames_at(call, depth) else {
        return Ok(Outcome::number(STOP));
    };
    let function = call.program().function(frame.function);
    if function.stops_exceptions {
        return Ok(Outcome::number(STOP));
    }
    let Some(landing) = landing_of(call, frame, above) else {
        return Ok(Outcome::number(NONE));
    };
    let Some(clause) = landing.clauses.get(index).copied() else {
        let is_cleanup = landing.cleanup && index == landing.clauses.len();
        return Ok(Outcome::number(if is_cleanup { CLEANUP } else { NONE }));
    };
    let address = call.prepared.constant(clause.of).1 as u64;
    let selector = i64::from(clause.selector);
    let told = [address.to_le_bytes(), selector.to_le_bytes()].concat();
    call.put_bytes(words, &told)?;
    Ok(Outcome::number(match clause.kind {
        ClauseKind::Catch => CATCH,
        ClauseKind::Filter => FILTER,
        ClauseKind::Listed => LISTED,
    }))
}

/// The frame at a depth, and the one that it has called.
fn frames_at<'s>(
    call: &'s BuiltinCall<'_, '_, '_>,
    depth: usize,
) -> Option<(&'s Frame, &'s Frame)> {
    let above = call.state.frames.len().checked_sub(depth)?.checked_sub(1)?;
    let mut frames = call.state.frames.iter().skip(above);
    let above = frames.next()?;
    Some((frames.next()?, above))
}

/// The landing pad of the call that a frame is in, if that made the frame above it.
fn landing_of<'s>(
    call: &'s BuiltinCall<'_, '_, '_>,
    frame: &Frame,
    above: &Frame,
) -> Option<&'s Landing> {
    let function = call.context.prepared.program.function(frame.function);
    let site = function.calls.get(above.call_site? as usize)?;
    function.landings.get(site.landing? as usize)
}

/// `homi_unwind_land(depth, exception, selector)`: leaves all frames above, and continues at the
/// landing pad of the call that the frame is in.
pub(super) fn land(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let depth = call.number(0) as usize;
    let (exception, selector) = (call.arg_as(1, 64), call.arg_as(2, 32));
    let lands = frames_at(call, depth)
        .is_some_and(|(frame, above)| landing_of(call, frame, above).is_some());
    if !lands {
        return Err(call.unsupported("an exception that goes on where no landing pad is"));
    }
    let mut site = None;
    while call.state.frames.len() > depth {
        site = call.state.frames.top().call_site;
        call.state.frames.pop();
        call.state.memory.pop_frame();
    }
    let function = call.context.function();
    let results = site.and_then(|site| function.calls.get(site as usize));
    let results = results.map_or(&[][..], |site| &site.results[site.returned()..]);
    let told = [Value::Concrete(1), exception, selector];
    debug_assert_eq!(results.len(), LANDING_RESULTS);
    for (&(slot, width), value) in results.iter().zip(told) {
        registers::write(call.context.frame(), slot, width, value);
    }
    call.context.enter_segment();
    Ok(Outcome::Jumped)
}

/// `homi_uncaught(name)`: the program ends by `std::terminate` for an exception of the type whose
/// mangled name this is; 0 is none or one of another language.
pub(super) fn uncaught(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.arg_as(0, 64) == Value::Concrete(0) {
        return Err(call.bug(BugKind::Abort, "std::terminate is called"));
    }
    let name = call.c_string(0)?;
    let name = type_name(&String::from_utf8_lossy(&name));
    let message = format!("uncaught exception of type {name}");
    Err(call.bug(BugKind::Abort, message))
}
