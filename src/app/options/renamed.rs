//! Options and commands that had another name.
//!
//! Invariant: no present option or command has a former name of these tables.

use super::error::OptionError;
use std::ffi::{OsStr, OsString};

/// Former and present name of each renamed option.
const OPTIONS: [(&str, &str); 14] = [
    ("--ask", "--input-generator"),
    ("--check", "--self-check"),
    ("--first-input", "--initial-input"),
    ("--least-inputs", "--canonical-inputs"),
    ("--preempt", "--max-preemptions"),
    ("--probe-share", "--fuzz-ratio"),
    ("--shapes", "--input-layouts"),
    ("--share", "--share-executions"),
    ("--single-paths", "--concolic-ratio"),
    ("--tuning guard", "--tuning keep-unpruned-run"),
    (
        "--tuning tail-instructions",
        "--tuning completion-instructions",
    ),
    ("--user", "--uid"),
    ("--write-profile", "--write-callgrind"),
    ("--write-questions", "--write-queries"),
];

/// Former and present name of each renamed command.
const COMMANDS: [(&str, &str); 2] = [("unit", "job"), ("units", "jobs")];

/// Refuses an option, with its value, that has a former name.
pub(super) fn refuse_renamed_option(option: &[OsString]) -> Result<(), OptionError> {
    let typed = option.join(OsStr::new("="));
    let typed = typed.to_string_lossy();
    let constant = typed.strip_prefix("--tuning=");
    let name = constant.unwrap_or(&typed).split('=').next();
    let name = name.unwrap_or_default();
    match constant {
        Some(_) => refuse(&OPTIONS, &format!("--tuning {name}"), ""),
        None => refuse(&OPTIONS, name, ""),
    }
}

/// Refuses a command of `homi` that has a former name.
///
/// # Errors
/// Fails with the present name.
pub fn refuse_renamed_command(word: Option<&OsString>) -> Result<(), OptionError> {
    let word = word.map(|word| word.to_string_lossy()).unwrap_or_default();
    refuse(&COMMANDS, &word, "homi ")
}

fn refuse(table: &[(&str, &str)], name: &str, prefix: &str) -> Result<(), OptionError> {
    match table.iter().find(|(former, _)| *former == name) {
        Some((_, now)) => Err(OptionError(format!(
            "`{prefix}{name}` was renamed; use `{prefix}{now}`"
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::options::sort;

    #[test]
    fn former_names_are_refused_with_the_present_ones() {
        let refused = |line: &str| {
            let words = line.split(' ').map(OsString::from).collect();
            sort(words).map_err(|error| error.to_string())
        };
        for (line, now) in [
            ("--shapes off a.bc", "`--input-layouts`"),
            ("--probe-share=0 a.bc", "`--fuzz-ratio`"),
            ("a.bc --check -- x", "`--self-check`"),
            ("--tuning guard=true a.bc", "`--tuning keep-unpruned-run`"),
        ] {
            let error = refused(line).unwrap_err();
            assert!(error.contains(now), "{line}: {error}");
        }
        assert!(refused("a.bc -- --check").is_ok());
        let command = OsString::from("units");
        let error = refuse_renamed_command(Some(&command)).unwrap_err();
        assert!(error.to_string().contains("`homi jobs`"), "{error}");
        assert!(refuse_renamed_command(None).is_ok());
    }
}
