//! Splits the command line of `homi run` between homi and the program.
//!
//! Rules: everything after `--` belongs to the program. Without `--`, every argument that is not
//! an option names a file to link, so an argument that is not an input of homi is an error that
//! asks for `--`. The first option behind the files that homi does not have begins the program's
//! arguments, as in KLEE. A long option of homi among those would silently do nothing, so it is an
//! error that asks for `--`; an option that resembles a homi option may belong to the program, so
//! it is a warning. The result always has the form `OPTIONS FILES -- ARGUMENTS`.

use super::error::OptionError;
use super::row::{CONSTANT, Row};
use super::table::rows;
use homi_config::IgnoreRule;
use homi_llvm::is_input;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Options by spelling (`--seed`, `-q`), and true if the next argument is the value.
fn known_options(rows: &[Row]) -> BTreeMap<String, bool> {
    let mut known = BTreeMap::new();
    for row in rows {
        known.extend(
            row.spellings()
                .map(|spelling| (spelling, row.takes_next_argument())),
        );
    }
    known.insert("--help".to_string(), false);
    known.insert("-h".to_string(), false);
    known
}

/// Similarity (0 to 1, Damerau and Levenshtein) of an argument and an option from which a typo is
/// likely.
const LIKELY_SLIP: f64 = 0.75;

/// The arguments of `homi run` in one order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunLine {
    /// Each option with its value: `--seed`, `3` or `--seed=3`.
    pub options: Vec<Vec<OsString>>,
    pub files: Vec<OsString>,
    /// The program's own.
    pub arguments: Vec<OsString>,
    /// Nobody typed them: they fit recorded seeds.
    pub arguments_recorded: bool,
    /// Warnings about the line.
    pub warnings: Vec<String>,
    /// Suppressions of the project.
    pub ignores: Vec<IgnoreRule>,
    /// Notes about arguments that homi added to the line.
    pub notes: Vec<String>,
}

impl RunLine {
    /// `OPTIONS FILES -- ARGUMENTS`.
    pub fn all_arguments(&self) -> Vec<OsString> {
        let mut arguments = self.options.concat();
        arguments.extend_from_slice(&self.files);
        arguments.push("--".into());
        arguments.extend_from_slice(&self.arguments);
        arguments
    }
}

/// Returns an option's name, without a value in the same argument.
pub(super) fn option_name(option: &[OsString]) -> String {
    let argument = option.first().map(|argument| argument.to_string_lossy());
    let name = argument
        .as_deref()
        .and_then(|argument| argument.split('=').next());
    name.unwrap_or_default().to_string()
}

/// A warning for an argument that goes to the program and looks like a misspelt option of homi.
fn likely_slip(argument: &str, known: &BTreeMap<String, bool>) -> Option<String> {
    let name = argument.split('=').next().unwrap_or_default();
    if !name.starts_with("--") || name.starts_with("--sym-") {
        return None;
    }
    let alike = |option: &&String| strsim::normalized_damerau_levenshtein(name, option);
    let nearest = known
        .keys()
        .max_by(|a, b| alike(a).total_cmp(&alike(b)))
        .filter(|option| alike(option) >= LIKELY_SLIP)?;
    Some(format!(
        "`{name}` and the arguments after it go to the program; if you mean homi's `{nearest}`, \
         correct it, else put `--` before the program's arguments"
    ))
}

/// Behind the first file another argument must be a file of the program, too.
fn refuse_other_file(argument: &OsStr, line: &RunLine) -> Result<(), OptionError> {
    if line.files.is_empty() || is_input(Path::new(argument)) {
        return Ok(());
    }
    let shown = argument.to_string_lossy();
    Err(OptionError(format!(
        "`{shown}` is not bitcode, an object, an archive or an executable; to pass it to the \
         program, put `--` before it: {} -- {shown}",
        line.files.join(OsStr::new(" ")).to_string_lossy()
    )))
}

/// Sorts the arguments of `homi run`.
pub fn sort(arguments: Vec<OsString>) -> Result<RunLine, OptionError> {
    sort_by(arguments, &rows())
}

/// Sorts the arguments of a command that has these options.
pub(super) fn sort_by(arguments: Vec<OsString>, rows: &[Row]) -> Result<RunLine, OptionError> {
    let known = known_options(rows);
    let mut line = RunLine::default();
    let mut rest = arguments;
    let program_part = match rest.iter().position(|argument| argument == "--") {
        Some(separator) => {
            let after = rest.split_off(separator + 1);
            rest.pop();
            Some(after)
        }
        None => None,
    };
    let explicit = program_part.is_some();
    line.arguments = program_part.unwrap_or_default();
    let mut are_known = true;
    let mut rest = rest.into_iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        let is_option = text.starts_with('-') && text.len() > 1;
        let name = text.split('=').next().unwrap_or_default().to_string();
        match known.get(&name) {
            Some(takes_value) => {
                let value_follows = *takes_value && !text.contains('=');
                let mut option = vec![argument];
                if value_follows {
                    option.extend(rest.next());
                }
                line.options
                    .push(constant(&option, &known).unwrap_or(option));
            }
            None if is_option && let Some(now) = renamed(&text) => return Err(now),
            None if explicit || line.files.is_empty() || !is_option => {
                refuse_symbolic_argument(&name)?;
                refuse_bare_constant(&name, &known)?;
                // An unknown option goes through to clap, whose message suggests the nearest one.
                if is_option {
                    are_known = false;
                    line.options.push(vec![argument]);
                } else {
                    if !explicit && are_known {
                        refuse_other_file(&argument, &line)?;
                    }
                    line.files.push(argument);
                }
            }
            None => {
                line.arguments.push(argument);
                line.arguments.extend(rest.by_ref());
            }
        }
    }
    if !explicit {
        for argument in &line.arguments {
            refuse_bare_constant(&option_name(std::slice::from_ref(argument)), &known)?;
        }
        // Options of other homi commands are not arguments of the program either.
        let of_run = known_options(&super::table::rows());
        refuse_swallowed(
            &line.arguments,
            &known.keys().chain(of_run.keys()).collect(),
        )?;
        let arguments = line.arguments.iter();
        line.warnings.extend(
            arguments.filter_map(|argument| likely_slip(&argument.to_string_lossy(), &known)),
        );
    }
    Ok(line)
}

/// Options of earlier versions, and their replacements.
const RENAMED: [(&str, &str); 4] = [
    ("--check-leaks", "--checks leak"),
    ("--check-overflow", "--checks signed-integer-overflow"),
    ("--check-races", "--checks race"),
    ("--check-undef", "--checks undef"),
];

/// Returns the error about an option of earlier versions.
fn renamed(argument: &str) -> Option<OptionError> {
    let name = argument.split('=').next().unwrap_or_default();
    let row = RENAMED
        .iter()
        .find(|(old, _)| *old == argument || *old == name)?;
    let (old, new) = (name, row.1);
    Some(OptionError(format!(
        "`{old}` is an option of earlier versions; use {new}, or put `--` before the program's \
         arguments"
    )))
}

/// `--tuning NAME=VALUE` in one argument, if NAME is a constant of the table.
fn constant(option: &[OsString], known: &BTreeMap<String, bool>) -> Option<Vec<OsString>> {
    let typed = option.join(OsStr::new("="));
    let setting = typed.to_str()?.strip_prefix("--tuning=")?;
    let name = setting.split('=').next()?;
    let is_known = known.contains_key(&format!("--{CONSTANT}{name}"));
    is_known.then(|| vec![format!("--{CONSTANT}{setting}").into()])
}

/// Refuses a constant that is given without `--tuning`.
fn refuse_bare_constant(name: &str, known: &BTreeMap<String, bool>) -> Result<(), OptionError> {
    match name.strip_prefix("--") {
        Some(name) if known.contains_key(&format!("--{CONSTANT}{name}")) => {
            Err(OptionError(format!(
                "`--{name}` is a constant; set it by --tuning {name}=VALUE, or put `--` before the \
                 program's arguments"
            )))
        }
        _ => Ok(()),
    }
}

/// True if a line asks which constants there are.
pub fn asks_for_constants(line: &RunLine) -> bool {
    let asks = |option: &Vec<OsString>| option.join(OsStr::new("=")) == "--tuning=help";
    line.options.iter().any(asks)
}

/// Refuses a `--sym-...` argument of the program among homi's options.
fn refuse_symbolic_argument(name: &str) -> Result<(), OptionError> {
    match name.trim_start_matches('-').strip_prefix("sym-") {
        Some(_) if name.starts_with('-') => Err(OptionError(format!(
            "`{name}` is an argument of the program; put it after the files and `--`"
        ))),
        _ => Ok(()),
    }
}

/// Without `--`, an option of homi among the program's arguments is a slip.
fn refuse_swallowed(arguments: &[OsString], known: &BTreeSet<&String>) -> Result<(), OptionError> {
    let swallowed = arguments.iter().find(|argument| {
        let text = argument.to_string_lossy();
        let name = text.split('=').next().unwrap_or_default();
        name.starts_with("--") && name != "--help" && known.iter().any(|one| *one == name)
    });
    match swallowed {
        None => Ok(()),
        Some(argument) => Err(OptionError(format!(
            "`{}` is among the program's arguments; put homi's options before them, or `--` \
             between homi's options and the program's arguments",
            argument.to_string_lossy()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Result<String, String> {
        sorted(line)
            .map(|line| {
                line.all_arguments()
                    .join(&OsString::from(" "))
                    .into_string()
                    .unwrap()
            })
            .map_err(|error| error.to_string())
    }

    #[test]
    fn symbolic_arguments_before_the_file_are_refused_with_their_place() {
        for line in [
            "--sym-arg 2 a.bc",
            "-sym-arg 2 a.bc -- x",
            "a.bc --sym-arg=3 -- x",
        ] {
            let error = split(line).unwrap_err();
            assert!(error.contains("put it after the files and `--`"), "{error}");
        }
        assert!(split("a.bc --sym-arg 2").is_ok());
    }

    fn sorted(line: &str) -> Result<RunLine, OptionError> {
        sort(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn a_misspelt_option_among_the_programs_arguments_is_a_warning() {
        for (typed, expected) in [
            ("a.bc --serch dfs", Some("--search")),
            ("a.bc -x --max-tme=3s", Some("--max-time")),
            ("a.bc -- --serch dfs", None),
            ("a.bc --sym-arg 3", None),
            ("sort.bc --output x --key 2 -u", None),
        ] {
            let warnings = sorted(typed).unwrap().warnings;
            assert_eq!(warnings.len(), usize::from(expected.is_some()), "{typed}");
            let named = expected.is_none_or(|option| warnings[0].contains(option));
            assert!(named, "{typed}: {warnings:?}");
        }
    }

    #[test]
    fn other_arguments_than_files_need_a_separator() {
        for (typed, hint) in [
            ("a.bc 10", "a.bc -- 10"),
            ("a.bc b.o src/lib.rs", "a.bc b.o -- src/lib.rs"),
        ] {
            let error = split(typed).unwrap_err();
            assert!(error.contains(hint), "{typed}: {error}");
        }
    }

    #[test]
    fn an_option_of_earlier_versions_names_its_successor() {
        for (typed, hint) in [
            ("a.bc --check-leaks", "use --checks leak,"),
            ("a.bc --check-undef -- x", "use --checks undef,"),
        ] {
            let error = split(typed).unwrap_err();
            assert!(error.contains(hint), "{typed}: {error}");
        }
        assert!(split("a.bc -- --check-leaks").is_ok());
    }

    #[test]
    fn a_constant_is_typed_behind_tuning() {
        for line in [
            "--keep-unpruned-run=true a.bc",
            "a.bc --prune-keep 3",
            "a.bc -x --keep-unpruned-run",
        ] {
            let error = split(line).unwrap_err();
            assert!(
                error.contains("is a constant; set it by --tuning"),
                "{error}"
            );
        }
        assert!(split("a.bc -- --keep-unpruned-run").is_ok());
        let typed =
            "--tuning=prune-keep=3 --tuning keep-unpruned-run=true --tuning linear_terms=3 a.bc";
        let line = sorted(typed).unwrap();
        let last = ["--tuning", "linear_terms=3"].map(OsString::from).to_vec();
        let arguments = ["--tuning prune-keep=3", "--tuning keep-unpruned-run=true"];
        let arguments = arguments.map(|argument| vec![OsString::from(argument)]);
        assert_eq!(line.options, [&arguments[..], &[last]].concat());
        assert!(asks_for_constants(&sorted("--tuning help").unwrap()));
    }

    #[test]
    fn orders_of_options_files_and_arguments() {
        for (typed, expected) in [
            (
                "echo.bc -- --sym-args 0 1 10",
                "echo.bc -- --sym-args 0 1 10",
            ),
            (
                "--seed 3 echo.bc --quiet -- -n",
                "--seed 3 --quiet echo.bc -- -n",
            ),
            (
                "echo.bc --seed=3 --sym-args 0 1 10",
                "--seed=3 echo.bc -- --sym-args 0 1 10",
            ),
            ("echo.bc -n hello", "echo.bc -- -n hello"),
            ("a.bc b.bc --seed 1 -- x", "--seed 1 a.bc b.bc -- x"),
            ("a.bc b.bc", "a.bc b.bc --"),
            (
                "a.bc lib.a --seed 1 b.o -n 3",
                "--seed 1 a.bc lib.a b.o -- -n 3",
            ),
            ("a.bc -- b.bc", "a.bc -- b.bc"),
            ("a.bc b.bc --", "a.bc b.bc --"),
            ("--resume d", "--resume d --"),
            ("--seed-runs a.bc --seed 3", "--seed-runs --seed 3 a.bc --"),
            (
                "a.bc --seed-runs --seed 3 -n",
                "--seed-runs --seed 3 a.bc -- -n",
            ),
            ("--sedd 3 a.bc", "--sedd 3 a.bc --"),
        ] {
            assert_eq!(split(typed).as_deref(), Ok(expected), "{typed}");
        }
        let message = split("echo.bc --sym-args 0 1 10 --max-time 3s").unwrap_err();
        assert!(message.contains("--max-time"), "{message}");
    }
}
