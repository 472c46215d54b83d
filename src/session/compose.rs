//! Loads the program, makes the output directory, puts executor, solver, host, console and engine
//! together, runs, writes the summary.
//!
//! Invariant: nothing is written before the program is loaded, and whatever ends the run,
//! `summary.json` is written if the disk allows it.

use super::bare::first_state;
use super::console::{Outputs, RunConsole};
use super::explore::CampaignParts;
use super::memory_net::{self, MemoryNet};
use super::plan::{self, CampaignPlan};
use super::resumption::{self, Resumption};
use super::start::instructions_before_main;
use super::{
    Caller, Report, SessionError, aims, asking, parts, program, seeds, shapes, strategy, telling,
    untaken,
};
use crate::concolic::StrategyChoice;
use crate::config::{Clock, RunConfig};
use crate::coverage::{Aims, Coverage};
use crate::engine::{Checkpoints, RunTuning, SharedRecorder, branch_table, processor_time};
use crate::env::{ProgramArguments, RealHost};
use crate::exec::{ExecConfig, Executor};
use crate::expr::{SharedArrays, Terms};
use crate::harness;
use crate::program::{BranchId, Program};
use crate::report::{ErrorSummary, EventStream, OutputDirectory, SharedLog};
use crate::roots::{ReplayedTest, SeedTest};
use crate::solver::{SharedCache, Solver, SolverConfig, Tuning};
use crate::testcase::{BRANCH_TABLE, Surroundings};
use crate::util::clock::{Moment, follow_processor_time};
use std::mem::forget;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime};

/// When a run began, by each clock that something asks.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// For the wall time in `summary.json`.
    pub(super) began: Instant,
    /// For the date in `info`.
    pub(super) started: SystemTime,
    /// The clock that the budget counts by.
    pub(super) clock: Moment,
}

impl Times {
    fn begin(config: &RunConfig) -> Self {
        let (began, started) = (Instant::now(), SystemTime::now());
        if config.budget.clock == Clock::Processor {
            follow_processor_time(processor_time);
        }
        Self {
            began,
            started,
            clock: Moment::now(),
        }
    }
}

/// What the parts and threads of a run have in common; all of it lasts as long as the run, and
/// threads share it.
pub(super) struct Session<'r> {
    pub(super) config: &'r RunConfig,
    pub(super) caller: &'r Caller,
    pub(super) times: Times,
    /// Earlier tests to follow first.
    pub(super) seeds: &'r [SeedTest],
    /// Tests with whose bytes the program is executed.
    pub(super) replays: &'r [ReplayedTest],
    /// Of a concolic run.
    pub(super) strategy: Option<StrategyChoice>,
    /// Of a run that is to reach some lines.
    pub(super) aims: Option<Aims>,
    /// What earlier sessions of the directory found.
    pub(super) earlier_bugs: Vec<ErrorSummary>,
    pub(super) directory: &'r OutputDirectory,
    pub(super) log: &'r SharedLog,
    /// Of a single run that goes on with another one.
    pub(super) resumption: Option<Resumption>,
    /// Of a run whose open states are written down.
    pub(super) checkpoints: Option<Checkpoints<'r>>,
    pub(super) events: &'r EventStream,
    pub(super) program: &'r Program,
    pub(super) exec_config: &'r ExecConfig,
    /// What the program is started with.
    pub(super) arguments: &'r ProgramArguments,
    pub(super) arrays: &'r SharedArrays,
    pub(super) cache: &'r SharedCache,
    pub(super) tuning: &'r Tuning,
    pub(super) host: &'r RealHost,
    pub(super) outputs: &'r Mutex<Outputs>,
    pub(super) coverage: &'r Coverage,
    pub(super) recorder: &'r SharedRecorder,
    /// Constants of the loop and of the sources of states.
    pub(super) run_tuning: &'r RunTuning,
    /// Instructions that do not count, as they come before the program's `main`.
    pub(super) before_main: u64,
}

/// The same limits, where so many instructions do not count.
fn from_main(config: &RunConfig, before_main: u64) -> RunConfig {
    let mut config = config.clone();
    if config.budget.instructions > 0 {
        config.budget.instructions += before_main;
    }
    config
}

/// What the first thread has to itself; further threads make their own.
pub(super) struct FirstThread<'r> {
    pub(super) executor: &'r Executor<'r>,
    pub(super) terms: &'r Terms,
    pub(super) solver: Solver,
}

/// Performs a run. Fails if it cannot start; whatever ends it later is in the report.
pub fn run(config: &RunConfig, caller: &Caller) -> Result<Report, SessionError> {
    let times = Times::begin(config);
    let mut config = config.clone();
    let lowered = memory_net::fit(&mut config);
    let piece = caller.piece.as_ref();
    if let Some(piece) = piece {
        piece.fit(&mut config)?;
    }
    let replays = seeds::replays(&config)?;
    seeds::take_arguments(&mut config, &replays);
    aims::add_changed(&mut config)?;
    let config = &config;
    let (tuning, run_tuning) = parts::tuning(config)?;
    parts::check_pruner(config)?;
    let environment = program::environment(config)?;
    let native = plan::native_coverage(config)?;
    let mut seeds = seeds::read(config)?;
    seeds.extend(piece.iter().flat_map(|piece| piece.seeds()).cloned());
    let strategy = strategy::choice(config)?;
    let earlier = telling::earlier(config)?;
    let program::Loaded { program, harness } = program::load(config, caller)?;
    let has_nothing = harness.is_none() && shapes::has_nothing_symbolic(config, &program);
    let with_inputs = shapes::with_inputs(config, &program).filter(|_| harness.is_none());
    let has_nothing = has_nothing || with_inputs.is_some();
    let config = with_inputs.as_ref().unwrap_or(config);
    let plan = CampaignPlan::make(config)?;
    if let Some(piece) = piece {
        piece.check(&program)?;
    }
    let campaign = match plan {
        Some(plan) => Some(CampaignParts {
            header: plan.header(config, &program)?,
            plan,
            native,
        }),
        None => None,
    };
    let aims = aims::aims(config, &program)?;
    let resumption = match piece.and_then(|piece| piece.resumption()) {
        Some(given) => Some(given),
        None => Resumption::read(config, &program)?,
    };
    let (directory, log) = parts::output(config, caller)?;
    let log = Arc::new(log);
    if let Some(source) = &harness {
        directory.write(harness::FILE, source)?;
    }
    if let Some(warning) = resumption.as_ref().and_then(|one| one.warning.as_ref()) {
        log.lock().warning(warning);
    }
    let events = telling::open(config, caller, (&directory, &log), &earlier)?;
    telling::begin(
        &events,
        (config, caller, &program),
        (&directory, &log),
        &times,
    )?;
    let end = caller.end_without_memory;
    let _net = end.map(|end| MemoryNet::spread(&directory, end));
    if let Some(text) = lowered {
        log.lock().warning(&text);
    }
    for text in &caller.warnings {
        log.lock().warning(text);
    }
    program::warn_about_program(config, &program, &log);
    if has_nothing {
        log.lock().message(&shapes::said_of_inputs(config));
    }
    for learned_for in strategy::learned_for(config, strategy.as_ref()) {
        strategy::warn_about_weights(learned_for, &program, &log)?;
    }

    let mut own = caller.clone();
    let asked = asking::start(config, (&mut own, &program), &log)?;
    let caller = &own;
    let arrays = SharedArrays::default();
    let terms = Terms::sharing(&arrays);
    let mut exec_config = parts::exec_config_with_files(config)?;
    exec_config.side_answers = untaken::answers(&program);
    let executor = Executor::new(&program, &terms, &exec_config, &caller.signals.interrupt)?;
    let arguments = ProgramArguments {
        arguments: program::arguments(config, &program),
        environment,
    };
    let state = first_state(&executor, &arguments)?;
    let outputs = Mutex::new(parts::outputs(config, &directory)?);
    let mut host = parts::host(config)?;
    host.hidden = Some(directory.path().to_path_buf());
    let surroundings = Surroundings {
        directory: host.root.clone(),
        ids: host.ids,
        environment: arguments.environment.clone(),
    };
    let failed = SessionError::io("cannot write the surroundings of the run");
    surroundings.write(directory.path()).map_err(failed)?;
    let cache = SharedCache::new(SolverConfig::default().cache_entries, config.threads);
    let mut first = FirstThread {
        executor: &executor,
        terms: &terms,
        solver: parts::first_solver(config, &tuning, &cache, (caller, &directory))?,
    };
    let host = parts::open_host(config, host)?;
    let before_main = match config.dialect.counts_from_main() {
        true => instructions_before_main(&executor, &state, &mut first.solver, &host),
        false => 0,
    };
    let counting_from_main = from_main(config, before_main);
    let config = &counting_from_main;
    let coverage = Coverage::new(&program, executor.segments(), config.search.scope);
    let session = Session {
        config,
        caller,
        times,
        seeds: &seeds,
        replays: &replays,
        strategy,
        aims,
        earlier_bugs: telling::bugs(&earlier),
        directory: &directory,
        log: &log,
        checkpoints: resumption::checkpoints(config, &program, &directory, resumption.as_ref())
            .map(|checkpoints| match piece {
                Some(_) => checkpoints.for_caller(),
                None => checkpoints,
            }),
        resumption,
        events: &events,
        program: &program,
        exec_config: &exec_config,
        arguments: &arguments,
        arrays: &arrays,
        cache: &cache,
        tuning: &tuning,
        host: &host,
        outputs: &outputs,
        coverage: &coverage,
        run_tuning: &run_tuning,
        before_main,
        recorder: &SharedRecorder::new(parts::recorder(config, &executor, &coverage))
            .with_tree(parts::tree(config, &directory)?),
    };
    session.prepare_reports(&executor)?;
    let explored = session.explore(&mut first, state, campaign)?;
    asked.tell(&log);
    let report = session.finish(explored, first);
    if caller.process_ends {
        // The end of the process frees them in no time.
        drop(session);
        forget(executor);
        forget(terms);
        forget(program);
    }
    Ok(report)
}

impl<'r> Session<'r> {
    /// A thread's console.
    pub(super) fn console(&self) -> RunConsole<'r> {
        RunConsole::new(self.outputs, self.log)
    }

    /// Writes the table of branches, to which tests refer, and starts the profile if one is wanted.
    fn prepare_reports(&self, executor: &Executor<'_>) -> Result<(), SessionError> {
        let segments = executor.segments();
        let branches = branch_table(self.program, |branch| {
            let side = segments.side(BranchId(branch), 0);
            self.coverage.is_own_side(side)
        });
        let failed = SessionError::io("cannot write the table of branches");
        let text = serde_json::to_string(&branches).map_err(|error| failed(error.into()))?;
        self.directory.write(BRANCH_TABLE, &text)?;
        if self.config.output.profile {
            let directory = self.directory.clone();
            let mut recorder = self.recorder.lock();
            recorder.profile(directory, &self.caller.command_line, self.program, segments);
        }
        Ok(())
    }
}
