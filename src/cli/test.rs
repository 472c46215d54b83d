//! `homi test`: compiles, explores, replays, reports.

use super::run::install_signals;
use super::session::{caller, failed};
use super::status::{Exit, UsageError};
use crate::bitcode::llvm_version;
use crate::config::{NativeConfig, RunConfig};
use crate::engine::Signals;
use crate::options::{self, RunLine};
use crate::report::OutputDirectory;
use crate::session;
use crate::tester::{
    self, BuildError, CompiledBitcode, Explored, HarnessCalls, NativeBuilds, Sources, USUAL_INPUTS,
};
use crate::toolchain::{self, OLDEST_CLANG};
use anyhow::Context;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What was typed; `options` knows what of it there is.
#[derive(Debug)]
pub(super) struct TestArgs {
    typed: ArgMatches,
}

impl FromArgMatches for TestArgs {
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

impl Args for TestArgs {
    fn augment_args(command: Command) -> Command {
        let command = command
            .long_about(
                "Test a program: compile its sources, explore it, run the tests natively, and report \
                 bugs and what is not covered.\n\nWhat stands after `--` are the program's \
                 arguments, symbolic ones among them, as for `homi run`. A program that gets none \
                 and makes nothing symbolic itself gets `--sym-args 0 2 8 --sym-files 1 8 \
                 --sym-stdin 8`. Ctrl-C ends the exploration, not the report; again, it ends homi.",
            )
            .after_help(
                "Exit status: 0 no bug found, 1 it could not be done, 2 wrong usage, 3 bugs found.",
            )
            .override_usage("homi test [OPTIONS] FILE.c... [-- ARGUMENT...]");
        options::augment_test(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The words after `homi test`, sorted.
pub(super) fn line(words: Vec<OsString>) -> anyhow::Result<RunLine> {
    Ok(options::sort_test(words).map_err(usage)?)
}

fn usage(error: options::OptionError) -> UsageError {
    UsageError(error.to_string())
}

/// What a program is given as.
enum Program {
    Sources(Sources),
    Bitcode(Vec<PathBuf>),
}

/// `line` is what `args` were parsed from.
pub(super) fn execute(args: &TestArgs, line: &RunLine) -> anyhow::Result<Exit> {
    let (native, mut run) = options::resolve_test(&args.typed, line).map_err(usage)?;
    let program = program(&run.program.inputs, &native)?;
    let compiled = match &program {
        Program::Sources(sources) => Some(compile(sources)?),
        Program::Bitcode(_) => None,
    };
    let bitcode = match (&program, &compiled) {
        (_, Some(compiled)) => compiled.files(),
        (Program::Bitcode(files), None) => files.clone(),
        (Program::Sources(_), None) => Vec::new(),
    };
    let calls = tester::harness_calls(&bitcode).context("cannot read the bitcode")?;
    say(&run, &first_line(&run, calls));
    if wants_usual_inputs(&run, calls) {
        run.program.arguments = USUAL_INPUTS.split(' ').map(str::to_string).collect();
    }
    let named = run.output.directory.as_deref();
    let directory = OutputDirectory::create(named, Path::new("."))?;
    let builds = directory.file("build");
    run.program.inputs = match &compiled {
        Some(compiled) => compiled.keep_in(&builds)?,
        None => bitcode,
    };
    let builds = match &program {
        Program::Sources(sources) => build(sources, calls.any, &builds),
        Program::Bitcode(_) => NativeBuilds {
            missing: vec![
                "bitcode was given, so there is no native program: no test was replayed, and no bug \
                 confirmed (give the C files instead)"
                    .to_string(),
            ],
            ..NativeBuilds::default()
        },
    };
    let signals = install_signals().context("cannot install signal handlers")?;
    explore_and_report(&run, &native, directory, &builds, line, &signals)
}

fn explore_and_report(
    run: &RunConfig,
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
    caller.directory = Some(directory);
    let explored = session::run(run, &caller).map_err(failed)?;
    if let Some(failure) = explored.failure {
        return Err(failed(failure));
    }
    let summary = &explored.summary;
    if builds.counted.is_some() || builds.sanitized.is_some() {
        say(run, &format!("running {} tests natively", summary.tests));
    }
    let bugs: Vec<String> = summary
        .errors
        .iter()
        .map(|error| error.test.clone())
        .collect();
    let replayed = tester::replay_natively(builds, &explored.directory, &bugs, native.timeout);
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

fn say(run: &RunConfig, text: &str) {
    if !run.output.quiet {
        eprintln!("homi: {text}");
    }
}

/// Sorts the files that were given.
fn program(files: &[PathBuf], config: &NativeConfig) -> Result<Program, UsageError> {
    let has = |file: &PathBuf, suffixes: &[&str]| {
        let suffix = file.extension().unwrap_or_default();
        suffixes.iter().any(|one| suffix == *one)
    };
    for file in files {
        if !file.is_file() {
            return Err(UsageError(format!("there is no file {}", file.display())));
        }
    }
    let files = files.to_vec();
    if files.iter().all(|file| has(file, &["c", "i"])) {
        let config = config.clone();
        return Ok(Program::Sources(Sources { files, config }));
    }
    if files.iter().all(|file| has(file, &["bc"])) {
        return Ok(Program::Bitcode(files));
    }
    let odd = files.iter().find(|file| !has(file, &["c", "i", "bc"]));
    Err(UsageError(match odd {
        Some(file) => format!(
            "{} is neither C source (.c, .i) nor bitcode (.bc)",
            file.display()
        ),
        None => "give either C sources or bitcode, not both".to_string(),
    }))
}

/// Compiles to bitcode; what the compiler says is shown as it says it.
fn compile(sources: &Sources) -> anyhow::Result<CompiledBitcode> {
    let supported = llvm_version();
    let clang = toolchain::newest_clang(supported).with_context(|| {
        format!(
            "there is no clang from {OLDEST_CLANG} to {supported}, which compiles for homi; \
             apt-get install clang-{supported}, and `homi doctor` says what else is missing"
        )
    })?;
    match tester::compile_bitcode(&clang, sources) {
        Ok(compiled) => {
            eprint!("{}", compiled.warnings);
            Ok(compiled)
        }
        Err(error) => {
            if let BuildError::Refused { output, .. } = &error {
                eprint!("{output}");
            }
            let way_on = "correct what it says above; -I, -D and --cflags tell it more";
            Err(anyhow::anyhow!("{error}: {way_on}"))
        }
    }
}

/// Compiles natively as far as that is possible.
fn build(sources: &Sources, harness: bool, directory: &Path) -> NativeBuilds {
    match toolchain::gcc() {
        Some(gcc) => tester::build_natively(&gcc, sources, harness, directory),
        None => NativeBuilds {
            missing: vec![
                "there is no gcc, so no test was replayed, and no bug confirmed (apt-get install \
                 gcc libc6-dev)"
                    .to_string(),
            ],
            ..NativeBuilds::default()
        },
    }
}

fn wants_usual_inputs(run: &RunConfig, calls: HarnessCalls) -> bool {
    run.program.arguments.is_empty() && !calls.makes_symbolic
}

/// What is tested, on which inputs.
fn first_line(run: &RunConfig, calls: HarnessCalls) -> String {
    let files = run
        .program
        .inputs
        .iter()
        .map(|file| file.display().to_string());
    let files = files.collect::<Vec<_>>().join(" ");
    if wants_usual_inputs(run, calls) {
        return format!(
            "testing {files} -- {USUAL_INPUTS} (arguments, a file A and standard input of these \
             sizes; say others after --)"
        );
    }
    match run.program.arguments.as_slice() {
        [] => format!("testing {files}, which makes its inputs symbolic itself"),
        arguments => format!("testing {files} -- {}", arguments.join(" ")),
    }
}
