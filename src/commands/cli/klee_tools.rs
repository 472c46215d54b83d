//! KLEE's tools `klee-replay`, `ktest-tool`, `ktest-gen`, `ktest-randgen` and `klee-stats`, with
//! KLEE's command lines. Links of these names that point to homi do the same.

use super::status::Exit;
use crate::klee;
use anyhow::Context;
use homi_native::replay;
use homi_native::replay::sandbox::{Ending, Limits, Node};
use homi_native::replay::{ReplayOptions, Status, TestResult};
use homi_native::testcase::ktest::KTest;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of a tool, for the help page only: `main` passes them to [`execute`] unparsed.
#[derive(clap::Args, Debug)]
pub(super) struct ToolArgs {
    /// Arguments of KLEE's command
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

/// KLEE tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    Replay,
    PrintTests,
    KtestGen,
    KtestRandgen,
    Stats,
}

const NAMES: [(&str, Tool); 5] = [
    ("klee-replay", Tool::Replay),
    ("ktest-tool", Tool::PrintTests),
    ("ktest-gen", Tool::KtestGen),
    ("ktest-randgen", Tool::KtestRandgen),
    ("klee-stats", Tool::Stats),
];

/// Returns the tool that the command line names and the index of its first argument.
pub(super) fn asked_for(arguments: &[OsString]) -> Option<(Tool, usize)> {
    let named = |argument: Option<&OsStr>| {
        let argument = argument.and_then(OsStr::to_str)?;
        NAMES
            .iter()
            .find(|(name, _)| *name == argument)
            .map(|(_, tool)| *tool)
    };
    let program = arguments
        .first()
        .and_then(|argument| Path::new(argument).file_name());
    match named(program) {
        Some(tool) => Some((tool, 1)),
        None => named(arguments.get(1).map(OsString::as_os_str)).map(|tool| (tool, 2)),
    }
}

/// Result of a tool: an exit status, or the equivalent command line of homi.
pub(super) enum Done {
    Exit(ExitCode),
    As(Vec<OsString>),
}

/// Runs [`execute`] on arguments that clap parsed; only the help page takes this way.
pub(super) fn from_table(tool: Tool, args: ToolArgs) -> anyhow::Result<ExitCode> {
    match execute(tool, args.arguments)? {
        Done::Exit(code) => Ok(code),
        Done::As(_) => Ok(Exit::Done.code()),
    }
}

/// Executes the tool on its arguments.
pub(super) fn execute(tool: Tool, arguments: Vec<OsString>) -> anyhow::Result<Done> {
    let texts = || {
        arguments
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned())
    };
    let wants_help = texts().any(|argument| argument == "--help" || argument == "-h");
    match tool {
        Tool::KtestGen if wants_help => usage(klee::GEN_USAGE),
        Tool::KtestRandgen if wants_help => usage(klee::RANDGEN_USAGE),
        Tool::PrintTests => Ok(Done::As(as_homi("ktest", arguments))),
        Tool::Stats => stats(&texts().collect::<Vec<_>>()).map(Done::Exit),
        Tool::Replay => replay_tests(&texts().collect::<Vec<_>>()).map(Done::Exit),
        Tool::KtestGen => {
            let made = klee::from_files(&texts().collect::<Vec<_>>());
            write(made).map(Done::Exit)
        }
        Tool::KtestRandgen => {
            let made = klee::at_random(&texts().collect::<Vec<_>>(), fresh_seed());
            write(made).map(Done::Exit)
        }
    }
}

fn as_homi(command: &str, arguments: Vec<OsString>) -> Vec<OsString> {
    ["homi".into(), command.into()]
        .into_iter()
        .chain(arguments)
        .collect()
}

fn usage(text: &str) -> anyhow::Result<Done> {
    super::print(text)?;
    Ok(Done::Exit(Exit::Done.code()))
}

/// Returns a number that differs for each call of homi.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.map_or(1, |since| since.as_nanos() as u64);
    now ^ u64::from(std::process::id()).rotate_left(32)
}

fn write(made: Result<klee::Generated, klee::GenerateError>) -> anyhow::Result<ExitCode> {
    match made {
        Ok(made) => {
            made.test.write(&made.path)?;
            Ok(Exit::Done.code())
        }
        Err(error) => {
            eprintln!("{error}");
            Ok(Exit::Failure.code())
        }
    }
}

/// Executes `klee-stats`.
fn stats(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let request = klee::StatsRequest::parse(arguments);
    let text = request.and_then(|request| {
        if request.wants_help {
            Ok(klee::STATS_USAGE.to_string())
        } else {
            request.text()
        }
    });
    match text {
        Ok(text) => {
            super::print(&text)?;
            Ok(Exit::Done.code())
        }
        Err(error) => {
            eprintln!("{error}");
            Ok(Exit::Failure.code())
        }
    }
}

const REPLAY_USAGE: &str = "usage: klee-replay [OPTION]... EXECUTABLE KTEST...\n\
       klee-replay --create-files-only KTEST\n\
  -f, --create-files-only      create the test's files here and run nothing\n\
  -r, --chroot-to-dir=DIR      accepted: each test runs in a separate sandbox\n\
  -k, --keep-replay-dir        accepted: the sandbox is deleted after the test\n\
Environment: KLEE_REPLAY_TIMEOUT, time limit of a test in seconds\n";

/// Prefix of the lines that klee-replay prints.
const NOTE: &str = "KLEE-REPLAY: NOTE:";

fn replay_tests(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let (mut files, mut creates_files) = (Vec::new(), false);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "-h" | "--help" => {
                super::print(REPLAY_USAGE)?;
                return Ok(Exit::Done.code());
            }
            "-f" | "--create-files-only" => creates_files = true,
            "-k" | "--keep-replay-dir" => {}
            "-r" | "--chroot-to-dir" => {
                rest.next();
            }
            option if option.starts_with("--chroot-to-dir=") => {}
            _ => files.push(PathBuf::from(argument)),
        }
    }
    match files.as_slice() {
        [test] if creates_files => create_files(test).map(|()| Exit::Done.code()),
        [exe, tests @ ..] if !tests.is_empty() && !creates_files => run(exe, tests),
        _ => {
            eprint!("{REPLAY_USAGE}");
            Ok(Exit::Failure.code())
        }
    }
}

/// Writes the test's symbolic files into the current directory, and its standard input as `stdin`.
fn create_files(test: &Path) -> anyhow::Result<()> {
    let test = KTest::read(test)?;
    let inputs = replay::Inputs::of(&test)?;
    for file in &inputs.files {
        let name = String::from_utf8_lossy(&file.path).into_owned();
        if let Node::File(content) = &file.node {
            std::fs::write(&name, content).with_context(|| format!("cannot write {name}"))?;
        }
    }
    Ok(())
}

fn run(exe: &Path, tests: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let seconds = std::env::var("KLEE_REPLAY_TIMEOUT").ok();
    let seconds = seconds.and_then(|text| text.parse::<u64>().ok());
    let mut limits = Limits::default();
    if let Some(seconds) = seconds {
        limits.timeout = Duration::from_secs(seconds.max(1));
    }
    let options = ReplayOptions {
        exe: exe.to_path_buf(),
        tests: tests.to_vec(),
        limits,
        jobs: 1,
        ..ReplayOptions::default()
    };
    replay::run(&options, &mut |result| show(exe, result))?;
    // KLEE's tool also returns success; the text reports how the program ended.
    Ok(Exit::Done.code())
}

/// Prints what klee-replay prints about a test.
fn show(exe: &Path, result: &TestResult) -> anyhow::Result<()> {
    eprintln!("{NOTE} Test file: {}", result.test.display());
    if let Ok(inputs) = KTest::read(&result.test)
        .map_err(anyhow::Error::from)
        .and_then(|test| Ok(replay::Inputs::of(&test)?))
    {
        let arguments = inputs.arguments.iter();
        let arguments: Vec<String> = arguments
            .map(|argument| format!(" \"{}\"", argument.escape_ascii()))
            .collect();
        eprintln!(
            "{NOTE} Arguments: \"{}\"{}",
            exe.display(),
            arguments.concat()
        );
    }
    super::print(&String::from_utf8_lossy(&result.stdout))?;
    eprint!("{}", String::from_utf8_lossy(&result.stderr));
    for note in &result.notes {
        eprintln!("KLEE-REPLAY: WARNING: {note}");
    }
    let seconds = result.seconds as u64;
    match &result.status {
        Status::Ended(Ending::Exit(0)) => {
            eprintln!("{NOTE} EXIT STATUS: NORMAL ({seconds} seconds)")
        }
        Status::Ended(Ending::Exit(status)) => {
            eprintln!("{NOTE} EXIT STATUS: ABNORMAL {status} ({seconds} seconds)");
        }
        Status::Ended(Ending::Signal(signal)) => {
            eprintln!("{NOTE} EXIT STATUS: CRASHED signal {signal} ({seconds} seconds)");
        }
        Status::Ended(Ending::Timeout) => {
            eprintln!("{NOTE} EXIT STATUS: TIMED OUT ({seconds} seconds)");
        }
        Status::Error(text) => eprintln!("KLEE-REPLAY: ERROR: {text}"),
    }
    Ok(())
}
