//! `homi learn-search`: what was typed becomes a request, and a session of learning.

use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use crate::options::{self, RunLine};
use crate::session;
use anyhow::Context;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::ffi::OsString;

/// What was typed; `options` knows what of it there is.
#[derive(Debug)]
pub(super) struct LearnSearchArgs {
    typed: ArgMatches,
}

impl FromArgMatches for LearnSearchArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self {
            typed: matches.clone(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.typed = matches.clone();
        Ok(())
    }
}

impl Args for LearnSearchArgs {
    fn augment_args(command: Command) -> Command {
        let command = command
            .long_about(
                "Learn, for one program, the weights of a search of concolic testing.\n\nThe \
                 weights are used with `homi concolic FILE --strategy param:WEIGHTS`. The \
                 program's own arguments stand after `--`, as for `homi run`. Ctrl-C writes the \
                 best that is known.",
            )
            .override_usage(
                "homi learn-search --output WEIGHTS [OPTIONS] FILE... [-- ARGUMENT...]",
            );
        options::augment_learn_search(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The words after `homi learn-search`, sorted.
pub(super) fn line(words: Vec<OsString>) -> anyhow::Result<RunLine> {
    Ok(options::sort_learn_search(words).map_err(usage)?)
}

fn usage(error: options::OptionError) -> UsageError {
    UsageError(error.to_string())
}

/// `line` is what `args` were parsed from.
pub(super) fn execute(args: &LearnSearchArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let (learn, run) = options::resolve_learn_search(&args.typed, line).map_err(usage)?;
    let signals = install_signals().context("cannot install signal handlers")?;
    let words = line.words();
    let words = words.iter().map(|word| word.to_string_lossy());
    let command_line: Vec<_> = std::iter::once("homi learn-search".into())
        .chain(words)
        .collect();
    let caller = caller(&command_line.join(" "), &signals)?;
    let report = session::learn_search(&learn, &run, &caller).map_err(failed)?;
    if !run.output.quiet {
        eprint!("{}", report.text);
    }
    Ok(Exit::Done)
}
