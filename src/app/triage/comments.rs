//! Suppressions in comments of the source: `/* homi: ignore ptr -- lex() checks the index */`.
//!
//! Invariant: a comment without a reason suppresses nothing.

use std::path::{Path, PathBuf};

/// Text that begins a suppression.
const MARK: &str = "homi: ignore ";
/// Text between the kinds and the reason.
const REASON: &str = "--";

/// A suppression at a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Comment {
    pub(super) file: PathBuf,
    pub(super) line: u32,
    /// Kinds or weaknesses.
    pub(super) kinds: Vec<String>,
    /// Empty if the comment has none.
    pub(super) reason: String,
}

impl Comment {
    /// True if the comment stands at a line or before it.
    pub(super) fn is_at(&self, file: &Path, line: u32) -> bool {
        self.file == file && (self.line == line || self.line + 1 == line)
    }
}

/// Returns the suppressions of a file; none if the file cannot be read.
pub(super) fn comments(file: &Path) -> Vec<Comment> {
    let bytes = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines = (1..).zip(text.lines());
    lines
        .filter_map(|(line, text)| {
            let (kinds, reason) = suppression(text)?;
            Some(Comment {
                file: file.to_path_buf(),
                line,
                kinds,
                reason,
            })
        })
        .collect()
}

/// Returns the kinds and the reason of the suppression in a line.
fn suppression(line: &str) -> Option<(Vec<String>, String)> {
    let start = line.find("/*").into_iter().chain(line.find("//")).min()?;
    let (before, rest) = line[start..].split_once(MARK)?;
    if !before[2..].trim().is_empty() {
        return None;
    }
    let rest = rest.split("*/").next().unwrap_or_default();
    let (kinds, reason) = rest.split_once(REASON).unwrap_or((rest, ""));
    let kinds = kinds.split([',', ' ']).filter(|kind| !kind.is_empty());
    Some((
        kinds.map(str::to_string).collect(),
        reason.trim().to_string(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suppression_has_kinds_and_a_reason() {
        let read = |line: &str| suppression(line).map(|(kinds, why)| (kinds.join("+"), why));
        let of = |kinds: &str, why: &str| Some((kinds.to_string(), why.to_string()));
        let line = "  x = a[i]; /* homi: ignore ptr -- lex() checks it */ y = 1;";
        assert_eq!(read(line), of("ptr", "lex() checks it"));
        assert_eq!(read("// homi: ignore div, ptr -- no"), of("div+ptr", "no"));
        assert_eq!(read("//homi: ignore div"), of("div", ""));
        assert_eq!(read("x = 1; // as homi: ignore div -- a"), None);
        assert_eq!(read("\"homi: ignore div -- a\""), None);
    }
}
