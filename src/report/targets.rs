//! Lines that a run was to reach, in `summary.json` and among the last lines of a run.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Lines that were not reached which are listed; `summary.json` has all.
const LISTED: usize = 20;

/// A line that a run was to reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TargetSummary {
    /// `file:line`, as it was named.
    pub line: String,
    pub reached: bool,
    /// What stood in the way; absent if it was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
}

/// The lines about targets among the last ones of a run; nothing if there are none.
pub fn target_lines(targets: &[TargetSummary]) -> String {
    if targets.is_empty() {
        return String::new();
    }
    let reached = targets.iter().filter(|target| target.reached).count();
    // Writing to a string cannot fail.
    let mut text = format!(
        "homi: done: target lines reached = {reached} of {}\n",
        targets.len()
    );
    let missed = || targets.iter().filter(|target| !target.reached);
    for target in missed().take(LISTED) {
        let why = target.obstacle.as_deref().unwrap_or("unknown");
        let _ = writeln!(text, "homi: done: not reached: {}: {why}", target.line);
    }
    match missed().count().saturating_sub(LISTED) {
        0 => {}
        more => {
            let _ = writeln!(
                text,
                "homi: done: not reached: {more} more (summary.json has all)"
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_reached_is_listed_with_its_reason() {
        assert_eq!(target_lines(&[]), "");
        let target = |line: &str, obstacle: Option<&str>| TargetSummary {
            line: line.to_string(),
            reached: obstacle.is_none(),
            obstacle: obstacle.map(str::to_string),
        };
        let mut targets = vec![target("a.c:3", None), target("a.c:9", Some("no code"))];
        let expected = "homi: done: target lines reached = 1 of 2\n\
            homi: done: not reached: a.c:9: no code\n";
        assert_eq!(target_lines(&targets), expected);
        targets.extend(vec![target("b.c:1", Some("x")); LISTED]);
        let text = target_lines(&targets);
        assert_eq!(text.lines().count(), 2 + LISTED);
        assert!(text.ends_with("1 more (summary.json has all)\n"), "{text}");
    }
}
