//! The sections of `homi.toml` that hold options.

use super::Project;
use super::files::files;
use super::ignore::ignore_rules;
use super::line::Line;
use crate::bench::StudyError;
use crate::bench::source::{Section, Source};
use homi_app::options::{Form, Paths, Row, rows, test_rows};
use std::ffi::OsString;
use std::path::Path;

/// Options that no section holds.
const OWN: [&str; 3] = ["job", "no-config", "build-objects"];
/// Keys of `[build]` that are no options.
pub(super) const BUILD_KEYS: [&str; 2] = ["files", "program"];
/// The key of `[run]` and jobs that is no option.
const ARGUMENTS: &str = "arguments";
/// Sections and keys of the whole file.
const SECTIONS: [&str; 7] = [
    "homi-version",
    "build",
    "run",
    "job",
    "keep",
    "sweep",
    "ignore",
];

/// Returns the project of a file's text.
pub(super) fn read(
    file: &Path,
    text: &str,
    given: &Line,
    job: Option<&str>,
) -> Result<Project, StudyError> {
    let source = Source { file, text };
    let table = source.parse()?;
    let whole = source.whole(&table);
    check_whole(&whole)?;
    let build = whole.section("build")?;
    let sections = sections(&whole, build.as_ref(), job)?;
    let directory = file.parent().unwrap_or(Path::new(""));
    let mut line = Vec::new();
    for row in given.rows.iter().filter(|row| !given.has_option(row)) {
        if let Some(section) = sections.iter().find(|section| section.has(row.long)) {
            line.extend(option(section, row, directory)?);
        }
    }
    line.extend(given.own().iter().cloned());
    if !given.has_files() {
        if let Some(build) = &build {
            line.extend(files(build, given.taker, directory)?);
        }
        line.extend(arguments(&sections, given)?);
    }
    line.extend(given.typed[given.own().len()..].iter().cloned());
    Ok(Project {
        note: Some(format!("options from {}", file.display())),
        line,
        ignores: ignore_rules(&whole)?,
    })
}

/// Returns the sections with options, the strongest first: the job, `[run]`, `[build]`.
fn sections<'s, 't>(
    whole: &Section<'s, 't>,
    build: Option<&Section<'s, 't>>,
    job: Option<&str>,
) -> Result<Vec<Section<'s, 't>>, StudyError> {
    let jobs = match whole.section("job")? {
        Some(jobs) => jobs.sections()?,
        None => Vec::new(),
    };
    for (_, section) in &jobs {
        check_keys(section, &[ARGUMENTS])?;
    }
    let chosen = jobs.into_iter().find(|(name, _)| Some(*name) == job);
    if let (Some(job), None) = (job, &chosen) {
        return Err(whole.wrong("job", &format!("there is no [job.{job}]")));
    }
    let run = whole.section("run")?;
    if let Some(run) = &run {
        check_keys(run, &[ARGUMENTS])?;
    }
    if let Some(build) = build {
        check_keys(build, &BUILD_KEYS)?;
    }
    let chosen = chosen.map(|(_, section)| section);
    Ok(chosen
        .into_iter()
        .chain(run)
        .chain(build.cloned())
        .collect())
}

/// Returns the program's arguments for a line that has none.
fn arguments(sections: &[Section<'_, '_>], given: &Line) -> Result<Vec<OsString>, StudyError> {
    let holder = sections.iter().find(|section| section.has(ARGUMENTS));
    let Some(section) = holder.filter(|_| !given.has_arguments()) else {
        return Ok(Vec::new());
    };
    let words = section.arguments(ARGUMENTS)?.unwrap_or_default();
    let words = words.into_iter().map(OsString::from);
    Ok(std::iter::once("--".into()).chain(words).collect())
}

/// Refuses unknown sections, and a file that a newer homi is needed for.
pub(super) fn check_whole(whole: &Section<'_, '_>) -> Result<(), StudyError> {
    whole.only(&SECTIONS)?;
    check_version(whole)
}

/// Refuses a file that a newer homi is needed for.
fn check_version(whole: &Section<'_, '_>) -> Result<(), StudyError> {
    let Some(least) = whole.text("homi-version")? else {
        return Ok(());
    };
    let numbers = |text: &str| -> Option<Vec<u32>> {
        text.split('.').map(|part| part.parse().ok()).collect()
    };
    let own = env!("CARGO_PKG_VERSION");
    match (numbers(least), numbers(own)) {
        (None, _) => Err(whole.wrong("homi-version", "`homi-version` must be like \"0.1\"")),
        (Some(least_numbers), Some(own_numbers)) if least_numbers > own_numbers => {
            let text = format!("the project needs homi {least}, and this is homi {own}");
            Err(whole.wrong("homi-version", &text))
        }
        _ => Ok(()),
    }
}

/// Refuses keys that are neither options of `homi run` or `homi test` nor in `others`.
pub(super) fn check_keys(section: &Section<'_, '_>, others: &[&str]) -> Result<(), StudyError> {
    let rows = [rows(), test_rows()].concat();
    let names = rows.iter().map(|row| row.long);
    let known: Vec<&str> = names
        .filter(|name| is_option(name))
        .chain(others.iter().copied())
        .collect();
    section.only(&known)
}

/// True if a section may have an option of `homi run` or `homi test`.
pub(super) fn is_option(long: &str) -> bool {
    !OWN.contains(&long)
}

/// Returns an option as the user would type it.
pub(super) fn option(
    section: &Section<'_, '_>,
    row: &Row,
    directory: &Path,
) -> Result<Vec<OsString>, StudyError> {
    let name = format!("--{}", row.long);
    if row.form == Form::Flag && row.constant().is_none() {
        let is_on = section.flag(row.long)? == Some(true);
        return Ok(is_on.then(|| name.into()).into_iter().collect());
    }
    let values = section.literals(row.long)?;
    let with_value = |value: String| {
        let mut word = OsString::from(format!("{name}="));
        word.push(placed(row, &value, directory));
        word
    };
    Ok(values.into_iter().map(with_value).collect())
}

/// Returns a value whose path, if it is one, begins at the directory of the file.
fn placed(row: &Row, value: &str, directory: &Path) -> OsString {
    match row.paths {
        _ if row.long == "include-dir" => directory.join(value).into(),
        Paths::Whole => directory.join(value).into(),
        Paths::After(prefix) => match value.strip_prefix(prefix) {
            Some(path) => {
                let mut text = OsString::from(prefix);
                text.push(directory.join(path));
                text
            }
            None => value.into(),
        },
        Paths::None => value.into(),
    }
}
