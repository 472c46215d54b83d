//! `homi test`: compiles, explores, replays, reports.

use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use super::typed::{TableCommand, Typed};
use crate::app::options;
use crate::app::options::RunLine;
use crate::app::session;
use crate::app::session::NativeComparison;
use crate::app::tester;
use crate::app::tester::{
    BuildError, CompiledBitcode, Explored, Given, NativeBuilds, NativeReplays, ReplayedTests,
    Sources, Subject,
};
use crate::config::{NativeConfig, Property, RunConfig};
use crate::explore::engine::Signals;
use crate::llvm::{llvm_version, program_text};
use crate::report::{OutputDirectory, Progress};
use anyhow::Context;
use clap::Command;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// The `homi test` command.
#[derive(Debug)]
pub(super) struct Test;

pub(super) type TestArgs = Typed<Test>;

impl TableCommand for Test {
    fn augment(command: Command) -> Command {
        let command = command.override_usage(
            "homi test [OPTIONS] FILE.c... [-- ARGUMENT...]\n       homi test [OPTIONS] PROGRAM \
                 [-- ARGUMENT...]",
        );
        options::augment_test(
            command,
            "Exit status: 0 no bug found, 1 failed, 2 wrong usage, 3 bugs found, 4 no bug found but \
             the native program does something else than homi predicts.",
        )
    }
}

/// Sorts the arguments that follow `homi test`.
pub(super) fn line(arguments: Vec<OsString>) -> anyhow::Result<RunLine> {
    let typed = options::sort_test(arguments).map_err(usage)?;
    Ok(options::with_recorded_arguments(typed))
}

fn usage(error: options::OptionError) -> UsageError {
    UsageError(error.to_string())
}

/// Executes the command; `line` is the line that `args` were parsed from.
pub(super) fn execute(args: &TestArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let (native, mut run) = options::resolve_test(&args.matches).map_err(usage)?;
    options::open_recorded_layouts(&mut run, line);
    let given = Given::of(&run.program.inputs, &native).map_err(UsageError)?;
    let (compiled, bitcode) = match &given {
        Given::Sources(sources) => {
            let compiled = compile(sources, run.property.as_ref())?;
            let files = compiled.files();
            (Some(compiled), files)
        }
        Given::Executable(executable) => (None, vec![executable.clone()]),
        Given::Bitcode(files) => (None, files.clone()),
    };
    let homi = std::env::current_exe().ok();
    let text = |entry: &str| program_text(&bitcode, entry, homi.as_deref());
    let subject = Subject::of(&mut run, &bitcode, &text)?;
    say(&run, &subject.first_line(&run));
    subject.give_inputs(&mut run);
    let named = run.output.directory.as_deref();
    let directory = OutputDirectory::reserve(named, Path::new("."), "homi")?;
    let place = directory.file("build");
    run.program.inputs = match &compiled {
        Some(compiled) => compiled.keep_in(&place)?,
        None => bitcode,
    };
    let builds = given.builds(&subject, &place);
    let signals = install_signals().context("cannot install signal handlers")?;
    let sources = match given {
        Given::Sources(sources) => sources.files,
        Given::Executable(_) | Given::Bitcode(_) => Vec::new(),
    };
    explore_and_report((&run, sources), &native, directory, &builds, line, &signals)
}

fn explore_and_report(
    (run, sources): (&RunConfig, Vec<PathBuf>),
    native: &NativeConfig,
    directory: OutputDirectory,
    builds: &NativeBuilds,
    line: &RunLine,
    signals: &Signals,
) -> anyhow::Result<Exit> {
    let arguments = line.all_arguments();
    let arguments = arguments.iter().map(|argument| argument.to_string_lossy());
    let arguments: Vec<_> = std::iter::once("homi test".into())
        .chain(arguments)
        .collect();
    let mut caller = caller(&arguments.join(" "), signals)?;
    (caller.directory, caller.brief) = (Some(directory.clone()), true);
    caller.sources = sources;
    let replayed = Arc::new(Mutex::new(ReplayedTests::default()));
    caller.compare = Some(replays(run, native, builds, signals, &replayed));
    let explored = session::run(run, &caller)
        .inspect_err(|_| directory.remove_unused())
        .map_err(failed)?;
    if let Some(failure) = explored.failure {
        return Err(failed(failure));
    }
    let explored = Explored {
        summary: &explored.summary,
        stopped: &explored.stopped,
        directory: &explored.directory,
    };
    let replayed = replayed.lock().unwrap_or_else(PoisonError::into_inner);
    let report = tester::report(&explored, builds, &replayed);
    super::print(&tester::text(&report))?;
    Ok(if report.found_bugs() {
        Exit::BugsFound
    } else if !report.divergences.is_empty() {
        Exit::Diverged
    } else {
        Exit::Done
    })
}

/// Returns the replays of a session's tests on the native programs. Their results are in
/// `replayed` afterwards, and the divergences in the summary.
fn replays(
    run: &RunConfig,
    native: &NativeConfig,
    builds: &NativeBuilds,
    signals: &Signals,
    replayed: &Arc<Mutex<ReplayedTests>>,
) -> NativeComparison {
    let (quiet, timeout) = (run.output.quiet, native.timeout);
    let (builds, replayed) = (builds.clone(), Arc::clone(replayed));
    // The signal that ended the exploration must not end the replays; a later one ends only the
    // replays.
    let interrupt = Arc::clone(&signals.stop_requested);
    NativeComparison::new(move |directory, summary| {
        if builds.best().is_some() && !quiet {
            let tests = summary.tests;
            eprintln!("homi: running {tests} tests natively (Ctrl-C skips to the report)");
        }
        interrupt.store(false, Ordering::Relaxed);
        let errors = summary.errors.iter();
        let bugs: Vec<String> = errors.map(|error| error.test.clone()).collect();
        let replays = NativeReplays {
            timeout,
            interrupt: Arc::clone(&interrupt),
            progress: if quiet {
                Progress::hidden()
            } else {
                Progress::new("replayed")
            },
        };
        let mut done = tester::replay_natively(&builds, directory, &bugs, &replays);
        replays.progress.end();
        if let Some(outcomes) = &mut summary.outcomes {
            outcomes.compared = done.compared;
            outcomes.divergences.clone_from(&done.divergences);
        }
        summary.confirmations = Some(tester::confirmations(&summary.errors, directory, &done));
        let calls = std::mem::take(&mut done.calls);
        *replayed.lock().unwrap_or_else(PoisonError::into_inner) = done;
        calls
    })
}

fn say(run: &RunConfig, text: &str) {
    if !run.output.quiet {
        eprintln!("homi: {text}");
    }
}

/// Compiles to bitcode and prints the compiler's messages unchanged.
fn compile(sources: &Sources, property: Option<&Property>) -> anyhow::Result<CompiledBitcode> {
    let compiled = tester::compile_bitcode(llvm_version(), sources, property);
    match &compiled {
        Ok(compiled) => eprint!("{}", compiled.warnings),
        Err(BuildError::Refused { output, .. }) => eprint!("{output}"),
        Err(BuildError::NoClang { .. } | BuildError::NoGcc | BuildError::Io { .. }) => {}
    }
    Ok(compiled?)
}
