//! First difference between the outputs of two programs.
//!
//! Idea: a person looks at the first byte that differs and at the line around it, as `cmp` and
//! `diff` show them; bytes, lines and columns count from 1.

use homi_report::described;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

described! {
    /// The first place at which two streams differ.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize)]
    pub struct StreamDifference {
        /// `output` or `error output`.
        pub stream: &'static str,
        /// Offset of the first difference in bytes.
        pub byte: usize,
        /// Line of the first difference, from 1.
        pub line: usize,
        /// Column of the first difference, from 1.
        pub column: usize,
        /// Text at the difference, from the beginning of the line if that is near; empty if the
        /// output ended.
        pub old: String,
        /// Text of the new version there.
        pub new: String,
        /// Size of the complete output in bytes.
        pub old_bytes: usize,
        /// Size of the new output in bytes.
        pub new_bytes: usize,
    }
}

/// Bytes before the first difference that are shown, and bytes from there on.
const BEFORE: usize = 32;
const AFTER: usize = 48;

impl StreamDifference {
    /// `None` if both are equal.
    pub(super) fn find(stream: &'static str, old: &[u8], new: &[u8]) -> Option<Self> {
        if old == new {
            return None;
        }
        let pairs = old.iter().zip(new);
        let at = pairs.take_while(|(one, other)| one == other).count();
        let common = &old[..at];
        let line_begin = common
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |newline| newline + 1);
        let from = line_begin.max(at.saturating_sub(BEFORE));
        Some(Self {
            stream,
            byte: at + 1,
            line: 1 + common.iter().filter(|byte| **byte == b'\n').count(),
            column: at - line_begin + 1,
            old: excerpt(old, from, at, line_begin),
            new: excerpt(new, from, at, line_begin),
            old_bytes: old.len(),
            new_bytes: new.len(),
        })
    }
}

/// The text from `from` to the end of the line in which `at` stands, cut if it is long.
fn excerpt(bytes: &[u8], from: usize, at: usize, line_begin: usize) -> String {
    if at >= bytes.len() {
        return String::new();
    }
    let rest = &bytes[at..];
    let line = rest.iter().position(|byte| *byte == b'\n');
    let end = line.map_or(rest.len(), |newline| newline + 1);
    let text = String::from_utf8_lossy(&bytes[from..at + end.min(AFTER)]);
    let before = if from > line_begin { "..." } else { "" };
    let after = if end > AFTER { "..." } else { "" };
    format!("{before}{text}{after}")
}

/// Returns the text of one version at the difference, for a message.
fn shown(text: &str) -> String {
    match text {
        "" => "ends there".to_string(),
        text => format!("{text:?}"),
    }
}

impl Display for StreamDifference {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "first at byte {}, line {}, column {}: old {}, new {}",
            self.byte,
            self.line,
            self.column,
            shown(&self.old),
            shown(&self.new)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(old: &str, new: &str) -> Option<(usize, usize, usize, String, String)> {
        StreamDifference::find("output", old.as_bytes(), new.as_bytes())
            .map(|one| (one.byte, one.line, one.column, one.old, one.new))
    }

    #[test]
    fn the_first_difference_has_the_numbers_of_cmp_and_editors() {
        let at = |byte, line, column, old: &str, new: &str| {
            Some((byte, line, column, old.to_string(), new.to_string()))
        };
        assert_eq!(found("a\nb\n", "a\nb\n"), None);
        assert_eq!(found("a\nbc\nd", "a\nbd\nd"), at(4, 2, 2, "bc\n", "bd\n"));
        assert_eq!(found("", "x"), at(1, 1, 1, "", "x"));
        assert_eq!(found("one\ntwo\n", "one\n"), at(5, 2, 1, "two\n", ""));
        assert_eq!(found("one", "one\n"), at(4, 1, 4, "", "one\n"));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = "x".repeat(200);
        let Some((byte, _, column, old, new)) = found(&format!("{line}a"), &format!("{line}b"))
        else {
            panic!("they differ");
        };
        assert_eq!((byte, column), (201, 201));
        assert_eq!(old, format!("...{}a", "x".repeat(BEFORE)));
        assert!(new.ends_with('b'), "{new}");
    }
}
