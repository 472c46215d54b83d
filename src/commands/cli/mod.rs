//! The command line: parses, validates, dispatches and prints errors. No other module uses this
//! one.
//!
//! Owns: commands, exit codes, the only conversion of errors to text. Never: work of the commands;
//! each subcommand is a file that turns its arguments into a configuration and calls a module. clap
//! parses the command line (`*Args`), which becomes a validated configuration (`config`). Modules
//! see the configuration only.

mod bench;
mod check_coverage;
mod command;
mod compare;
mod compiler;
mod completions;
mod doctor;
mod explain;
mod init;
mod instrument;
mod job;
mod jobs;
mod keep;
mod klee;
mod klee_tools;
mod ktest;
mod ktest_minimize;
mod learn_search;
mod lower;
mod man;
mod native_runs;
mod project;
mod record;
mod reexecutions;
mod replay;
mod report;
mod run;
mod schema;
mod serve;
mod session;
mod solver;
mod stats;
mod status;
mod svcomp;
mod sweep;
mod test;
mod traces;
mod triage;
mod tuning;
mod typed;
mod weights;
mod wrong_value;

pub use status::{Exit, UsageError};

use self::project::Taker;
use crate::klee::refusal;
use clap::{CommandFactory, Parser};
use homi_app::options::{self, RunLine};
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

/// Alias of `run --concolic`.
const CONCOLIC: &str = "concolic";

/// Sorts the arguments that follow the name of a command.
type Sorter = fn(Vec<OsString>) -> anyhow::Result<RunLine>;

/// Returns the sorter of a command that takes options of `homi run`.
fn sorter(command: &OsStr) -> Option<Sorter> {
    match command.to_str()? {
        "run" | CONCOLIC => Some(run::line),
        "learn-search" => Some(learn_search::line),
        "test" | "compare" => Some(test::line),
        _ => None,
    }
}

/// Returns a command that takes options of `homi.toml`, and whose options are no table.
pub(in crate::cli) fn declared(command: &OsStr) -> Option<clap::Command> {
    let name = command.to_str()?;
    let all = command::Cli::command();
    let takes = matches!(name, "keep" | "sweep");
    takes.then(|| all.find_subcommand(name).cloned()).flatten()
}

/// Runs the command that the process's arguments name. Exit status: 0 done, 1 failure of homi, 2
/// wrong usage, 3 bugs found (by `homi test`, and with `--error-exit-code`). `cc` and `c++` return
/// the native compiler's status.
pub fn main() -> ExitCode {
    status::install_panic_report();
    let outcome = std::panic::catch_unwind(|| {
        let mut arguments: Vec<OsString> = std::env::args_os().collect();
        if let Some((driver, begin)) = compiler::asked_for(&arguments) {
            return compiler::execute(driver, arguments.split_off(begin));
        }
        if let Some(begin) = klee::asked_for(&arguments) {
            let rest = arguments.split_off(begin);
            return klee::execute(arguments, rest);
        }
        if let Some((tool, begin)) = klee_tools::asked_for(&arguments) {
            match klee_tools::execute(tool, arguments.split_off(begin))? {
                klee_tools::Done::Exit(code) => return Ok(code),
                klee_tools::Done::As(others) => arguments = others,
            }
        }
        let mut line = RunLine::default();
        let concolic = arguments
            .get(1)
            .is_some_and(|argument| argument == CONCOLIC);
        if concolic {
            arguments.insert(2, "--concolic".into());
        }
        if let Some(sort) = arguments.get(1).and_then(|command| sorter(command)) {
            let rest = arguments.split_off(2);
            if let Some(why) = refusal(&rest) {
                return Err(UsageError(why).into());
            }
            let project = match arguments[1].to_str() {
                Some("run" | CONCOLIC) => project::complete(rest, Taker::Run),
                Some("test") => project::complete(rest, Taker::Test),
                _ => project::without(rest),
            };
            let project = project.map_err(UsageError)?;
            line = sort(project.line)?;
            line.ignores = project.ignores;
            line.notes.extend(project.note);
            arguments.extend(line.all_arguments());
        }
        if let Some(command) = arguments.get(1).and_then(|command| declared(command)) {
            let project = project::complete_command(arguments.split_off(2), command);
            let project = project.map_err(UsageError)?;
            line.ignores = project.ignores;
            line.notes.extend(project.note);
            arguments.extend(project.line);
        }
        if options::asks_for_constants(&line) {
            return Ok(tuning::print_constants()?.code());
        }
        for warning in &line.warnings {
            eprintln!("homi: WARNING: {warning}");
        }
        let is_quiet = arguments
            .iter()
            .any(|argument| argument == "--quiet" || argument == "-q");
        for note in line.notes.iter().filter(|_| !is_quiet) {
            eprintln!("homi: {note}");
        }
        let command = command::Cli::try_parse_from(arguments)?;
        command.execute(&line)
    });
    match outcome {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => status::report(&error),
        Err(_) => Exit::Failure.code(),
    }
}

/// Writes to the standard output. A closed reader is an error that `main` treats as success.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    let mut output = std::io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(())
}
