//! Lines that a run is to reach.

use std::path::PathBuf;

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TargetLine {
    /// File as the user named it; the end of a path is enough.
    pub file: PathBuf,
    /// From 1.
    pub line: u32,
}

impl std::fmt::Display for TargetLine {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}", self.file.display(), self.line)
    }
}

/// Target lines of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetConfig {
    pub lines: Vec<TargetLine>,
    /// Number of lines that the user named; the others are changed lines, and those without code
    /// are skipped.
    pub named: usize,
    /// Lines that `git diff` shows against this revision are targets, too.
    pub changed_since: Option<String>,
    /// The run stops when every line that can be reached was reached.
    pub stop: bool,
}
