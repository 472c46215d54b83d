//! The command line: parses, validates, dispatches, prints an error once. Nothing uses this module.
//!
//! Owns: commands, exit codes, the one place where an error becomes text. Never: work
//! of its own; each subcommand is a file that turns its arguments into a configuration and calls a
//! module. Two steps, as ripgrep does it: what was typed (`*Args`, clap) becomes a validated
//! configuration (`config`), and only that goes on.

mod bench;
mod check_coverage;
mod command;
mod compare;
mod compiler;
mod completions;
mod doctor;
mod explain;
mod instrument;
mod klee;
mod klee_tools;
mod ktest;
mod learn_search;
mod lower;
mod man;
mod record;
mod replay;
mod report;
mod run;
mod serve;
mod session;
mod solver;
mod stats;
mod status;
mod test;
mod traces;
mod tuning;
mod typed;
mod unit;
mod units;
mod weights;

pub use status::{Exit, UsageError};

use crate::app::options::{self, RunLine};
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Short for `run --concolic`.
const CONCOLIC: &str = "concolic";
/// Sorts its words as `run` does.
const LEARN_SEARCH: &str = "learn-search";

/// Sorts its words as `run` does.
const TEST: &str = "test";
/// Sorts its words as `test` does.
const COMPARE: &str = "compare";

/// Runs the command given by the process's arguments. Exit status: 0 done, 1 our failure, 2 wrong
/// usage, 3 bugs found (by `homi test`, and with `--error-exit-code`); `cc` and `c++` have the
/// native compiler's.
pub fn main() -> ExitCode {
    status::install_panic_report();
    let outcome = std::panic::catch_unwind(|| {
        let mut words: Vec<OsString> = std::env::args_os().collect();
        if let Some((driver, begin)) = compiler::asked_for(&words) {
            return compiler::execute(driver, words.split_off(begin));
        }
        if let Some(begin) = klee::asked_for(&words) {
            let rest = words.split_off(begin);
            return klee::execute(words, rest);
        }
        if let Some((tool, begin)) = klee_tools::asked_for(&words) {
            match klee_tools::execute(tool, words.split_off(begin))? {
                klee_tools::Done::Exit(code) => return Ok(code),
                klee_tools::Done::As(others) => words = others,
            }
        }
        let mut line = RunLine::default();
        let concolic = words.get(1).is_some_and(|word| word == CONCOLIC);
        if concolic {
            words.insert(2, "--concolic".into());
        }
        if concolic || words.get(1).is_some_and(|word| word == "run") {
            line = run::line(words.split_off(2))?;
            words.extend(line.words());
        }
        if words.get(1).is_some_and(|word| word == LEARN_SEARCH) {
            line = learn_search::line(words.split_off(2))?;
            words.extend(line.words());
        }
        if words
            .get(1)
            .is_some_and(|word| word == TEST || word == COMPARE)
        {
            line = test::line(words.split_off(2))?;
            words.extend(line.words());
        }
        if options::asks_for_constants(&line) {
            return Ok(tuning::print_constants()?.code());
        }
        for warning in &line.warnings {
            eprintln!("homi: WARNING: {warning}");
        }
        let is_quiet = words.iter().any(|word| word == "--quiet" || word == "-q");
        for note in line.notes.iter().filter(|_| !is_quiet) {
            eprintln!("homi: {note}");
        }
        let command = command::Cli::try_parse_from(words)?;
        command.execute(&line)
    });
    match outcome {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => status::report(&error),
        Err(_) => Exit::Failure.code(),
    }
}

/// Writes to the standard output; a reader that went away is an error that `main` takes as success.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    use std::io::Write;
    let mut output = std::io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(())
}
