//! Triage at both ends of a command: the baseline is readable, and the bugs decide the status.

use super::status::UsageError;
use homi_app::triage::{Triage, read_baseline};
use homi_config::TriageConfig;
use homi_report::ErrorSummary;
use std::path::PathBuf;
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
    // Faults that only native programs show have no triage yet, and a sweep has no baseline.
    let is_open = |error: &ErrorSummary| error.triage.is_none();
    let open = errors.iter().filter(|error| is_open(error));
    let places = open.filter_map(|error| error.location.rsplit_once(':'));
    let sources = places.map(|(file, _)| PathBuf::from(file)).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let triage = Triage::new(config, &sources, now.map_or(0, |elapsed| elapsed.as_secs()))?;
    for error in errors.iter_mut().filter(|error| is_open(error)) {
        triage.classify(std::slice::from_mut(error));
    }
    if let (Some(file), Some(count)) = (&config.baseline, triage.write(errors)?) {
        let bugs = if count == 1 { "bug" } else { "bugs" };
        eprintln!("homi: {} lists {count} {bugs}", file.display());
    }
    Ok(errors.iter().any(|error| triage.fails(error)))
}
