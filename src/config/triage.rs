//! Configuration of triage: which bugs make a command fail.

use super::weakness::Severity;
use std::path::PathBuf;

/// Bugs that make a command fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum FailOn {
    /// bugs that the baseline does not list
    New,
    /// all bugs
    Any,
    /// all bugs of severity error
    Error,
    /// all bugs of severity warning and error
    Warning,
}

impl FailOn {
    /// Returns the least severity that counts.
    pub fn least(self) -> Severity {
        match self {
            FailOn::New | FailOn::Any => Severity::Note,
            FailOn::Warning => Severity::Warning,
            FailOn::Error => Severity::Error,
        }
    }
}

/// A rule of `homi.toml` that suppresses bugs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct IgnoreRule {
    /// Innermost function; `*` stands for any characters.
    pub function: Option<String>,
    /// Kind or weakness.
    pub kind: Option<String>,
    pub fingerprint: Option<String>,
    pub reason: String,
    /// Last day of the rule, `2027-06-01`.
    pub until: Option<String>,
}

/// Configuration of triage.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TriageConfig {
    /// File of the bugs that are known.
    pub baseline: Option<PathBuf>,
    /// Write the bugs of the run to the baseline.
    pub write_baseline: bool,
    pub fail_on: Option<FailOn>,
    /// Rules of `homi.toml`.
    pub ignores: Vec<IgnoreRule>,
}

impl TriageConfig {
    /// Returns which bugs make the command fail: new ones if there is a baseline, else all.
    pub fn fail_on(&self) -> FailOn {
        let usual = match &self.baseline {
            Some(_) => FailOn::New,
            None => FailOn::Any,
        };
        self.fail_on.unwrap_or(usual)
    }
}
