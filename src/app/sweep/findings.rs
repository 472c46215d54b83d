//! One SARIF file with the bugs of all functions.

use super::class::{BugClass, ClassifiedBug};
use homi_output::export::{SarifBug, sarif};
use homi_report::BugFound;
use std::path::Path;

/// Writes the bugs that a caller may reach. What needs values that no caller is shown to pass is a
/// note; what is ruled out is left out.
///
/// # Errors
/// Returns why the file cannot be written.
pub fn write_sarif(file: &Path, command: &str, bugs: &[ClassifiedBug<'_>]) -> std::io::Result<()> {
    let directory = file.parent().unwrap_or(Path::new("."));
    let reached = bugs.iter().filter(|bug| bug.class != BugClass::RuledOut);
    let bugs: Vec<SarifBug> = reached.filter_map(finding).collect();
    std::fs::write(file, sarif(command, directory, &bugs)?)
}

fn finding(bug: &ClassifiedBug<'_>) -> Option<SarifBug> {
    let mut all = bug.explored.found.iter();
    let found = all.find(|found| found.fingerprint == bug.error.fingerprint)?;
    let severity = if bug.class.fails() {
        found.severity.clone()
    } else {
        "note".to_string()
    };
    Some(SarifBug {
        bug: BugFound {
            severity,
            ..found.clone()
        },
        triage: bug.error.triage.clone(),
        class: bug.class.name(),
    })
}
