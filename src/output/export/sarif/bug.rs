//! One bug as a result of SARIF.
//!
//! Invariant: the fingerprint of a bug stays the same while lines move and bytes of tests change. A
//! fingerprint consists of kind, message and the functions on the stack, and of a number if these
//! are equal.

use super::model::{
    Artifact, Attachment, BugProperties, BugResult, CodeFlow, Configuration, FlowLocation, Frame,
    Location, LogicalLocation, PhysicalLocation, Region, Rule, Stack, ThreadFlow,
};
use super::{SOURCES, test_file, text};
use crate::output::export::uri;
use crate::report::{BugFound, SourceLocation, StackFrame};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Prefix of the runtime's functions that call the program's `main`, which a stack leaves out.
const RUNTIME: &str = "__homi_";
/// Name of the fingerprint, with the version of how it is made.
const FINGERPRINT: &str = "homiBug/v1";

/// Directories of source files.
pub(super) struct SourceUris<'a> {
    pub(super) working_directory: &'a Path,
}

impl SourceUris<'_> {
    /// A source file: below the directory that homi ran in, or absolute.
    pub(super) fn artifact(&self, file: &str) -> Artifact {
        let path = Path::new(file);
        match uri::below(path, self.working_directory) {
            Some(uri) => Artifact {
                uri,
                uri_base_id: Some(SOURCES),
            },
            None => Artifact {
                uri: uri::reference(path),
                uri_base_id: None,
            },
        }
    }

    fn physical(&self, place: &SourceLocation) -> PhysicalLocation {
        PhysicalLocation {
            artifact_location: self.artifact(&place.file),
            region: Some(Region {
                start_line: place.line,
                start_column: (place.column > 0).then_some(place.column),
            }),
        }
    }

    fn frame(&self, frame: &StackFrame, message: Option<String>) -> Location {
        Location {
            physical_location: frame.place.as_ref().map(|place| self.physical(place)),
            logical_locations: vec![function(&frame.function)],
            message: message.map(text),
        }
    }
}

fn function(name: &str) -> LogicalLocation {
    LogicalLocation {
        name: name.to_string(),
        kind: "function",
    }
}

/// A rule for each kind of bug there is, in the order of their names.
pub(super) fn rules(bugs: &[BugFound]) -> Vec<Rule> {
    let kinds: BTreeMap<&str, &str> = bugs
        .iter()
        .map(|bug| (bug.kind.as_str(), bug.about.as_str()))
        .collect();
    let rules = kinds.into_iter().map(|(kind, about)| Rule {
        id: kind.to_string(),
        short_description: text(about),
        full_description: text(about),
        default_configuration: Configuration { level: "error" },
    });
    rules.collect()
}

/// The frames of the program itself, innermost first.
fn user_frames(bug: &BugFound) -> impl DoubleEndedIterator<Item = &StackFrame> {
    let frames = bug.stack.iter();
    frames.filter(|frame| !frame.function.starts_with(RUNTIME))
}

/// Returns how many earlier bugs look the same except for their location.
pub(super) fn ordinal_of(bug: &BugFound, earlier: &[BugFound]) -> usize {
    let own = identity(bug);
    earlier
        .iter()
        .filter(|other| identity(other) == own)
        .count()
}

/// Returns the identity of a bug, which moved lines do not change.
fn identity(bug: &BugFound) -> String {
    let mut text = format!("{}\n{}", bug.kind, bug.message);
    for frame in user_frames(bug) {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{}", frame.function);
    }
    text
}

fn fingerprint(bug: &BugFound, ordinal: usize) -> String {
    let digest = Sha256::digest(format!("{}\n{ordinal}", identity(bug)));
    let mut text = String::with_capacity(32);
    for byte in &digest[..16] {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Returns the SARIF result of a bug whose rule is at `rule_index`.
pub(super) fn result(
    bug: &BugFound,
    rule_index: usize,
    ordinal: usize,
    places: &SourceUris<'_>,
) -> BugResult {
    let shown = match bug.test.as_str() {
        "" => String::new(),
        test => format!(" ({test} shows it)"),
    };
    BugResult {
        rule_id: bug.kind.clone(),
        rule_index,
        level: "error",
        message: text(format!("{}{shown}", bug.message)),
        locations: vec![location(bug, places)],
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, fingerprint(bug, ordinal))]),
        code_flows: code_flows(bug, places),
        stacks: stacks(bug, places),
        attachments: attachments(bug),
        properties: BugProperties {
            test: bug.test.clone(),
            details: bug.details.clone(),
        },
    }
}

fn location(bug: &BugFound, places: &SourceUris<'_>) -> Location {
    let innermost = user_frames(bug).find(|frame| frame.place == bug.place);
    let innermost = innermost.or_else(|| user_frames(bug).next());
    let names = innermost.map(|frame| function(&frame.function));
    Location {
        physical_location: bug.place.as_ref().map(|place| places.physical(place)),
        logical_locations: names.into_iter().collect(),
        message: None,
    }
}

fn stacks(bug: &BugFound, places: &SourceUris<'_>) -> Vec<Stack> {
    let frames: Vec<Frame> = user_frames(bug)
        .map(|frame| Frame {
            location: places.frame(frame, None),
            parameters: frame.arguments.clone(),
        })
        .collect();
    if frames.is_empty() {
        Vec::new()
    } else {
        vec![Stack {
            message: text("The calls that the bug is in"),
            frames,
        }]
    }
}

/// Returns the calls of a bug, outermost first, as a code flow.
fn code_flows(bug: &BugFound, places: &SourceUris<'_>) -> Vec<CodeFlow> {
    let steps: Vec<&StackFrame> = user_frames(bug).rev().collect();
    let located = |frame: &&StackFrame| frame.place.is_some();
    let last = steps.iter().rposition(located);
    let locations: Vec<FlowLocation> = (steps.iter().enumerate())
        .filter(|(_, frame)| located(frame))
        .map(|(level, frame)| {
            let message = if Some(level) == last {
                bug.message.clone()
            } else {
                format!("{} calls", frame.function)
            };
            FlowLocation {
                location: places.frame(frame, Some(message)),
                nesting_level: level,
            }
        })
        .collect();
    if locations.is_empty() {
        Vec::new()
    } else {
        vec![CodeFlow {
            message: text(bug.message.clone()),
            thread_flows: vec![ThreadFlow { locations }],
        }]
    }
}

fn attachments(bug: &BugFound) -> Vec<Attachment> {
    if bug.test.is_empty() {
        Vec::new()
    } else {
        vec![Attachment {
            description: text("The test that shows the bug"),
            artifact_location: test_file(&bug.test),
        }]
    }
}
