//! `homi record`: runs a command with a recorder; the inputs that the program got become seeds.

use super::status::UsageError;
use anyhow::Context;
use homi_native::record::{
    Made, ProgramError, RecordOptions, Recorded, Recorder, refuse_program, seeds_of,
};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Record the inputs that a command passes to a program, as seeds
///
/// COMMAND, such as a test suite, runs unchanged, and homi returns its exit status. Each time it
/// starts the program, also from scripts and in parallel, homi writes a .ktest file to DIR. The
/// file has the arguments, standard input, the files that arguments name and the environment
/// variables that the program reads. The program needs no special build, but it must be dynamically
/// linked.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "homi record [OPTIONS] -- COMMAND...",
    after_help = "Example:\n  \
homi record --program ./src/grep --output seeds -- make check\n  \
homi run grep.bc --seed-dir seeds --max-time 60s\n\n\
If you pass no arguments, homi run and homi test use symbolic arguments that fit the seeds."
)]
pub(super) struct RecordArgs {
    /// Record the invocations of this executable [default: the command]
    #[arg(long, value_name = "EXE")]
    program: Option<PathBuf>,
    /// Write test000001.ktest, ... into this new directory
    #[arg(long, short, value_name = "DIR", default_value = "seeds")]
    output: PathBuf,
    /// Keep at most BYTES of a file, of standard input and of a variable
    #[arg(long, value_name = "BYTES", default_value_t = 65536)]
    max_bytes: usize,
    /// Print warnings only
    #[arg(long, short)]
    quiet: bool,
    /// Command and its arguments
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
}

/// Runs the command and returns its exit status, as a shell reports it; 1 if that is 0 and nothing
/// was recorded.
pub(super) fn execute(args: &RecordArgs) -> anyhow::Result<ExitCode> {
    let (first, rest) = args.command.split_first().context("no command given")?;
    if args.output.exists() {
        let shown = args.output.display();
        let text = format!("{shown} already exists; choose another directory with --output");
        return Err(UsageError(text).into());
    }
    let program = program(args.program.as_deref(), first)?;
    refuse_program(&program).map_err(refused)?;
    let recorder = Recorder::install(RecordOptions {
        program: program.clone(),
        limit: args.max_bytes,
    })?;
    // Ctrl-C is for the command; homi keeps the recorded invocations.
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    let mut command = Command::new(first);
    command.args(rest);
    recorder.watch(&mut command, std::env::var_os("LD_PRELOAD"));
    let shown = first.to_string_lossy();
    let status = command
        .status()
        .map_err(|error| UsageError(format!("cannot run {shown}: {error}")))?;
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let made = seeds_of(
        &recorder.records(),
        &format!("{name}.bc"),
        &run_environment(),
    )?;
    if made.tests.is_empty() {
        return Ok(nothing(&program, &made, status));
    }
    write(args, &program, &made)?;
    Ok(passed_on(status))
}

fn refused(error: ProgramError) -> UsageError {
    UsageError(format!("--program: {error}"))
}

/// Returns the absolute path of the recorded program. The file need not exist before the command
/// builds it.
fn program(named: Option<&Path>, first: &OsString) -> anyhow::Result<PathBuf> {
    let first = PathBuf::from(first);
    let path = match named {
        Some(path) => path.to_path_buf(),
        None if first.as_os_str().as_bytes().contains(&b'/') => first,
        None => {
            let places = std::env::var_os("PATH").unwrap_or_default();
            let mut places = std::env::split_paths(&places).map(|place| place.join(&first));
            places.find(|path| path.is_file()).unwrap_or(first)
        }
    };
    match path.canonicalize() {
        Ok(found) => Ok(found),
        Err(_) => Ok(std::path::absolute(path)?),
    }
}

/// Returns the environment variables of homi.
fn run_environment() -> Vec<(Vec<u8>, Vec<u8>)> {
    let variables = std::env::vars_os();
    variables
        .map(|(name, value)| (name.into_vec(), value.into_vec()))
        .collect()
}

fn write(args: &RecordArgs, program: &Path, made: &Made) -> anyhow::Result<()> {
    let shown = args.output.display();
    let failed = || format!("cannot write {shown}");
    std::fs::create_dir_all(&args.output).with_context(failed)?;
    for (number, test) in (1..).zip(&made.tests) {
        test.write(&args.output.join(format!("test{number:06}.ktest")))?;
    }
    let command = args
        .command
        .iter()
        .map(|argument| argument.to_string_lossy().into_owned());
    let program = program.display().to_string();
    let recorded = Recorded::new(command.collect(), program, &made.invocations);
    recorded.write(&args.output).with_context(failed)?;
    if !args.quiet {
        eprint!("{}", report_text(made, &recorded, &args.output));
    }
    Ok(())
}

/// Returns the summary of the recording and the next command to run.
fn report_text(made: &Made, recorded: &Recorded, output: &Path) -> String {
    let (output, program) = (output.display(), &recorded.program);
    let mut text = format!(
        "homi: recorded {} of {program}: {} in {output}",
        counted(made.recorded, "invocation"),
        counted(made.tests.len(), "seed"),
    );
    if made.same > 0 {
        text += &format!(", {} with the input of an earlier invocation", made.same);
    }
    if made.left_out > 0 {
        let left_out = made.left_out;
        text += &format!(", {left_out} dropped (over 99 arguments, or killed at start)");
    }
    text += "\n";
    if made.cut > 0 {
        let cut = counted(made.cut, "seed");
        text += &format!("homi: truncated to --max-bytes: inputs of {cut}\n");
    }
    let arguments = recorded.arguments.join(" ");
    text += &format!("homi: next: homi run PROGRAM.bc --seed-dir {output} --max-time 60s\n");
    text + &format!("homi: symbolic arguments used by default: {arguments}\n")
}

fn counted(count: usize, name: &str) -> String {
    match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    }
}

/// Reports why there are no seeds, and returns the exit status.
fn nothing(program: &Path, made: &Made, status: ExitStatus) -> ExitCode {
    let shown = program.display();
    let why = match (made.recorded, refuse_program(program)) {
        (0, Err(error)) => error.to_string(),
        (0, Ok(())) if !program.exists() => "the file does not exist".to_string(),
        (0, Ok(())) => {
            "the command did not start it, or started it from a statically linked or setuid \
                        program"
                .to_string()
        }
        (count, _) => format!("none of {} can be used", counted(count, "invocation")),
    };
    eprintln!("homi: error: no invocation of {shown} recorded: {why}");
    if status.success() {
        ExitCode::FAILURE
    } else {
        passed_on(status)
    }
}

/// Returns the status that a shell reports for a command that ended with `status`.
fn passed_on(status: ExitStatus) -> ExitCode {
    let number = match (status.code(), status.signal()) {
        (Some(code), _) => code,
        (None, Some(signal)) => 128 + signal,
        (None, None) => 1,
    };
    ExitCode::from(u8::try_from(number).unwrap_or(1))
}
