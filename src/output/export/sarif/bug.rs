//! One bug as a result of SARIF.
//!
//! Invariant: the fingerprint of a bug stays the same while lines move and bytes of tests change
//! (`report::fingerprint`).

use super::model::{
    Artifact, Attachment, BugProperties, BugResult, CodeFlow, Configuration, FlowLocation, Frame,
    Location, LogicalLocation, PhysicalLocation, Region, Relationship, Rule, RuleProperties, Stack,
    Suppression, Taxon, TaxonReference, ThreadFlow,
};
use super::{SOURCES, test_file, text};
use crate::export::uri;
use homi_config::{Severity, Weakness};
use homi_report::{BugFound, ErrorTriage, SourceLocation, StackFrame};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Prefix of the runtime's functions that call the program's `main`, which a stack leaves out.
const RUNTIME: &str = "__homi_";
/// Name of the fingerprint, with the version of how it is made.
const FINGERPRINT: &str = "homiBug/v2";
/// Name of the fingerprint by which GitHub follows an alert: digits and an ordinal.
const LINE_HASH: &str = "primaryLocationLineHash";
/// Digits of the fingerprint in GitHub's.
const LINE_HASH_DIGITS: usize = 16;

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

/// Returns the id of the rule that a bug breaks: the kind and the weakness.
pub(super) fn rule_id(bug: &BugFound) -> String {
    match bug.weakness.as_str() {
        "" => bug.kind.clone(),
        weakness => format!("{}/{weakness}", bug.kind),
    }
}

/// A rule for each kind and weakness of the bugs, in the order of their ids.
pub(super) fn rules(bugs: &[BugFound]) -> Vec<Rule> {
    let rules: BTreeMap<String, &BugFound> = bugs.iter().map(|bug| (rule_id(bug), bug)).collect();
    rules.into_iter().map(|(id, bug)| rule(id, bug)).collect()
}

fn rule(id: String, bug: &BugFound) -> Rule {
    let cwe = (bug.cwe > 0).then_some(bug.cwe);
    let tags = cwe.map(|number| format!("external/cwe/cwe-{number}"));
    Rule {
        id,
        short_description: text(&bug.about),
        full_description: text(&bug.about),
        default_configuration: Configuration { level: level(bug) },
        relationships: cwe.map(relationship).into_iter().collect(),
        properties: RuleProperties {
            tags: ["security".to_string()].into_iter().chain(tags).collect(),
            security_severity: format!("{}.0", bug.rank),
        },
    }
}

/// Returns the relationship of a rule to an entry of CWE.
fn relationship(number: u64) -> Relationship {
    Relationship {
        target: TaxonReference::of(number),
        kinds: vec!["superset"],
    }
}

/// Returns the level of a bug; `error` in runs of a homi without severities.
fn level(bug: &BugFound) -> &'static str {
    let mut rows = Severity::ALL.iter();
    rows.find(|row| row.1 == bug.severity)
        .map_or("error", |row| row.1)
}

/// Returns the entries of CWE that the bugs belong to.
pub(super) fn taxa(bugs: &[BugFound]) -> Vec<Taxon> {
    let titles = Weakness::ALL.iter().filter_map(|weakness| weakness.cwe());
    let titles: BTreeMap<u64, &str> = titles
        .map(|(number, title)| (u64::from(number), title))
        .collect();
    let numbers: BTreeSet<u64> = bugs.iter().map(|bug| bug.cwe).filter(|n| *n > 0).collect();
    let taxa = numbers.into_iter().map(|number| Taxon {
        id: number.to_string(),
        help_uri: format!("https://cwe.mitre.org/data/definitions/{number}.html"),
        short_description: text(titles.get(&number).copied().unwrap_or_default()),
    });
    taxa.collect()
}

/// The frames of the program itself, innermost first.
fn user_frames(bug: &BugFound) -> impl DoubleEndedIterator<Item = &StackFrame> {
    let frames = bug.stack.iter();
    frames.filter(|frame| !frame.function.starts_with(RUNTIME))
}

fn fingerprints(bug: &BugFound) -> BTreeMap<&'static str, String> {
    let (digits, ordinal) = bug
        .fingerprint
        .split_once('-')
        .unwrap_or((&bug.fingerprint, "1"));
    let start = digits.get(..LINE_HASH_DIGITS).unwrap_or(digits);
    BTreeMap::from([
        (FINGERPRINT, bug.fingerprint.clone()),
        (LINE_HASH, format!("{start}:{ordinal}")),
    ])
}

/// Returns the SARIF result of a bug whose rule is at `rule_index`.
pub(super) fn result(
    bug: &BugFound,
    rule_index: usize,
    triage: Option<&ErrorTriage>,
    places: &SourceUris<'_>,
) -> BugResult {
    let shown = match bug.test.as_str() {
        "" => String::new(),
        test => format!(" ({test} shows it)"),
    };
    BugResult {
        rule_id: rule_id(bug),
        rule_index,
        level: level(bug),
        message: text(format!("{}{shown}", bug.full_message())),
        locations: vec![location(bug, places)],
        partial_fingerprints: fingerprints(bug),
        baseline_state: triage
            .map(|triage| triage.baseline.clone())
            .filter(|state| !state.is_empty()),
        suppressions: triage.and_then(suppression).into_iter().collect(),
        rank: 10.0 * bug.rank as f64,
        taxa: (bug.cwe > 0)
            .then(|| TaxonReference::of(bug.cwe))
            .into_iter()
            .collect(),
        code_flows: code_flows(bug, places),
        stacks: stacks(bug, places),
        attachments: attachments(bug),
        properties: BugProperties {
            kind: bug.kind.clone(),
            test: bug.test.clone(),
            details: bug.details.clone(),
            class: None,
        },
    }
}

fn suppression(triage: &ErrorTriage) -> Option<Suppression> {
    let kind = match triage.suppressed_in.as_str() {
        "" => return None,
        "source" => "inSource",
        _ => "external",
    };
    Some(Suppression {
        kind,
        justification: triage.reason.clone(),
    })
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
