//! Triage: which bugs are known, which are suppressed, and which make a command fail.
//!
//! Owns: the baseline, suppressions in comments and in `homi.toml`, the decision. Never: what is a
//! bug. Data come from the summary of a run.
//!
//! Invariant: a comment in the source is stronger than a rule of `homi.toml`. What suppresses a bug
//! has a reason.

mod baseline;
mod comments;

pub use baseline::{Baseline, BaselineError, KnownBug, baseline_schema};

use comments::{Comment, comments};
use homi_config::{FailOn, IgnoreRule, Severity, TriageConfig};
use homi_report::{ErrorSummary, ErrorTriage, utc_date};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The known bugs and the suppressions of a run.
pub struct Triage<'a> {
    config: &'a TriageConfig,
    baseline: Option<Baseline>,
    comments: Vec<Comment>,
    /// Today, `2026-11-30`.
    today: String,
}

impl<'a> Triage<'a> {
    /// Reads the baseline, and the comments of source files. `now` is in seconds since 1970.
    pub fn new(
        config: &'a TriageConfig,
        sources: &BTreeSet<PathBuf>,
        now: u64,
    ) -> Result<Self, BaselineError> {
        Ok(Self {
            config,
            baseline: read_baseline(config)?,
            comments: sources.iter().flat_map(|file| comments(file)).collect(),
            today: utc_date(now).chars().take(10).collect(),
        })
    }

    /// Adds to bugs what is known of them, and returns warnings about suppressions.
    pub fn classify(&self, errors: &mut [ErrorSummary]) -> Vec<String> {
        let mut used: BTreeSet<usize> = BTreeSet::new();
        let mut used_rules: BTreeSet<usize> = BTreeSet::new();
        for error in errors {
            let mut triage = ErrorTriage::default();
            if let Some(baseline) = &self.baseline {
                let known = baseline.knows(&error.fingerprint);
                triage.baseline = if known { "unchanged" } else { "new" }.to_string();
            }
            if let Some(index) = self.comment_of(error) {
                used.insert(index);
                triage.suppressed_in = "source".to_string();
                triage.reason.clone_from(&self.comments[index].reason);
            } else if let Some(index) = self.rule_of(error) {
                used_rules.insert(index);
                triage.suppressed_in = "config".to_string();
                triage.reason.clone_from(&self.config.ignores[index].reason);
            }
            error.triage = (triage != ErrorTriage::default()).then_some(triage);
        }
        self.warnings(&used, &used_rules)
    }

    /// Returns the comment that suppresses a bug.
    fn comment_of(&self, error: &ErrorSummary) -> Option<usize> {
        let (file, line) = error.location.rsplit_once(':')?;
        let line = line.parse().ok()?;
        self.comments.iter().position(|comment| {
            !comment.reason.is_empty()
                && comment.is_at(Path::new(file), line)
                && comment.kinds.iter().any(|kind| is_kind(error, kind))
        })
    }

    /// Returns the rule that suppresses a bug.
    fn rule_of(&self, error: &ErrorSummary) -> Option<usize> {
        let rules = &self.config.ignores;
        rules
            .iter()
            .position(|rule| !self.is_over(rule) && applies(rule, error))
    }

    fn is_over(&self, rule: &IgnoreRule) -> bool {
        rule.until.as_ref().is_some_and(|until| *until < self.today)
    }

    fn warnings(&self, used: &BTreeSet<usize>, used_rules: &BTreeSet<usize>) -> Vec<String> {
        let comments = self.comments.iter().enumerate();
        let comments = comments.filter(|(index, _)| !used.contains(index));
        let of_comments = comments.map(|(_, comment)| {
            let place = format!("{}:{}", comment.file.display(), comment.line);
            match comment.reason.as_str() {
                "" => format!(
                    "{place}: the suppression has no reason and is not heeded; write \
                     `homi: ignore KIND -- REASON`"
                ),
                _ => format!("{place}: the suppression hides no bug of this run; remove it"),
            }
        });
        let rules = self.config.ignores.iter().enumerate();
        let rules = rules.filter(|(index, _)| !used_rules.contains(index));
        let of_rules = rules.map(|(index, rule)| {
            let name = format!("homi.toml: `ignore` number {}", index + 1);
            match &rule.until {
                Some(until) if self.is_over(rule) => {
                    format!("{name} ended on {until}; fix the bug or give another day")
                }
                _ => format!("{name} hides no bug of this run; remove it"),
            }
        });
        of_comments.chain(of_rules).collect()
    }

    /// True if a bug makes the command fail.
    pub fn fails(&self, error: &ErrorSummary) -> bool {
        fails(self.config, error)
    }

    /// Writes the baseline of these bugs if the options ask for it. Suppressed bugs are not listed.
    /// Returns their number.
    pub fn write(&self, errors: &[ErrorSummary]) -> Result<Option<usize>, BaselineError> {
        let (Some(file), true) = (&self.config.baseline, self.config.write_baseline) else {
            return Ok(None);
        };
        let listed = errors.iter().filter(|error| !is_suppressed(error));
        let bugs: Vec<KnownBug> = listed
            .map(|error| KnownBug {
                fingerprint: error.fingerprint.clone(),
                kind: error.kind.clone(),
                message: error.message.clone(),
                location: error.location.clone(),
                function: error.function.clone(),
                since: self.today.clone(),
            })
            .collect();
        let count = bugs.len();
        let old = self.baseline.clone().unwrap_or_default();
        old.write(file, bugs)?;
        Ok(Some(count))
    }
}

/// Reads the baseline of a configuration, if it has one. A baseline that is to be written may be
/// absent.
pub fn read_baseline(config: &TriageConfig) -> Result<Option<Baseline>, BaselineError> {
    let Some(file) = &config.baseline else {
        return Ok(None);
    };
    if config.write_baseline && !file.exists() {
        return Ok(Some(Baseline::default()));
    }
    Baseline::read(file).map(Some)
}

/// True if a classified bug makes the command fail.
pub fn fails(config: &TriageConfig, error: &ErrorSummary) -> bool {
    if is_suppressed(error) || config.write_baseline {
        return false;
    }
    let triage = error.triage.as_ref();
    let is_known = triage.is_some_and(|triage| triage.baseline == "unchanged");
    match config.fail_on() {
        FailOn::New => !is_known,
        limit => severity(error) >= limit.least(),
    }
}

fn is_suppressed(error: &ErrorSummary) -> bool {
    let triage = error.triage.as_ref();
    triage.is_some_and(|triage| !triage.suppressed_in.is_empty())
}

fn severity(error: &ErrorSummary) -> Severity {
    let mut rows = Severity::ALL.iter();
    rows.find(|row| row.1 == error.severity)
        .map_or(Severity::Error, |row| row.0)
}

/// True if a word of a suppression names the kind or the weakness of a bug.
fn is_kind(error: &ErrorSummary, kind: &str) -> bool {
    kind == error.kind || kind == error.weakness || kind == "all"
}

fn applies(rule: &IgnoreRule, error: &ErrorSummary) -> bool {
    let function = rule.function.as_ref();
    let kind = rule.kind.as_ref();
    let fingerprint = rule.fingerprint.as_ref();
    function.is_none_or(|pattern| matches(pattern, &error.function))
        && kind.is_none_or(|kind| is_kind(error, kind))
        && fingerprint.is_none_or(|one| *one == error.fingerprint)
}

/// True if a name matches a pattern, in which `*` stands for any characters.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            let mut ends = (0..=name.len()).filter(|at| name.is_char_boundary(*at));
            ends.any(|at| matches(rest, &name[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(function: &str, location: &str) -> ErrorSummary {
        ErrorSummary {
            kind: "ptr".to_string(),
            weakness: "out-of-bounds-read".to_string(),
            severity: "error".to_string(),
            location: location.to_string(),
            function: function.to_string(),
            fingerprint: format!("{function}{location}"),
            ..ErrorSummary::default()
        }
    }

    fn rule(function: &str, until: Option<&str>) -> IgnoreRule {
        IgnoreRule {
            function: Some(function.to_string()),
            reason: "wraps on purpose".to_string(),
            until: until.map(str::to_string),
            ..IgnoreRule::default()
        }
    }

    #[test]
    fn comments_and_rules_suppress_and_unused_ones_are_named() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("a.c");
        let text = "/* homi: ignore ptr -- checked */\nx;\n/* homi: ignore ptr */\ny;\n";
        std::fs::write(&file, text).expect("writable");
        let at = |line: u32| format!("{}:{line}", file.display());
        let config = TriageConfig {
            ignores: vec![rule("old_*", None), rule("g", Some("2026-01-01"))],
            ..TriageConfig::default()
        };
        let sources = BTreeSet::from([file.clone()]);
        let triage = Triage::new(&config, &sources, 1_795_788_309).expect("no baseline");
        let mut errors = [
            error("f", &at(2)),
            error("f", &at(4)),
            error("old_f", &at(9)),
            error("g", &at(9)),
        ];
        let warnings = triage.classify(&mut errors);
        let fails: Vec<bool> = errors.iter().map(|error| triage.fails(error)).collect();
        assert_eq!(fails, [false, true, false, true]);
        assert!(warnings[0].contains("no reason") && warnings[1].contains("ended on 2026-01-01"));
        assert_eq!(warnings.len(), 2);
    }

    #[test]
    fn only_new_bugs_fail_beside_a_baseline() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut config = TriageConfig {
            baseline: Some(directory.path().join("b.json")),
            write_baseline: true,
            ..TriageConfig::default()
        };
        let mut errors = [error("f", "a.c:1"), error("g", "a.c:2")];
        let writes = Triage::new(&config, &BTreeSet::new(), 0).expect("absent is fine");
        writes.classify(&mut errors[..1]);
        writes.write(&errors[..1]).expect("writable");
        config.write_baseline = false;
        let reads = Triage::new(&config, &BTreeSet::new(), 0).expect("a baseline");
        reads.classify(&mut errors);
        assert!(!reads.fails(&errors[0]) && reads.fails(&errors[1]));
        config.fail_on = Some(FailOn::Error);
        assert!(fails(&config, &errors[0]));
    }

    #[test]
    fn patterns_match_whole_names() {
        assert!(matches("legacy_*", "legacy_f") && matches("*_test", "a_test"));
        assert!(matches("f", "f") && !matches("f", "fg") && !matches("a*b", "ac"));
    }
}
