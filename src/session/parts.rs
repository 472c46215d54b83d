//! What a run is put together from, each made from the configuration: output directory, host,
//! solver, recorder.

use super::console::Outputs;
use super::program::files_directory;
use super::{Caller, SessionError};
use crate::config::{FirstInput, Forks, RunConfig, Span, StubWord};
use crate::coverage::Coverage;
use crate::engine::{Recorder, RunTuning, WrittenTree};
use crate::env::{HostConfig, RealHost, Sink, StandardInput};
use crate::exec::special::RefusedSeeds;
use crate::exec::{ExecConfig, Executor, FirstBytes, Merging, PlaceShares, Speed, Stub, Stubs};
use crate::prune::pruner_of;
use crate::report::{LiveLine, Log, OutputDirectory, SharedLog};
use crate::solver::{QueryLogForm, SharedCache, Solver, SolverConfig, Tuning, WORK_OF_INSTRUCTION};
use crate::state::ForkRule;
use crate::util::tuning::TuningError;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The output directory, made or, with `--resume`, opened, and the log that is written there.
pub(super) fn output(
    config: &RunConfig,
    caller: &Caller,
) -> Result<(OutputDirectory, SharedLog), SessionError> {
    let line = LiveLine::new(!config.output.quiet && !config.output.show_program_output);
    let (directory, log) = match &config.resume {
        Some(path) => {
            let directory = OutputDirectory::open(path);
            let log = Log::reopen(&directory, config.output.quiet, line).speaking(config.dialect);
            (directory, log)
        }
        None => {
            let directory = match &caller.directory {
                Some(made) => {
                    made.link();
                    made.clone()
                }
                None => {
                    let named = config.output.directory.as_deref();
                    OutputDirectory::create(named, Path::new("."), config.dialect.directory_stem())?
                }
            };
            let log = Log::new(&directory, config.output.quiet, line).speaking(config.dialect);
            (directory, log)
        }
    };
    let log = SharedLog::new(log);
    if caller.brief {
        log.lock().be_brief();
    }
    log.lock().tell_directory(directory.path());
    Ok((directory, log))
}

/// Most bytes kept of each of the program's outputs: all paths together may print without end.
pub(super) const OUTPUT_LIMIT: u64 = 1 << 28;

/// What the first input of a concolic run gives new objects.
fn first_bytes(config: &RunConfig) -> FirstBytes {
    let Some(concolic) = &config.concolic else {
        return FirstBytes::default();
    };
    let random = concolic.first_input == FirstInput::Random;
    let given = concolic.given.iter();
    FirstBytes {
        seed: random.then_some(config.search.seed),
        given: given
            .map(|object| (object.name.clone(), object.bytes.clone()))
            .collect(),
    }
}

/// Which tests must not be given to a program that asks for other sizes.
fn refused_seeds(config: &RunConfig) -> RefusedSeeds {
    let (shorter, longer) = config.seeds.sizes.refuses();
    RefusedSeeds { shorter, longer }
}

/// How the executor is to execute.
pub(super) fn exec_config(config: &RunConfig) -> ExecConfig {
    ExecConfig {
        max_frames: match config.budget.stack_frames {
            0 => u32::MAX,
            limit => limit,
        },
        max_stack_size: match config.budget.stack_size {
            0 => u64::MAX,
            limit => limit,
        },
        max_depth: u32::try_from(config.budget.depth).unwrap_or(u32::MAX),
        max_symbolic_size: config.symbolic.size,
        max_exit_forks: config.symbolic.exit_statuses,
        forks: ForkRule {
            lazy: config.symbolic.forks == Forks::Lazy,
            only_executions_cover: config.concolic.is_some(),
        },
        traceable: config.subsume.is_some(),
        first_bytes: first_bytes(config),
        refused_seeds: refused_seeds(config),
        symbolic_floats: config.symbolic.floats,
        check_undefined: config.symbolic.undefined,
        merges: match config.merge {
            None => Merging::Off,
            Some(merge) if merge.auto => Merging::Auto,
            Some(_) => Merging::Marked,
        },
        logs_merges: config.dialect.logs_merges_to_program()
            && config.merge.as_ref().is_some_and(|merge| merge.logs),
        max_malloc_failures: config.checks.malloc_failures,
        keeps_sides: writes_sides(config),
        dialect: config.dialect,
        place_shares: PlaceShares {
            forks: config.budget.fork_share,
            solver: config.budget.solver_share,
            path_forks: config.budget.path_fork_share,
            path_solver: config.budget.path_solver_share,
            delay: config.budget.share_delay,
        },
        readable_inputs: config.tests.readable,
        check_division: config.checks.division,
        check_shifts: config.checks.shifts,
        silent_assume: config.checks.silent_assume,
        check_leaks: config.checks.leaks,
        check_overflow: config.checks.overflow,
        overflow_wraps: config.checks.overflow || config.property.is_some(),
        doubt_shifts: config.property.is_some(),
        stubs: stubs(config),
        preemptions: config.symbolic.preemptions,
        check_races: config.symbolic.races,
        ..ExecConfig::default()
    }
}

/// Whether tests have the sides of their paths beside them.
pub(super) fn writes_sides(config: &RunConfig) -> bool {
    config.dialect.writes_sides_as_path() && config.tests.path
}

/// How the executor is to execute, with what stands in files.
pub(super) fn exec_config_with_files(config: &RunConfig) -> Result<ExecConfig, SessionError> {
    let mut exec = exec_config(config);
    if let Some(path) = &config.seeds.path {
        let shown = path.display();
        let failed = SessionError::io(format!("cannot read the path {shown}"));
        let text = std::fs::read_to_string(path).map_err(failed)?;
        let sides = text.split_whitespace().map(|word| match word {
            "1" => Ok(true),
            "0" => Ok(false),
            other => Err(SessionError::Request(format!(
                "--replay-path {shown}: `{other}` is neither 0 nor 1"
            ))),
        });
        exec.given_sides = Some(sides.collect::<Result<Arc<[bool]>, _>>()?);
    }
    // Only the general way looks at each branch.
    if exec.records_sides() {
        exec.speed = Speed::General;
    }
    Ok(exec)
}

/// What stands for functions that were not linked.
fn stubs(config: &RunConfig) -> Stubs {
    let stub = |word: &StubWord| match word {
        StubWord::Any => Stub::Any,
        StubWord::Zero => Stub::Zero,
        StubWord::Errno => Stub::Errno,
    };
    let named = config.stubs.named.iter();
    Stubs {
        named: named
            .map(|(name, word)| (name.clone(), stub(word)))
            .collect(),
        missing: config.stubs.missing.as_ref().map(stub),
    }
}

/// Where one of the program's outputs goes.
pub(super) fn sink(
    config: &RunConfig,
    directory: &OutputDirectory,
    stream: u32,
) -> Result<Sink, SessionError> {
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
            let failed = SessionError::io(format!("cannot write {}", path.display()));
            let file = File::options()
                .write(true)
                .create(true)
                .append(config.resume.is_some())
                .truncate(config.resume.is_none())
                .open(&path)
                .map_err(failed)?;
            Box::new(file)
        }
    };
    Ok(Sink::new(writer, OUTPUT_LIMIT))
}

/// Where the program's output goes.
pub(super) fn outputs(
    config: &RunConfig,
    directory: &OutputDirectory,
) -> Result<Outputs, SessionError> {
    Ok(Outputs {
        stdout: sink(config, directory, 1)?,
        stderr: sink(config, directory, 2)?,
    })
}

/// The host behind the program: its files, its standard input.
pub(super) fn host(config: &RunConfig) -> Result<HostConfig, SessionError> {
    let mut host = HostConfig::new(files_directory(config)?, config.program.user);
    host.stdin = StandardInput::inherited();
    Ok(host)
}

pub(super) fn open_host(config: &RunConfig, host: HostConfig) -> Result<RealHost, SessionError> {
    let shown = config.program.files_dir.display();
    let failed = SessionError::io(format!("cannot use {shown} as the program's directory"));
    RealHost::new(host).map_err(failed)
}

/// Bytes for a thread's SMT process: a part of the run's limit, so that a hard question cannot use
/// it up.
pub(super) fn solver_memory(config: &RunConfig) -> u64 {
    match config.budget.memory {
        0 => config.solver.memory,
        limit => config
            .solver
            .memory
            .min(limit * 3 / 10 / config.threads as u64),
    }
}

/// Whether there is the pruner that the options ask for.
pub(super) fn check_pruner(config: &RunConfig) -> Result<(), SessionError> {
    match pruner_of(config) {
        Ok(_) => Ok(()),
        Err(why) => Err(SessionError::Request(format!("--prune: {why}"))),
    }
}

/// The tuning constants of solver and run, those changed that the options name.
pub(super) fn tuning(config: &RunConfig) -> Result<(Tuning, RunTuning), SessionError> {
    let (mut solver, mut run) = (Tuning::default(), RunTuning::default());
    for (name, value) in &config.tuning {
        let set = match run.set(name, value) {
            Err(TuningError::Unknown { .. }) => solver.set(name, value),
            set => set,
        };
        set.map_err(|error| SessionError::Request(format!("--tuning {name}={value}: {error}")))?;
    }
    Ok((solver, run))
}

/// The time that stands for a limit of the solver: counted work is in nanoseconds' worth.
fn solver_time(limit: Span) -> Duration {
    match limit {
        Span::Time(time) => time,
        Span::Instructions(count) | Span::Work(count) => {
            Duration::from_nanos(count.saturating_mul(WORK_OF_INSTRUCTION))
        }
    }
}

/// A thread's solver.
pub(super) fn solver(
    config: &RunConfig,
    tuning: &Tuning,
    cache: &SharedCache,
    caller: &Caller,
) -> Solver {
    Solver::new(SolverConfig {
        executable: caller.executable.clone(),
        time_limit: solver_time(config.solver.time),
        give_up: Some(Arc::clone(&caller.signals.stop_requested)),
        counts_limits: !config.budget.time.is_timed() || !config.solver.time.is_timed(),
        memory_limit: solver_memory(config),
        check_models: config.check,
        cache: Some(cache.clone()),
        tuning: tuning.clone(),
        ..SolverConfig::default()
    })
}

/// What makes the rows of `run.stats`.
pub(super) fn recorder(
    config: &RunConfig,
    executor: &Executor<'_>,
    coverage: &Coverage,
) -> Recorder {
    let (interval, program) = (config.output.stats_interval, executor.program());
    Recorder::new(interval, program, executor.segments(), coverage)
}

/// The tree of paths, where one is written.
pub(super) fn tree(
    config: &RunConfig,
    directory: &OutputDirectory,
) -> Result<Option<WrittenTree>, SessionError> {
    // A campaign or a session that goes on has no single tree, whoever asks for it.
    let is_one_tree = config.campaign.is_none() && config.resume.is_none();
    let wanted = config.output.tree && is_one_tree;
    let create = || WrittenTree::create(directory.path()).map_err(SessionError::Tree);
    wanted.then(create).transpose()
}

/// The first thread's solver, which writes down its questions where the user wants them.
pub(super) fn first_solver(
    config: &RunConfig,
    tuning: &Tuning,
    cache: &SharedCache,
    (caller, directory): (&Caller, &OutputDirectory),
) -> Result<Solver, SessionError> {
    let mut solver = solver(config, tuning, cache, caller);
    for log in &config.query_logs.logs {
        let path = directory.path().join(log.file());
        let form = QueryLogForm {
            only_back_ends: log.only_back_ends,
            as_kquery: log.as_kquery,
            least: config.query_logs.least,
        };
        let failed = SessionError::io(format!("cannot write {}", path.display()));
        solver.log_queries(&path, form).map_err(failed)?;
    }
    if let Some(path) = &config.questions {
        solver
            .record_questions(path)
            .map_err(SessionError::io(format!(
                "cannot write questions to {}",
                path.display()
            )))?;
    }
    Ok(solver)
}
