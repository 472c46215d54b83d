//! The parts of SARIF 2.1.0 that are written, as the standard names them.
//! <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>
//!
//! Invariant: what is absent is left out, never null.

use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: Vec<Run>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) tool: Tool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) taxonomies: Vec<Taxonomy>,
    pub(super) invocations: Vec<Invocation>,
    pub(super) original_uri_base_ids: BTreeMap<&'static str, Artifact>,
    pub(super) artifacts: Vec<ListedArtifact>,
    pub(super) results: Vec<BugResult>,
    pub(super) column_kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<RunProperties>,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) semantic_version: &'static str,
    pub(super) short_description: Text,
    pub(super) rules: Vec<Rule>,
    pub(super) supported_taxonomies: Vec<ComponentReference>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) short_description: Text,
    pub(super) full_description: Text,
    pub(super) default_configuration: Configuration,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) relationships: Vec<Relationship>,
    pub(super) properties: RuleProperties,
}

/// Properties that GitHub reads.
#[derive(Serialize)]
pub(super) struct RuleProperties {
    pub(super) tags: Vec<String>,
    #[serde(rename = "security-severity")]
    pub(super) security_severity: String,
}

/// Relationship of a rule to an entry of a taxonomy.
#[derive(Serialize)]
pub(super) struct Relationship {
    pub(super) target: TaxonReference,
    pub(super) kinds: Vec<&'static str>,
}

/// Reference to a component of the tool, by name.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ComponentReference {
    pub(super) name: &'static str,
}

/// Reference to an entry of CWE.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaxonReference {
    pub(super) id: String,
    pub(super) tool_component: ComponentReference,
}

/// Name of the Common Weakness Enumeration as a component.
pub(super) const CWE: &str = "CWE";

impl TaxonReference {
    pub(super) fn of(number: u64) -> Self {
        Self {
            id: number.to_string(),
            tool_component: ComponentReference { name: CWE },
        }
    }
}

/// A taxonomy with the entries that the results refer to.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Taxonomy {
    pub(super) name: &'static str,
    pub(super) organization: &'static str,
    pub(super) information_uri: &'static str,
    pub(super) short_description: Text,
    pub(super) is_comprehensive: bool,
    pub(super) taxa: Vec<Taxon>,
}

/// An entry of a taxonomy.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Taxon {
    pub(super) id: String,
    pub(super) help_uri: String,
    pub(super) short_description: Text,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

#[derive(Clone, Serialize)]
pub(super) struct Text {
    pub(super) text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) command_line: String,
    pub(super) execution_successful: bool,
    pub(super) working_directory: Artifact,
    pub(super) tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub(super) struct Notification {
    pub(super) level: &'static str,
    pub(super) message: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) descriptor: Option<Descriptor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) locations: Vec<Location>,
}

/// Kind of a notification.
#[derive(Serialize)]
pub(super) struct Descriptor {
    pub(super) id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunProperties {
    pub(super) stop_reason: String,
    pub(super) stopped: String,
    pub(super) tests: u64,
    pub(super) branches: u64,
    pub(super) branches_total: u64,
}

/// Location of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Artifact {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct ListedArtifact {
    pub(super) location: Artifact,
    pub(super) roles: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BugResult {
    pub(super) rule_id: String,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: Text,
    pub(super) locations: Vec<Location>,
    pub(super) partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) baseline_state: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) suppressions: Vec<Suppression>,
    /// From 0 to 100, higher is worse.
    pub(super) rank: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) taxa: Vec<TaxonReference>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) code_flows: Vec<CodeFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) stacks: Vec<Stack>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) attachments: Vec<Attachment>,
    pub(super) properties: BugProperties,
}

/// A decision of the user that a result is no fault.
#[derive(Serialize)]
pub(super) struct Suppression {
    pub(super) kind: &'static str,
    pub(super) justification: String,
}

#[derive(Serialize)]
pub(super) struct BugProperties {
    pub(super) kind: String,
    pub(super) test: String,
    pub(super) details: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) class: Option<&'static str>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Text>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: Artifact,
    /// Absent for a whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_column: Option<u32>,
}

#[derive(Clone, Serialize)]
pub(super) struct LogicalLocation {
    pub(super) name: String,
    pub(super) kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow {
    pub(super) message: Text,
    pub(super) thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
pub(super) struct ThreadFlow {
    pub(super) locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FlowLocation {
    pub(super) location: Location,
    pub(super) nesting_level: usize,
}

#[derive(Serialize)]
pub(super) struct Stack {
    pub(super) message: Text,
    pub(super) frames: Vec<Frame>,
}

#[derive(Serialize)]
pub(super) struct Frame {
    pub(super) location: Location,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) parameters: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attachment {
    pub(super) description: Text,
    pub(super) artifact_location: Artifact,
}
