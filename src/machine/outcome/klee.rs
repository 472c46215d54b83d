//! KLEE's kinds and texts for endings that homi names differently.
//!
//! Invariant: only kind and message change, and of what a sanitizer reports the place: for KLEE all
//! of it is in one place, the handlers. With what values stays as it was found.

use super::{Bug, BugKind, BugLocation, EarlyReason, Termination};
use homi_ir::program::LocId;

/// An error that KLEE reports under another kind or with other words.
struct Renamed {
    /// The message as homi has it.
    message: &'static str,
    kind: BugKind,
    /// Message of KLEE.
    theirs: &'static str,
}

/// All renamed endings. Other endings have KLEE's kind and text already.
const RENAMED: [Renamed; 4] = [
    Renamed {
        message: "double free",
        kind: BugKind::Ptr,
        theirs: "memory error: double free",
    },
    Renamed {
        message: "memory error: invalid pointer: free",
        kind: BugKind::Ptr,
        theirs: "memory error: invalid pointer: free",
    },
    Renamed {
        message: "memory error: invalid pointer: realloc",
        kind: BugKind::Ptr,
        theirs: "memory error: invalid pointer: realloc",
    },
    Renamed {
        message: "illegal label address",
        kind: BugKind::Exec,
        theirs: "indirectbr: illegal label address",
    },
];

/// Kind and message that KLEE's handlers have for a finding of another kind, if they differ.
fn of_klees_handlers(bug: &Bug) -> Option<(BugKind, &'static str)> {
    match (&bug.kind, bug.message.as_str()) {
        (BugKind::Div, "divide by zero") => Some((BugKind::Overflow, "integer division overflow")),
        (BugKind::Overshift | BugKind::Shift, _) => {
            Some((BugKind::Overflow, "shift out of bounds"))
        }
        (BugKind::FloatCast, _) => Some((BugKind::Overflow, "float-cast-overflow")),
        (BugKind::VlaBound, _) => Some((BugKind::Ptr, "non-positive-vla-index")),
        _ => None,
    }
}

/// The bug under KLEE's kind and in its words.
fn in_klees_format(bug: &Bug) -> Bug {
    let mut bug = bug.clone();
    bug.explanation = None;
    if let Some(renamed) = RENAMED.iter().find(|row| row.message == bug.message) {
        bug.kind = renamed.kind.clone();
        bug.message = renamed.theirs.to_string();
    }
    if bug.klees_place().is_some() {
        if let Some((kind, message)) = of_klees_handlers(&bug) {
            bug.kind = kind;
            bug.message = message.to_string();
        }
        bug.place = BugLocation::KleesHandlers;
        bug.location = LocId(0);
    }
    bug
}

impl EarlyReason {
    /// The message of KLEE's `.early` file.
    pub fn klees_message(self) -> &'static str {
        match self {
            EarlyReason::SolverTimeout => "Query timed out.",
            EarlyReason::RecursionLimit => "Maximum stack size reached.",
            EarlyReason::DepthLimit => "max-depth exceeded.",
            EarlyReason::OutOfMemory => "Memory limit exceeded.",
            EarlyReason::Interrupted => "Execution halting.",
            EarlyReason::Pruned | EarlyReason::Subsumed | EarlyReason::Merged => self.message(),
        }
    }
}

impl Termination {
    /// Returns the ending in KLEE's words.
    pub fn in_klees_format(&self) -> Termination {
        match self {
            Termination::Bug(bug) => Termination::Bug(Box::new(in_klees_format(bug))),
            other => other.clone(),
        }
    }
}
