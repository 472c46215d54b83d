//! Helpers for this module's tests.

use super::EndedPath;
use homi_ir::program::{FuncId, LocId};
use homi_machine::outcome::{Bug, BugKind, BugLocation, Termination};
use homi_machine::state::Metrics;

const OLD: Metrics = Metrics {
    depth: 0,
    instructions: 0,
    instructions_since_new: 0,
    covered_new: false,
    solver_seconds: 0.0,
    concretisations: 0,
};
const NEW: Metrics = Metrics {
    covered_new: true,
    ..OLD
};

pub(super) fn path(termination: &Termination, new_bug: bool, covered_new: bool) -> EndedPath<'_> {
    EndedPath {
        termination,
        new_bug,
        metrics: if covered_new { &NEW } else { &OLD },
        new_sides: &[],
        new_segments: &[],
        reexecuted: false,
        fuzzing_run: false,
    }
}

pub(super) fn exit() -> Termination {
    Termination::Exit(0)
}

pub(super) fn bug() -> Termination {
    Termination::Bug(Box::new(Bug {
        kind: BugKind::User,
        weakness: BugKind::User.weakness(),
        message: "it is wrong".to_string(),
        location: LocId::new(0),
        stack: Vec::new(),
        details: Vec::new(),
        access: None,
        explanation: None,
        values: String::new(),
        place: BugLocation::Located,
        at: (FuncId(0), 0),
    }))
}
