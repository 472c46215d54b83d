//! Functions that end the path: exit, abort, failed assertions, reported errors.

use super::{Entry, Outcome, SpecialCall, always, fallback};
use crate::exec::outcome::{BugKind, Termination};

pub(super) const TABLE: &[Entry] = &[
    always("abort", abort),
    always("klee_abort", abort),
    always("homi_abort", abort),
    always("__assert_fail", assert_fail),
    always("__assert_rtn", assert_rtn),
    always("__assert", assert_fail),
    always("_assert", assert_fail),
    always("klee_assert_fail", assert_fail),
    always("klee_silent_exit", silent_exit),
    always("klee_report_error", report_error),
    always("homi_exit", exit),
    always("homi_gap", gap),
    // A libc runs handlers and flushes first; this is for programs without one.
    fallback("exit", exit),
    fallback("_exit", exit),
    fallback("_Exit", exit),
    fallback("quick_exit", exit),
    fallback("__stack_chk_fail", smashed),
];

fn abort(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Err(call.bug(BugKind::Abort, "abort failure"))
}

fn smashed(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Err(call.bug(BugKind::Abort, "stack smashing detected"))
}

fn text(call: &mut SpecialCall<'_, '_, '_>, index: usize) -> Result<String, Termination> {
    let bytes = call.c_string(index)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The expression comes first.
fn assert_fail(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let expression = text(call, 0)?;
    Err(call.bug(BugKind::Assert, format!("ASSERTION FAIL: {expression}")))
}

/// Function, file, line, expression.
fn assert_rtn(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let expression = text(call, 3)?;
    Err(call.bug(BugKind::Assert, format!("ASSERTION FAIL: {expression}")))
}

fn silent_exit(_: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    Err(Termination::Silent)
}

/// File, line, message, suffix. The suffix is the kind: "ptr.err" is a pointer error like the
/// engine's own.
fn report_error(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let (message, suffix) = (text(call, 2)?, text(call, 3)?);
    let kind = match suffix.as_str() {
        "user.err" => BugKind::User,
        "ptr.err" => BugKind::Ptr,
        "abort.err" => BugKind::Abort,
        "assert.err" => BugKind::Assert,
        "div.err" => BugKind::Div,
        "overshift.err" => BugKind::Overshift,
        "free.err" => BugKind::Free,
        // A suffix becomes part of a file name.
        _ => BugKind::Reported(suffix.replace(['/', '\0'], "_")),
    };
    Err(call.bug(kind, message))
}

fn exit(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let status = call.arg(0);
    Err(Termination::Exit(call.exit_status(status)))
}

fn gap(call: &mut SpecialCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let what = text(call, 0)?;
    Err(call.gap(what))
}
