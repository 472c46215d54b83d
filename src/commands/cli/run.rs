//! `homi run` and `homi concolic`: turn the command line into a `RunConfig` and run a session.

use super::session;
use super::status::{Exit, NothingToDo, UsageError};
use super::typed::{TableCommand, Typed};
use anyhow::Context;
use clap::{ArgMatches, Command};
use homi_app::options;
use homi_app::options::RunLine;
use homi_app::session::{LeftThere, left_in as session_left_in};
use homi_explore::engine::Signals;
use homi_strategies::campaign;
use homi_strategies::campaign::Header;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

/// The `homi run` command.
#[derive(Debug)]
pub(super) struct Run;

pub(super) type RunArgs = Typed<Run>;

/// The `homi concolic` command: `homi run --concolic`.
#[derive(Debug)]
pub(super) struct Concolic;

pub(super) type ConcolicArgs = Typed<Concolic>;

impl TableCommand for Concolic {
    fn augment(command: Command) -> Command {
        let command = command.override_usage(
            "homi concolic [OPTIONS] FILE... [-- ARGUMENT...]\n       homi concolic --resume \
                 DIR [OPTIONS]",
        );
        options::augment_concolic(command)
    }
}

impl TableCommand for Run {
    fn augment(command: Command) -> Command {
        let command = command.override_usage(
            "homi run [OPTIONS] FILE... [-- ARGUMENT...]\n       homi run --resume DIR \
                 [OPTIONS]",
        );
        options::augment(command)
    }
}

/// Sorts the arguments that follow `homi run`, and adds the first session's if they resume a
/// run.
pub(super) fn line(arguments: Vec<OsString>) -> anyhow::Result<RunLine> {
    let typed = options::sort(arguments).map_err(usage)?;
    let Some(directory) = options::resumed_directory(&typed) else {
        return Ok(options::with_recorded_arguments(typed));
    };
    // The first session's arguments stay unknown if the directory does not record them.
    let first = match left_in(&directory)? {
        LeftThere::Campaign => read_header(&directory)?.session,
        LeftThere::Run(first) => first,
        LeftThere::Nothing(why) => return Err(NothingToDo(why).into()),
    };
    match first {
        Some(first) => Ok(options::complete(typed, first).map_err(usage)?),
        None => Ok(typed),
    }
}

fn left_in(directory: &Path) -> Result<LeftThere, UsageError> {
    session_left_in(directory).map_err(|error| UsageError(error.to_string()))
}

fn usage(error: options::OptionError) -> UsageError {
    UsageError(error.to_string())
}

fn read_header(directory: &Path) -> Result<Header, UsageError> {
    campaign::read_header(directory).map_err(|error| UsageError(error.to_string()))
}

/// Executes the command; `line` is the line that `typed` was parsed from.
pub(super) fn execute(typed: &ArgMatches, line: &RunLine) -> anyhow::Result<Exit> {
    let header = options::resumed(typed);
    let header = match header.as_deref() {
        Some(directory) => match left_in(directory)? {
            LeftThere::Campaign => Some(read_header(directory)?),
            LeftThere::Run(_) | LeftThere::Nothing(_) => None,
        },
        None => None,
    };
    let earlier = header.as_ref().map(|header| &header.campaign);
    let mut config = options::resolve(typed, earlier).map_err(usage)?;
    config.command = options::kept(line);
    config.triage.ignores.clone_from(&line.ignores);
    options::open_recorded_layouts(&mut config, line);
    let signals = install_signals().context("cannot install signal handlers")?;
    let mut arguments = vec!["homi run".to_string()];
    arguments.extend(
        line.all_arguments()
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    session::run(&config, &arguments.join(" "), &signals)
}

/// Installs signal handlers: the first Ctrl-C (or termination request) stops the run, which then
/// writes its tests; the second ends homi.
pub(super) fn install_signals() -> std::io::Result<Signals> {
    let signals = Signals::default();
    for signal in [SIGINT, SIGTERM] {
        // The order matters: the second signal finds the flag that the first one set.
        flag::register_conditional_shutdown(signal, 1, Arc::clone(&signals.stop_requested))?;
        flag::register(signal, Arc::clone(&signals.stop_requested))?;
        flag::register(signal, Arc::clone(&signals.interrupt))?;
    }
    Ok(signals)
}
