//! KLEE's command-line syntax: its options, the bitcode file, and the program's arguments.
//!
//! Rules: an option is `-x` or `--x`; its value follows `=` or is the next argument. `@file` is
//! replaced by the arguments in the file. The first other argument is the bitcode file (`-` is
//! standard input); all later ones belong to the program.

use super::error::KleeError;
use super::option::{KleeOption, Value};
use super::table::options;
use homi_ir::util::response_file;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Parsed command line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KleeLine {
    /// Values of each given option, in order.
    pub given: BTreeMap<&'static str, Vec<String>>,
    /// Bitcode file; `None` for standard input.
    pub file: Option<OsString>,
    /// Arguments of the program.
    pub arguments: Vec<OsString>,
    /// True if an option such as `--help` was given.
    pub wants_help: bool,
    pub wants_version: bool,
}

/// Similarity above which a name is likely a misspelling of another.
const ALIKE: f64 = 0.6;

/// Parses the arguments that follow the command's name.
pub fn read(arguments: Vec<OsString>) -> Result<KleeLine, KleeError> {
    let known: BTreeMap<&str, &'static KleeOption> =
        options().map(|option| (option.name, option)).collect();
    let mut line = KleeLine::default();
    let mut arguments = response_file::expand(&arguments).into_iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy().into_owned();
        let Some(body) = text.strip_prefix('-').filter(|body| !body.is_empty()) else {
            line.file = (text != "-").then_some(argument);
            line.arguments = arguments.collect();
            break;
        };
        let body = body.strip_prefix('-').unwrap_or(body);
        let (name, value) = match body.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (body, None),
        };
        match name {
            "help" | "help-list" | "help-hidden" | "help-list-hidden" | "h" => {
                line.wants_help = true;
                continue;
            }
            "version" => {
                line.wants_version = true;
                continue;
            }
            // A single `--` ends the options.
            "" => continue,
            _ => {}
        }
        let Some(option) = known.get(name) else {
            return Err(unknown(&text, name));
        };
        let value = match value {
            Some(value) => value,
            None if option.takes_next_argument() => {
                let next = arguments.next().ok_or(KleeError::NoValue {
                    option: option.name,
                })?;
                next.to_string_lossy().into_owned()
            }
            None => String::new(),
        };
        let values = checked(option, &value)?;
        let given = line.given.entry(option.name).or_default();
        if !given.is_empty() && !option.repeats() {
            return Err(KleeError::Twice {
                option: option.name,
            });
        }
        given.extend(values);
    }
    Ok(line)
}

fn unknown(argument: &str, name: &str) -> KleeError {
    let likeness = |option: &KleeOption| strsim::normalized_damerau_levenshtein(name, option.name);
    let nearest = options().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    KleeError::Unknown {
        argument: argument.to_string(),
        nearest: nearest
            .filter(|option| likeness(option) > ALIKE)
            .map(|option| option.name.to_string()),
    }
}

/// Returns the values of an option's argument if they are valid.
fn checked(option: &KleeOption, value: &str) -> Result<Vec<String>, KleeError> {
    let name = option.name;
    let is_choice = |values: &'static [&'static str], value: &str| {
        if values.contains(&value) {
            Ok(value.to_string())
        } else {
            Err(KleeError::NotAValue {
                option: name,
                value: value.to_string(),
                values,
            })
        }
    };
    match option.value {
        Value::Bool => match value {
            "" | "1" | "true" | "TRUE" | "True" => Ok(vec!["true".to_string()]),
            "0" | "false" | "FALSE" | "False" => Ok(vec!["false".to_string()]),
            _ => Err(KleeError::NotBool {
                option: name,
                value: value.to_string(),
            }),
        },
        Value::Number if value.parse::<i64>().is_err() => Err(KleeError::NotNumber {
            option: name,
            value: value.to_string(),
        }),
        Value::One | Value::Many | Value::Number => Ok(vec![value.to_string()]),
        Value::Choice(values) => Ok(vec![is_choice(values, value)?]),
        Value::Choices(values) => value
            .split(',')
            .map(|value| is_choice(values, value))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<KleeLine, KleeError> {
        read(text.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn an_option_has_one_dash_or_two_and_its_value_behind_or_next() {
        for text in [
            "-max-time=30s -emit-all-errors a.bc -x @y",
            "--max-time 30s --emit-all-errors=1 a.bc -x @y",
            "-max-time 30s --emit-all-errors=TRUE -- a.bc -x @y",
        ] {
            let line = line(text).unwrap();
            assert_eq!(line.given["max-time"], ["30s"], "{text}");
            assert_eq!(line.given["emit-all-errors"], ["true"], "{text}");
            assert_eq!(line.file, Some("a.bc".into()), "{text}");
            assert_eq!(line.arguments, ["-x", "@y"], "{text}");
        }
    }

    #[test]
    fn a_dash_or_nothing_is_standard_input() {
        assert_eq!(line("- x").unwrap().arguments, ["x"]);
        assert_eq!(line("-posix-runtime").unwrap().file, None);
    }

    #[test]
    fn searches_may_be_several() {
        let line = line("--search=dfs --search bfs --search=nurs:covnew,random-path a.bc").unwrap();
        assert_eq!(
            line.given["search"],
            ["dfs", "bfs", "nurs:covnew", "random-path"]
        );
    }

    #[test]
    fn what_is_not_taken_is_named() {
        for (text, part) in [
            ("--max-tme=3 a.bc", "Did you mean '--max-time'?"),
            (
                "--frobnicate a.bc",
                "Unknown command line argument '--frobnicate'",
            ),
            ("--posix-runtime=maybe a.bc", "Try 0 or 1"),
            (
                "--max-depth=many a.bc",
                "'many' value invalid for uint argument!",
            ),
            ("--search=best a.bc", "Cannot find option named 'best'"),
            ("--max-time", "requires a value!"),
            (
                "--max-time=1 --max-time=2 a.bc",
                "may only occur zero or one times!",
            ),
        ] {
            let error = line(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
