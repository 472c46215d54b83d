//! `homi init`: writes `homi.toml` for a program, from a command line of `homi test`.

use super::print;
use super::project::FILE;
use super::status::{Exit, UsageError};
use clap::Args;
use homi_app::options::{Form, Row, RunLine, sort_test, test_rows};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Write homi.toml, so that `homi test` needs no arguments
///
/// Arguments are as for `homi test`: homi init --max-time 2min -I include src/*.c
#[derive(Args, Debug)]
pub(super) struct InitArgs {
    /// Arguments of homi test: options, files, and after `--` the program's arguments
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

/// Options that `[build]` holds.
const OF_BUILD: [&str; 5] = ["cflags", "ldflags", "include-dir", "define", "library"];

/// Executes the command.
pub(super) fn execute(args: &InitArgs) -> anyhow::Result<Exit> {
    let line = sort_test(args.arguments.clone()).map_err(|error| UsageError(error.to_string()))?;
    if line.files.is_empty() {
        let text = "homi init needs the files of the program: homi init src/*.c";
        return Err(UsageError(text.to_string()).into());
    }
    if let Some(missing) = line.files.iter().find(|file| !Path::new(file).exists()) {
        let text = format!("there is no file {}", missing.to_string_lossy());
        return Err(UsageError(text).into());
    }
    let text = content(&line).map_err(UsageError)?;
    let options = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(FILE);
    let written = options.and_then(|mut file| file.write_all(text.as_bytes()));
    if let Err(error) = written {
        let text = match error.kind() {
            std::io::ErrorKind::AlreadyExists => format!("{FILE} exists; edit it, or remove it"),
            _ => format!("cannot write {FILE}: {error}"),
        };
        return Err(UsageError(text).into());
    }
    let next = if is_library(&line.files) {
        "homi sweep"
    } else {
        "homi test"
    };
    print(&format!("wrote {FILE}; run: {next}\n"))?;
    Ok(Exit::Done)
}

/// True if all files are sources, and none seems to define `main`.
fn is_library(files: &[OsString]) -> bool {
    let mut texts = files.iter().map(|file| {
        let is_source = Path::new(file).extension().is_some_and(|end| end == "c");
        let text = is_source.then(|| std::fs::read(file).unwrap_or_default());
        text.map(|text| String::from_utf8_lossy(&text).into_owned())
    });
    let calls_no_main = |text: &String| {
        let mut ends = text
            .match_indices("main")
            .map(|(at, name)| &text[at + name.len()..]);
        ends.all(|end| !end.trim_start().starts_with('('))
    };
    texts.all(|text| text.is_some_and(|text| calls_no_main(&text)))
}

/// Returns the text of the file for a command line.
fn content(line: &RunLine) -> Result<String, String> {
    let is_source = |file: &OsString| Path::new(file).extension().is_some_and(|end| end == "c");
    let (mut build, mut run) = (String::new(), String::new());
    // Writing to a String cannot fail.
    let _ = match &line.files[..] {
        [program] if !is_source(program) => writeln!(build, "program = {}", quoted(program)?),
        files => writeln!(build, "files = {}", listed(files)?),
    };
    let mut written_options = 0;
    for row in test_rows() {
        let options = line.options.iter().filter(|option| is_of(&row, option));
        let typed: Vec<OsString> = options.map(|option| value(option)).collect();
        written_options += typed.len();
        let written = match (&row.form, &typed[..]) {
            (_, []) => continue,
            (Form::Flag, _) => "true".to_string(),
            (Form::List(..) | Form::Arguments, [_, _, ..]) => listed(&typed)?,
            (_, [.., last]) => quoted(last)?,
        };
        let section = if OF_BUILD.contains(&row.long) {
            &mut build
        } else {
            &mut run
        };
        let _ = writeln!(section, "{} = {written}", row.long);
    }
    if written_options < line.options.len() {
        let is_known = |option: &&Vec<OsString>| !test_rows().iter().any(|row| is_of(row, option));
        let unknown = line.options.iter().find(is_known);
        let shown = unknown.map_or_else(String::new, |one| one[0].to_string_lossy().into_owned());
        return Err(format!("{shown} is no option of homi test"));
    }
    if !line.arguments.is_empty() {
        let words = line.arguments.iter().map(|word| word.to_str());
        let words: Option<Vec<&str>> = words.collect();
        let words = words.ok_or("an argument of the program is not UTF-8")?;
        let text = shlex::try_join(words).map_err(|error| error.to_string())?;
        let _ = writeln!(run, "arguments = {}", quoted(&text.into())?);
    }
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("homi-version = \"{version}\"\n\n[build]\n{build}");
    if !run.is_empty() {
        let _ = write!(text, "\n[run]\n{run}");
    }
    Ok(text)
}

/// True if a typed option is of a row: `--seed 3`, `--seed=3` or `-Idir`.
fn is_of(row: &Row, option: &[OsString]) -> bool {
    let word = option[0].to_string_lossy();
    let name = word.split('=').next().unwrap_or_default();
    let attached = |letter| !word.starts_with("--") && word.starts_with(&format!("-{letter}"));
    name == format!("--{}", row.long) || row.short.is_some_and(attached)
}

/// Returns the value of a typed option.
fn value(option: &[OsString]) -> OsString {
    match option {
        [_, value, ..] => value.clone(),
        [only] => {
            let text = only.to_string_lossy();
            let value = match text.split_once('=') {
                Some((_, value)) => value,
                None if text.starts_with("--") || text.len() == 2 => "true",
                None => &text[2..],
            };
            value.into()
        }
        [] => OsString::new(),
    }
}

/// Returns a text as a string of TOML.
fn quoted(text: &OsString) -> Result<String, String> {
    let shown = text.to_string_lossy();
    let text = text
        .to_str()
        .ok_or_else(|| format!("{shown} is not UTF-8"))?;
    // Every string of JSON is a string of TOML.
    Ok(serde_json::Value::from(text).to_string())
}

fn listed(texts: &[OsString]) -> Result<String, String> {
    let texts: Result<Vec<String>, String> = texts.iter().map(quoted).collect();
    Ok(format!("[{}]", texts?.join(", ")))
}
