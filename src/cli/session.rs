//! One run from start to end: loads the program, makes the output directory, puts executor, solver,
//! world and engine together, runs, writes the summary.
//!
//! Invariant: nothing is written before the program is loaded, and whatever ends the run, `summary.json`
//! is written if the disk allows it.

use super::native::GcovReplay;
use super::threads;
use super::world::{RunWorld, SharedWorld};
use super::{Exit, UsageError};
use crate::bitcode;
use crate::campaign::{self, Campaign, Header, NativeCoverage, Store, Stored};
use crate::config::{CampaignConfig, CampaignKind, Clock, LibcChoice, RunConfig, Span};
use crate::coverage::Coverage;
use crate::engine::{
    Engine, Launch, Outcome, Parts, Prover, Recorder, SharedRecorder, StopReason, Team, TestSink,
    branch_table, processor_time,
};
use crate::env::{
    HostWorld, ProgramArguments, Sink, StandardInput, WorldConfig, default_environment,
    parse_environment_file, set_up,
};
use crate::exec::{ExecConfig, Executor};
use crate::expr::{SharedArrays, Terms};
use crate::program::{BranchId, Program};
use crate::report::{
    CoverageSummary, LearningLog, Log, MemorySummary, OutputDirectory, RunLine, SharedLog,
    StatsFile, StatusLine, Summary,
};
use crate::solver::{SharedCache, Solver, SolverConfig};
use crate::testcase::{BRANCH_TABLE, Surroundings};
use crate::util::clock::{Moment, follow_processor_time};
use anyhow::Context;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
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
    let began = Instant::now();
    if config.budget.clock == Clock::Processor {
        follow_processor_time(processor_time);
    }
    let start = Moment::now();
    let environment = environment(config)?;
    let plan = CampaignPlan::make(config)?;
    let mut native = match &config.gcov {
        Some(exe) => Some(GcovReplay::new(exe).map_err(|error| UsageError(format!("{error:#}")))?),
        None => None,
    };
    // Program and terms last as long as the process, whose end frees them in no time.
    let program = ManuallyDrop::new(load(config)?);
    let header = match &plan {
        Some(plan) => Some(plan.header(config, &program)?),
        None => None,
    };
    let stored = plan.as_ref().and_then(|plan| plan.stored.as_ref());
    let status = StatusLine::new(!config.output.quiet && !config.output.show_program_output);
    let (directory, log) = match &config.resume {
        Some(path) => {
            let directory = OutputDirectory::open(path);
            let log = Log::reopen(&directory, config.output.quiet, status);
            (directory, log)
        }
        None => {
            let named = config.output.directory.as_deref();
            let directory = OutputDirectory::create(named, Path::new("."))?;
            let log = Log::new(&directory, config.output.quiet, status);
            (directory, log)
        }
    };
    let log = SharedLog::new(log);
    let shown = directory.path().display().to_string();
    log.lock().message(&format!("output directory is {shown}"));
    warn_about_program(&program, &log);

    let arrays = SharedArrays::default();
    let terms = ManuallyDrop::new(Terms::sharing(&arrays));
    let exec_config = exec_config(config);
    let executor = Executor::new(&program, &terms, &exec_config, &signals.interrupt)?;
    let executor = ManuallyDrop::new(executor);
    let entry = program.runtime_entry.unwrap_or(program.entry);
    let mut state = executor.initial_state(entry, &[]);
    let arguments = ProgramArguments {
        arguments: arguments(config, &program),
        environment,
    };
    set_up(&program, &mut state, &arguments)?;
    let world_config = host(config, &directory)?;
    let surroundings = Surroundings {
        directory: world_config.root.clone(),
        ids: world_config.ids,
        environment: arguments.environment,
    };
    surroundings.write(directory.path())?;
    let cache = SharedCache::new(SolverConfig::default().cache_entries, config.threads);
    let mut solver = solver(config, &cache)?;
    if let Some(path) = &config.questions {
        solver
            .record_questions(path)
            .with_context(|| format!("cannot write questions to {}", path.display()))?;
    }
    let world = Mutex::new(RunWorld::new(open_host(config, world_config)?, &log));
    let mut own_world = SharedWorld::new(&world);
    let (path, words) = (directory.path(), test_arguments(config, &program));
    let sink = match stored {
        Some(_) => TestSink::reopen(path, config.tests.clone(), words, directory.last_test())?,
        None => TestSink::new(path, config.tests.clone(), words)?,
    };
    let mut learning_log = LearningLog::open(path).context("cannot write learning.jsonl")?;
    let started = SystemTime::now();
    let segments = executor.segments();
    let coverage = Coverage::new(&program, segments, config.search.scope);
    let branches = branch_table(&program, |branch| {
        coverage.is_own_side(segments.side(BranchId(branch), 0))
    });
    directory.write(BRANCH_TABLE, &serde_json::to_string(&branches)?)?;
    let recorder = SharedRecorder::new(recorder(config, &directory, &executor, &coverage, &log));
    if config.output.profile {
        let mut recorder = recorder.lock();
        recorder.profile(directory.clone(), command_line, &program, segments);
    }
    let mut info = format!("{command_line}\n");
    let (outcome, other_solvers, states_mean, in_campaign) = match (&plan, &header) {
        (Some(plan), Some(header)) => {
            directory.write("info", &info)?;
            let store = match stored {
                Some(stored) => Store::reopen(stored)?,
                None => Store::create(path, header)?,
            };
            let campaign = Campaign {
                executor: &executor,
                terms: &terms,
                prover: &mut solver,
                world: &mut own_world,
                log: &log,
                recorder: &recorder,
                config,
                options: &plan.config,
                interrupt: Arc::clone(&signals.interrupt),
                stop_requested: Arc::clone(&signals.stop_requested),
                store,
                learning_log,
                native: native
                    .as_mut()
                    .map(|replay| replay as &mut dyn NativeCoverage),
            };
            let done = campaign.run(state, sink, stored, start);
            (
                done.outcome,
                Vec::new(),
                done.states_mean,
                Some(done.summary),
            )
        }
        _ => {
            let interrupts = threads::interrupts(signals, config.threads);
            let team = (config.threads > 1)
                .then(|| Team::new(config, &executor, interrupts.clone(), start));
            let sinks: Vec<TestSink> = (1..config.threads).map(|_| sink.for_thread()).collect();
            let engine = Engine::new(
                Parts {
                    executor: &executor,
                    terms: &terms,
                    prover: &mut solver,
                    world: &mut own_world,
                    log: &log,
                    recorder: &recorder,
                    sink,
                    config,
                    interrupt: Arc::clone(&signals.interrupt),
                    stop_requested: Arc::clone(&signals.stop_requested),
                    campaign: None,
                    team: team.as_ref().map(|team| team.member(0)),
                },
                &Launch::new(&executor, state),
                start,
            );
            info += &format!("search:\n{}", engine.describe_search());
            directory.write("info", &info)?;
            let (outcome, solvers) = match &team {
                None => (engine.run(), Vec::new()),
                Some(team) => {
                    let common = threads::Common {
                        config,
                        program: &program,
                        exec_config: &exec_config,
                        arrays: &arrays,
                        cache: &cache,
                        world: &world,
                        log: &log,
                        recorder: &recorder,
                        signals,
                        interrupts: &interrupts,
                        start,
                    };
                    common.explore(team, engine, sinks, &coverage)?
                }
            };
            let line = run_line(config, &outcome);
            let mean = mean(&line.states_each_second);
            // The run is over and its tests are written: a missing plot is no reason to fail.
            if let Err(error) = learning_log.append(&line) {
                log.lock()
                    .warning(&format!("cannot write learning.jsonl: {error}"));
            }
            (outcome, solvers, mean, None)
        }
    };
    let mut summary = summarise(config, &program, &outcome, &solver);
    // Not the outcome's time, which is that of the run's clock.
    summary.wall_s = began.elapsed().as_secs_f64();
    for other in &other_solvers {
        summary.solver.add(other);
    }
    summary.states_mean = states_mean;
    summary.campaign = in_campaign;
    summary.memory = recorder.lock().memory();
    summary.hot_lines = recorder.lock().hot_lines(&program);
    if let Some(path) = &config.questions {
        let shown = path.display();
        match solver.finish_recording() {
            Ok(count) => log
                .lock()
                .message(&format!("{count} questions are in {shown}")),
            Err(error) => {
                let text = format!("the questions in {shown} are incomplete: {error}");
                log.lock().warning(&text);
            }
        }
    }
    // The run is over and its tests are written: a missing profile is no reason to fail.
    if let Err(error) = recorder.lock().write_profile(&program, segments) {
        log.lock()
            .warning(&format!("the profile could not be written: {error}"));
    }
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
        if let Some(line) = summary.hot_lines.first().filter(|line| line.forks > 0) {
            eprintln!(
                "homi: done: most forks = {} at {} in {} (homi stats {shown} shows more)",
                line.forks, line.location, line.function
            );
        }
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

/// What is known of a campaign before the program is loaded.
struct CampaignPlan {
    config: CampaignConfig,
    stored: Option<Stored>,
}

impl CampaignPlan {
    /// Nothing if the run is no campaign.
    fn make(config: &RunConfig) -> anyhow::Result<Option<Self>> {
        let Some(options) = &config.campaign else {
            return Ok(None);
        };
        let stored = match &config.resume {
            Some(directory) => {
                Some(campaign::read(directory).map_err(|error| UsageError(error.to_string()))?)
            }
            None => None,
        };
        let earlier = stored.as_ref().map(|stored| &stored.header.campaign);
        let resolved = campaign::resolve(options, config.budget.time, earlier)
            .map_err(|error| UsageError(error.to_string()))?;
        Ok(Some(Self {
            config: resolved,
            stored,
        }))
    }

    /// The header of the learning data, checked against that of the earlier session.
    fn header(&self, config: &RunConfig, program: &Program) -> anyhow::Result<Header> {
        let heuristics = config.search.heuristics.iter();
        let header = Header::new(
            (program.name.clone(), program_hash(program)?),
            config.program.arguments.clone(),
            heuristics.map(|one| one.name().to_string()).collect(),
            config.search.seed,
            match &config.gcov {
                Some(exe) => format!("gcov={}", exe.display()),
                None => "engine".to_string(),
            },
            self.config.clone(),
        );
        if let Some(stored) = &self.stored {
            header
                .check(&stored.header, stored.path())
                .map_err(|error| UsageError(error.to_string()))?;
        }
        Ok(header)
    }
}

/// A hash of the lowered program: branch and segment numbers mean the same where it is equal.
fn program_hash(program: &Program) -> anyhow::Result<String> {
    let bytes = postcard::to_stdvec(program).context("cannot encode the program")?;
    let digest = Sha256::digest(&bytes);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A run outside of a campaign as a line of `learning.jsonl`.
fn run_line(config: &RunConfig, outcome: &Outcome) -> RunLine {
    let (budget, unit) = match config.budget.time {
        Span::Time(time) => (time.as_secs_f64(), "s"),
        Span::Instructions(count) => (count as f64, "i"),
    };
    let samples = &outcome.samples;
    RunLine {
        run: 1,
        policy: "none".to_string(),
        budget,
        budget_unit: unit.to_string(),
        wall_s: outcome.wall.as_secs_f64(),
        stop_reason: outcome.reason.name().to_string(),
        instructions: outcome.instructions,
        run_tests: outcome.sink.tests(),
        run_files: outcome.sink.tests(),
        new_branches: outcome.totals.branches,
        branches: outcome.totals.branches,
        branches_total: outcome.totals.branches_total,
        states_each_second: samples.iter().map(|sample| sample.states as u64).collect(),
        branches_each_second: samples.iter().map(|sample| sample.branches).collect(),
        states_peak: outcome.states_peak,
        ..RunLine::default()
    }
}

fn mean(numbers: &[u64]) -> f64 {
    numbers.iter().sum::<u64>() as f64 / numbers.len().max(1) as f64
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
        track_undefined: config.symbolic.undefined,
        reading_time: bitcode::READING_TIME,
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

fn warn_about_program(program: &Program, log: &SharedLog) {
    let mut log = log.lock();
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
        max_symbolic_size: config.symbolic.size,
        symbolic_floats: config.symbolic.floats,
        check_undefined: config.symbolic.undefined,
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
fn host(config: &RunConfig, directory: &OutputDirectory) -> anyhow::Result<WorldConfig> {
    let root = &config.program.files_dir;
    let shown = root.display().to_string();
    let root = root
        .canonicalize()
        .with_context(|| format!("cannot use {shown} as the program's directory"))?;
    let mut world = WorldConfig::new(root);
    world.stdin = StandardInput::inherited();
    world.stdout = sink(config, directory, 1)?;
    world.stderr = sink(config, directory, 2)?;
    Ok(world)
}

fn open_host(config: &RunConfig, world: WorldConfig) -> anyhow::Result<HostWorld> {
    let shown = config.program.files_dir.display().to_string();
    HostWorld::new(world).with_context(|| format!("cannot use {shown} as the program's directory"))
}

/// Bytes for a thread's SMT process: a part of the run's limit, so that a hard question cannot use it up.
fn solver_memory(config: &RunConfig) -> u64 {
    match config.budget.memory {
        0 => config.solver.memory,
        limit => config
            .solver
            .memory
            .min(limit * 3 / 10 / config.threads as u64),
    }
}

/// A thread's solver.
pub(super) fn solver(config: &RunConfig, cache: &SharedCache) -> anyhow::Result<Solver> {
    let executable = std::env::current_exe().context("cannot find homi's own file")?;
    Ok(Solver::new(SolverConfig {
        executable: Some(executable),
        time_limit: config.solver.time,
        memory_limit: solver_memory(config),
        check_models: config.check,
        cache: Some(cache.clone()),
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
        prune: match config.campaign.as_ref().map(|campaign| campaign.kind) {
            Some(CampaignKind::Homi) => "homi",
            Some(CampaignKind::Random) => "random",
            Some(CampaignKind::Divide) | None => "none",
        }
        .to_string(),
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
        states_mean: 0.0,
        clock: config.budget.clock.name().to_string(),
        threads: config.threads as u64,
        campaign: None,
        memory: MemorySummary::default(),
        hot_lines: Vec::new(),
        probes: outcome.probes,
    }
}

/// What writes `run.stats`. A file that cannot be made is no reason not to run.
fn recorder(
    config: &RunConfig,
    directory: &OutputDirectory,
    executor: &Executor<'_>,
    coverage: &Coverage,
    log: &SharedLog,
) -> Recorder {
    let file = StatsFile::open(directory.path())
        .inspect_err(|error| {
            let text = format!("no statistics are written: {error}");
            log.lock().warning(&text);
        })
        .ok();
    let (interval, program) = (config.output.stats_interval, executor.program());
    Recorder::new(file, interval, program, executor.segments(), coverage)
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
