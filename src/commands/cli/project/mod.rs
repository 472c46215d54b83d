//! `homi.toml`: the options of a project, so that its commands need no arguments.
//!
//! Invariant: what is typed is stronger than a job, a job than `[run]`. A key is the long name of
//! an option; an unknown key is an error that names the nearest one. Paths are relative to the
//! directory of the file.

mod command;
mod files;
mod ignore;
mod line;
mod schema;
mod sections;

pub(super) use command::complete_command;
pub(super) use schema::project_schema;

use homi_config::IgnoreRule;
use line::Line;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Name of the file.
pub(super) const FILE: &str = "homi.toml";

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
    let text = text(&file)?;
    let line = Line::new(typed, taker);
    sections::read(&file, &text, &line, asked.job.as_deref()).map_err(|error| error.to_string())
}

fn text(file: &Path) -> Result<String, String> {
    let failed = |source| format!("cannot read {}: {source}", file.display());
    std::fs::read_to_string(file).map_err(failed)
}

/// Returns the line of a command that reads no `homi.toml`.
pub(super) fn without(typed: Vec<OsString>) -> Result<Project, String> {
    match Asked::of(&typed).job {
        Some(job) => Err(format!(
            "--job {job}: only homi run and homi test have jobs"
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
