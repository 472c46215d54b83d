//! `homi replay`: all tests, one after the other, each in the sandbox, and what they covered together.
//!
//! A test that cannot be run (a damaged file, objects that do not fit) is a result of its own and does
//! not stop the others.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail};

use super::executable::{Executable, FLUSH_SIGNAL, compile_preload};
use super::inputs::Inputs;
use super::sandbox::{self, Ending, Job, Limits, Outcome, Sandbox, SandboxKind};
use crate::coverage::{COUNTERS_VARIABLE, GcovProgram, RunCounts, read_counters};
use crate::testcase::ktest::KTest;

/// What `homi replay` was asked to do.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    pub exe: PathBuf,
    /// `.ktest` files, and directories of them.
    pub tests: Vec<PathBuf>,
    pub gcov: bool,
    /// Count branch sides of a program built by `homi instrument`: the number of sides of each branch.
    pub sides: Option<Vec<u32>>,
    pub limits: Limits,
    /// None: the strongest that works here.
    pub sandbox: Option<SandboxKind>,
}

/// What one test did.
#[derive(Clone, Debug)]
pub struct TestResult {
    pub test: PathBuf,
    pub status: Status,
    pub seconds: f64,
    /// With gcov only.
    pub counts: Option<RunCounts>,
    /// With `sides` only: the (branch, side) pairs taken.
    pub taken: Option<BTreeSet<(u32, u32)>>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// What the replay could not reproduce.
    pub notes: Vec<String>,
}

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Ended(Ending),
    /// It could not be run.
    Error(String),
}

impl std::fmt::Display for Status {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Status::Ended(Ending::Exit(status)) => write!(out, "exit {status}"),
            Status::Ended(Ending::Signal(number)) => {
                match nix::sys::signal::Signal::try_from(*number) {
                    Ok(signal) => write!(out, "signal {}", signal.as_str()),
                    Err(_) => write!(out, "signal {number}"),
                }
            }
            Status::Ended(Ending::Timeout) => write!(out, "timeout"),
            Status::Error(text) => write!(out, "error: {text}"),
        }
    }
}

/// All results.
pub struct Replay {
    pub exe: PathBuf,
    pub results: Vec<TestResult>,
    pub program: Option<GcovProgram>,
    pub sandbox: SandboxKind,
    /// What the user should know, once each.
    pub warnings: Vec<String>,
}

/// Replays; `progress` sees each result as it comes.
pub fn run(
    options: &ReplayOptions,
    progress: &mut dyn FnMut(&TestResult) -> anyhow::Result<()>,
) -> anyhow::Result<Replay> {
    let tests = find_tests(&options.tests)?;
    let mut program = match options.gcov {
        true => Some(GcovProgram::open(&options.exe)?),
        false => None,
    };
    let sandbox = match options.sandbox {
        Some(kind) => Sandbox::new(kind)?,
        None => sandbox::choose()?,
    };
    let exe = Executable::open(&options.exe, &sandbox)?;
    let mut warnings = Vec::new();
    let preload = match options.gcov.then(|| compile_preload(&sandbox)) {
        Some(Ok(path)) => Some(path),
        Some(Err(reason)) => {
            warnings.push(format!("counts of tests that crash are lost: {reason}"));
            None
        }
        None => None,
    };
    if options.gcov && exe.hides_gcov() {
        warnings.push(
            "counts of tests that crash are lost: the program is stripped (link \
             runtime/replay/gcov_flush.c, compiled with -DHOMI_GCOV_LINKED, or do not strip it)"
                .into(),
        );
    }
    let replayer = Replayer {
        options,
        sandbox: &sandbox,
        exe: &exe,
        preload,
    };
    let mut results = Vec::new();
    for (number, test) in tests.into_iter().enumerate() {
        let result = replayer.replay(test, number, program.as_mut())?;
        progress(&result)?;
        results.push(result);
    }
    Ok(Replay {
        exe: options.exe.clone(),
        results,
        program,
        sandbox: sandbox.kind(),
        warnings,
    })
}

/// The tests in the order in which they were made: by modification time, then by name (file systems'
/// clocks are coarse, and engines number their tests).
fn find_tests(arguments: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    for argument in arguments {
        let failed = || format!("cannot read {}", argument.display());
        let metadata = fs::metadata(argument).with_context(failed)?;
        if !metadata.is_dir() {
            found.push((metadata.modified().with_context(failed)?, argument.clone()));
            continue;
        }
        let before = found.len();
        for entry in fs::read_dir(argument).with_context(failed)? {
            let path = entry.with_context(failed)?.path();
            if path.extension().is_some_and(|e| e == "ktest") {
                let modified = fs::metadata(&path).and_then(|m| m.modified());
                found.push((modified.with_context(failed)?, path));
            }
        }
        if found.len() == before {
            bail!("{} has no .ktest files", argument.display());
        }
    }
    found.sort();
    found.dedup();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Name of an instrumented program's file of counts within the test's writable directory.
const COUNTERS_FILE: &str = "sides";

struct Replayer<'a> {
    options: &'a ReplayOptions,
    sandbox: &'a Sandbox,
    exe: &'a Executable,
    preload: Option<PathBuf>,
}

impl Replayer<'_> {
    fn replay(
        &self,
        test: PathBuf,
        number: usize,
        program: Option<&mut GcovProgram>,
    ) -> anyhow::Result<TestResult> {
        let mut result = TestResult {
            test,
            status: Status::Error(String::new()),
            seconds: 0.0,
            counts: program.is_some().then(RunCounts::default),
            taken: None,
            stdout: Vec::new(),
            stderr: Vec::new(),
            notes: Vec::new(),
        };
        let counts = match program.is_some() || self.options.sides.is_some() {
            true => Some(self.sandbox.new_writable(&format!("counts{number}"))?),
            false => None,
        };
        match self.run(&result.test, number, counts.as_deref()) {
            Err(error) => result.status = Status::Error(format!("{error:#}")),
            Ok((outcome, notes)) => {
                result.status = Status::Ended(outcome.ending);
                result.seconds = outcome.seconds;
                (result.stdout, result.stderr) = (outcome.stdout, outcome.stderr);
                result.notes = notes;
            }
        }
        if let Some(counts) = counts {
            if let Some(program) = program {
                result.counts = Some(program.add_run(&counts)?);
            }
            if let Some(sides) = &self.options.sides {
                if let Status::Ended(_) = result.status {
                    result.taken = Some(read_counters(&counts.join(COUNTERS_FILE), sides)?);
                }
            }
            // Left over files do no harm; the sandbox's directory goes at the end.
            let _ = fs::remove_dir_all(counts);
        }
        Ok(result)
    }

    fn run(
        &self,
        path: &Path,
        number: usize,
        counts: Option<&Path>,
    ) -> anyhow::Result<(Outcome, Vec<String>)> {
        let test = KTest::read(path)?;
        let inputs = Inputs::of(&test)?;
        let mut environment = base_environment(&self.sandbox.work());
        for (name, value) in &inputs.environment {
            let assignment = [name, b"=".as_slice(), value].concat();
            environment.retain(|known| !known.starts_with(&assignment[..=name.len()]));
            environment.push(assignment);
        }
        if let (Some(counts), Some(_)) = (counts, &self.options.sides) {
            let file = counts.join(COUNTERS_FILE);
            let assignment = format!("{COUNTERS_VARIABLE}={}", file.display());
            environment.push(assignment.into_bytes());
        }
        if let (Some(counts), true) = (counts, self.options.gcov) {
            let more = self.exe.gcov_environment(counts, self.preload.as_deref());
            environment.extend(more);
        }
        if let Some(first) = inputs.harness.first() {
            if !self.exe.is_harness {
                bail!(
                    "object {:?} is none of the program's symbolic inputs, and the program was not \
                     linked with runtime/replay/klee_runtime.c to read it itself",
                    first.name_text()
                );
            }
            let mut rest = KTest::new(test.args.clone());
            rest.objects.clone_from(&inputs.harness);
            let file = self.sandbox.shared().join(format!("test{number}.ktest"));
            rest.write(&file)?;
            fs::set_permissions(&file, fs::Permissions::from_mode(0o644))?;
            environment.push(format!("KTEST_FILE={}", file.display()).into_bytes());
        }
        let own = self.exe.path.as_os_str().as_encoded_bytes();
        let mut argv = vec![called_name(&test, own)];
        argv.extend(inputs.arguments);
        let job = Job {
            exe: self.exe.path.clone(),
            argv,
            environment,
            stdin: inputs.stdin,
            stdout: inputs.stdout,
            files: inputs.files,
            writable: counts.map(Path::to_path_buf),
            warning_signal: self.preload.as_ref().map(|_| FLUSH_SIGNAL),
            limits: self.options.limits.clone(),
        };
        Ok((self.sandbox.run(&job)?, inputs.notes))
    }
}

/// `argv[0]`: as in the engine, the bitcode's file name without `.bc`, because programs branch on it
/// (a slash in it, say). Tests that do not tell get the native program's path.
fn called_name(test: &KTest, own: &[u8]) -> Vec<u8> {
    let bitcode = test.args.first().map(Vec::as_slice).unwrap_or_default();
    let name = bitcode.rsplit(|byte| *byte == b'/').next();
    let name = name.unwrap_or_default();
    match name.strip_suffix(b".bc").unwrap_or(name) {
        [] => own.to_vec(),
        name => name.to_vec(),
    }
}

/// What the modelled kernel gives a program too, and a place for temporary files.
fn base_environment(work: &Path) -> Vec<Vec<u8>> {
    vec![
        b"PATH=/usr/local/bin:/usr/bin:/bin".to_vec(),
        b"HOME=/".to_vec(),
        format!("PWD={}", work.display()).into_bytes(),
        format!("TMPDIR={}", work.display()).into_bytes(),
    ]
}

impl Default for ReplayOptions {
    fn default() -> ReplayOptions {
        ReplayOptions {
            exe: PathBuf::new(),
            tests: Vec::new(),
            gcov: false,
            sides: None,
            limits: Limits {
                timeout: Duration::from_secs(5),
                ..Limits::default()
            },
            sandbox: None,
        }
    }
}
