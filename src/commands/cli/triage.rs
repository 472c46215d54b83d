//! Triage at both ends of a command: the baseline is readable, and the bugs decide the status.

use super::status::UsageError;
use homi_app::triage::{Triage, read_baseline};
use homi_config::TriageConfig;
use homi_report::ErrorSummary;
use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// Refuses options that cannot be followed once the run is over.
pub(super) fn check(config: &TriageConfig) -> Result<(), UsageError> {
    if config.write_baseline && config.baseline.is_none() {
        let text = "--write-baseline needs the file to write: --baseline FILE";
        return Err(UsageError(text.to_string()));
    }
    match read_baseline(config) {
        Ok(_) => Ok(()),
        Err(error) => Err(UsageError(error.to_string())),
    }
}

/// Writes the baseline if the options ask for it; true if a bug makes the command fail.
pub(super) fn conclude(config: &TriageConfig, errors: &mut [ErrorSummary]) -> anyhow::Result<bool> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |elapsed| elapsed.as_secs());
    let triage = Triage::new(config, &BTreeSet::new(), now)?;
    let unclassified: Vec<usize> = (0..errors.len())
        .filter(|index| errors[*index].triage.is_none())
        .collect();
    for index in unclassified {
        triage.classify(&mut errors[index..=index]);
    }
    if let (Some(file), Some(count)) = (&config.baseline, triage.write(errors)?) {
        let bugs = if count == 1 { "bug" } else { "bugs" };
        eprintln!("homi: {} lists {count} {bugs}", file.display());
    }
    Ok(errors.iter().any(|error| triage.fails(error)))
}
