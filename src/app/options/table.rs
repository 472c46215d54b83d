//! All rows, and the command that they make for clap.

use super::budget::{BudgetOptions, Symbolic};
use super::checks::Checks;
use super::concolic::Concolic;
use super::function::Function;
use super::merging::Merge;
use super::output::{Output, Solver};
use super::program::Program;
use super::project;
use super::property::Asked;
use super::pruning::Campaign;
use super::row::{CONSTANT, DefaultText, Form, Row};
use super::run::Run;
use super::search::Search;
use super::seeds::Seeds;
use super::stubs::Stubs;
use super::subsume::Subsume;
use super::target::Target;
use super::tests_written::Tests;
use super::triage::Triage;
use clap::{Arg, ArgAction, Command, value_parser};
use std::path::PathBuf;

/// The files of the program.
pub(super) const INPUTS: &str = "inputs";
/// The program's own arguments.
pub(super) const ARGUMENTS: &str = "arguments";

/// Every option of `homi run`, by heading.
pub fn rows() -> Vec<Row> {
    let rows = rows_for_klee().into_iter();
    rows.filter(|row| !row.of_klee).collect()
}

/// Every option of `homi run`, and the options that only `homi klee` sets.
pub fn rows_for_klee() -> Vec<Row> {
    let tables = [
        BudgetOptions::rows(),
        Symbolic::rows(),
        Search::rows(),
        Target::rows(),
        Subsume::rows(),
        Merge::rows(),
        Concolic::rows(),
        Seeds::rows(),
        Run::rows(),
        Campaign::rows(),
        Program::rows(),
        Function::rows(),
        Asked::rows(),
        Checks::rows(),
        Stubs::rows(),
        Tests::rows(),
        Solver::rows(),
        Output::rows(),
        Triage::rows(),
        project::rows(),
    ];
    let mut rows = tables.concat();
    rows.sort_by_key(|row| row.heading);
    rows
}

/// Adds what `homi run` takes to a command.
pub fn augment(command: Command) -> Command {
    augment_with(command, rows(), PROGRAM)
        .after_help("`--help` lists all options, `--tuning help` all constants.")
        .after_long_help("`--tuning help` lists the constants.")
}

/// Adds what `homi concolic` takes to a command.
pub fn augment_concolic(command: Command) -> Command {
    refer_to_run(augment_with(command, rows(), PROGRAM)).after_help(
        "This command takes all options of `homi run`; `homi run --help` lists them, and \
         `--tuning help` lists the constants.",
    )
}

/// Hides options that are not in the short help from the long one: the help of `homi run` has them.
pub(super) fn refer_to_run(command: Command) -> Command {
    command.mut_args(|argument| {
        let hides = argument.is_hide_short_help_set();
        argument.hide_long_help(hides)
    })
}

/// Positional arguments of a command.
pub(super) struct Files {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    /// More than `help`; none where there is no more to say.
    pub(super) long_help: Option<&'static str>,
}

/// The files that `homi run` takes.
pub(super) const PROGRAM: Files = Files {
    name: "FILE",
    help: "Bitcode files, or files that embed bitcode, linked into one program",
    long_help: Some(
        "Executable built by `homi cc`, or files to link into one program: bitcode \
         (clang -c -emit-llvm), LLVM IR as text, or an executable, shared object, object or \
         archive that embeds bitcode (built by homi cc, wllvm or gllvm, or with -fembed-bitcode or \
         -ffat-lto-objects)",
    ),
};

/// Adds files, the program's arguments and these options to a command.
pub(super) fn augment_with(command: Command, rows: Vec<Row>, files: Files) -> Command {
    let inputs = Arg::new(INPUTS)
        .value_name(files.name)
        .help(files.help)
        .long_help(files.long_help.unwrap_or(files.help))
        .required(true)
        .action(ArgAction::Append)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf));
    let arguments = Arg::new(ARGUMENTS)
        .value_name("ARGUMENT")
        .help("Arguments of the program")
        .last(true)
        .action(ArgAction::Append)
        .num_args(1..);
    command
        .arg(inputs)
        .arg(arguments)
        .args(rows.into_iter().map(argument))
}

/// A row as clap wants it. Defaults are text only: who resolves the options wants to know what was
/// typed.
fn argument(row: Row) -> Arg {
    let (help, long_help) = help(&row);
    let mut argument = Arg::new(row.id)
        .long(row.long)
        .help(help)
        .help_heading(row.heading.title())
        .hide_short_help(!row.common)
        .hide(row.hidden)
        // Only what takes a value has values to hide.
        .hide_possible_values(!row.lists_values && row.form != Form::Flag)
        .value_parser(row.parser);
    if let Some(long_help) = long_help {
        argument = argument.long_help(long_help);
    }
    if let Some(letter) = row.short {
        argument = argument.short(letter);
    }
    let is_constant = row.long.starts_with(CONSTANT);
    match row.form {
        Form::Flag if is_constant => argument.action(ArgAction::Set).value_name("true|false"),
        Form::Flag => argument.action(ArgAction::SetTrue),
        Form::Value(name) => argument.action(ArgAction::Set).value_name(name),
        Form::List(name, delimiter) => {
            let argument = argument.action(ArgAction::Append).value_name(name);
            match delimiter {
                Some(delimiter) => argument.value_delimiter(delimiter),
                None => argument,
            }
        }
        Form::Arguments => argument
            .action(ArgAction::Append)
            .value_name("FLAGS")
            .allow_hyphen_values(true),
        Form::Switch => argument
            .action(ArgAction::Set)
            .value_name("true|false")
            .num_args(0..=1)
            .default_missing_value("true")
            .require_equals(true),
        Form::Optional(name, missing) => argument
            .action(ArgAction::Set)
            .value_name(name)
            .num_args(0..=1)
            .default_missing_value(missing)
            .require_equals(true),
    }
}

/// The short help and, if there is more to say, the long one.
fn help(row: &Row) -> (String, Option<String>) {
    let paragraphs = row.paragraphs();
    let first = paragraphs.first().cloned().unwrap_or_default();
    let default = match (&row.default, row.default_text()) {
        (DefaultText::Absent, _) | (_, None) => String::new(),
        (_, Some(text)) => format!("[default: {text}]"),
    };
    let short = format!("{first} {default}").trim_end().to_string();
    let long = (paragraphs.len() > 1).then(|| {
        let parts = paragraphs.into_iter().chain([default]);
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    });
    if row.common {
        (first, long.or(Some(short)))
    } else {
        (short, long)
    }
}
