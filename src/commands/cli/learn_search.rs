//! `homi learn-search`: turns the command line into a request and a learning session.

use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use super::typed::{TableCommand, Typed};
use anyhow::Context;
use clap::Command;
use homi_app::options;
use homi_app::options::RunLine;
use homi_app::session;
use std::ffi::OsString;

/// The `homi learn-search` command.
#[derive(Debug)]
pub(super) struct LearnSearch;

pub(super) type LearnSearchArgs = Typed<LearnSearch>;

impl TableCommand for LearnSearch {
    fn augment(command: Command) -> Command {
        let command = command.override_usage(
            "homi learn-search --output WEIGHTS [OPTIONS] FILE... [-- ARGUMENT...]",
        );
        options::augment_learn_search(command)
    }
}

/// Sorts the arguments that follow `homi learn-search`.
pub(super) fn line(arguments: Vec<OsString>) -> anyhow::Result<RunLine> {
    Ok(options::sort_learn_search(arguments).map_err(usage)?)
}

fn usage(error: options::OptionError) -> UsageError {
    UsageError(error.to_string())
}

/// Executes the command; `line` is the line that `args` were parsed from.
pub(super) fn execute(args: &LearnSearchArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let (learn, run) = options::resolve_learn_search(&args.matches, line).map_err(usage)?;
    let signals = install_signals().context("cannot install signal handlers")?;
    let arguments = line.all_arguments();
    let arguments = arguments.iter().map(|argument| argument.to_string_lossy());
    let command_line: Vec<_> = std::iter::once("homi learn-search".into())
        .chain(arguments)
        .collect();
    let caller = caller(&command_line.join(" "), &signals)?;
    let report = session::learn_search(&learn, &run, &caller).map_err(failed)?;
    if !run.output.quiet {
        eprint!("{}", report.text);
    }
    Ok(Exit::Done)
}
