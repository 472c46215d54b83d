//! Events of a run about tests and bugs.
//!
//! Invariant: an event names functions, files and lines, never the run's ids.

use super::failing::FailingCondition;
use homi_ir::program::{LocId, Mark, Program};
use homi_machine::exec::{Bug, Termination};
use homi_machine::outcome::{BugLocation, UnderapproximationSite};
use homi_report::{BugFound, SourceLocation, StackFrame, TestEnding, UnderapproximationSummary};

/// Returns the end of a test's path.
pub(super) fn test_ending(termination: &Termination, program: &Program) -> TestEnding {
    match termination {
        Termination::Exit(status) => TestEnding::Exit { status: *status },
        Termination::Silent => TestEnding::Silent,
        Termination::Bug(bug) => TestEnding::Bug {
            bug: bug.kind.name().to_string(),
            message: bug.message.clone(),
            location: bug.described_place(program),
        },
        Termination::Unsupported(unsupported) => TestEnding::Unsupported {
            what: unsupported.what.clone(),
            location: program.describe_location(unsupported.location),
        },
        Termination::Early(reason) => TestEnding::Early {
            reason: reason.message().to_string(),
        },
    }
}

/// Facts about the path of a bug.
pub(super) struct Evidence {
    /// True if every input of the path fails.
    pub(super) every_input: bool,
    pub(super) failing: FailingCondition,
    /// Mark of a decision that native programs need not share.
    pub(super) decided: Option<Mark>,
}

/// A bug, and the test that shows it, if one does.
pub(super) fn bug_found(
    bug: &Bug,
    evidence: Evidence,
    test: Option<&str>,
    program: &Program,
) -> BugFound {
    let stack = bug.stack.iter().map(|entry| StackFrame {
        function: entry.function_name.clone(),
        arguments: entry.arguments.clone(),
        place: source_place(program, entry.location),
    });
    let (severity, rank) = bug.weakness.severity();
    BugFound {
        kind: bug.kind.name().to_string(),
        about: bug.kind.about().to_string(),
        message: bug.message.clone(),
        place: bug_place(bug, program),
        stack: stack.collect(),
        values: bug.values.clone(),
        details: bug.details.clone(),
        test: test.unwrap_or_default().to_string(),
        weakness: bug.weakness.name().to_string(),
        cwe: bug.weakness.cwe().map_or(0, |cwe| u64::from(cwe.0)),
        severity: severity.name().to_string(),
        rank: u64::from(rank),
        fingerprint: String::new(),
        every_input: evidence.every_input,
        isolated: evidence.failing.is_isolated,
        inputs: evidence.failing.inputs,
        decided: evidence.decided.map_or("", Mark::name).to_string(),
    }
}

/// A loss as `summary.json` and events have it.
pub fn underapproximation_summary(place: UnderapproximationSite) -> UnderapproximationSummary {
    let UnderapproximationSite {
        kind,
        location,
        count,
        example,
        lost,
        what,
    } = place;
    UnderapproximationSummary {
        kind,
        location,
        count,
        example,
        lost,
        what,
    }
}

/// Returns the location of a bug; a location from the compiler's check has its column.
fn bug_place(bug: &Bug, program: &Program) -> Option<SourceLocation> {
    if let BugLocation::Reported { file, line, column } = &bug.place {
        let (file, line, column) = (file.clone(), *line, *column);
        return Some(SourceLocation { file, line, column });
    }
    source_place(program, bug.location)
}

/// Returns a location as a place in the program's source; `None` if that is not known.
pub fn source_place(program: &Program, location: LocId) -> Option<SourceLocation> {
    let location = program.location(location);
    let file = program.files.get(location.file as usize)?;
    (location.line != 0).then(|| SourceLocation {
        file: file.clone(),
        line: location.line,
        column: location.column,
    })
}
