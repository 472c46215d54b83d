//! `homi record`: a command runs with a recorder beside it; what the program was given becomes
//! seeds.

use super::status::UsageError;
use crate::native::record::{
    Made, ProgramError, RecordOptions, Recorded, Recorder, refuse_program, seeds_of,
};
use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Make seeds of what a command, such as a test suite, gives to a program
///
/// COMMAND runs as ever, and its exit status is that of homi. Each time it starts the program, also
/// by scripts and side by side, arguments, standard input, files named by arguments and variables
/// that the program asks for become a .ktest file in DIR. The program itself is built as ever; it
/// must be dynamically linked.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "homi record [OPTIONS] -- COMMAND...",
    after_help = "Example:\n  \
homi record --program ./src/grep --output seeds -- make check\n  \
homi run grep.bc --seed-dir seeds --max-time 60s\n\n\
homi run and homi test take symbolic words that fit the seeds if they are given no others."
)]
pub(super) struct RecordArgs {
    /// The executable whose invocations are recorded [default: the command's own]
    #[arg(long, value_name = "EXE")]
    program: Option<PathBuf>,
    /// The directory to write test000001.ktest, ... into; must not exist
    #[arg(long, short, value_name = "DIR", default_value = "seeds")]
    output: PathBuf,
    /// Keep so many bytes of a file, of standard input and of a variable
    #[arg(long, value_name = "BYTES", default_value_t = 65536)]
    most_bytes: usize,
    /// Say nothing but warnings
    #[arg(long, short)]
    quiet: bool,
    /// The command and its words
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
}

/// The command's exit status, as a shell has it; 1 if that is 0 and nothing was recorded.
pub(super) fn execute(args: &RecordArgs) -> anyhow::Result<ExitCode> {
    let (first, rest) = args.command.split_first().context("there is no command")?;
    if args.output.exists() {
        let shown = args.output.display();
        let text = format!("{shown} exists already; name another directory with --output");
        return Err(UsageError(text).into());
    }
    let program = program(args.program.as_deref(), first)?;
    refuse_program(&program).map_err(refused)?;
    let recorder = Recorder::install(RecordOptions {
        program: program.clone(),
        limit: args.most_bytes,
    })?;
    // Ctrl-C is for the command; what it did until then is kept.
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
    let made = seeds_of(&recorder.records(), &format!("{name}.bc"), &surroundings())?;
    if made.tests.is_empty() {
        return Ok(nothing(&program, &made, status));
    }
    write(args, &program, &made)?;
    Ok(passed_on(status))
}

fn refused(error: ProgramError) -> UsageError {
    UsageError(format!("--program: {error}"))
}

/// The recorded program's absolute path; it need not be there before the command builds it.
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

/// The variables that homi itself has.
fn surroundings() -> Vec<(Vec<u8>, Vec<u8>)> {
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
        .map(|word| word.to_string_lossy().into_owned());
    let program = program.display().to_string();
    let recorded = Recorded::new(command.collect(), program, &made.invocations);
    recorded.write(&args.output).with_context(failed)?;
    if !args.quiet {
        eprint!("{}", told(made, &recorded, &args.output));
    }
    Ok(())
}

/// What was recorded, and how to go on.
fn told(made: &Made, recorded: &Recorded, output: &Path) -> String {
    let (output, program) = (output.display(), &recorded.program);
    let mut text = format!(
        "homi: recorded {} of {program}: {} in {output}",
        counted(made.recorded, "invocation"),
        counted(made.tests.len(), "seed"),
    );
    if made.same > 0 {
        text += &format!(", {} with the input of an earlier one", made.same);
    }
    if made.left_out > 0 {
        let left_out = made.left_out;
        text += &format!(", {left_out} left out (over 99 arguments, or killed at once)");
    }
    text += "\n";
    if made.cut > 0 {
        let cut = counted(made.cut, "seed");
        text += &format!("homi: cut to --most-bytes: inputs of {cut}\n");
    }
    let words = recorded.arguments.join(" ");
    text += &format!("homi: next: homi run PROGRAM.bc --seed-dir {output} --max-time 60s\n");
    text + &format!("homi: words that fit them, which a run without others takes: {words}\n")
}

fn counted(count: usize, name: &str) -> String {
    match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    }
}

/// Says why no seeds were made.
fn nothing(program: &Path, made: &Made, status: ExitStatus) -> ExitCode {
    let shown = program.display();
    let why = match (made.recorded, refuse_program(program)) {
        (0, Err(error)) => error.to_string(),
        (0, Ok(())) if !program.exists() => "there is no such file".to_string(),
        (0, Ok(())) => {
            "the command did not start it, or by a program that is statically linked or \
                        setuid"
                .to_string()
        }
        (count, _) => format!("none of {} can be used", counted(count, "invocation")),
    };
    eprintln!("homi: error: nothing was recorded of {shown}: {why}");
    if status.success() {
        ExitCode::FAILURE
    } else {
        passed_on(status)
    }
}

/// The exit status of a shell whose command ended so.
fn passed_on(status: ExitStatus) -> ExitCode {
    let number = match (status.code(), status.signal()) {
        (Some(code), _) => code,
        (None, Some(signal)) => 128 + signal,
        (None, None) => 1,
    };
    ExitCode::from(u8::try_from(number).unwrap_or(1))
}
