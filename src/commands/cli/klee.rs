//! `homi klee`, and homi under the name `klee`: turns KLEE's command line into a run.

use super::run::install_signals;
use super::session::caller;
use super::status::Exit;
use crate::klee;
use crate::klee::{KleeError, KleeLine, Request};
use anyhow::Context;
use homi_app::session;
use homi_app::session::{Caller, SessionError};
use homi_llvm::{LoadError, write_program};
use homi_report::{DirectoryError, Event};
use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// Arguments of KLEE, for the help page only: `main` passes them to [`execute`] unparsed.
#[derive(clap::Args, Debug)]
#[command(override_usage = "homi klee [OPTION]... [FILE|-] [ARGUMENT]...")]
pub(super) struct KleeArgs {
    /// Arguments of KLEE; `homi klee --help` lists its options
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

/// Returns the index of KLEE's first argument if the command line is KLEE's.
pub(super) fn asked_for(arguments: &[OsString]) -> Option<usize> {
    let program = arguments
        .first()
        .and_then(|argument| Path::new(argument).file_name());
    if program.and_then(OsStr::to_str) == Some("klee") {
        return Some(1);
    }
    (arguments.get(1)? == "klee").then_some(2)
}

/// Runs [`execute`] on arguments that clap parsed.
pub(super) fn from_table(args: KleeArgs) -> anyhow::Result<ExitCode> {
    let command = vec!["klee".into()];
    execute(command, args.arguments)
}

/// Runs the program and returns KLEE's exit status; `command` is the part of the command line
/// before KLEE's arguments.
pub(super) fn execute(
    command: Vec<OsString>,
    arguments: Vec<OsString>,
) -> anyhow::Result<ExitCode> {
    let shown = shown(&command, &arguments);
    let line = match klee::read(arguments) {
        Ok(line) => line,
        Err(error) => return Ok(refuse(&error)),
    };
    if line.wants_help {
        super::print(&klee::help())?;
        return Ok(Exit::Done.code());
    }
    if line.wants_version {
        super::print(&klee::version())?;
        return Ok(Exit::Done.code());
    }
    let input = Input::of(&line)?;
    match klee::request(&line, &input.path) {
        Ok(request) => run(&request, &shown),
        Err(error) => Ok(refuse(&error)),
    }
}

/// Returns the command line as the user typed it.
fn shown(command: &[OsString], arguments: &[OsString]) -> String {
    let arguments = command.iter().chain(arguments);
    let arguments: Vec<_> = arguments
        .map(|argument| argument.to_string_lossy())
        .collect();
    arguments.join(" ")
}

fn refuse(error: &KleeError) -> ExitCode {
    let name = match error {
        KleeError::Ends(_) => "KLEE",
        _ => "klee",
    };
    eprintln!("{name}: {error}");
    Exit::Failure.code()
}

/// File that the program is read from.
struct Input {
    path: PathBuf,
    /// Temporary directory that holds a program read from standard input; dropped with this value.
    _kept: Option<tempfile::TempDir>,
}

impl Input {
    fn of(line: &KleeLine) -> anyhow::Result<Self> {
        if let Some(file) = &line.file {
            return Ok(Self {
                path: file.into(),
                _kept: None,
            });
        }
        let kept = tempfile::tempdir().context("cannot store standard input")?;
        let path = kept.path().join("stdin.bc");
        let mut file = std::fs::File::create(&path).context("cannot store standard input")?;
        std::io::copy(&mut std::io::stdin().lock(), &mut file)
            .context("cannot read standard input")?;
        Ok(Self {
            path,
            _kept: Some(kept),
        })
    }
}

fn run(request: &Request, command: &str) -> anyhow::Result<ExitCode> {
    let signals = install_signals().context("cannot install signal handlers")?;
    let mut caller = caller(command, &signals)?;
    caller.warnings.clone_from(&request.warnings);
    klee::attach(request, &caller.events);
    let printer = Printer::attach(request, &caller);
    let outcome = session::run(&request.config, &caller);
    printer.wait();
    let report = match outcome {
        Ok(report) => report,
        Err(error) => return Ok(failed(&error, request)),
    };
    let mut summary = report.summary;
    klee::profile_as_klee(&report.directory)?;
    klee::remove_unwanted(&request.asked, &report.directory, &mut summary)?;
    if let Some(failure) = &report.failure {
        return Ok(failed(failure, request));
    }
    let ending = klee::ending(&summary, &request.asked, &report.directory);
    add_messages(&report.directory, &ending.messages);
    eprint!("{}", ending.text);
    Ok(ExitCode::from(ending.status))
}

/// Prints messages and appends them to `messages.txt`.
fn add_messages(directory: &Path, messages: &[String]) {
    let file = OpenOptions::new()
        .append(true)
        .open(directory.join("messages.txt"));
    let mut file = file.ok();
    for message in messages {
        eprintln!("{message}");
        if let Some(file) = &mut file {
            // A failed write is harmless: the messages are printed and the run has ended.
            let _ = writeln!(file, "{message}");
        }
    }
}

/// Prints KLEE's last line for a run that could not start.
fn failed(error: &SessionError, request: &Request) -> ExitCode {
    let text = match error {
        SessionError::Load(LoadError::NoEntry { entry, .. }) => {
            format!("Entry function '{entry}' not found in module.")
        }
        SessionError::Load(LoadError::Alias { reason, notes, .. }) => {
            for note in notes {
                let how = if note.is_warning { "WARNING: " } else { "" };
                eprintln!("KLEE: {how}function-alias: {}", note.text);
            }
            format!("function-alias: {reason}")
        }
        SessionError::Load(error) => {
            let shown = request.config.program.inputs.first();
            let shown = shown.map_or_else(String::new, |path| path.display().to_string());
            format!("Loading file {shown} failed: {error}")
        }
        SessionError::Directory(DirectoryError::Exists { path }) => {
            format!("cannot create \"{}\": File exists", path.display())
        }
        error => with_causes(error),
    };
    eprintln!("KLEE: ERROR: {text}");
    Exit::Failure.code()
}

/// Returns an error and its causes as one line, each cause once.
fn with_causes(error: &SessionError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(one) = cause {
        let shown = one.to_string();
        if !text.contains(&shown) {
            text = format!("{text}: {shown}");
        }
        cause = one.source();
    }
    text
}

/// Writes the program's bitcode into the output directory during the run, as text or unchanged.
/// Works in a separate process, because LLVM may crash.
#[derive(Clone, Default)]
struct Printer(Arc<Mutex<Option<Child>>>);

impl Printer {
    fn attach(request: &Request, caller: &Caller) -> Self {
        let printer = Self::default();
        let (asked, config) = (&request.asked, &request.config);
        let mut outputs = Vec::new();
        outputs.extend(asked.writes_assembly.then_some("assembly.ll"));
        outputs.extend(asked.writes_module.then_some("final.bc"));
        let (Some(homi), false) = (caller.executable.clone(), outputs.is_empty()) else {
            return printer;
        };
        let (entry, inputs) = (config.program.entry.clone(), config.program.inputs.clone());
        let kept = printer.clone();
        let listener = move |event: &Event| {
            if let Event::Started(started) = event {
                let directory = Path::new(&started.directory);
                let child = Command::new(&homi)
                    .args(["__print-bitcode", &entry])
                    .arg(outputs.len().to_string())
                    .args(outputs.iter().map(|name| directory.join(name)))
                    .args(&inputs)
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .spawn();
                *kept.0.lock().unwrap_or_else(PoisonError::into_inner) = child.ok();
            }
        };
        caller.events.add("assembly.ll", Box::new(listener));
        printer
    }

    fn wait(&self) {
        let child = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut child) = child {
            // Ignores the exit status: the files are informative, and nothing depends on them.
            let _ = child.wait();
        }
    }
}

/// Arguments of `homi __print-bitcode ENTRY COUNT OUTPUT... INPUT...` (internal).
#[derive(clap::Args, Debug)]
pub(super) struct PrintArgs {
    entry: String,
    outputs: usize,
    files: Vec<PathBuf>,
}

pub(super) fn print_bitcode(args: &PrintArgs) -> anyhow::Result<Exit> {
    let (outputs, inputs) = args.files.split_at(args.outputs.min(args.files.len()));
    write_program(inputs, &args.entry, outputs)?;
    Ok(Exit::Done)
}
