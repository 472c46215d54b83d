//! `homi.toml`: the options of a project, so that its commands need no arguments.
//!
//! Invariant: what is typed is stronger than a job, a job than `[run]`. A key is the long name of
//! an option; an unknown key is an error that names the nearest one. Paths are relative to the
//! directory of the file.

use crate::bench::StudyError;
use crate::bench::source::{Section, Source};
use homi_app::options::{Form, Paths, Row, rows, test_rows};
use homi_config::IgnoreRule;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Name of the file.
pub(super) const FILE: &str = "homi.toml";
/// Options that only this module reads.
const OWN: [&str; 2] = ["job", "no-config"];
/// Keys of `[build]` that are no options.
const BUILD_KEYS: [&str; 2] = ["files", "program"];
/// The key of `[run]` and jobs that is no option.
const ARGUMENTS: &str = "arguments";
/// Sections and keys of the whole file.
const SECTIONS: [&str; 5] = ["homi-version", "build", "run", "job", "ignore"];
const IGNORE_KEYS: [&str; 5] = ["function", "kind", "fingerprint", "reason", "until"];

/// Command that takes options from the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taker {
    Run,
    Test,
}

/// The options of a project for a command.
#[derive(Default)]
pub(super) struct Project {
    /// Note that names the file.
    pub(super) note: Option<String>,
    /// Arguments of the command.
    pub(super) line: Vec<OsString>,
    pub(super) ignores: Vec<IgnoreRule>,
}

impl Project {
    /// Returns a typed line without a file.
    pub(super) fn of(line: Vec<OsString>) -> Self {
        Self {
            line,
            ..Self::default()
        }
    }
}

/// Adds the options of the project's `homi.toml` to the arguments of a command, if there is one in
/// the working directory or above.
///
/// # Errors
/// Returns why the file or the line is wrong.
pub(super) fn complete(typed: Vec<OsString>, taker: Taker) -> Result<Project, String> {
    let asked = Asked::of(&typed);
    let found = (!asked.no_config).then(|| find(Path::new("."))).flatten();
    let Some(file) = found else {
        return match asked.job {
            Some(job) => Err(format!(
                "--job {job}: there is no {FILE} here or above; homi init makes one"
            )),
            None => Ok(Project::of(typed)),
        };
    };
    let failed = |source| format!("cannot read {}: {source}", file.display());
    let text = std::fs::read_to_string(&file).map_err(failed)?;
    let given = Given::new(typed, taker);
    read(&file, &text, &given, asked.job.as_deref()).map_err(|error| error.to_string())
}

/// Returns the line of a command that reads no `homi.toml`.
pub(super) fn without(typed: Vec<OsString>) -> Result<Project, String> {
    match Asked::of(&typed).job {
        Some(job) => Err(format!(
            "--job {job}: only homi run and homi test read {FILE}"
        )),
        None => Ok(Project::of(typed)),
    }
}

/// Returns the file in a directory or above.
fn find(start: &Path) -> Option<PathBuf> {
    if start.join(FILE).is_file() {
        return Some(PathBuf::from(FILE));
    }
    let above = start.canonicalize().ok()?;
    let directories = above.ancestors().skip(1);
    directories
        .map(|directory| directory.join(FILE))
        .find(|file| file.is_file())
}

/// The typed options about the file itself.
#[derive(Default)]
struct Asked {
    no_config: bool,
    job: Option<String>,
}

impl Asked {
    fn of(typed: &[OsString]) -> Self {
        let mut asked = Self::default();
        let mut words = typed.iter().map(|word| word.to_string_lossy());
        while let Some(word) = words.next() {
            match word.as_ref() {
                "--" => break,
                "--no-config" => asked.no_config = true,
                "--job" => asked.job = words.next().map(|name| name.into_owned()),
                _ => {
                    let name = word.strip_prefix("--job=").map(str::to_string);
                    asked.job = name.or(asked.job.take());
                }
            }
        }
        asked
    }
}

/// The typed line of a command.
struct Given {
    typed: Vec<OsString>,
    taker: Taker,
    rows: Vec<Row>,
}

impl Given {
    fn new(typed: Vec<OsString>, taker: Taker) -> Self {
        let rows = match taker {
            Taker::Run => rows(),
            Taker::Test => test_rows(),
        };
        Self { typed, taker, rows }
    }

    /// The typed words before the program's arguments.
    fn own(&self) -> &[OsString] {
        let end = self.typed.iter().position(|word| word == "--");
        &self.typed[..end.unwrap_or(self.typed.len())]
    }

    fn has_option(&self, row: &Row) -> bool {
        self.own().iter().any(|word| {
            let word = word.to_string_lossy();
            let short = row.short.map(|letter| format!("-{letter}"));
            let name = word.split('=').next().unwrap_or_default();
            name == format!("--{}", row.long) || short.is_some_and(|one| word.starts_with(&one))
        })
    }

    /// True if a file is typed: a word that is neither an option nor its value.
    fn has_files(&self) -> bool {
        let mut words = self.own().iter();
        while let Some(word) = words.next() {
            let word = word.to_string_lossy();
            if !word.starts_with('-') {
                return true;
            }
            let mut rows = self.rows.iter();
            let row = rows.find(|row| row.spellings().any(|one| one == word));
            if row.is_some_and(Row::takes_next_argument) {
                words.next();
            }
        }
        false
    }

    fn has_arguments(&self) -> bool {
        self.typed.iter().any(|word| word == "--")
    }
}

/// Returns the project of a file's text.
fn read(file: &Path, text: &str, given: &Given, job: Option<&str>) -> Result<Project, StudyError> {
    let source = Source { file, text };
    let table = source.parse()?;
    let whole = source.whole(&table);
    whole.only(&SECTIONS)?;
    check_version(&whole)?;
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
        ignores: (whole.tables("ignore")?.iter())
            .map(ignore_rule)
            .collect::<Result<_, _>>()?,
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
fn arguments(sections: &[Section<'_, '_>], given: &Given) -> Result<Vec<OsString>, StudyError> {
    let holder = sections.iter().find(|section| section.has(ARGUMENTS));
    let Some(section) = holder.filter(|_| !given.has_arguments()) else {
        return Ok(Vec::new());
    };
    let words = section.arguments(ARGUMENTS)?.unwrap_or_default();
    let words = words.into_iter().map(OsString::from);
    Ok(std::iter::once("--".into()).chain(words).collect())
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
fn check_keys(section: &Section<'_, '_>, others: &[&str]) -> Result<(), StudyError> {
    let rows = [rows(), test_rows()].concat();
    let names = rows.iter().map(|row| row.long);
    let known: Vec<&str> = names
        .chain(others.iter().copied())
        .filter(|name| !OWN.contains(name))
        .collect();
    section.only(&known)
}

/// Returns an option as the user would type it.
fn option(
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

/// Returns the files of a command that names none.
fn files(
    build: &Section<'_, '_>,
    taker: Taker,
    directory: &Path,
) -> Result<Vec<OsString>, StudyError> {
    let program = build.text("program")?;
    let listed = build.list("files")?;
    match (taker, program, listed) {
        (_, Some(program), _) => Ok(vec![directory.join(program).into()]),
        (Taker::Test, None, Some(patterns)) => {
            let mut found = Vec::new();
            for pattern in patterns {
                let matching = matching(directory, &pattern);
                if matching.is_empty() {
                    let text = format!("no file matches `{pattern}`");
                    return Err(build.wrong("files", &text));
                }
                found.extend(matching);
            }
            Ok(found)
        }
        _ => Ok(Vec::new()),
    }
}

/// Returns the files that a pattern names, in the order of their names; `*` stands for any
/// characters of the last part.
fn matching(directory: &Path, pattern: &str) -> Vec<OsString> {
    let whole = directory.join(pattern);
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    let Some((start, end)) = name.split_once('*') else {
        return whole
            .is_file()
            .then(|| whole.clone().into())
            .into_iter()
            .collect();
    };
    let place = whole.parent().unwrap_or(Path::new(""));
    let shown = if place.as_os_str().is_empty() {
        Path::new(".")
    } else {
        place
    };
    let entries = std::fs::read_dir(shown).into_iter().flatten().flatten();
    let mut found: Vec<OsString> = entries
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        })
        .map(|entry| place.join(entry.file_name()).into())
        .collect();
    found.sort();
    found
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
