//! SARIF 2.1.0: the bugs of a run, for code scanning and editors.
//!
//! Invariant: one result per bug of the run, in the order of finding; equal runs write equal files
//! except for the directories' names. A divergence is no fault of the program, so it is a
//! notification and not a result.

mod bug;
mod merged;
mod model;

pub use merged::{SarifBug, sarif};

use super::row::{ExporterRow, Occasion};
use super::uri;
use bug::{SourceUris, result, rule_id, rules, taxa};
use homi_report::{BugFound, Divergence, Event, Finished, Level, Listener, OutputFailure, Started};
use model::{
    Artifact, CWE, ComponentReference, Descriptor, Driver, Invocation, ListedArtifact, Location,
    Log, Notification, PhysicalLocation, Rule, Run, RunProperties, Taxonomy, Text, Tool,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

pub(super) const ROW: ExporterRow = ExporterRow {
    name: "sarif",
    help: "bugs as SARIF 2.1.0, for code scanning: location, stack, test, fingerprint",
    output: "homi.sarif",
    occasions: &[Occasion::Run],
    needs_gcov: false,
    on_failure: OutputFailure::FailsRun,
    make: |place| {
        Box::new(Sarif {
            file: place.join(ROW.output),
            started: None,
            bugs: Vec::new(),
            warnings: Vec::new(),
        })
    },
};

/// The directory that homi ran in, which names of source files begin at.
const SOURCES: &str = "%SRCROOT%";
/// The output directory.
const TESTS: &str = "TESTS";

/// Collects bugs, and writes them when the run is over.
struct Sarif {
    file: PathBuf,
    started: Option<Started>,
    bugs: Vec<BugFound>,
    warnings: Vec<String>,
}

fn rule_of(bug: &BugFound, rules: &[Rule]) -> usize {
    let id = rule_id(bug);
    let rule = rules.iter().position(|rule| rule.id == id);
    rule.unwrap_or_default()
}

/// The unit of columns.
const COLUMNS: &str = "utf16CodeUnits";

fn tool(rules: Vec<Rule>) -> Tool {
    let version = env!("CARGO_PKG_VERSION");
    Tool {
        driver: Driver {
            name: "homi",
            version,
            semantic_version: version,
            short_description: text("Symbolic execution of C programs"),
            rules,
            supported_taxonomies: vec![ComponentReference { name: CWE }],
        },
    }
}

fn taxonomy(bugs: &[BugFound]) -> Taxonomy {
    Taxonomy {
        name: CWE,
        organization: "MITRE",
        information_uri: "https://cwe.mitre.org",
        short_description: text("Common Weakness Enumeration"),
        is_comprehensive: false,
        taxa: taxa(bugs),
    }
}

fn base_ids(sources: &str, tests: &str) -> BTreeMap<&'static str, Artifact> {
    BTreeMap::from([(SOURCES, base(sources)), (TESTS, base(tests))])
}

fn log_of(run: Run) -> Log {
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: vec![run],
    }
}

impl Listener for Sarif {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started(started) => self.started = Some(started.clone()),
            Event::BugFound(bug) => self.bugs.push(bug.clone()),
            Event::Message(message) if message.level == Level::Warning => {
                self.warnings.push(message.text.clone());
            }
            Event::Finished(finished) => {
                if let Some(started) = &self.started {
                    let text = serde_json::to_string_pretty(&self.log(started, finished))?;
                    return std::fs::write(&self.file, text + "\n");
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Sarif {
    fn log(&self, started: &Started, finished: &Finished) -> Log {
        let places = SourceUris {
            working_directory: Path::new(&started.working_directory),
        };
        let rules = rules(&self.bugs);
        let results = self.bugs.iter().map(|bug| {
            let mut errors = finished.summary.errors.iter();
            let same = errors.find(|error| error.fingerprint == bug.fingerprint);
            let triage = same.and_then(|error| error.triage.as_ref());
            result(bug, rule_of(bug, &rules), triage, &places)
        });
        let results: Vec<_> = results.collect();
        log_of(Run {
            tool: tool(rules),
            taxonomies: vec![taxonomy(&self.bugs)],
            invocations: vec![self.invocation(started, finished)],
            original_uri_base_ids: base_ids(&started.working_directory, &started.directory),
            artifacts: self.artifacts(&places),
            results,
            column_kind: COLUMNS,
            properties: Some(run_properties(finished)),
        })
    }

    fn invocation(&self, started: &Started, finished: &Finished) -> Invocation {
        let warnings = self.warnings.iter().map(|warning| Notification {
            level: "warning",
            message: text(warning),
            descriptor: None,
            locations: Vec::new(),
        });
        let outcomes = finished.summary.outcomes.iter();
        let divergences = outcomes.flat_map(|outcomes| &outcomes.divergences);
        Invocation {
            command_line: started.command.clone(),
            execution_successful: finished.summary.stop_reason != "write-failed",
            working_directory: base(&started.working_directory),
            tool_execution_notifications: warnings.chain(divergences.map(divergence)).collect(),
        }
    }

    /// The source files in which bugs are, and the tests that show them.
    fn artifacts(&self, places: &SourceUris<'_>) -> Vec<ListedArtifact> {
        let sources: BTreeSet<Artifact> = self
            .bugs
            .iter()
            .filter_map(|bug| Some(places.artifact(&bug.place.as_ref()?.file)))
            .collect();
        let sources = sources.into_iter().map(|location| ListedArtifact {
            location,
            roles: vec!["resultFile"],
        });
        let tests = self.bugs.iter().filter(|bug| !bug.test.is_empty());
        let tests = tests.map(|bug| ListedArtifact {
            location: test_file(&bug.test),
            roles: vec!["attachment"],
        });
        sources.chain(tests).collect()
    }
}

/// Notification about a test on which the native program does something else than homi predicts.
fn divergence(divergence: &Divergence) -> Notification {
    Notification {
        level: "warning",
        message: text(format!("{}: {divergence}", divergence.test)),
        descriptor: Some(Descriptor { id: "divergence" }),
        locations: vec![Location {
            physical_location: Some(PhysicalLocation {
                artifact_location: test_file(&divergence.test),
                region: None,
            }),
            logical_locations: Vec::new(),
            message: None,
        }],
    }
}

fn run_properties(finished: &Finished) -> RunProperties {
    let summary = &finished.summary;
    RunProperties {
        stop_reason: summary.stop_reason.clone(),
        stopped: finished.stopped.clone(),
        tests: summary.tests,
        branches: summary.coverage.branches,
        branches_total: summary.coverage.branches_total,
    }
}

/// The file of a test.
fn test_file(test: &str) -> Artifact {
    Artifact {
        uri: format!("{test}.ktest"),
        uri_base_id: Some(TESTS),
    }
}

fn base(directory: &str) -> Artifact {
    Artifact {
        uri: uri::directory(Path::new(directory)),
        uri_base_id: None,
    }
}

fn text(text: impl Into<String>) -> Text {
    Text { text: text.into() }
}
