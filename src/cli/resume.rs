//! `--resume DIR`: what is not typed again is as the first session had it.
//!
//! Invariant: it only adds words to those that were typed, before they are parsed. So each option
//! keeps its one meaning, and whether the two sessions fit together is for `campaign::store` to
//! say.

use super::arguments::{self, RunLine, option_name};
use super::status::UsageError;
use crate::campaign;
use crate::config::CommandLine;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Options of one session only: where it writes, what it shows, seeds that are part of the campaign
/// by now.
const OWN_TO_A_SESSION: [&str; 7] = [
    "--output-dir",
    "--quiet",
    "-q",
    "--seed-file",
    "--seed-dir",
    "--seed-time",
    "--write-questions",
];

/// Options of which each replaces the other.
const ALTERNATIVES: [&str; 2] = ["--prune", "--restart"];

/// Options whose values are paths.
const PATHS: [&str; 3] = ["--run-in-dir", "--env-file", "--runtime-dir"];

/// What stands before the path of `--coverage`.
const GCOV: &str = "gcov=";

/// Adds to `typed` what the first session of the campaign that it resumes, if any, had besides.
/// Nothing where its data do not say.
pub(super) fn complete(typed: RunLine) -> Result<RunLine, UsageError> {
    let asks_for_help = |option: &Vec<OsString>| ["--help", "-h"].contains(&&*option_name(option));
    let Some(directory) = resumed(&typed) else {
        return Ok(typed);
    };
    if typed.options.iter().any(asks_for_help) {
        return Ok(typed);
    }
    let header = campaign::read_header(&directory);
    let header = header.map_err(|error| UsageError(error.to_string()))?;
    match header.session {
        Some(session) => Ok(merge(typed, first_line(session)?)),
        None => Ok(typed),
    }
}

/// What is kept of a command line for later sessions; none if a word or the current directory is no
/// UTF-8.
pub(super) fn kept(line: &RunLine) -> Option<CommandLine> {
    let words = line.words().into_iter();
    let directory = std::env::current_dir().ok()?;
    Some(CommandLine {
        words: words
            .map(|word| word.into_string().ok())
            .collect::<Option<_>>()?,
        directory: directory.to_str()?.to_string(),
    })
}

/// The value of the last `--resume`.
fn resumed(line: &RunLine) -> Option<PathBuf> {
    let mut options = line.options.iter().rev();
    let option = options.find(|option| option_name(option) == "--resume")?;
    value(option).map(PathBuf::from)
}

/// What stands after an option's name or its `=`.
fn value(option: &[OsString]) -> Option<OsString> {
    match option {
        [_, value] => Some(value.clone()),
        [word] => word.to_str()?.split_once('=').map(|word| word.1.into()),
        _ => None,
    }
}

/// The first session's command line as it would be typed here.
fn first_line(session: CommandLine) -> Result<RunLine, UsageError> {
    let words = session.words.into_iter().map(OsString::from);
    let mut line = arguments::sort(words.collect())?;
    let there = Path::new(&session.directory);
    if std::env::current_dir().is_ok_and(|here| here != there) {
        line.move_paths(there);
    }
    Ok(line)
}

impl RunLine {
    /// Makes paths relative to `there` absolute. The directory whose files the program sees is one
    /// of them, said or not.
    fn move_paths(&mut self, there: &Path) {
        for file in &mut self.files {
            *file = there.join(&file).into();
        }
        for option in &mut self.options {
            let name = option_name(option);
            let value = value(option).unwrap_or_default();
            let moved = if PATHS.contains(&name.as_str()) {
                there.join(value).into_os_string()
            } else if let Some(exe) = value.to_str().and_then(|value| value.strip_prefix(GCOV))
                && name == "--coverage"
            {
                let mut moved = OsString::from(GCOV);
                moved.push(there.join(exe));
                moved
            } else {
                continue;
            };
            *option = vec![name.into(), moved];
        }
        if !self
            .options
            .iter()
            .any(|option| option_name(option) == "--run-in-dir")
        {
            self.options
                .push(vec!["--run-in-dir".into(), there.as_os_str().into()]);
        }
    }
}

/// What is typed replaces what was there: all uses of an option, all files, all arguments.
fn merge(typed: RunLine, mut first: RunLine) -> RunLine {
    let mut settled: BTreeSet<String> = typed
        .options
        .iter()
        .map(|option| option_name(option))
        .collect();
    if ALTERNATIVES.iter().any(|name| settled.contains(*name)) {
        settled.extend(ALTERNATIVES.map(String::from));
    }
    first.options.retain(|option| {
        let name = option_name(option);
        !settled.contains(&name) && !OWN_TO_A_SESSION.contains(&name.as_str())
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
        arguments::sort(text.split(' ').map(OsString::from).collect()).unwrap()
    }

    fn shown(line: &RunLine) -> String {
        let words = line.words().join(&OsString::from(" "));
        words.into_string().unwrap()
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
        assert_eq!(resumed(&line("--resume d a.bc")), Some("d".into()));
        assert_eq!(resumed(&line("--resume=d a.bc")), Some("d".into()));
        assert_eq!(resumed(&line("a.bc -- --resume d")), None);
    }
}
