//! One run from start to end: loads the program, makes the output directory, puts executor, solver,
//! world and engine together, runs, writes the summary.
//!
//! Invariant: nothing is written before the program is loaded, and whatever ends the run, `summary.json`
//! is written if the disk allows it.

use super::Exit;
use super::world::RunWorld;
use crate::bitcode;
use crate::config::{LibcChoice, RunConfig};
use crate::engine::{Engine, Outcome, Parts, Prover, StopReason, TestSink};
use crate::env::{
    HostWorld, ProgramArguments, Sink, StandardInput, WorldConfig, default_environment,
    parse_environment_file, set_up,
};
use crate::exec::{ExecConfig, Executor};
use crate::expr::Terms;
use crate::program::Program;
use crate::report::{CoverageSummary, Log, OutputDirectory, StatusLine, Summary};
use crate::solver::{Solver, SolverConfig};
use anyhow::Context;
use std::cell::RefCell;
use std::fmt::Write;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

/// Flags that a signal sets.
pub(super) struct Signals {
    /// Makes the executor leave its loop.
    pub(super) interrupt: Arc<AtomicBool>,
    /// The user asked to stop.
    pub(super) stop_requested: Arc<AtomicBool>,
}

/// Performs a run.
pub(super) fn run(
    config: &RunConfig,
    command_line: &str,
    signals: &Signals,
) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let environment = environment(config)?;
    let program = load(config)?;
    let directory = OutputDirectory::create(config.output.directory.as_deref(), Path::new("."))?;
    let status = StatusLine::new(!config.output.quiet && !config.output.show_program_output);
    let log = RefCell::new(Log::new(&directory, config.output.quiet, status));
    let shown = directory.path().display().to_string();
    log.borrow_mut()
        .message(&format!("output directory is {shown}"));
    warn_about_program(&program, &log);

    let terms = Terms::new();
    let exec_config = exec_config(config);
    let executor = Executor::new(&program, &terms, &exec_config, &signals.interrupt)?;
    let entry = program.runtime_entry.unwrap_or(program.entry);
    let mut state = executor.initial_state(entry, &[]);
    let arguments = ProgramArguments {
        arguments: arguments(config, &program),
        environment,
    };
    set_up(&program, &mut state, &arguments)?;
    let mut solver = solver(config)?;
    let mut world = RunWorld::new(host(config, &directory)?, &log);
    let sink = TestSink::new(
        directory.path(),
        config.tests.clone(),
        test_arguments(config, &program),
    )?;
    let started = SystemTime::now();
    let engine = Engine::new(
        Parts {
            executor: &executor,
            terms: &terms,
            prover: &mut solver,
            world: &mut world,
            log: &log,
            sink,
            config,
            interrupt: Arc::clone(&signals.interrupt),
            stop_requested: Arc::clone(&signals.stop_requested),
        },
        state,
        start,
    );
    let search = engine.describe_search();
    let mut info = format!("{command_line}\nsearch:\n{search}");
    directory.write("info", &info)?;
    let branches = serde_json::to_string(&engine.branch_table())?;
    directory.write(crate::testcase::BRANCH_TABLE, &branches)?;

    let outcome = engine.run();
    let summary = summarise(config, &program, &outcome, &solver);
    let totals = totals_text(&summary);
    // Writing to a string cannot fail.
    let _ = write!(
        info,
        "started: {}\nelapsed: {:.3} s\nstopped: {}\n{totals}",
        unix_seconds(started),
        summary.wall_s,
        outcome.reason.sentence(),
    );
    let written = directory.write("info", &info).and_then(|()| {
        let text = serde_json::to_string_pretty(&summary).unwrap_or_default() + "\n";
        directory.write("summary.json", &text)
    });
    if !config.output.quiet {
        eprint!("homi: done: {}\n{totals}", outcome.reason.sentence());
    }
    if let StopReason::WriteFailed(error) = outcome.reason {
        return Err(anyhow::Error::new(error)
            .context("the run was stopped; the tests written before are valid"));
    }
    written?;
    if config.output.error_exit_code && !summary.errors.is_empty() {
        return Ok(Exit::BugsFound);
    }
    Ok(Exit::Done)
}

/// Reads and lowers the program, with the runtime unless it is not wanted.
fn load(config: &RunConfig) -> anyhow::Result<Program> {
    let runtime_dir = match config.program.libc {
        LibcChoice::None => None,
        // A program that needs no libc runs without; the undefined functions of another are listed.
        LibcChoice::Auto => runtime_dir(config)
            .inspect_err(|error| log_early(config, &format!("running without libc: {error:#}")))
            .ok(),
        LibcChoice::Musl => Some(runtime_dir(config)?),
    };
    let options = bitcode::LoadOptions {
        inputs: config.program.inputs.clone(),
        runtime_dir,
        entry: config.program.entry.clone(),
        keep: Vec::new(),
        cache_dir: cache_dir(),
    };
    let executable = std::env::current_exe().context("cannot find homi's own file")?;
    Ok(bitcode::load_in_child(&options, &executable)?)
}

/// A warning from before there is an output directory.
fn log_early(config: &RunConfig, text: &str) {
    if !config.output.quiet {
        eprintln!("homi: WARNING: {text}");
    }
}

/// Where the runtime's bitcode is: as told, beside the installed command, or in the source tree.
fn runtime_dir(config: &RunConfig) -> anyhow::Result<PathBuf> {
    if let Some(directory) = &config.program.runtime_dir {
        return Ok(directory.clone());
    }
    let executable = std::env::current_exe().context("cannot find homi's own file")?;
    let beside = |relative: &str| executable.parent().map(|parent| parent.join(relative));
    let mut candidates: Vec<PathBuf> = ["../lib/homi", "../../.deps/runtime"]
        .into_iter()
        .filter_map(beside)
        .collect();
    candidates.push(Path::new(env!("CARGO_MANIFEST_DIR")).join(".deps/runtime"));
    candidates
        .iter()
        .find(|directory| directory.join("libc.bc").exists())
        .cloned()
        .with_context(|| {
            let places: Vec<_> = candidates
                .iter()
                .map(|place| place.display().to_string())
                .collect();
            format!(
                "the libc and kernel bitcode is in none of {}; run scripts/setup, name it with \
                 --runtime-dir, or use --libc none",
                places.join(", ")
            )
        })
}

/// Where lowered programs are kept between runs.
fn cache_dir() -> Option<PathBuf> {
    let base = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(base.join("homi"))
}

/// The program's environment: the lines of `--env-file`, or little enough to be the same everywhere.
fn environment(config: &RunConfig) -> anyhow::Result<Vec<Vec<u8>>> {
    let Some(path) = &config.program.env_file else {
        let directory = config.program.files_dir.canonicalize().unwrap_or_default();
        return Ok(default_environment(directory.as_os_str().as_bytes()));
    };
    let shown = path.display();
    let text =
        std::fs::read(path).with_context(|| format!("cannot read the environment file {shown}"))?;
    parse_environment_file(&text).with_context(|| format!("environment file {shown}"))
}

/// `argv`: the program is called by its file's name without `.bc`.
fn arguments(config: &RunConfig, program: &Program) -> Vec<Vec<u8>> {
    let name = program.name.strip_suffix(".bc").unwrap_or(&program.name);
    let rest = config.program.arguments.iter();
    std::iter::once(name.as_bytes().to_vec())
        .chain(rest.map(|argument| argument.as_bytes().to_vec()))
        .collect()
}

/// `args` of a `.ktest`: the bitcode's name and the arguments as typed.
fn test_arguments(config: &RunConfig, program: &Program) -> Vec<Vec<u8>> {
    let mut arguments = arguments(config, program);
    arguments[0] = program.name.as_bytes().to_vec();
    arguments
}

fn warn_about_program(program: &Program, log: &RefCell<Log>) {
    let mut log = log.borrow_mut();
    if !program.undefined.is_empty() {
        let names = program.undefined.join(", ");
        log.warning(&format!(
            "undefined, a path that uses one ends there: {names}"
        ));
    }
    if !program.lowering_gaps.is_empty() {
        let gaps = program.lowering_gaps.join("; ");
        log.warning(&format!(
            "not supported yet, a path that meets it ends there: {gaps}"
        ));
    }
}

fn exec_config(config: &RunConfig) -> ExecConfig {
    ExecConfig {
        max_frames: config.budget.stack_frames,
        max_depth: u32::try_from(config.budget.depth).unwrap_or(u32::MAX),
        ..ExecConfig::default()
    }
}

/// Most bytes kept of each of the program's outputs: all paths together may print without end.
const OUTPUT_LIMIT: u64 = 1 << 28;

/// Where one of the program's outputs goes.
fn sink(config: &RunConfig, directory: &OutputDirectory, stream: u32) -> anyhow::Result<Sink> {
    let writer: Box<dyn std::io::Write + Send> = match (config.output.show_program_output, stream) {
        (true, 2) => Box::new(std::io::stderr()),
        (true, _) => Box::new(std::io::stdout()),
        (false, _) => {
            let name = if stream == 2 {
                "stderr.txt"
            } else {
                "stdout.txt"
            };
            let path = directory.file(name);
            let file =
                File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
            Box::new(file)
        }
    };
    Ok(Sink::new(writer, OUTPUT_LIMIT))
}

/// The host behind the program: its files, its standard input, where its output goes.
fn host(config: &RunConfig, directory: &OutputDirectory) -> anyhow::Result<HostWorld> {
    let root = &config.program.files_dir;
    let shown = root.display().to_string();
    let root = root
        .canonicalize()
        .with_context(|| format!("cannot use {shown} as the program's directory"))?;
    let mut world = WorldConfig::new(root);
    world.stdin = StandardInput::inherited();
    world.stdout = sink(config, directory, 1)?;
    world.stderr = sink(config, directory, 2)?;
    HostWorld::new(world).with_context(|| format!("cannot use {shown} as the program's directory"))
}

/// Bytes for the SMT process: a part of the run's limit, so that a hard question cannot use it up.
fn solver_memory(config: &RunConfig) -> u64 {
    match config.budget.memory {
        0 => config.solver.memory,
        limit => config.solver.memory.min(limit * 3 / 10),
    }
}

fn solver(config: &RunConfig) -> anyhow::Result<Solver> {
    let executable = std::env::current_exe().context("cannot find homi's own file")?;
    Ok(Solver::new(SolverConfig {
        executable: Some(executable),
        time_limit: config.solver.time,
        memory_limit: solver_memory(config),
        check_models: config.check,
        ..SolverConfig::default()
    }))
}

fn summarise(
    config: &RunConfig,
    program: &Program,
    outcome: &Outcome,
    prover: &dyn Prover,
) -> Summary {
    let heuristics = config.search.heuristics.iter();
    Summary {
        schema: 1,
        program: program.name.clone(),
        args: config.program.arguments.clone(),
        search: heuristics.map(|one| one.name().to_string()).collect(),
        prune: "none".to_string(),
        seed: config.search.seed,
        stop_reason: outcome.reason.name().to_string(),
        wall_s: outcome.wall.as_secs_f64(),
        cpu_s: outcome.cpu_seconds,
        instructions: outcome.instructions,
        paths: outcome.sink.paths,
        tests: outcome.sink.tests(),
        states_peak: outcome.states_peak,
        memory_peak_bytes: outcome.memory_peak,
        coverage: CoverageSummary {
            branches: outcome.totals.branches,
            branches_total: outcome.totals.branches_total,
            instructions: outcome.totals.instructions,
            instructions_total: outcome.totals.instructions_total,
        },
        solver: prover.summary(),
        errors: outcome.sink.errors(),
        gaps: outcome.sink.gaps(program),
        exit_statuses: outcome
            .sink
            .exit_statuses
            .iter()
            .map(|(status, count)| (status.to_string(), *count))
            .collect(),
    }
}

/// The last lines on the terminal and in `info`, in KLEE's form.
fn totals_text(summary: &Summary) -> String {
    let paths = summary.paths;
    let partial = paths.early + paths.pruned + paths.gap;
    let share =
        100.0 * summary.coverage.branches as f64 / summary.coverage.branches_total.max(1) as f64;
    format!(
        "homi: done: total instructions = {}\n\
         homi: done: completed paths = {}\n\
         homi: done: paths with bugs = {}\n\
         homi: done: partially completed paths = {partial}\n\
         homi: done: generated tests = {}\n\
         homi: done: branches covered = {} of {} ({share:.1} %)\n\
         homi: done: different bugs = {}\n",
        summary.instructions,
        paths.completed,
        paths.error,
        summary.tests,
        summary.coverage.branches,
        summary.coverage.branches_total,
        summary.errors.len(),
    )
}

fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_secs())
}
