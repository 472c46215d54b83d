//! Errors about the value of an option, in one line: the option, the value, and what to use.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error;

/// Options with values of other tools, and homi's replacement.
const REPLACED: &[(&str, &[&str], &str)] = &[(
    "--libc",
    &["uclibc", "klee", "glibc"],
    "homi links its own C library by default; `homi klee` accepts KLEE's options",
)];

/// Returns the text for a wrong or missing value, or `None` for another error.
pub(super) fn wrong_value(error: &clap::Error) -> Option<String> {
    let context = |kind| error.get(kind).map(ContextValue::to_string);
    let option = context(ContextKind::InvalidArg)?;
    let end = option
        .find([' ', '=', '['])
        .filter(|_| !option.starts_with("--tuning"));
    let name = &option[..end.or(option.find(" <")).unwrap_or(option.len())];
    let value = context(ContextKind::InvalidValue).unwrap_or_default();
    if error.kind() == ErrorKind::ValueValidation {
        return Some(format!("{name} {value}: {}", error.source()?));
    }
    let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) else {
        return None;
    };
    if error.kind() != ErrorKind::InvalidValue || values.is_empty() {
        return None;
    }
    let values = values.join(", ");
    if value.is_empty() {
        return Some(format!("{name} needs a value; use one of {values}"));
    }
    let near = || {
        Some(format!(
            "did you mean `{}`?",
            context(ContextKind::SuggestedValue)?
        ))
    };
    let hint = replaced(name, &value).map(str::to_string).or_else(near);
    let hint = hint.map_or_else(String::new, |hint| format!(" ({hint})"));
    Some(format!(
        "{name} {value}: no such value; use one of {values}{hint}"
    ))
}

/// Returns the replacement for a value of another tool.
fn replaced(name: &str, value: &str) -> Option<&'static str> {
    let row = REPLACED.iter().find(|row| row.0 == name)?;
    row.1.contains(&value).then_some(row.2)
}
