//! Lines that a run was to reach, in `summary.json` and among the last lines of a run.

use super::statistics::statistics;
use std::fmt::Write;

/// Lines that were reached, and lines that were not, which are listed; `summary.json` has all.
const LISTED: usize = 20;

statistics! {
    /// A target line of a run.
    #[derive(Eq)]
    TargetSummary in "`summary.json`: `targets`" {
        /// Target as typed, `file:line`.
        line: String, Text, Own;
        /// True if a path reached the line.
        reached: bool, Boolean, Own;
        /// Name of the first test that reaches the line; absent if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        test: Option<String>, Text, Own;
        /// Branch that blocks the line; absent if the line was reached.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        blocking_branch: Option<String>, Text, Own;
    }
}

/// The lines about targets among the last ones of a run; nothing if there are none.
pub fn target_lines(targets: &[TargetSummary]) -> String {
    if targets.is_empty() {
        return String::new();
    }
    let (reached, missed): (Vec<_>, Vec<_>) = targets.iter().partition(|target| target.reached);
    // Writing to a string cannot fail.
    let mut text = format!(
        "homi: done: target lines reached = {} of {}\n",
        reached.len(),
        targets.len()
    );
    list(&mut text, "reached", &reached, |target| {
        target.test.as_deref().unwrap_or("by no test")
    });
    list(&mut text, "not reached", &missed, |target| {
        target.blocking_branch.as_deref().unwrap_or("unknown")
    });
    text
}

/// A line for each of the first targets.
fn list(
    text: &mut String,
    what: &str,
    targets: &[&TargetSummary],
    tell: impl Fn(&TargetSummary) -> &str,
) {
    for target in targets.iter().take(LISTED) {
        let _ = writeln!(
            text,
            "homi: done: {what}: {}: {}",
            target.line,
            tell(target)
        );
    }
    match targets.len().saturating_sub(LISTED) {
        0 => {}
        more => {
            let _ = writeln!(
                text,
                "homi: done: {what}: {more} more (summary.json has all)"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_reached_is_listed_with_its_reason() {
        assert_eq!(target_lines(&[]), "");
        let target = |line: &str, blocking_branch: Option<&str>| TargetSummary {
            line: line.to_string(),
            reached: blocking_branch.is_none(),
            test: blocking_branch.is_none().then(|| "test000001".to_string()),
            blocking_branch: blocking_branch.map(str::to_string),
        };
        let mut targets = vec![target("a.c:3", None), target("a.c:9", Some("no code"))];
        let expected = "homi: done: target lines reached = 1 of 2\n\
            homi: done: reached: a.c:3: test000001\n\
            homi: done: not reached: a.c:9: no code\n";
        assert_eq!(target_lines(&targets), expected);
        targets.extend(vec![target("b.c:1", Some("x")); LISTED]);
        let text = target_lines(&targets);
        assert_eq!(text.lines().count(), 3 + LISTED);
        assert!(text.ends_with("1 more (summary.json has all)\n"), "{text}");
    }
}
