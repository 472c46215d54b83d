//! The bugs of several runs in one file.

use super::bug::{SourceUris, result, rules};
use super::model::{Invocation, Run};
use super::{COLUMNS, Sarif, base, base_ids, log_of, rule_of, taxonomy, tool};
use homi_report::{BugFound, ErrorTriage};
use std::io;
use std::path::{Path, PathBuf};

/// A bug of one of several runs.
#[derive(Clone, Debug)]
pub struct SarifBug {
    pub bug: BugFound,
    pub triage: Option<ErrorTriage>,
    /// Class of the bug, as `homi sweep` has it.
    pub class: &'static str,
}

/// Returns the bugs of several runs in one file. The tests of a bug are named from `directory` on.
///
/// # Errors
/// Returns why a directory has no absolute path.
pub fn sarif(command: &str, directory: &Path, bugs: &[SarifBug]) -> io::Result<String> {
    let absolute =
        |path: &Path| Ok::<_, io::Error>(std::path::absolute(path)?.display().to_string());
    let own = Sarif {
        file: PathBuf::new(),
        started: None,
        bugs: bugs.iter().map(|one| one.bug.clone()).collect(),
        warnings: Vec::new(),
    };
    let rules = rules(&own.bugs);
    let working_directory = absolute(Path::new("."))?;
    let places = SourceUris {
        working_directory: Path::new(&working_directory),
    };
    let results = bugs.iter().map(|one| {
        let mut found = result(
            &one.bug,
            rule_of(&one.bug, &rules),
            one.triage.as_ref(),
            &places,
        );
        found.properties.class = Some(one.class);
        found
    });
    let (results, artifacts) = (results.collect(), own.artifacts(&places));
    let invocation = Invocation {
        command_line: command.to_string(),
        execution_successful: true,
        working_directory: base(&working_directory),
        tool_execution_notifications: Vec::new(),
    };
    let run = Run {
        tool: tool(rules),
        taxonomies: vec![taxonomy(&own.bugs)],
        invocations: vec![invocation],
        original_uri_base_ids: base_ids(&working_directory, &absolute(directory)?),
        artifacts,
        results,
        column_kind: COLUMNS,
        properties: None,
    };
    Ok(serde_json::to_string_pretty(&log_of(run))? + "\n")
}
