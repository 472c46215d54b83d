//! Traps that a compiler puts in place of a handler (`-fsanitize-trap`): each carries the number of
//! its check. And operations on constants that clang computed without a result.

use super::{BuiltinCall, Outcome};
use crate::memory::Value;
use crate::outcome::{BugKind, Termination};
use homi_config::Weakness;

/// Messages and kinds of the checks, by clang's numbers of them.
const CHECKS: [(&str, BugKind); 25] = [
    ("add-overflow", BugKind::Overflow),
    ("unreachable-call", BugKind::Unreachable),
    ("cfi-check-fail", BugKind::Ptr),
    ("divrem-overflow", BugKind::Div),
    ("dynamic-type-mismatch", BugKind::Ptr),
    ("float-cast-overflow", BugKind::FloatCast),
    ("function-type-mismatch", BugKind::Exec),
    ("implicit-conversion", BugKind::Abort),
    ("invalid-builtin-use", BugKind::Abort),
    ("invalid-cast", BugKind::Abort),
    ("load invalid value", BugKind::Abort),
    ("missing-return", BugKind::Abort),
    ("mul-overflow", BugKind::Overflow),
    ("negate-overflow", BugKind::Overflow),
    ("invalid-null-argument", BugKind::Ptr),
    ("invalid-null-return", BugKind::Ptr),
    ("invalid-null-argument", BugKind::Ptr),
    ("invalid-null-return", BugKind::Ptr),
    ("out-of-bounds-index", BugKind::Ptr),
    ("pointer-overflow", BugKind::Ptr),
    ("shift-out-of-bounds", BugKind::Overshift),
    ("sub-overflow", BugKind::Overflow),
    ("type-mismatch", BugKind::Ptr),
    ("alignment-assumption", BugKind::Ptr),
    ("non-positive-vla-index", BugKind::VlaBound),
];

/// `homi_trap(number)`: the path ends as the finding of the check.
pub(super) fn trap(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    let number = match call.arg(0) {
        Value::Concrete(number) => number as usize,
        Value::Term(_) => CHECKS.len(),
    };
    let named = CHECKS.get(number);
    let (text, kind) = match named.filter(|_| !call.prepared.config.dialect.renames_endings()) {
        Some((name, kind)) => (format!("trap of a check: {name}"), kind.clone()),
        None => ("abort failure".to_string(), BugKind::Abort),
    };
    let weakness = named.map_or_else(|| kind.weakness(), |row| Weakness::of_check(row.0, &kind));
    let mut ending = call.bug(kind, text);
    if let Termination::Bug(bug) = &mut ending {
        bug.weakness = weakness;
    }
    Err(ending)
}

/// `homi_folded()`: the path ends, because what follows uses a result that does not exist.
pub(super) fn folded(call: &mut BuiltinCall<'_, '_, '_>) -> Result<Outcome, Termination> {
    if call.prepared.config.dialect.renames_endings() {
        return Ok(Outcome::Void);
    }
    Err(call.bug(BugKind::Undefined, FOLDED))
}

/// Message about an operation on constants.
const FOLDED: &str = "result of constants that is not defined: a division by zero, a shift by too \
                      many bits, or a conversion of a float out of range";
