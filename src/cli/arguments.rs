//! Which words of `homi run ...` are homi's and which are the program's.
//!
//! Rules: everything after `--` is the program's. Without `--`, as KLEE has it: the first word that is
//! no option is the bitcode file, homi's options may still follow it, and from the first other word
//! on everything is the program's. A long option of homi among those would silently do nothing, so
//! it is an error that asks for `--`; one that is a slip of the pen away from an option of homi may well
//! be the program's own, so it is a warning. The result always has the form
//! `run OPTIONS FILES -- ARGUMENTS`.

use super::run::RunArgs;
use super::status::UsageError;
use clap::{Args, Command};
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Options by spelling (`--seed`, `-q`), with "the next word is its value".
fn known_options() -> BTreeMap<String, bool> {
    let mut known = BTreeMap::new();
    let command = RunArgs::augment_args(Command::new("run"));
    for argument in command.get_arguments() {
        let takes_value = argument.get_action().takes_values() && !argument.is_require_equals_set();
        for long in argument.get_long_and_visible_aliases().unwrap_or_default() {
            known.insert(format!("--{long}"), takes_value);
        }
        for short in argument.get_short_and_visible_aliases().unwrap_or_default() {
            known.insert(format!("-{short}"), takes_value);
        }
    }
    known.insert("--help".to_string(), false);
    known.insert("-h".to_string(), false);
    known
}

/// How alike (0 to 1, Damerau and Levenshtein) a word and an option are where a slip is likely.
const LIKELY_SLIP: f64 = 0.75;

/// A command line in one order, and what its author should know about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Normalised {
    pub words: Vec<OsString>,
    pub warnings: Vec<String>,
}

/// A warning for a word that goes to the program and looks like a misspelt option of homi.
fn likely_slip(word: &str, known: &BTreeMap<String, bool>) -> Option<String> {
    let name = word.split('=').next().unwrap_or_default();
    if !name.starts_with("--") || name.starts_with("--sym-") {
        return None;
    }
    let alike = |option: &&String| strsim::normalized_damerau_levenshtein(name, option);
    let nearest = known
        .keys()
        .max_by(|a, b| alike(a).total_cmp(&alike(b)))
        .filter(|option| alike(option) >= LIKELY_SLIP)?;
    Some(format!(
        "`{name}` goes to the program, with all that follows it; if homi's `{nearest}` is meant, \
         correct it, and if not, `--` before the program's arguments says so"
    ))
}

/// Rewrites the words of `homi run` into one order; other commands pass unchanged.
pub(super) fn normalise(words: Vec<OsString>) -> Result<Normalised, UsageError> {
    if words.get(1).is_none_or(|word| word != "run") {
        return Ok(Normalised {
            words,
            warnings: Vec::new(),
        });
    }
    let mut warnings = Vec::new();
    let known = known_options();
    let mut words = words.into_iter();
    let mut result: Vec<OsString> = words.by_ref().take(2).collect();
    let mut rest: Vec<OsString> = words.collect();
    let program_part = match rest.iter().position(|word| word == "--") {
        Some(separator) => {
            let after = rest.split_off(separator + 1);
            rest.pop();
            Some(after)
        }
        None => None,
    };
    let explicit = program_part.is_some();
    let mut arguments = program_part.unwrap_or_default();
    let mut files = Vec::new();
    let mut rest = rest.into_iter();
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        let is_option = text.starts_with('-') && text.len() > 1;
        let name = text.split('=').next().unwrap_or_default().to_string();
        match known.get(&name) {
            Some(takes_value) => {
                let value_follows = *takes_value && !text.contains('=');
                result.push(word);
                if value_follows {
                    result.extend(rest.next());
                }
            }
            None if explicit || files.is_empty() => {
                // An unknown option goes through to clap, whose message suggests the nearest one.
                if is_option {
                    result.push(word);
                } else {
                    files.push(word);
                }
            }
            None => {
                arguments.push(word);
                arguments.extend(rest.by_ref());
            }
        }
    }
    if !explicit {
        let swallowed = arguments.iter().find(|word| {
            let text = word.to_string_lossy();
            let name = text.split('=').next().unwrap_or_default();
            name.starts_with("--") && name != "--help" && known.contains_key(name)
        });
        if let Some(word) = swallowed {
            return Err(UsageError(format!(
                "`{}` stands among the program's own arguments: put homi's options before them, \
                 or `--` between homi's options and the program's arguments",
                word.to_string_lossy()
            )));
        }
        warnings = arguments
            .iter()
            .filter_map(|word| likely_slip(&word.to_string_lossy(), &known))
            .collect();
    }
    result.extend(files);
    if !arguments.is_empty() {
        result.push("--".into());
        result.extend(arguments);
    }
    Ok(Normalised {
        words: result,
        warnings,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Result<String, String> {
        normalised(line)
            .map(|line| line.words.join(&OsString::from(" ")).into_string().unwrap())
            .map_err(|error| error.to_string())
    }

    fn normalised(line: &str) -> Result<Normalised, UsageError> {
        normalise(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn a_misspelt_option_among_the_programs_arguments_is_a_warning() {
        for (typed, expected) in [
            ("homi run a.bc --serch dfs", Some("--search")),
            ("homi run a.bc x --max-tme=3s", Some("--max-time")),
            ("homi run a.bc -- --serch dfs", None),
            ("homi run a.bc --sym-arg 3", None),
            ("homi run sort.bc --output x --key 2 -u", None),
        ] {
            let warnings = normalised(typed).unwrap().warnings;
            assert_eq!(warnings.len(), usize::from(expected.is_some()), "{typed}");
            let named = expected.is_none_or(|option| warnings[0].contains(option));
            assert!(named, "{typed}: {warnings:?}");
        }
    }

    #[test]
    fn orders_of_options_files_and_arguments() {
        for (typed, expected) in [
            (
                "homi run echo.bc -- --sym-args 0 1 10",
                "homi run echo.bc -- --sym-args 0 1 10",
            ),
            (
                "homi run --seed 3 echo.bc --quiet -- -n",
                "homi run --seed 3 --quiet echo.bc -- -n",
            ),
            (
                "homi run echo.bc --seed=3 --sym-args 0 1 10",
                "homi run --seed=3 echo.bc -- --sym-args 0 1 10",
            ),
            ("homi run echo.bc -n hello", "homi run echo.bc -- -n hello"),
            (
                "homi run a.bc b.bc --seed 1 -- x",
                "homi run --seed 1 a.bc b.bc -- x",
            ),
            ("homi run a.bc b.bc", "homi run a.bc -- b.bc"),
            (
                "homi run --count-solver-work a.bc --seed 3",
                "homi run --count-solver-work --seed 3 a.bc",
            ),
            (
                "homi run a.bc --count-solver-work --seed 3 -n",
                "homi run --count-solver-work --seed 3 a.bc -- -n",
            ),
            ("homi run --sedd 3 a.bc", "homi run --sedd 3 -- a.bc"),
            ("homi replay x -- y", "homi replay x -- y"),
        ] {
            assert_eq!(split(typed).as_deref(), Ok(expected), "{typed}");
        }
        let message = split("homi run echo.bc --sym-args 0 1 10 --max-time 3s").unwrap_err();
        assert!(message.contains("--max-time"), "{message}");
    }
}
