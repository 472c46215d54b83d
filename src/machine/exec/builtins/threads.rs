//! Threads as the modeled kernel sees them: call stacks, one of them running
//! (runtime/include/homi/engine.h).
//!
//! Invariant: a waiting stack is after its call of `homi_thread_switch`, or at the start of its
//! entry function; so a switch to it suffices to continue.

use super::{BuiltinCall, Outcome};
use crate::memory::{function_at, max_stacks};
use crate::outcome::Termination;
use crate::state::{Frame, Frames, Tick};

/// `homi_thread_start(entry, number, name)`: a call stack that will begin at the entry function.
/// `name` is what others join it by.
pub(super) fn start(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (entry, number, name) = (call.number(0), call.number(1) as u32, call.number(2));
    let Some(entry) = function_at(entry) else {
        return Err(call.unsupported("a thread without an entry function"));
    };
    let prepared = call.prepared;
    if number >= max_stacks(call.program().pointers) || prepared.broken[entry.index()].is_some() {
        return Err(call.unsupported("a thread that cannot be started"));
    }
    let mut frame = Frame::new(entry, &prepared.templates[entry.index()]);
    let top = call.state.frames.top();
    let (parent, site) = (top.call_path, top.pc);
    frame.call_path = call.observer.call_paths.enter(parent, site, entry);
    let running = call.state.threads.running();
    call.state.memory.switch_stack(number);
    frame.stack_base = call
        .state
        .memory
        .push_frame(&prepared.layouts[entry.index()]);
    frame.stack_end = u64::from(prepared.stack_bytes[entry.index()]);
    call.state.memory.switch_stack(running);
    let frames = Frames::new(frame);
    call.state.threads.start(number, frames, name);
    Ok(Outcome::Void)
}

/// `homi_thread_switch(number, ended)`: another call stack runs; the current one is gone if it has
/// ended.
pub(super) fn switch(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (number, ended) = (call.number(0) as u32, call.number(1) as u32 != 0);
    call.context.advance();
    let state = &mut *call.context.state;
    if !state.threads.switch(&mut state.frames, number, ended) {
        return Err(call.unsupported("a switch to a thread that does not live"));
    }
    if ended {
        state.memory.drop_calls();
    }
    state.memory.switch_stack(number);
    call.context.enter_segment();
    Ok(Outcome::Jumped)
}

/// `homi_tick_after(entry, count)`: calls the entry function after `count` instructions of this
/// path, but never between two instructions outside user code; 0 never does.
pub(super) fn tick_after(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (entry, count) = (call.number(0), call.number(1));
    let Some(entry) = function_at(entry) else {
        return Err(call.unsupported("a tick without an entry function"));
    };
    if call.prepared.broken[entry.index()].is_some() {
        return Err(call.unsupported("a tick that cannot be executed"));
    }
    let at = call.state.metrics.instructions + count;
    call.state.threads.tick = (count > 0).then_some(Tick { at, entry });
    Ok(Outcome::Void)
}
