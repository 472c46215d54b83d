//! Sections for commands whose options clap declares: `[keep]`, `[sweep]`.
//!
//! Invariant: a key is the long name of an option of the command, as on its command line.

use super::files::files;
use super::ignore::ignore_rules;
use super::sections::{BUILD_KEYS, check_keys, check_whole, option};
use super::{Asked, Project, Taker, find, text};
use crate::bench::StudyError;
use crate::bench::source::{Section, Source};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use homi_app::options::test_rows;
use std::ffi::OsString;
use std::path::Path;

/// Names of values that are paths.
const PATHS: [&str; 3] = ["FILE", "DIR", "PROGRAM"];
/// Options that no section holds.
const OWN: [&str; 2] = ["no-config", "help"];
/// Id of the files, which `[build]` holds.
const FILES: &str = "files";

/// Adds the options of the project's `homi.toml` to the typed words of a command. A line that clap
/// refuses stays as it is.
///
/// # Errors
/// Returns why the file is wrong.
pub(in super::super) fn complete_command(
    typed: Vec<OsString>,
    command: Command,
) -> Result<Project, String> {
    let found = (!Asked::of(&typed).no_config)
        .then(|| find(Path::new(".")))
        .flatten();
    let matches = command.clone().no_binary_name(true);
    let matches = matches.try_get_matches_from(&typed);
    let (Some(file), Ok(matches)) = (found, matches) else {
        return Ok(Project::of(typed));
    };
    let text = text(&file)?;
    read(&file, &text, &typed, &command, &matches).map_err(|error| error.to_string())
}

fn read(
    file: &Path,
    text: &str,
    typed: &[OsString],
    command: &Command,
    matches: &ArgMatches,
) -> Result<Project, StudyError> {
    let source = Source { file, text };
    let table = source.parse()?;
    let whole = source.whole(&table);
    check_whole(&whole)?;
    let directory = file.parent().unwrap_or(Path::new(""));
    let end = typed.iter().position(|word| word == "--");
    let (own, others) = typed.split_at(end.unwrap_or(typed.len()));
    let mut line = Vec::new();
    if let Some(section) = whole.section(command.get_name())? {
        let options = || command.get_arguments().filter(|one| is_key(one));
        let known: Vec<&str> = options().filter_map(Arg::get_long).collect();
        section.only(&known)?;
        for one in options().filter(|one| !is_typed(matches, one.get_id().as_str())) {
            line.extend(words(&section, one, directory)?);
        }
    }
    line.extend(own.iter().cloned());
    let takes_files = command.get_arguments().any(|one| one.get_id() == FILES);
    if takes_files
        && !is_typed(matches, FILES)
        && let Some(build) = whole.section("build")?
    {
        check_keys(&build, &BUILD_KEYS)?;
        line.extend(files(&build, Taker::Test, directory)?);
        line.push("--".into());
        for row in test_rows().iter().filter(|row| build.has(row.long)) {
            line.extend(option(&build, row, directory)?);
        }
        line.extend(others.iter().skip(1).cloned());
    } else {
        line.extend(others.iter().cloned());
    }
    Ok(Project {
        note: Some(format!("options from {}", file.display())),
        line,
        ignores: ignore_rules(&whole)?,
    })
}

/// True if a section may have the option.
pub(super) fn is_key(one: &Arg) -> bool {
    one.get_long().is_some_and(|long| !OWN.contains(&long))
}

fn is_typed(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Returns an option of a section as the user would type it.
fn words(
    section: &Section<'_, '_>,
    one: &Arg,
    directory: &Path,
) -> Result<Vec<OsString>, StudyError> {
    let long = one.get_long().unwrap_or_default();
    let name = OsString::from(format!("--{long}"));
    if matches!(one.get_action(), ArgAction::SetTrue) {
        let is_on = section.flag(long)? == Some(true);
        return Ok(is_on.then_some(name).into_iter().collect());
    }
    let names = one.get_value_names().unwrap_or_default();
    let is_path = names.iter().any(|name| PATHS.contains(&name.as_str()));
    let with_value = |value: String| {
        let mut word = name.clone();
        word.push("=");
        word.push(if is_path {
            directory.join(value).into_os_string()
        } else {
            value.into()
        });
        word
    };
    let values = section.literals(long)?;
    Ok(values.into_iter().map(with_value).collect())
}
