//! `homi compare`: explores two versions of a program on the same symbolic input and runs both
//! natively on the tests of both.

use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use super::typed::{TableCommand, Typed};
use anyhow::Context;
use clap::Command;
use homi_app::options;
use homi_app::options::RunLine;
use homi_app::session;
use homi_app::tester;
use homi_app::tester::{Comparison, NativeReplays, VersionError, Versions};
use homi_config::RunConfig;
use homi_explore::engine::Signals;
use homi_llvm::llvm_version;
use homi_report::{OutputDirectory, Summary};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The `homi compare` command.
#[derive(Debug)]
pub(super) struct Compare;

pub(super) type CompareArgs = Typed<Compare>;

impl TableCommand for Compare {
    fn augment(command: Command) -> Command {
        let command = command.override_usage("homi compare [OPTIONS] OLD NEW [-- ARGUMENT...]");
        let command = options::augment_test(
            command,
            "Exit status: 0 no difference found, 1 failed, 2 wrong usage, 3 \
             differences found.",
        );
        // Two versions have no common expectation.
        command.mut_arg("keep", |keep| keep.hide(true))
    }
}

/// Name of the file in the output directory that holds the differences as JSON.
const COMPARISON: &str = "comparison.json";

/// Executes the command; `line` is the line that `args` were parsed from.
pub(super) fn execute(args: &CompareArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let usage = |text: String| UsageError(text);
    let (native, run) =
        options::resolve_test(&args.matches).map_err(|error| usage(error.to_string()))?;
    let [old, new] = run.program.inputs.as_slice() else {
        let text = "expected two programs: homi compare OLD NEW [-- ARGUMENT...]";
        return Err(usage(text.to_string()).into());
    };
    if run.program.entry != "main" {
        let text =
            "--entry-point: homi compare runs whole programs; test one function with `homi test`";
        return Err(usage(text.to_string()).into());
    }
    let named = run.output.directory.as_deref();
    if native.keep {
        let text = "--keep: homi compare keeps no tests; run `homi test --keep` on one program";
        return Err(usage(text.to_string()).into());
    }
    let directory = OutputDirectory::reserve(named, Path::new("."), "homi")?;
    let versions = Versions::build((old, new), llvm_version(), &native, &directory)
        .inspect_err(|_| directory.remove_unused())
        .map_err(refused)?;
    let signals = install_signals().context("cannot install signal handlers")?;
    let mut summaries = Vec::new();
    for version in &versions.both {
        say(&run, &format!("exploring {}", version.name));
        let place = directory.file(version.side.name());
        let run = versions.run_of(version, &run, &directory);
        summaries.push(explore(&run, &place, line, &signals)?);
    }
    let interrupt = &signals.stop_requested;
    interrupt.store(false, Ordering::Relaxed);
    let replays = NativeReplays {
        timeout: native.timeout,
        second: None,
        interrupt: Arc::clone(interrupt),
        progress: homi_report::Progress::hidden(),
    };
    say(&run, "running all tests natively on both programs");
    let mut comparison =
        tester::compare(&versions.both, directory.path(), run.search.seed, &replays)?;
    comparison.notes = tester::unfollowed(&summaries);
    let json = serde_json::to_string_pretty(&comparison).context("cannot write JSON")? + "\n";
    let file = directory.file(COMPARISON);
    std::fs::write(&file, json).with_context(|| format!("cannot write {}", file.display()))?;
    super::print(&tester::comparison_text(&comparison))?;
    Ok(exit(&comparison))
}

fn exit(comparison: &Comparison) -> Exit {
    if comparison.differences.is_empty() {
        Exit::Done
    } else {
        Exit::BugsFound
    }
}

fn refused(error: VersionError) -> anyhow::Error {
    match error {
        VersionError::Request(text) => UsageError(text).into(),
        error => error.into(),
    }
}

fn explore(
    run: &RunConfig,
    place: &Path,
    line: &RunLine,
    signals: &Signals,
) -> anyhow::Result<Summary> {
    let arguments = line.all_arguments();
    let arguments = arguments.iter().map(|argument| argument.to_string_lossy());
    let arguments: Vec<_> = std::iter::once("homi compare".into())
        .chain(arguments)
        .collect();
    let mut caller = caller(&arguments.join(" "), signals)?;
    // The first run must not end the process: the second needs it.
    (caller.brief, caller.process_ends) = (true, false);
    caller.directory = Some(OutputDirectory::reserve(
        Some(place),
        Path::new("."),
        "homi",
    )?);
    let explored = session::run(run, &caller).map_err(failed)?;
    match explored.failure {
        Some(failure) => Err(failed(failure)),
        None => Ok(explored.summary),
    }
}

fn say(run: &RunConfig, text: &str) {
    if !run.output.quiet {
        eprintln!("homi: {text}");
    }
}
