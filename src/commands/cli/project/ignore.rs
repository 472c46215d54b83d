//! `[[ignore]]`: suppressions of bugs.

use crate::bench::StudyError;
use crate::bench::source::Section;
use homi_config::IgnoreRule;

const IGNORE_KEYS: [&str; 5] = ["function", "kind", "fingerprint", "reason", "until"];

/// Returns the suppressions of a file.
pub(super) fn ignore_rules(whole: &Section<'_, '_>) -> Result<Vec<IgnoreRule>, StudyError> {
    whole.tables("ignore")?.iter().map(ignore_rule).collect()
}

fn ignore_rule(rule: &Section<'_, '_>) -> Result<IgnoreRule, StudyError> {
    rule.only(&IGNORE_KEYS)?;
    let text = |key: &str| Ok(rule.text(key)?.map(str::to_string));
    let reason = text("reason")?.filter(|reason: &String| !reason.trim().is_empty());
    let Some(reason) = reason else {
        return Err(rule.wrong("reason", "a rule of `ignore` needs a `reason`"));
    };
    let found = IgnoreRule {
        function: text("function")?,
        kind: text("kind")?,
        fingerprint: text("fingerprint")?,
        reason,
        until: text("until")?,
    };
    if found.function.is_none() && found.kind.is_none() && found.fingerprint.is_none() {
        let text = "a rule of `ignore` needs `function`, `kind` or `fingerprint`";
        return Err(rule.wrong("reason", text));
    }
    if found.until.as_ref().is_some_and(|day| !is_day(day)) {
        return Err(rule.wrong("until", "`until` must be a day such as \"2027-06-01\""));
    }
    Ok(found)
}

fn is_day(text: &str) -> bool {
    let form = |byte: (usize, u8)| match byte.0 {
        4 | 7 => byte.1 == b'-',
        _ => byte.1.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(form)
}
