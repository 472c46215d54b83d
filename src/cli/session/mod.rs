//! One run from start to end: loads the program, makes the output directory, puts executor, solver,
//! world and engine together, runs, writes the summary.
//!
//! Invariant: nothing is written before the program is loaded, and whatever ends the run,
//! `summary.json` is written if the disk allows it.

mod console;
mod explore;
mod net;
mod parts;
mod plan;
mod program;
mod summary;
mod threads;

use super::{Exit, seeds};
use crate::config::{Clock, RunConfig};
use crate::coverage::Coverage;
use crate::engine::{SeedTest, SharedRecorder, Signals, branch_table, processor_time};
use crate::env::{ProgramArguments, RealHost, set_up};
use crate::exec::{ExecConfig, Executor};
use crate::expr::{SharedArrays, Terms};
use crate::program::{BranchId, Program};
use crate::report::{OutputDirectory, SharedLog};
use crate::solver::{SharedCache, Solver, SolverConfig};
use crate::state::State;
use crate::testcase::{BRANCH_TABLE, Surroundings};
use crate::util::clock::{Moment, follow_processor_time};
use console::{Outputs, RunConsole};
use explore::CampaignParts;
use net::MemoryNet;
use plan::CampaignPlan;
use std::mem::ManuallyDrop;
use std::sync::Mutex;
use std::time::{Instant, SystemTime};

/// When a run began, by each clock that something asks.
#[derive(Clone, Copy)]
struct Times {
    /// For the wall time in `summary.json`.
    began: Instant,
    /// For the date in `info`.
    started: SystemTime,
    /// The clock that the budget counts by.
    clock: Moment,
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
struct Session<'r> {
    config: &'r RunConfig,
    command_line: &'r str,
    signals: &'r Signals,
    times: Times,
    /// Earlier tests to follow first.
    seeds: &'r [SeedTest],
    directory: &'r OutputDirectory,
    log: &'r SharedLog,
    program: &'r Program,
    exec_config: &'r ExecConfig,
    arrays: &'r SharedArrays,
    cache: &'r SharedCache,
    host: &'r RealHost,
    outputs: &'r Mutex<Outputs>,
    coverage: &'r Coverage,
    recorder: &'r SharedRecorder,
}

/// What the first thread has to itself; further threads make their own.
struct FirstThread<'r> {
    executor: &'r Executor<'r>,
    terms: &'r Terms,
    solver: Solver,
}

/// Performs a run.
pub(super) fn run(
    config: &RunConfig,
    command_line: &str,
    signals: &Signals,
) -> anyhow::Result<Exit> {
    let times = Times::begin(config);
    let mut config = config.clone();
    let lowered = net::fit(&mut config);
    let config = &config;
    let environment = program::environment(config)?;
    let plan = CampaignPlan::make(config)?;
    let native = plan::native_coverage(config)?;
    let seeds = seeds::read(&config.seeds)?;
    // Program and terms last as long as the process, whose end frees them in no time.
    let program = ManuallyDrop::new(program::load(config)?);
    let campaign = match plan {
        Some(plan) => Some(CampaignParts {
            header: plan.header(config, &program)?,
            plan,
            native,
        }),
        None => None,
    };
    let (directory, log) = parts::output(config)?;
    let _net = MemoryNet::spread(&directory);
    if let Some(text) = lowered {
        log.lock().warning(&text);
    }
    program::warn_about_program(&program, &log);

    let arrays = SharedArrays::default();
    let terms = ManuallyDrop::new(Terms::sharing(&arrays));
    let exec_config = parts::exec_config(config);
    let executor = Executor::new(&program, &terms, &exec_config, &signals.interrupt)?;
    let executor = ManuallyDrop::new(executor);
    let arguments = ProgramArguments {
        arguments: program::arguments(config, &program),
        environment,
    };
    let state = initial_state(&program, &executor, &arguments)?;
    let outputs = Mutex::new(parts::outputs(config, &directory)?);
    let host = parts::host(config)?;
    let surroundings = Surroundings {
        directory: host.root.clone(),
        ids: host.ids,
        environment: arguments.environment,
    };
    surroundings.write(directory.path())?;
    let cache = SharedCache::new(SolverConfig::default().cache_entries, config.threads);
    let mut first = FirstThread {
        executor: &executor,
        terms: &terms,
        solver: parts::first_solver(config, &cache, signals)?,
    };
    let host = parts::open_host(config, host)?;
    let coverage = Coverage::new(&program, executor.segments(), config.search.scope);
    let session = Session {
        config,
        command_line,
        signals,
        times,
        seeds: &seeds,
        directory: &directory,
        log: &log,
        program: &program,
        exec_config: &exec_config,
        arrays: &arrays,
        cache: &cache,
        host: &host,
        outputs: &outputs,
        coverage: &coverage,
        recorder: &SharedRecorder::new(parts::recorder(
            config, &directory, &executor, &coverage, &log,
        )),
    };
    session.prepare_reports(&executor)?;
    let explored = session.explore(&mut first, state, campaign)?;
    session.finish(explored, first)
}

/// The state before the first instruction, with what the kernel gives a new process in memory.
fn initial_state(
    program: &Program,
    executor: &Executor<'_>,
    arguments: &ProgramArguments,
) -> anyhow::Result<State> {
    let entry = program.runtime_entry.unwrap_or(program.entry);
    let mut state = executor.initial_state(entry, &[]);
    set_up(program, &mut state, arguments)?;
    Ok(state)
}

impl<'r> Session<'r> {
    /// A thread's console.
    fn console(&self) -> RunConsole<'r> {
        RunConsole::new(self.outputs, self.log)
    }

    /// Writes the table of branches, to which tests refer, and starts the profile if one is wanted.
    fn prepare_reports(&self, executor: &Executor<'_>) -> anyhow::Result<()> {
        let segments = executor.segments();
        let branches = branch_table(self.program, |branch| {
            let side = segments.side(BranchId(branch), 0);
            self.coverage.is_own_side(side)
        });
        let text = serde_json::to_string(&branches)?;
        self.directory.write(BRANCH_TABLE, &text)?;
        if self.config.output.profile {
            let directory = self.directory.clone();
            let mut recorder = self.recorder.lock();
            recorder.profile(directory, self.command_line, self.program, segments);
        }
        Ok(())
    }
}
