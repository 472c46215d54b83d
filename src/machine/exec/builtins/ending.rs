//! Functions that end the path: exit, abort, failed assertions, reported errors.

use super::{BuiltinCall, Outcome};
use crate::outcome::{BugKind, Termination};
use crate::state::Decision;

/// `abort()`: the path ends, unless the program handles SIGABRT; then libc's definition raises it.
pub(super) fn abort(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.defined && call.handles_abort() {
        return Ok(Outcome::Decline);
    }
    Err(call.bug(BugKind::Abort, "abort failure"))
}

pub(super) fn smashed(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Err(call.bug(BugKind::Abort, "stack smashing detected"))
}

fn text(call: &mut BuiltinCall<'_, '_, '_>, index: usize) -> Result<String, Termination> {
    let bytes = call.c_string(index)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// `__assert_fail(expression, ...)` and others that begin with the expression. It is a call of
/// abort for a program that handles SIGABRT.
pub(super) fn assert_fail(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.defined && call.handles_abort() {
        return Ok(Outcome::Decline);
    }
    let expression = text(call, 0)?;
    Err(call.bug(BugKind::Assert, format!("ASSERTION FAIL: {expression}")))
}

/// `__assert_rtn(function, file, line, expression)`.
pub(super) fn assert_rtn(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let expression = text(call, 3)?;
    Err(call.bug(BugKind::Assert, format!("ASSERTION FAIL: {expression}")))
}

pub(super) fn silent_exit(_: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Err(Termination::Silent)
}

/// File, line, message, suffix. The suffix is the kind: "ptr.err" is a pointer error like the
/// engine's own.
pub(super) fn report_error(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (message, suffix) = (text(call, 2)?, text(call, 3)?);
    let bug = call.explained(kind_of(&suffix), message);
    Err(Termination::Bug(Box::new(bug)))
}

/// `homi_report_error(message, suffix)`: a sibling ends as the bug, this path continues. In KLEE
/// the path ends.
pub(super) fn report_and_go_on(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (message, suffix) = (text(call, 0)?, text(call, 1)?);
    call.deepen()?;
    let bug = call.explained(kind_of(&suffix), message);
    let ending = Termination::Bug(Box::new(bug.clone()));
    if call.prepared.config.dialect.sanitizer_ends_path() {
        return Err(ending);
    }
    let mut sibling = call.fork_state();
    sibling.ending = Some(Box::new(ending));
    call.state.record.note_finding(bug);
    sibling.decisions.push(Decision::Check { bug: true });
    call.state.decisions.push(Decision::Check { bug: false });
    call.siblings.push(sibling);
    Ok(Outcome::Void)
}

fn kind_of(suffix: &str) -> BugKind {
    let known = BugKind::ALL.iter().find(|kind| kind.suffix() == suffix);
    // A suffix becomes part of a file name.
    let own = || BugKind::Reported(suffix.replace(['/', '\0'], "_"));
    known.cloned().unwrap_or_else(own)
}

pub(super) fn exit(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let status = call.arg(0);
    Err(Termination::Exit(call.exit_status(status)?))
}

pub(super) fn unsupported(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let what = text(call, 0)?;
    Err(call.unsupported(what))
}
