//! `homi replay`: runs all tests, each in the sandbox, and counts their coverage.
//!
//! A test that cannot run (a damaged file, objects that do not fit) is a result, and the other
//! tests still run.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, bail};

use super::divergence::{Agreement, NativeRun, RepeatedRun, compare};
use super::executable::{Executable, FLUSH_SIGNAL, anyone_can_run};
use super::inputs::{Inputs, UNSET_NOT_GIVEN};
use super::library_calls::{Explainer, LibraryCall, recorded_calls, recording};
use super::model;
use super::predictions::Predictions;
use super::preloaded::{CALLS, GCOV_FLUSH, MODEL};
use super::sandbox::{
    self, Ending, Job, Limits, Observation, Outcome, REPORT_DESCRIPTOR, Sandbox, SandboxError,
    SandboxKind,
};
use super::second_prediction::SecondPrediction;
use super::side_by_side::{Ran, side_by_side};
use crate::testcase::ktest::KTest;
use crate::testcase::{RUN_ENVIRONMENT, RunEnvironment, tests_in};
use homi_config::ORDINARY_USER;
use homi_report::Divergence;
use homi_report::gcov::{COUNTERS_VARIABLE, GcovProgram, RunCounts, read_counters};

/// Options of `homi replay`.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    pub exe: PathBuf,
    /// Directories in which the program finds shared objects of its build.
    pub libraries: Vec<PathBuf>,
    /// `.ktest` files, and directories of them.
    pub tests: Vec<PathBuf>,
    pub gcov: bool,
    /// Count branch sides of a program built by `homi instrument`: the number of sides of each
    /// branch.
    pub sides: Option<Vec<u32>>,
    /// Give the test real files, as far as a file system has such, instead of the modeled kernel.
    pub real_files: bool,
    pub limits: Limits,
    /// The kind of sandbox; None takes the strongest that works here.
    pub sandbox: Option<SandboxKind>,
    /// Set by Ctrl-C: the current test is given up, no further one is started.
    pub interrupt: Arc<AtomicBool>,
    /// No test is started any more from then on.
    pub deadline: Option<Instant>,
    /// Predicts what varies in a test that was executed once; without it, only what varies natively
    /// is not compared.
    pub second: Option<SecondPrediction>,
    /// Record the library calls of the first tests that diverge.
    pub records_calls: bool,
    /// Adds causes to the divergences of tests whose calls are recorded.
    pub explainer: Option<Explainer>,
    /// Tests that run at the same time, in a sandbox with namespaces; else one after the other.
    pub jobs: usize,
}

/// Result of one test.
#[derive(Clone, Debug)]
pub struct TestResult {
    pub test: PathBuf,
    pub status: Status,
    pub seconds: f64,
    /// Branches taken, if the program was built for gcov.
    pub counts: Option<RunCounts>,
    /// The (branch, side) pairs taken, if the options have `sides`.
    pub taken: Option<BTreeSet<(u32, u32)>>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Notes on what the replay could not reproduce.
    pub notes: Vec<String>,
    /// The modeled kernel's lines about the files that the program left; empty without one.
    pub files: Vec<u8>,
    /// Comparison with the outcome that the run of the test predicted.
    pub agreement: Agreement,
    /// Library calls of a test that diverges, in each recorded run.
    pub calls: Vec<Vec<LibraryCall>>,
}

/// End of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Ended(Ending),
    /// The test could not be run, and why.
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

/// The results of all tests.
pub struct Replay {
    pub exe: PathBuf,
    /// Tests are missing: the user stopped it, or the time for it was over.
    pub interrupted: bool,
    pub results: Vec<TestResult>,
    pub program: Option<GcovProgram>,
    pub sandbox: SandboxKind,
    /// Warnings, without repetition.
    pub warnings: Vec<String>,
}

impl Replay {
    /// Returns the differences from predicted outcomes.
    pub fn divergences(&self) -> impl Iterator<Item = &Divergence> {
        let results = self.results.iter();
        results.filter_map(|result| result.agreement.divergence())
    }
}

/// Replays; `progress` sees each result as it comes.
pub fn run(
    options: &ReplayOptions,
    progress: &mut dyn FnMut(&TestResult) -> anyhow::Result<()>,
) -> anyhow::Result<Replay> {
    let tests = find_tests(&options.tests)?;
    let mut program = if options.gcov {
        Some(GcovProgram::open(&options.exe)?)
    } else {
        None
    };
    let mut sandbox = match options.sandbox {
        Some(kind) => Sandbox::new(kind)?,
        None => sandbox::choose()?,
    };
    sandbox.interrupt_with(Arc::clone(&options.interrupt));
    let exe = Executable::open(&options.exe, &sandbox)?;
    if exe.is_of_32_bits && sandbox.kind() == SandboxKind::Landlock {
        bail!(
            "{} is a 32-bit program, and a sandbox without namespaces does not know its system \
             calls; add --unsafe-no-sandbox to replay it without one",
            options.exe.display()
        );
    }
    let mut warnings = Vec::new();
    let preload = match options.gcov.then(|| GCOV_FLUSH.install(&sandbox)) {
        Some(_) if exe.is_of_32_bits => {
            warnings.push(
                "gcov counts of crashing tests are dropped: the program is a 32-bit one".into(),
            );
            None
        }
        Some(Ok(path)) => Some(path),
        Some(Err(reason)) => {
            warnings.push(format!(
                "gcov counts of crashing tests are dropped: {reason}"
            ));
            None
        }
        None => None,
    };
    if options.gcov && exe.hides_gcov() {
        warnings.push(
            "gcov counts of crashing tests are dropped: the program is stripped; do not strip it, \
             or link runtime/replay/gcov_flush.c, compiled with -DHOMI_GCOV_LINKED"
                .into(),
        );
    }
    let model = match (options.real_files, exe.is_dynamic) {
        (true, _) => Model::NotWanted,
        (false, false) => Model::Missing(
            "the program is statically linked, so the modelled kernel cannot be loaded; link it \
             dynamically, or add --real-files"
                .into(),
        ),
        (false, true) if exe.is_of_32_bits => Model::Missing(
            "the modelled kernel, which feeds the program its input, cannot be loaded into a \
             32-bit program; add --real-files to give it real files"
                .into(),
        ),
        (false, true) => match MODEL.install(&sandbox) {
            Ok(object) => Model::At(object),
            Err(reason) => Model::Missing(format!("{reason}; add --real-files to run without it")),
        },
    };
    if matches!(model, Model::At(_))
        && nix::unistd::geteuid().is_root()
        && sandbox.kind() != SandboxKind::None
    {
        warnings.extend(hidden_directories(&tests));
    }
    let replayer = Replayer {
        predictions: Predictions::of(&tests, options.real_files, &exe),
        options,
        sandbox: &sandbox,
        exe: &exe,
        recorder: if options.records_calls && matches!(model, Model::At(_)) {
            CALLS.install(&sandbox).ok()
        } else {
            None
        },
        recorded: AtomicUsize::new(0),
        preload,
        model,
    };
    let mut results = Vec::new();
    let count = tests.len();
    side_by_side(&replayer, &tests, &mut |ran| {
        let number = results.len();
        let (mut result, counts) = match ran {
            Ran::Over(result, counts) => (*result, counts),
            Ran::Late => {
                warnings.push(format!(
                    "time ran out: {number} of {count} tests were replayed"
                ));
                return Ok(false);
            }
            Ran::Interrupted => {
                warnings.push(format!(
                    "interrupted: {number} of {count} tests were replayed"
                ));
                return Ok(false);
            }
        };
        if let Some(counts) = counts {
            take_counts(&mut result, &counts, options, program.as_mut())?;
        }
        progress(&result)?;
        results.push(result);
        Ok(true)
    })?;
    Ok(Replay {
        exe: options.exe.clone(),
        interrupted: results.len() < count,
        results,
        program,
        sandbox: sandbox.kind(),
        warnings,
    })
}

/// The tests in the order in which they were made: by modification time, then by name (file
/// systems' clocks are coarse, and engines number their tests).
pub(super) fn find_tests(arguments: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    for argument in arguments {
        let failed = || format!("cannot read {}", argument.display());
        let metadata = fs::metadata(argument).with_context(failed)?;
        if !metadata.is_dir() {
            found.push((metadata.modified().with_context(failed)?, argument.clone()));
            continue;
        }
        let before = found.len();
        for path in tests_in(argument).with_context(failed)? {
            let modified = fs::metadata(&path).and_then(|m| m.modified());
            found.push((modified.with_context(failed)?, path));
        }
        if found.len() == before {
            bail!("{} has no .ktest files", argument.display());
        }
    }
    found.sort();
    found.dedup();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Adds what a test counted into a directory to the program's counts, and to the result what they
/// say of it.
fn take_counts(
    result: &mut TestResult,
    counts: &Path,
    options: &ReplayOptions,
    program: Option<&mut GcovProgram>,
) -> anyhow::Result<()> {
    let ended = matches!(result.status, Status::Ended(_));
    if let (Some(program), true) = (program, ended) {
        result.counts = Some(program.add_run(counts)?);
    }
    if let (Some(sides), true) = (&options.sides, ended) {
        result.taken = Some(read_counters(&counts.join(COUNTERS_FILE), sides)?);
    }
    // Left over files do no harm; the sandbox's directory goes at the end.
    let _ = fs::remove_dir_all(counts);
    Ok(())
}

/// Returns the non-empty directories of the tests' runs that the sandbox's user cannot read.
fn hidden_directories(tests: &[PathBuf]) -> Vec<String> {
    let directories: BTreeSet<&Path> = tests.iter().filter_map(|test| test.parent()).collect();
    let recorded = directories
        .into_iter()
        .filter_map(|directory| RunEnvironment::read(directory).ok()?);
    let directories: BTreeSet<PathBuf> = recorded
        .map(|run_environment| run_environment.directory)
        .collect();
    let hidden = directories.into_iter().filter(|directory| {
        let holds_something = fs::read_dir(directory).is_ok_and(|mut all| all.next().is_some());
        holds_something && !anyone_can_run(directory)
    });
    let text = |directory: PathBuf| {
        format!(
            "the sandbox user cannot enter the run's directory {}, so programs do not find its \
             files; run chmod o+rx on it and its parents",
            directory.display()
        )
    };
    hidden.map(text).collect()
}

/// Name of an instrumented program's file of counts within the test's writable directory.
const COUNTERS_FILE: &str = "sides";

/// Tests whose library calls are recorded.
const MOST_RECORDED: usize = 16;

/// Number below the process numbers of repeated executions.
const FIRST_PROCESS: i32 = 1_000;

/// Kind of a native execution of a test.
#[derive(Clone, Copy)]
enum Execution<'a> {
    First,
    /// Execution with this number, from 1, which has another process number, clock, random bytes
    /// and bytes in fresh memory on the modeled kernel.
    Repeated(u8),
    /// Execution whose library calls this object records.
    Recorded(&'a PathBuf),
}

/// The modeled kernel for programs that do not read their objects themselves.
enum Model {
    /// The object to preload.
    At(PathBuf),
    /// Tests meet real files, as the user wants it.
    NotWanted,
    /// Reason why tests cannot run.
    Missing(String),
}

pub(super) struct Replayer<'a> {
    predictions: Predictions,
    options: &'a ReplayOptions,
    sandbox: &'a Sandbox,
    exe: &'a Executable,
    /// The object that keeps gcov's counts.
    preload: Option<PathBuf>,
    model: Model,
    /// The object that records library calls.
    recorder: Option<PathBuf>,
    /// Number of tests whose library calls were recorded.
    recorded: AtomicUsize,
}

impl Replayer<'_> {
    /// Returns the number of tests that run at the same time.
    pub(super) fn jobs(&self) -> usize {
        if self.sandbox.kind().has_namespaces() {
            self.options.jobs.max(1)
        } else {
            // They would share their private directory.
            1
        }
    }

    /// Runs one test, if it is still to be run.
    pub(super) fn replay(&self, test: &Path, number: usize) -> anyhow::Result<Ran> {
        let now = Instant::now();
        if self
            .options
            .deadline
            .is_some_and(|deadline| now >= deadline)
        {
            return Ok(Ran::Late);
        }
        if self.options.interrupt.load(Ordering::Relaxed) {
            return Ok(Ran::Interrupted);
        }
        let mut result = TestResult {
            test: test.to_path_buf(),
            status: Status::Error(String::new()),
            seconds: 0.0,
            counts: self.options.gcov.then(RunCounts::default),
            taken: None,
            stdout: Vec::new(),
            stderr: Vec::new(),
            notes: Vec::new(),
            files: Vec::new(),
            agreement: Agreement::default(),
            calls: Vec::new(),
        };
        let counts = if self.options.gcov || self.options.sides.is_some() {
            Some(self.sandbox.new_writable(&format!("counts{number}"))?)
        } else {
            None
        };
        match self.run(test, number, counts.as_deref(), Execution::First) {
            Err(error) if is_interrupt(&error) => return Ok(Ran::Interrupted),
            Err(error) => result.status = Status::Error(why(&error, test)),
            Ok((outcome, notes)) => {
                result.status = Status::Ended(outcome.ending);
                result.seconds = outcome.seconds;
                result.files = files_left(&outcome.reports);
                (result.stdout, result.stderr) = (outcome.stdout, outcome.stderr);
                result.notes = notes;
                match self.agreement(&result, number) {
                    Ok((mut agreement, note)) => {
                        result.notes.extend(note);
                        if let Agreement::Diverges(divergence) = &mut agreement {
                            // Without them the divergence has no cause.
                            result.calls = self.library_calls(test, number).unwrap_or_default();
                            if let Some(explainer) = &self.options.explainer {
                                divergence.cause = explainer.explain(test, &result.calls);
                            }
                        }
                        result.agreement = agreement;
                    }
                    Err(error) if is_interrupt(&error) => return Ok(Ran::Interrupted),
                    // The first run stands.
                    Err(_) => {}
                }
            }
        }
        Ok(Ran::Over(Box::new(result), counts))
    }

    /// Compares the result of a test with its prediction; runs the test again if they differ. Also
    /// returns a note if they could not be compared.
    fn agreement(
        &self,
        result: &TestResult,
        number: usize,
    ) -> anyhow::Result<(Agreement, Option<String>)> {
        let is_given = !result.notes.iter().any(|note| note == UNSET_NOT_GIVEN);
        let predicted = self.predictions.of_test(&result.test);
        let Some(predicted) = predicted.filter(|_| is_given) else {
            return Ok((Agreement::NotCompared, None));
        };
        let run = NativeRun {
            status: &result.status,
            stdout: &result.stdout,
            stderr: &result.stderr,
            files: &result.files,
        };
        let mut is_unknown = false;
        let second = || match &self.options.second {
            Some(second) => {
                let varied = second.predict(&result.test, &predicted);
                is_unknown = varied.is_none();
                varied
            }
            None => Some(predicted.clone()),
        };
        let mut repeats = 0;
        let again = || {
            repeats += 1;
            let needs_counts = self.options.gcov || self.options.sides.is_some();
            let counts = if needs_counts {
                Some(self.sandbox.new_writable(&format!("again{number}"))?)
            } else {
                None
            };
            let execution = Execution::Repeated(repeats);
            let again = self.run(&result.test, number, counts.as_deref(), execution);
            if let Some(counts) = counts {
                // Left over files do no harm; the sandbox's directory goes at the end.
                let _ = fs::remove_dir_all(counts);
            }
            let (outcome, _) = again?;
            Ok::<_, anyhow::Error>(RepeatedRun {
                status: Status::Ended(outcome.ending),
                files: files_left(&outcome.reports),
                stdout: outcome.stdout,
                stderr: outcome.stderr,
            })
        };
        let agreement = compare(&predicted, run, again, second)?;
        let note = "the outcome is not the predicted one, but homi does not know what varies \
                    between executions: it could not execute the test again";
        Ok((agreement, is_unknown.then(|| note.to_string())))
    }

    /// Records the library calls of two runs of a test.
    fn library_calls(&self, test: &Path, number: usize) -> anyhow::Result<Vec<Vec<LibraryCall>>> {
        let Some(recorder) = &self.recorder else {
            return Ok(Vec::new());
        };
        if self.recorded.fetch_add(1, Ordering::Relaxed) >= MOST_RECORDED {
            return Ok(Vec::new());
        }
        let record = |name: &str| {
            let writable = self.sandbox.new_writable(&format!("{name}{number}"))?;
            let execution = Execution::Recorded(recorder);
            let run = self.run(test, number, Some(&writable), execution);
            let calls = run.and_then(|_| Ok(recorded_calls(&writable)?));
            // Left over files do no harm; the sandbox's directory goes at the end.
            let _ = fs::remove_dir_all(writable);
            calls
        };
        Ok(vec![record("calls")?, record("calls-again")?])
    }

    /// Runs a test. `counts` is its writable directory.
    fn run(
        &self,
        path: &Path,
        number: usize,
        counts: Option<&Path>,
        execution: Execution<'_>,
    ) -> anyhow::Result<(Outcome, Vec<String>)> {
        let test = KTest::read(path)?;
        let mut inputs = Inputs::of(&test)?;
        // A harness reads its objects from a file of the host, which the model would hide.
        let model = match &self.model {
            _ if !inputs.harness.is_empty() => None,
            Model::At(object) => Some(object.as_path()),
            Model::NotWanted => None,
            Model::Missing(reason) => bail!("{reason}"),
        };
        let run_environment = match model {
            Some(_) => self.run_environment(path)?,
            None => self.default_run_environment(),
        };
        let mut environment = run_environment.environment.clone();
        for (name, value) in &inputs.environment {
            let assignment = [name, b"=".as_slice(), value].concat();
            environment.retain(|known| !known.starts_with(&assignment[..=name.len()]));
            environment.insert(0, assignment);
        }
        if let (None, Some(file)) = (model, &inputs.outside) {
            bail!(
                "the symbolic file {file:?} is outside the program's directory, so only the \
                 modelled kernel can provide it; leave out --real-files, and link the program \
                 dynamically and without klee_make_symbolic"
            );
        }
        let mut preload: Vec<String> = Vec::new();
        if let Some(object) = &self.preload {
            preload.push(object.display().to_string());
        }
        if let Some(object) = model {
            preload.push(object.display().to_string());
            let more = model::environment(self.sandbox, &test, number, &run_environment)?;
            environment.extend(more);
            if let Execution::Repeated(variation) = execution {
                environment.extend(model::variation(variation));
            }
            inputs.leave_to_model();
        }
        if !preload.is_empty() {
            let assignment = format!("LD_PRELOAD={}", preload.join(":"));
            environment.push(assignment.into_bytes());
        }
        if let Ok(path) = std::env::join_paths(&self.options.libraries)
            && !path.is_empty()
        {
            let assignment = [b"LD_LIBRARY_PATH=", path.as_encoded_bytes()].concat();
            environment.push(assignment);
        }
        let mut limits = self.options.limits.clone();
        environment.extend(self.exe.sanitizer_environment(limits.memory));
        if self.exe.is_sanitized {
            limits.memory = u64::MAX;
        }
        if let (Some(counts), Some(_)) = (counts, &self.options.sides) {
            let file = counts.join(COUNTERS_FILE);
            let assignment = format!("{COUNTERS_VARIABLE}={}", file.display());
            environment.push(assignment.into_bytes());
        }
        if let (Some(counts), true) = (counts, self.options.gcov) {
            let more = self.exe.gcov_environment(counts, self.preload.is_some());
            environment.extend(more);
        }
        if let (Execution::Recorded(recorder), Some(writable)) = (execution, counts) {
            environment.extend(recording(recorder, writable)?);
        }
        if let Some(first) = inputs.harness.first() {
            if !self.exe.is_harness {
                bail!(
                    "object {:?} is not one of the program's symbolic inputs; link the program \
                     with runtime/replay/klee_runtime.c to read it",
                    first.name_text()
                );
            }
            let mut rest = KTest::new(test.args.clone());
            rest.objects.clone_from(&inputs.harness);
            let file = self.sandbox.shared().join(format!("test{number}.ktest"));
            rest.write(&file)?;
            fs::set_permissions(&file, fs::Permissions::from_mode(0o644))?;
            environment.push(format!("KTEST_FILE={}", file.display()).into_bytes());
            environment.push(format!("HOMI_KTEST_REPORT={REPORT_DESCRIPTOR}").into_bytes());
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
            process: match execution {
                Execution::Repeated(variation) => FIRST_PROCESS + i32::from(variation),
                Execution::First | Execution::Recorded(_) => 0,
            },
            reports: model.is_some() || !inputs.harness.is_empty(),
            observation: Observation::default(),
            limits,
        };
        let outcome = self.sandbox.run(&job)?;
        let refused = match model {
            Some(_) => model::check_reports(&outcome.reports, self.sandbox.shared()),
            None => check_harness(&outcome.reports),
        };
        refused.map_err(anyhow::Error::msg)?;
        Ok((outcome, inputs.notes))
    }

    /// Returns the recorded environment of the test's run, or an empty directory and an ordinary
    /// user.
    fn run_environment(&self, test: &Path) -> anyhow::Result<RunEnvironment> {
        let directory = match test.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let recorded = RunEnvironment::read(directory)
            .with_context(|| format!("cannot read {RUN_ENVIRONMENT} in {}", directory.display()))?;
        Ok(recorded.unwrap_or_else(|| self.default_run_environment()))
    }

    fn default_run_environment(&self) -> RunEnvironment {
        let directory = self.sandbox.work();
        RunEnvironment {
            environment: base_environment(&directory),
            directory,
            hidden: None,
            data: Vec::new(),
            ids: [ORDINARY_USER; 4],
            inputs: Vec::new(),
        }
    }
}

/// Returns the lines about files among the model's reports (see runtime/kernel/outcome.c).
fn files_left(reports: &str) -> Vec<u8> {
    let lines = reports.lines();
    let files = lines.filter_map(|line| line.strip_prefix("file "));
    files
        .flat_map(|line| [line, "\n"])
        .collect::<String>()
        .into_bytes()
}

fn is_interrupt(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(SandboxError::Interrupted))
}

/// A harness that could not use its test has told why (see runtime/replay/klee_runtime.c).
fn check_harness(reports: &str) -> Result<(), String> {
    let mut lines = reports.lines();
    match lines.find_map(|line| line.strip_prefix("failed: ")) {
        Some(reason) => Err(format!("the test does not fit the program: {reason}")),
        None => Ok(()),
    }
}

/// `argv[0]`: as in the engine, the bitcode's file name without `.bc`, because programs branch on
/// it (a slash in it, say). Tests that do not tell get the native program's path.
fn called_name(test: &KTest, own: &[u8]) -> Vec<u8> {
    let bitcode = test.args.first().map(Vec::as_slice).unwrap_or_default();
    let name = bitcode.rsplit(|byte| *byte == b'/').next();
    let name = name.unwrap_or_default();
    match name.strip_suffix(b".bc").unwrap_or(name) {
        [] => own.to_vec(),
        name => name.to_vec(),
    }
}

/// Returns the variables that the modeled kernel sets too, and a directory for temporary files.
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
            libraries: Vec::new(),
            tests: Vec::new(),
            gcov: false,
            sides: None,
            real_files: false,
            limits: Limits {
                timeout: Duration::from_secs(5),
                ..Limits::default()
            },
            sandbox: None,
            interrupt: Arc::default(),
            deadline: None,
            second: None,
            records_calls: false,
            explainer: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Returns why a test did not run, with each cause once; the caller names the test.
fn why(error: &anyhow::Error, test: &Path) -> String {
    let text = error.chain().fold(String::new(), |text, cause| {
        let cause = cause.to_string();
        if text.is_empty() {
            cause
        } else if text.contains(&cause) {
            text
        } else {
            format!("{text}: {cause}")
        }
    });
    let named = format!("{}: ", test.display());
    text.strip_prefix(&named).unwrap_or(&text).to_string()
}
