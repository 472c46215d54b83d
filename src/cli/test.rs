//! `homi test`: compiles, explores, replays, reports.

use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use super::typed::{TableCommand, Typed};
use crate::bitcode::{llvm_version, program_text};
use crate::config::{CampaignConfig, InputShapes, NativeConfig, RunConfig, usual_inputs};
use crate::engine::Signals;
use crate::harness::{self, Source};
use crate::options::{self, RunLine};
use crate::program::FUZZED;
use crate::report::{OutputDirectory, Progress};
use crate::session;
use crate::tester::{
    self, BuildError, CompiledBitcode, Explored, Given, HarnessCalls, NativeBuilds, NativeReplays,
    Sources,
};
use anyhow::Context;
use clap::Command;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// `homi test`.
#[derive(Debug)]
pub(super) struct Test;

pub(super) type TestArgs = Typed<Test>;

impl TableCommand for Test {
    fn augment(command: Command) -> Command {
        let command = command
            .after_help(
                "Exit status: 0 no bug found, 1 it could not be done, 2 wrong usage, 3 bugs found.",
            )
            .override_usage(
                "homi test [OPTIONS] FILE.c... [-- ARGUMENT...]\n       homi test [OPTIONS] PROGRAM \
                 [-- ARGUMENT...]",
            );
        options::augment_test(command)
    }
}

/// The words after `homi test`, sorted.
pub(super) fn line(words: Vec<OsString>) -> anyhow::Result<RunLine> {
    let typed = options::sort_test(words).map_err(usage)?;
    Ok(options::with_recorded_arguments(typed))
}

fn usage(error: options::OptionError) -> UsageError {
    UsageError(error.to_string())
}

/// `line` is what `args` were parsed from.
pub(super) fn execute(args: &TestArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let (native, mut run) = options::resolve_test(&args.matches, line).map_err(usage)?;
    options::open_recorded_shapes(&mut run, line);
    let given = Given::of(&run.program.inputs, &native).map_err(UsageError)?;
    let (compiled, bitcode) = match &given {
        Given::Sources(sources) => {
            let compiled = compile(sources)?;
            let files = compiled.files();
            (Some(compiled), files)
        }
        Given::Executable(executable) => (None, vec![executable.clone()]),
        Given::Bitcode(files) => (None, files.clone()),
    };
    let mut calls = tester::harness_calls(&bitcode).context("cannot read the bitcode")?;
    if calls.is_fuzzed && run.program.entry == "main" {
        begin_as_fuzzers_do(&mut run, &bitcode);
    }
    let harness = function_harness(&run, &bitcode)?;
    if let Some(harness) = &harness {
        calls.makes_symbolic |= harness.is_symbolic;
    }
    say(&run, &first_line(&run, calls));
    if wants_usual_inputs(&run, calls) {
        give_usual_inputs(&mut run);
    }
    let named = run.output.directory.as_deref();
    let directory = OutputDirectory::reserve(named, Path::new("."), "homi")?;
    let place = directory.file("build");
    run.program.inputs = match &compiled {
        Some(compiled) => compiled.keep_in(&place)?,
        None => bitcode,
    };
    let builds = match &given {
        Given::Sources(sources) => tester::build_natively(sources, calls, harness.as_ref(), &place),
        Given::Executable(_) if harness.is_some() => NativeBuilds::none(
            "an executable starts with its own main (give the C files to test one function)",
        ),
        Given::Executable(executable) => NativeBuilds::of_executable(executable),
        Given::Bitcode(_) => NativeBuilds::none("bitcode was given (give the C files instead)"),
    };
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
    let words = line.words();
    let words = words.iter().map(|word| word.to_string_lossy());
    let words: Vec<_> = std::iter::once("homi test".into()).chain(words).collect();
    let mut caller = caller(&words.join(" "), signals)?;
    (caller.directory, caller.brief) = (Some(directory.clone()), true);
    caller.sources = sources;
    let explored = session::run(run, &caller)
        .inspect_err(|_| directory.remove_unused())
        .map_err(failed)?;
    if let Some(failure) = explored.failure {
        return Err(failed(failure));
    }
    let summary = &explored.summary;
    if builds.best().is_some() {
        say(
            run,
            &format!(
                "running {} tests natively (Ctrl-C goes on to the report)",
                summary.tests
            ),
        );
    }
    // What ended the exploration does not end the replays, and what ends them does not end homi.
    let interrupt = &signals.stop_requested;
    interrupt.store(false, Ordering::Relaxed);
    let bugs: Vec<String> = summary
        .errors
        .iter()
        .map(|error| error.test.clone())
        .collect();
    let replays = NativeReplays {
        timeout: native.timeout,
        interrupt: Arc::clone(interrupt),
        progress: match run.output.quiet {
            true => Progress::hidden(),
            false => Progress::new("replayed"),
        },
    };
    let replayed = tester::replay_natively(builds, &explored.directory, &bugs, &replays);
    replays.progress.end();
    let explored = Explored {
        summary,
        stopped: &explored.stopped,
        directory: &explored.directory,
    };
    let report = tester::report(&explored, builds, &replayed);
    super::print(&tester::text(&report))?;
    Ok(match report.found_bugs() {
        true => Exit::BugsFound,
        false => Exit::Done,
    })
}

/// A program without `main` that is made for fuzzers begins as those call it.
fn begin_as_fuzzers_do(run: &mut RunConfig, bitcode: &[PathBuf]) {
    let homi = std::env::current_exe().ok();
    let text = program_text(bitcode, FUZZED, homi.as_deref());
    if text.is_some_and(|text| harness::is_fuzz_driver(&text)) {
        run.program.entry = FUZZED.to_string();
        run.function.entry = FUZZED.to_string();
    }
}

/// What calls the function that is tested, if that is not `main`.
fn function_harness(run: &RunConfig, bitcode: &[PathBuf]) -> anyhow::Result<Option<Source>> {
    let entry = &run.program.entry;
    if entry == "main" {
        return Ok(None);
    }
    let homi = std::env::current_exe().ok();
    let Some(text) = program_text(bitcode, entry, homi.as_deref()) else {
        return Ok(None);
    };
    let has_arguments = !run.program.arguments.is_empty();
    Ok(harness::source(&text, &run.function, has_arguments)?)
}

fn say(run: &RunConfig, text: &str) {
    if !run.output.quiet {
        eprintln!("homi: {text}");
    }
}

/// Compiles to bitcode; what the compiler says is shown as it says it.
fn compile(sources: &Sources) -> anyhow::Result<CompiledBitcode> {
    let compiled = tester::compile_bitcode(llvm_version(), sources);
    match &compiled {
        Ok(compiled) => eprint!("{}", compiled.warnings),
        Err(BuildError::Refused { output, .. }) => eprint!("{output}"),
        Err(BuildError::NoClang { .. } | BuildError::NoGcc | BuildError::Io { .. }) => {}
    }
    Ok(compiled?)
}

fn wants_usual_inputs(run: &RunConfig, calls: HarnessCalls) -> bool {
    run.program.arguments.is_empty() && !calls.makes_symbolic
}

/// A campaign finds its inputs itself, unless that was refused.
fn give_usual_inputs(run: &mut RunConfig) {
    if let Some(campaign) = &mut run.campaign
        && matches!(campaign.shapes, InputShapes::Unsaid | InputShapes::Found)
    {
        campaign.shapes = InputShapes::Found;
        return;
    }
    let words = usual_words(run).split(' ').map(str::to_string);
    run.program.arguments = words.collect();
}

fn usual_words(run: &RunConfig) -> &'static str {
    usual_inputs(run.campaign.is_some())
}

/// What is tested, on which inputs.
fn first_line(run: &RunConfig, calls: HarnessCalls) -> String {
    let files = run
        .program
        .inputs
        .iter()
        .map(|file| file.display().to_string());
    let files = files.collect::<Vec<_>>().join(" ");
    let finds = |campaign: &CampaignConfig| campaign.shapes != InputShapes::Off;
    if wants_usual_inputs(run, calls) && run.campaign.as_ref().is_some_and(finds) {
        return format!("testing {files} with input of several shapes (say your own after --)");
    }
    if wants_usual_inputs(run, calls) {
        return format!(
            "testing {files} -- {} (arguments, a file A and standard input of these \
             sizes; say others after --)",
            usual_words(run)
        );
    }
    match run.program.arguments.as_slice() {
        [] if run.program.entry != "main" => {
            format!(
                "testing {} of {files} with any parameters",
                run.program.entry
            )
        }
        [] => format!("testing {files}, which makes its inputs symbolic itself"),
        arguments => format!("testing {files} -- {}", arguments.join(" ")),
    }
}
