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
    let removal = removed(&value, values);
    let values = values.join(", ");
    if value.is_empty() {
        return Some(format!("{name} needs a value; use one of {values}"));
    }
    let near = || {
        let near = removal.or_else(|| context(ContextKind::SuggestedValue))?;
        Some(format!("did you mean `{near}`?"))
    };
    let hint = replaced(name, &value).map(str::to_string).or_else(near);
    let hint = hint.map_or_else(String::new, |hint| format!(" ({hint})"));
    Some(format!(
        "{name} {value}: no such value; use one of {values}{hint}"
    ))
}

/// Returns the value that removes the value nearest to `no-NAME`, if it is near.
fn removed(value: &str, values: &[String]) -> Option<String> {
    let name = value.strip_prefix("no-")?;
    let likeness = |known: &&String| strsim::jaro(name, known);
    let nearest = values
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(&nearest) > LIKELY).then(|| format!("no-{nearest}"))
}

/// Likeness from which a name is likely the intended one, as clap has it.
const LIKELY: f64 = 0.7;

/// Returns the replacement for a value of another tool.
fn replaced(name: &str, value: &str) -> Option<&'static str> {
    let row = REPLACED.iter().find(|row| row.0 == name)?;
    row.1.contains(&value).then_some(row.2)
}
