//! Calls that lowering puts into the program's code for `--checks race` and `--max-preemptions`
//! (`bitcode::lower::watched`).
//!
//! Invariant: none of these changes what the program computes; a point where others may run only
//! calls the modeled kernel, which decides (runtime/kernel/threads.c).

use super::{BuiltinCall, Outcome};
use crate::memory::{Value, function_at};
use crate::outcome::{BugKind, Example, Termination, Underapproximation};
use crate::state::{Decision, Frame, RACE, WatchedAccess};
use homi_ir::program::{FuncId, Mark, watch};

/// `homi_preemptions()`: how often a thread may be interrupted on a path.
pub(super) fn preemptions(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Ok(Outcome::number(call.config().symbolic.preemptions.into()))
}

/// `homi_preempt_by(entry)`: from now on that function is called where others may run; null: none.
pub(super) fn preempt_by(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let entry = function_at(call.number(0));
    let usable = entry.filter(|entry| call.prepared.broken[entry.index()].is_none());
    call.state.threads.preempt_by(usable);
    Ok(Outcome::Void)
}

/// `homi_atomic_begin()`: until the section's end the thread keeps its turn, unless it waits.
pub(super) fn begin_section(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    call.state.threads.begin_section();
    Ok(Outcome::Void)
}

/// `homi_atomic_end()`.
pub(super) fn end_section(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    call.state.threads.end_section();
    Ok(Outcome::Void)
}

/// A place where others may run.
pub(super) fn preempt_point(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let top = call.state.frames.top();
    let place = (top.function, top.pc);
    let Some(entry) = call.state.threads.preempted_at(place) else {
        return Ok(Outcome::Void);
    };
    call.context.advance();
    enter(call, entry);
    Ok(Outcome::Jumped)
}

/// The number of an argument, if it is known.
fn known(call: &BuiltinCall<'_, '_, '_>, index: usize) -> Option<u64> {
    match call.arg(index) {
        Value::Concrete(value) => Some(value as u64),
        Value::Term(_) => None,
    }
}

/// Instructions that threads execute after the end of the program, to look for races.
const MOST_BEHIND_THE_END: u64 = 2_000_000;

/// Elements that an access may be to for each of them to be followed.
const MOST_PLACES: u128 = 16;

/// `homi_watch_access(address, size, kind)`, before the access; `watch` has the kinds. An access
/// that may be at many places is not looked at.
pub(super) fn access(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let has_begun = (call.state.threads.races.as_ref()).is_some_and(|races| races.has_begun());
    let (Some(size), Some(kind), true) = (known(call, 1), known(call, 2), has_begun) else {
        return Ok(Outcome::Void);
    };
    let place = call.arg_as(0, 64);
    let span = MOST_PLACES * u128::from(size.max(1));
    let Some(address) = call.each_value(place, span)? else {
        let note = || Example::note(Mark::RaceByIndex.words());
        let _recorded = call.narrow(Underapproximation::Mark(Mark::RaceByIndex), |_| note());
        return Ok(Outcome::Void);
    };
    let address = address as u64;
    let thread = call.state.threads.running();
    let place = call.prepared.location(call.state);
    let Some(races) = &mut call.state.threads.races else {
        return Ok(Outcome::Void);
    };
    if kind & watch::ACQUIRES != 0 {
        races.acquire(thread, address);
    }
    let access = WatchedAccess {
        thread,
        writes: kind & watch::WRITES != 0,
        is_atomic: kind & watch::IS_ATOMIC != 0,
        size,
        place,
    };
    let other = races.access(address, access);
    if kind & watch::RELEASES != 0 {
        races.release(thread, address);
    }
    let thread = races.id(thread);
    match other {
        Some(other) => report(call, WatchedAccess { thread, ..access }, other),
        None => Ok(Outcome::Void),
    }
}

/// Reports a bug: a sibling ends as the bug; this path continues.
fn report(
    call: &mut BuiltinCall<'_, '_, '_>,
    access: WatchedAccess,
    other: WatchedAccess,
) -> Result<Outcome, Termination> {
    let text = |access: WatchedAccess| {
        let place = call.program().describe_location(access.place);
        let what = match (access.is_atomic, access.writes) {
            (false, true) => "a write",
            (false, false) => "a read",
            (true, true) => "an atomic write",
            (true, false) => "an atomic read",
        };
        let bytes = match access.size {
            1 => "1 byte".to_string(),
            size => format!("{size} bytes"),
        };
        format!("{what} of {bytes} at {place} by thread {}", access.thread)
    };
    let message = format!(
        "data race: {}, nothing orders it with {}",
        text(access),
        text(other)
    );
    call.deepen()?;
    let bug = call.bug(BugKind::Reported(RACE.to_string()), message);
    let mut sibling = call.fork_state();
    sibling.ending = Some(Box::new(bug));
    sibling.decisions.push(Decision::Check { bug: true });
    call.state.decisions.push(Decision::Check { bug: false });
    call.siblings.push(sibling);
    Ok(Outcome::Void)
}

/// `homi_watch_acquire(object)`, `homi_watch_acquire(object, failed)`: the thread has taken the
/// object, unless that failed.
pub(super) fn acquire(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if let (Some(object), Some(0)) = (known(call, 0), known(call, 1)) {
        call.state.threads.acquire(object);
    }
    Ok(Outcome::Void)
}

/// `homi_watch_release(object)`: the thread gives the object back.
pub(super) fn release(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if let Some(object) = known(call, 0) {
        call.state.threads.release(object);
    }
    Ok(Outcome::Void)
}

/// `homi_watch_join(name)`: the thread of that name has ended.
pub(super) fn join(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if let Some(name) = known(call, 0) {
        call.state.threads.join(name);
    }
    Ok(Outcome::Void)
}

/// `homi_watch_end()`: the process is about to end. If other threads could run before that, and
/// nothing else makes them, they do so on a copy of the path, which only reports races.
pub(super) fn end(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.state.threads.goes_on_until.is_some() {
        return end_thread(call);
    }
    let is_asked = call.config().symbolic.preemptions == 0 && call.state.forks.enabled;
    if is_asked && call.state.threads.has_others() && call.prepared.thread_end.is_some() {
        call.deepen()?;
        let mut sibling = call.fork_state();
        sibling.threads.goes_on_until = Some(sibling.metrics.instructions + MOST_BEHIND_THE_END);
        sibling.decisions.push(Decision::Check { bug: true });
        call.state.decisions.push(Decision::Check { bug: false });
        call.siblings.push(sibling);
    }
    Ok(Outcome::Void)
}

/// The running thread ends in place of the process.
fn end_thread(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let Some(entry) = call.prepared.thread_end else {
        return Ok(Outcome::Void);
    };
    call.context.advance();
    enter(call, entry);
    Ok(Outcome::Jumped)
}

/// Calls a function of the modeled kernel; its parameters are 0.
fn enter(call: &mut BuiltinCall<'_, '_, '_>, entry: FuncId) {
    let top = call.state.frames.top();
    let (parent, site, end) = (top.call_path, top.pc, top.stack_end);
    let prepared = call.prepared;
    let mut frame = Frame::new(entry, &prepared.templates[entry.index()]);
    frame.call_path = call.observer.call_paths.enter(parent, site, entry);
    frame.stack_end = end + u64::from(prepared.stack_bytes[entry.index()]);
    let layout = &prepared.layouts[entry.index()];
    frame.stack_base = call.state.memory.push_frame(layout);
    call.state.frames.push(frame);
    call.context.enter_segment();
}
