//! `homi test`: compiles, explores, replays, reports.

use super::keep::keep_run;
use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use super::triage;
use super::typed::{TableCommand, Typed};
use anyhow::Context;
use clap::{Args, Command, FromArgMatches};
use homi_app::options;
use homi_app::options::RunLine;
use homi_app::session;
use homi_app::session::NativeComparison;
use homi_app::tester;
use homi_app::tester::{
    BuildError, CompiledBitcode, Explored, Given, NativeBuilds, NativeReplays, ReplayedTests,
    Sources, Subject, TestedProgram,
};
use homi_config::{NativeConfig, RunConfig};
use homi_explore::engine::Signals;
use homi_llvm::{llvm_version, program_text};
use homi_native::testcase::ktest::KTest;
use homi_output::witness::read_violation;
use homi_report::{ErrorSummary, OutputDirectory, Progress};
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

/// Parses the arguments that follow `homi test`.
pub(super) fn parse(arguments: Vec<OsString>) -> Result<TestArgs, clap::Error> {
    let command = TestArgs::augment_args(Command::new("homi test").no_binary_name(true));
    TestArgs::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

fn usage(error: options::OptionError) -> UsageError {
    UsageError(error.to_string())
}

/// A program that is ready to be explored, and its native builds.
struct Prepared {
    run: RunConfig,
    native: NativeConfig,
    /// Files, if the program was given as sources.
    sources: Vec<PathBuf>,
    directory: OutputDirectory,
    builds: NativeBuilds,
    signals: Signals,
}

/// Executes the command; `line` is the line that `args` were parsed from.
pub(super) fn execute(args: &TestArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let prepared = prepare(args, line)?;
    let Prepared {
        run,
        native,
        sources,
        directory,
        builds,
        signals,
    } = prepared;
    let place = directory.path().to_path_buf();
    let exit = explore_and_report((&run, sources), &native, directory, &builds, line, &signals)?;
    if !native.keep {
        return Ok(exit);
    }
    say(&run, "keeping tests");
    // Both say something to do; the bugs of the program are first.
    Ok(match (exit, keep_run(&place, native.timeout)?) {
        (Exit::Done, kept) => kept,
        (exit, _) => exit,
    })
}

/// Runs the inputs of a violation witness on the native programs of a task; true if they show the
/// violation.
pub(super) fn validate(args: &TestArgs, line: &RunLine, witness: &Path) -> anyhow::Result<bool> {
    let prepared = prepare(args, line)?;
    let failed = |why: String| anyhow::anyhow!("{}: {why}", witness.display());
    let violation = read_violation(witness, &prepared.sources).map_err(failed)?;
    let mut test = KTest::new(["witness"]);
    for input in violation.inputs {
        test.push(input.name, input.bytes);
    }
    let directory = prepared.directory.path();
    test.write(&directory.join(format!("{WITNESS_TEST}.ktest")))?;
    let replays = NativeReplays {
        timeout: prepared.native.timeout,
        second: None,
        interrupt: Arc::clone(&prepared.signals.interrupt),
        progress: Progress::hidden(),
    };
    let tests = [WITNESS_TEST.to_string()];
    let replayed = tester::replay_natively(&prepared.builds, directory, &tests, &replays);
    let goals = prepared
        .run
        .property
        .iter()
        .flat_map(|property| &property.goals);
    let kinds = goals.flat_map(|goal| goal.meaning().kinds);
    let mut errors: Vec<ErrorSummary> = kinds
        .map(|kind| ErrorSummary {
            kind: (*kind).to_string(),
            location: format!("{}:{}", violation.target.file, violation.target.line),
            test: WITNESS_TEST.to_string(),
            ..ErrorSummary::default()
        })
        .collect();
    let counts = tester::confirm(&mut errors, directory, &replayed);
    Ok(counts.confirmed + counts.confirmed_by_signal > 0)
}

/// Name of the test that has the inputs of a witness.
const WITNESS_TEST: &str = "test000001";

/// Compiles the program and chooses its inputs.
fn prepare(args: &TestArgs, line: &RunLine) -> anyhow::Result<Prepared> {
    let (native, mut run) = options::resolve_test(&args.matches).map_err(usage)?;
    run.triage.ignores.clone_from(&line.ignores);
    triage::check(&run.triage)?;
    options::open_recorded_layouts(&mut run, line);
    let given = Given::of(&run.program.inputs, &native).map_err(UsageError)?;
    let (compiled, bitcode) = match &given {
        Given::Sources(sources) => {
            let compiled = compile(sources, &run)?;
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
    if let Some(tested) = TestedProgram::of(&given, &run.program.entry, &native) {
        tested.write(directory.path())?;
    }
    let builds = given.builds(&subject, &place);
    let signals = install_signals().context("cannot install signal handlers")?;
    let sources = match given {
        Given::Sources(sources) => sources.files,
        Given::Executable(_) | Given::Bitcode(_) => Vec::new(),
    };
    Ok(Prepared {
        run,
        native,
        sources,
        directory,
        builds,
        signals,
    })
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
    caller.process_ends = !native.keep;
    caller.sources = sources;
    let replayed = Arc::new(Mutex::new(ReplayedTests::default()));
    caller.compare = replays(run, native, builds, signals, &replayed);
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
    let mut errors = report.errors(explored.summary);
    let fails = triage::conclude(&run.triage, &mut errors)?;
    Ok(if fails {
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
    NativeComparison::at_end(move |directory, summary, second| {
        if builds.best().is_some() && !quiet {
            let tests = summary.tests;
            eprintln!("homi: running {tests} tests natively (Ctrl-C skips to the report)");
        }
        interrupt.store(false, Ordering::Relaxed);
        let errors = summary.errors.iter();
        let bugs: Vec<String> = errors.map(|error| error.test.clone()).collect();
        let replays = NativeReplays {
            timeout,
            second: Some(second),
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
            outcomes.not_compared = builds.why_none().map(str::to_string);
        }
        summary.confirmations = Some(tester::confirm(&mut summary.errors, directory, &done));
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

/// Compiles to bitcode with the checks of the run, and prints the compiler's messages unchanged.
fn compile(sources: &Sources, run: &RunConfig) -> anyhow::Result<CompiledBitcode> {
    let compiled = tester::compile_bitcode(llvm_version(), sources);
    match &compiled {
        Ok(compiled) => {
            eprint!("{}", compiled.warnings);
            if let Some(note) = &compiled.note {
                say(run, note);
            }
        }
        Err(BuildError::Refused { output, .. }) => eprint!("{output}"),
        Err(BuildError::NoClang { .. } | BuildError::NoGcc | BuildError::Io { .. }) => {}
    }
    Ok(compiled?)
}
