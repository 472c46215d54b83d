//! `--resume DIR`: options that are not given again keep their values of the first session.
//!
//! Invariant: resuming only adds arguments to the command line before it is parsed. Each option
//! keeps its one meaning, and `campaign::store` decides whether the two sessions fit together.

use super::error::OptionError;
use super::line::{RunLine, option_name, sort};
use super::row::{Paths, Row, Scope};
use super::table::rows;
use homi_config::CommandLine;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the directory that a command line resumes: the value of the last `--resume`. `None` if
/// it asks for help.
pub fn resumed_directory(line: &RunLine) -> Option<PathBuf> {
    let asks_for_help = |option: &Vec<OsString>| ["--help", "-h"].contains(&&*option_name(option));
    if line.options.iter().any(asks_for_help) {
        return None;
    }
    let mut options = line.options.iter().rev();
    let option = options.find(|option| option_name(option) == "--resume")?;
    value(option).map(PathBuf::from)
}

/// Adds to `typed` the options of the campaign's first session that it lacks.
///
/// # Errors
/// Arguments of the first session that are not a command line.
pub fn complete(typed: RunLine, first: CommandLine) -> Result<RunLine, OptionError> {
    let arguments = first.arguments.into_iter().map(OsString::from);
    let mut line = sort(arguments.collect())?;
    let there = Path::new(&first.directory);
    if std::env::current_dir().is_ok_and(|here| here != there) {
        line.move_paths(there);
    }
    Ok(merge(typed, line))
}

/// Returns the command line that later sessions resume; `None` if an argument or the current
/// directory is not UTF-8.
pub fn kept(line: &RunLine) -> Option<CommandLine> {
    let arguments = line.all_arguments().into_iter();
    let directory = std::env::current_dir().ok()?;
    Some(CommandLine {
        arguments: arguments
            .map(|argument| argument.into_string().ok())
            .collect::<Option<_>>()?,
        directory: directory.to_str()?.to_string(),
    })
}

/// Returns the value after an option's name or its `=`.
fn value(option: &[OsString]) -> Option<OsString> {
    match option {
        [_, value] => Some(value.clone()),
        [argument] => argument
            .to_str()?
            .split_once('=')
            .map(|argument| argument.1.into()),
        _ => None,
    }
}

/// The row of an option as it was typed.
fn row_of<'r>(rows: &'r [Row], option: &[OsString]) -> Option<&'r Row> {
    let name = option_name(option);
    rows.iter()
        .find(|row| row.spellings().any(|spelling| spelling == name))
}

/// Returns a path relative to `there` as seen from the current directory.
fn moved(paths: Paths, value: &OsString, there: &Path) -> Option<OsString> {
    match paths {
        Paths::None => None,
        Paths::Whole => Some(there.join(value).into_os_string()),
        Paths::After(prefix) => {
            let path = value.to_str()?.strip_prefix(prefix)?;
            let mut moved = OsString::from(prefix);
            moved.push(there.join(path));
            Some(moved)
        }
    }
}

/// Option for the directory of the program's files; the default is the current directory.
const FILES_DIRECTORY: &str = "--run-in-dir";

impl RunLine {
    /// Makes paths relative to `there` absolute. The directory whose files the program sees is one
    /// of them, said or not.
    fn move_paths(&mut self, there: &Path) {
        let rows = rows();
        for file in &mut self.files {
            *file = there.join(&file).into();
        }
        for option in &mut self.options {
            let paths = row_of(&rows, option).map_or(Paths::None, |row| row.paths);
            let value = value(option).unwrap_or_default();
            if let Some(moved) = moved(paths, &value, there) {
                *option = vec![option_name(option).into(), moved];
            }
        }
        let is_files_directory = |option: &Vec<OsString>| option_name(option) == FILES_DIRECTORY;
        if !self.options.iter().any(is_files_directory) {
            let option = vec![FILES_DIRECTORY.into(), there.as_os_str().into()];
            self.options.push(option);
        }
    }
}

/// Merges two lines; given options, files and arguments take precedence over the first session's.
fn merge(typed: RunLine, mut first: RunLine) -> RunLine {
    let rows = rows();
    let given: Vec<&Row> = typed
        .options
        .iter()
        .filter_map(|option| row_of(&rows, option))
        .collect();
    let replaced = |row: &Row| {
        given.iter().any(|given| {
            given.long == row.long || (given.group.is_some() && given.group == row.group)
        })
    };
    first.options.retain(|option| {
        row_of(&rows, option).is_none_or(|row| row.scope != Scope::Session && !replaced(row))
    });
    first.options.extend(typed.options);
    if !typed.files.is_empty() {
        first.files = typed.files;
    }
    if !typed.arguments.is_empty() {
        first.arguments = typed.arguments;
    }
    first.warnings = typed.warnings;
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> RunLine {
        sort(text.split(' ').map(OsString::from).collect()).unwrap()
    }

    fn shown(line: &RunLine) -> String {
        let arguments = line.all_arguments().join(&OsString::from(" "));
        arguments.into_string().unwrap()
    }

    #[test]
    fn what_is_not_typed_again_is_as_it_was() {
        let first =
            "--seed 3 --prune homi --max-time=1h --output-dir out -q --seed-dir x a.bc -- -n";
        for (typed, expected) in [
            (
                "--resume out",
                "--seed 3 --prune homi --max-time=1h --resume out a.bc -- -n",
            ),
            (
                "--resume=out --max-time 2h",
                "--seed 3 --prune homi --resume=out --max-time 2h a.bc -- -n",
            ),
            (
                "--resume out --restart divide --seed=4 b.bc -- --sym-arg 1",
                "--max-time=1h --resume out --restart divide --seed=4 b.bc -- --sym-arg 1",
            ),
        ] {
            let merged = merge(line(typed), line(first));
            assert_eq!(shown(&merged), expected, "{typed}");
        }
    }

    #[test]
    fn paths_of_a_session_elsewhere_are_those_of_there() {
        let mut moved =
            line("--env-file=e --run-in-dir /d --coverage gcov=./x --search dfs a.bc /b.bc -- c");
        moved.move_paths(Path::new("/there"));
        assert_eq!(
            shown(&moved),
            "--env-file /there/e --run-in-dir /d --coverage gcov=/there/./x --search dfs /there/a.bc /b.bc -- c"
        );
        let mut moved = line("--coverage=engine --run-in-dir=d a.bc");
        moved.move_paths(Path::new("/there"));
        assert_eq!(
            shown(&moved),
            "--coverage=engine --run-in-dir /there/d /there/a.bc --"
        );
        let mut moved = line("a.bc");
        moved.move_paths(Path::new("/there"));
        assert_eq!(shown(&moved), "--run-in-dir /there /there/a.bc --");
    }

    #[test]
    fn the_directory_is_found_in_either_spelling() {
        assert_eq!(
            resumed_directory(&line("--resume d a.bc")),
            Some("d".into())
        );
        assert_eq!(
            resumed_directory(&line("--resume=d a.bc")),
            Some("d".into())
        );
        assert_eq!(resumed_directory(&line("a.bc -- --resume d")), None);
    }
}
