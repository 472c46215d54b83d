//! `homi keep`: arguments, and the report about what is kept.

use super::run::install_signals;
use super::status::{Exit, UsageError};
use super::traces::library_directories;
use anyhow::{Context, bail};
use homi_app::keep::{
    BuildSystem, Framework, FunctionOptions, KeepOptions, Kept, KeptProgram, accept, keep,
    keep_function, register, reject,
};
use homi_app::options::units;
use homi_app::tester::TestedProgram;
use homi_llvm::embedded::records_of;
use homi_native::replay::sandbox::{Limits, choose};
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

/// Left-out tests that are named one by one.
const NAMED: usize = 8;

/// Keep tests as plain files that a shell script runs without homi
///
/// homi chooses few tests that cover the same branch sides and makes them smaller. It runs each on
/// several native builds in the sandbox, and writes what all runs show as tests/homi/PROGRAM/CASE.
/// Run them with `sh tests/homi/run.sh PROGRAM`. A function gets tests/homi/test_NAME.c instead.
/// A known bug is a TODO that does not fail.
///
/// On a later run, cases that still pass and cases that people edited stay as they are. A changed
/// behavior waits as CASE.new until --accept or --reject. A case that was deleted does not return.
#[derive(clap::Args, Debug)]
#[command(after_help = "Exit status: 0 done, 1 failed, 2 wrong usage, 3 changed cases wait.")]
pub(super) struct KeepArgs {
    /// Output directories of `homi test`, or tests
    #[arg(value_name = "DIR", default_value = "homi-last")]
    tests: Vec<PathBuf>,
    /// Write the cases below this directory
    #[arg(long, value_name = "DIR", default_value = "tests/homi")]
    into: PathBuf,
    /// Form of the tests [default: c for a function, else cases]
    #[arg(long = "as", value_name = "FORM", value_enum)]
    form: Option<Form>,
    /// Also write files that make the tests part of a build
    #[arg(long, value_name = "SYSTEM", value_enum, value_delimiter = ',')]
    register: Vec<System>,
    /// Record this program, built by `homi cc` [default: the one that `homi test` tested]
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// Make waiting cases the kept ones: those named, or all
    #[arg(long, value_name = "CASE", num_args = 0.., conflicts_with_all = ["tests", "program"])]
    accept: Option<Vec<String>>,
    /// Remove waiting cases: those named, or all
    #[arg(long, value_name = "CASE", num_args = 0..)]
    #[arg(conflicts_with_all = ["tests", "program", "accept"])]
    reject: Option<Vec<String>>,
    /// Compile with this clang, whose version must match homi's LLVM
    #[arg(long, default_value = "clang-19", value_name = "PATH")]
    clang: PathBuf,
    /// Leave out a test that runs longer
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = units::duration)]
    timeout: Duration,
    /// Read no homi.toml
    #[arg(long)]
    no_config: bool,
}

/// Forms of kept tests.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// A directory for each case of a program, which a shell script runs
    Cases,
    /// Calls of a function in plain C
    C,
    /// Calls of a function as a group of CMocka
    Cmocka,
}

/// Build systems that kept tests can be part of.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum System {
    /// homi.cmake, for include()
    Cmake,
    /// meson.build, for subdir()
    Meson,
    /// homi.am, for include
    Automake,
}

impl System {
    fn build_system(self) -> BuildSystem {
        match self {
            System::Cmake => BuildSystem::Cmake,
            System::Meson => BuildSystem::Meson,
            System::Automake => BuildSystem::Automake,
        }
    }
}

pub(super) fn execute(args: &KeepArgs) -> anyhow::Result<Exit> {
    if let Some(names) = &args.accept {
        let count = accept(&args.into, names)?;
        super::print(&format!("accepted {count} changed cases\n"))?;
        return Ok(Exit::Done);
    }
    if let Some(names) = &args.reject {
        let count = reject(&args.into, names)?;
        super::print(&format!("rejected {count} changed cases\n"))?;
        return Ok(Exit::Done);
    }
    keep_tests(&args.tests, args)
}

/// Keeps the tests of an output directory as `homi keep` does without options.
pub(super) fn keep_run(directory: &Path, timeout: Duration) -> anyhow::Result<Exit> {
    let args = KeepArgs {
        tests: vec![directory.to_path_buf()],
        into: PathBuf::from("tests/homi"),
        form: None,
        register: Vec::new(),
        program: None,
        accept: None,
        reject: None,
        clang: PathBuf::from("clang-19"),
        timeout,
        no_config: true,
    };
    keep_tests(&args.tests, &args)
}

fn keep_tests(tests: &[PathBuf], args: &KeepArgs) -> anyhow::Result<Exit> {
    if let Some(absent) = tests.iter().find(|test| !test.exists()) {
        let shown = absent.display();
        return Err(UsageError(format!(
            "{shown} does not exist; run `homi test` first, or name its output directory"
        ))
        .into());
    }
    let absolute =
        |path: &Path| absolute(path).with_context(|| format!("cannot find {}", path.display()));
    let whole: Vec<PathBuf> = tests
        .iter()
        .map(|test| absolute(test))
        .collect::<Result<_, _>>()?;
    let into = absolute(&args.into)?;
    let program = match &args.program {
        Some(file) => Subject::Program(KeptProgram::Executable(absolute(file)?, libraries(file))),
        None => subject(&whole, args.form)?,
    };
    let signals = install_signals().context("cannot install signal handlers")?;
    let limits = Limits {
        timeout: args.timeout,
        ..Limits::default()
    };
    let (sandbox, interrupt) = (choose()?.kind(), signals.interrupt);
    let place = into.clone();
    let (kept, how) = match program {
        Subject::Program(program) => {
            let kept = keep(&KeepOptions {
                tests: whole,
                program,
                into,
                clang: args.clang.clone(),
                limits,
                sandbox,
                interrupt,
            })?;
            let how = format!("sh {}/run.sh PATH/TO/{}", args.into.display(), kept.name);
            (kept, how)
        }
        Subject::Function(run, program) => {
            let (framework, library) = match args.form {
                Some(Form::Cmocka) => (Framework::Cmocka, " -lcmocka"),
                _ => (Framework::None, ""),
            };
            let kept = keep_function(&FunctionOptions {
                run,
                program,
                framework,
                into,
                limits,
                sandbox,
                interrupt,
            })?;
            let how = format!(
                "cc {}/{}{library} && ./a.out",
                args.into.display(),
                kept.name
            );
            (kept, how)
        }
    };
    if place.is_dir() {
        for system in &args.register {
            register(&place, system.build_system())?;
        }
    }
    super::print(&text(&kept, &args.into, &how))?;
    Ok(if kept.pending.is_empty() {
        Exit::Done
    } else {
        Exit::BugsFound
    })
}

/// Subject of the tests.
enum Subject {
    Program(KeptProgram),
    /// A function, with the output directory of its run.
    Function(PathBuf, TestedProgram),
}

/// Returns what the first run tested, and enters the directory that its files are relative to.
fn subject(tests: &[PathBuf], form: Option<Form>) -> anyhow::Result<Subject> {
    let directory = tests.iter().find(|test| test.is_dir());
    let read = directory
        .map(|directory| TestedProgram::read(directory))
        .transpose()?;
    let Some(tested) = read.flatten() else {
        bail!(UsageError(
            "the tests do not say which program they are of; give an output directory of `homi \
             test`, or name the program with --program"
                .to_string()
        ));
    };
    std::env::set_current_dir(&tested.directory)
        .with_context(|| format!("cannot enter {}", tested.directory.display()))?;
    let is_function = tested.entry != "main" && form != Some(Form::Cases);
    match directory {
        Some(run) if is_function && !tested.sources.is_empty() => {
            Ok(Subject::Function(run.clone(), tested))
        }
        _ if matches!(form, Some(Form::C | Form::Cmocka)) => bail!(UsageError(
            "--as c and --as cmocka keep tests of one function; run `homi test FILE.c --entry-point NAME` first"
                .to_string()
        )),
        _ => KeptProgram::of_run(tested, &|file| libraries(file)).map(Subject::Program),
    }
}

fn libraries(program: &Path) -> Vec<PathBuf> {
    library_directories(&records_of(program).unwrap_or_default())
}

/// Returns the report.
fn text(kept: &Kept, into: &Path, how: &str) -> String {
    let into = into.display();
    let name = &kept.name;
    let total = kept.added.len() + kept.same + kept.pending.len() + kept.failing.len();
    let total = total + kept.fixed.len();
    let mut text = format!("{into}/{name}: {total} cases, {} new", kept.added.len());
    if kept.bugs > 0 {
        text += &format!(", {} of known bugs", kept.bugs);
    }
    let (sides, all) = kept.sides;
    text += &format!("; {sides} of {all} branch sides\n");
    for name in &kept.added {
        text += &format!("  new      {name}\n");
    }
    for (old, new) in &kept.fixed {
        text += &format!("  fixed    {old} is now {new}\n");
    }
    for name in &kept.pending {
        text += &format!(
            "  changed  {name}: compare it with the .new one, then run homi keep --accept or \
             --reject\n"
        );
    }
    for name in &kept.failing {
        text += &format!("  fails    {name}, which was edited and is not changed\n");
    }
    if kept.removed > 0 {
        let count = kept.removed;
        text += &format!("{count} deleted cases do not return (never, in {into}/keep.toml)\n");
    }
    if kept.superfluous > 0 {
        let count = kept.superfluous;
        text += &format!("not kept: {count} tests that add no branch side and no bug\n");
    }
    text += &left_out(&kept.left_out);
    if total == 0 {
        return text;
    }
    text + &format!("run them: {how}\n")
}

fn left_out(tests: &[(String, String)]) -> String {
    if tests.is_empty() {
        return String::new();
    }
    let mut text = format!("left out: {} tests\n", tests.len());
    for (name, why) in tests.iter().take(NAMED) {
        text += &format!("  {name}: {why}\n");
    }
    if tests.len() > NAMED {
        text += &format!("  and {} more\n", tests.len() - NAMED);
    }
    text
}
