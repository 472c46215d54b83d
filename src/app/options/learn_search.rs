//! The options of `homi learn-search`, and the options of `homi run` that its trials share.
//!
//! Invariant: a trial's run is what `homi concolic` does with the same options.

use super::declare::Declared;
use super::error::OptionError;
use super::fill::options;
use super::line::{RunLine, option_name, sort_by};
use super::profile::Profile;
use super::resolve::resolve_concolic;
use super::row::{Heading, Row, Scope};
use super::situation::Situation;
use super::table::{PROGRAM, augment_with, rows};
use super::value::{boolean, flag, number, path};
use clap::{ArgMatches, Command};
use homi_config::{Budget, LearnSearchConfig, RunConfig};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

/// Options of `homi run` that trials have, too.
pub(super) const SHARED: [&str; 23] = [
    "max-time",
    "max-memory",
    "max-depth",
    "max-stack-size",
    "max-stack-frames",
    "max-symbolic-size",
    "tuning max-exit-statuses",
    "concrete-floats",
    "seed",
    "initial-input",
    "input",
    "checks",
    "entry-point",
    "libc",
    "runtime-dir",
    "run-in-dir",
    "env-file",
    "uid",
    "self-check",
    "tuning",
    "max-solver-time",
    "max-solver-memory",
    "quiet",
];

/// Shared options that set the time, place and verbosity of a session. The results of trials do not
/// depend on them.
const OF_SESSION: [&str; 4] = ["max-time", "max-memory", "quiet", "seed"];

/// Values of the options about learning.
pub(super) struct LearnSearchOptions {
    output: Option<PathBuf>,
    samples: usize,
    best: usize,
    trials: usize,
    executions: u64,
    jobs: usize,
    resets: bool,
    shares: bool,
    resume: bool,
}

options! {
    /// The options of [`LearnSearchOptions`].
    LearnSearch fills LearnSearchOptions;

    /// Write the weights to this file
    ///
    /// The directory FILE.learning beside it has the results of the trials.
    output: Option<PathBuf> = path("output", "FILE")
        .scope(Scope::Session)
        .heading(Heading::LearnSearch);

    /// Draw N vectors of weights per round (n) and try each once
    samples: usize = number("samples", "N").default(1_000).heading(Heading::LearnSearch);

    /// Try the K best vectors of a round again (k)
    best: usize = number("best", "K").default(10).heading(Heading::LearnSearch);

    /// Try each of the best vectors N times; the best mean wins
    trials: usize = number("trials", "N").default(10).heading(Heading::LearnSearch);

    /// End a trial after N executions
    executions: u64 = number("max-runs", "N")
        .id("executions of a trial")
        .default(4_000)
        .heading(Heading::LearnSearch);

    /// Run N trials in parallel; 0 is one per core
    ///
    /// The result does not depend on N.
    jobs: usize = number("jobs", "N")
        .default(0)
        .scope(Scope::Session)
        .heading(Heading::LearnSearch);

    /// Reset a weight's space to -10..10 if the two best vectors differ in its sign
    ///
    /// The paper's tool does so. Without the option the space stays as it was, as in the paper.
    resets: bool = flag("reset-spaces").heading(Heading::LearnSearch);

    /// Share executions that trials have in common
    ///
    /// The result is the same; `false` is for measuring the effect.
    shares: bool = boolean("share-executions")
        .default(true)
        .scope(Scope::Session)
        .heading(Heading::LearnSearch);

    /// Resume the interrupted session in FILE.learning
    ///
    /// The other options must be equal.
    resume: bool = flag("resume")
        .id("learning to resume")
        .scope(Scope::Session)
        .heading(Heading::LearnSearch);
}

/// The options of `homi learn-search`.
pub(super) fn learn_search_rows() -> Vec<Row> {
    let shared = rows().into_iter().filter(|row| SHARED.contains(&row.long));
    let mut rows = LearnSearch::rows();
    rows.extend(shared);
    for row in &mut rows {
        row.common = false;
        if row.long == "max-time" {
            row.text = "Stop after this time and write the best weights so far; 0 is no limit\n";
        }
    }
    rows
}

/// Adds what `homi learn-search` takes to a command.
pub fn augment_learn_search(command: Command) -> Command {
    augment_with(command, learn_search_rows(), PROGRAM)
        .mut_args(|argument| argument.hide_short_help(false))
}

/// Sorts the arguments of `homi learn-search`.
pub fn sort_learn_search(arguments: Vec<OsString>) -> Result<RunLine, OptionError> {
    sort_by(arguments, &learn_search_rows())
}

/// Returns the learning configuration and the run of a trial. `typed` was parsed from `line`.
pub fn resolve_learn_search(
    typed: &ArgMatches,
    line: &RunLine,
) -> Result<(LearnSearchConfig, RunConfig), OptionError> {
    let situation = Situation {
        profile: Profile::Homi,
        total: Budget::Time(Duration::ZERO),
        wants_paths: false,
        concolic: true,
        targeted: false,
        earlier: None,
    };
    let options = LearnSearch::resolve(typed, &situation, None);
    refuse(&options)?;
    let run = run_config(typed)?;
    let config = LearnSearchConfig {
        output: options.output.unwrap_or_default(),
        samples: options.samples,
        best: options.best,
        trials: options.trials,
        executions: options.executions,
        jobs: options.jobs,
        resets: options.resets,
        shares: options.shares,
        resume: options.resume,
        run_options: run_options(line),
    };
    Ok((config, run))
}

/// Returns the options on which the results of trials depend, sorted, each as `--name=value`.
fn run_options(line: &RunLine) -> Vec<String> {
    let kept = line.options.iter().filter(|option| {
        let name = option_name(option);
        let long = name.strip_prefix("--");
        long.is_some_and(|long| SHARED.contains(&long) && !OF_SESSION.contains(&long))
    });
    let texts = kept.map(|option| option.join(OsStr::new("=")).to_string_lossy().into_owned());
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

/// Parses the arguments of `homi learn-search`, for a caller of the library.
///
/// # Errors
/// The error says what is wrong with the arguments, as the command would.
pub fn parse_learn_search<W: Into<OsString>>(
    arguments: impl IntoIterator<Item = W>,
) -> Result<(LearnSearchConfig, RunConfig), OptionError> {
    let line = sort_learn_search(arguments.into_iter().map(Into::into).collect())?;
    let command = augment_learn_search(Command::new("homi learn-search")).no_binary_name(true);
    let typed = command
        .try_get_matches_from(line.all_arguments())
        .map_err(|error| OptionError(error.to_string()))?;
    resolve_learn_search(&typed, &line)
}

/// Returns the run of each trial without its weights; its time limit is the session's.
fn run_config(typed: &ArgMatches) -> Result<RunConfig, OptionError> {
    let mut run = resolve_concolic(typed)?;
    if !matches!(run.budget.time, Budget::Time(_)) {
        return Err(OptionError(
            "--max-time must be a time: it limits the session, whose trials run in parallel; \
             --max-runs limits a trial"
                .to_string(),
        ));
    }
    if let Some(concolic) = &mut run.concolic {
        concolic.canonical_inputs = true;
    }
    run.tests.dump_open = false;
    Ok(run)
}

fn refuse(options: &LearnSearchOptions) -> Result<(), OptionError> {
    let LearnSearchOptions {
        samples,
        best,
        trials,
        executions,
        ..
    } = options;
    let refused = |text: String| Err(OptionError(text));
    if options.output.is_none() {
        return refused("no file for the weights; add --output FILE".to_string());
    }
    if *samples < 2 {
        return refused(format!(
            "--samples {samples}: the two best vectors of a round set the spaces of the next; draw \
             at least 2"
        ));
    }
    if *best < 2 || best > samples {
        return refused(format!(
            "--best {best}: use a number from 2 to --samples ({samples})"
        ));
    }
    if *trials == 0 {
        return refused(
            "--trials 0: each of the best vectors needs at least one trial".to_string(),
        );
    }
    if *executions == 0 {
        return refused(
            "--max-runs 0: a trial must end; use for example 4000 executions".to_string(),
        );
    }
    Ok(())
}
