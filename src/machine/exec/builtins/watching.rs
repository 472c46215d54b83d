//! Calls that lowering puts into the program's code for `--check-races` and `--max-preemptions`
//! (`bitcode::lower::watched`).
//!
//! Invariant: none of these changes what the program computes; a point where others may run only
//! calls the modeled kernel, which decides (runtime/kernel/threads.c).

use super::{BuiltinCall, Outcome};
use crate::ir::program::watch;
use crate::machine::memory::{Value, function_at};
use crate::machine::outcome::{BugKind, Termination};
use crate::machine::state::{Decision, Frame, WatchedAccess};

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
    let (place, parent, site, end) = ((top.function, top.pc), top.call_path, top.pc, top.stack_end);
    let Some(entry) = call.state.threads.preempted_at(place) else {
        return Ok(Outcome::Void);
    };
    call.context.advance();
    let prepared = call.prepared;
    let mut frame = Frame::new(entry, &prepared.templates[entry.index()]);
    frame.call_path = call.observer.call_paths.enter(parent, site, entry);
    frame.stack_end = end + u64::from(prepared.stack_bytes[entry.index()]);
    let layout = &prepared.layouts[entry.index()];
    frame.stack_base = call.state.memory.push_frame(layout);
    call.state.frames.push(frame);
    call.context.enter_segment();
    Ok(Outcome::Jumped)
}

/// The number of an argument, if it is known.
fn known(call: &BuiltinCall<'_, '_, '_>, index: usize) -> Option<u64> {
    match call.arg(index) {
        Value::Concrete(value) => Some(value as u64),
        Value::Term(_) => None,
    }
}

/// `homi_watch_access(address, size, kind)`, before the access; `watch` has the kinds. An access at
/// a symbolic place is not looked at.
pub(super) fn access(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (Some(address), Some(size), Some(kind)) = (known(call, 0), known(call, 1), known(call, 2))
    else {
        return Ok(Outcome::Void);
    };
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
    match other {
        Some(other) => report(call, access, other),
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
    let bug = call.bug(BugKind::Reported("race.err".to_string()), message);
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
