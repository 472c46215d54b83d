//! Weights are learned for a program: what the workers share, from the program to the file.
//!
//! Invariant: whatever can be wrong with the request is found before the first trial runs, and what
//! was learned is written however the session ends.

mod files;
mod outcome;
mod worker;

pub use outcome::LearnReport;

use super::loaded::LoadedProgram;
use super::memory_guard::MemoryGuard;
use super::plan::Plan as RunPlan;
use super::program::warn_about_program;
use super::world::World;
use super::{Caller, SessionError};
use homi_config::{Budget, LearnSearchConfig, RunConfig};
use homi_report::{LiveLine, Log, OutputDirectory, SharedLog, StatusLine};
use homi_solver::WORK_OF_INSTRUCTION;
use homi_strategies::concolic::{BranchCode, BranchWeights, weighted};
use homi_strategies::weights::features::{BRANCH, ProgramMark};
use homi_strategies::weights::learn_search::{
    Board, Learning, Plan, Progress, Request, SearcherMaker,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

/// Data that the workers share.
struct Shop<'s> {
    learn: &'s LearnSearchConfig,
    plan: &'s RunPlan<'s>,
    loaded: &'s LoadedProgram<'s>,
    world: &'s World<'s>,
    directory: &'s OutputDirectory,
    /// Log of the engines, hidden from the user.
    engine_log: &'s SharedLog,
    board: &'s Arc<Board>,
    make: &'s SearcherMaker,
}

/// Learns weights. `run` is the run that each trial is.
///
/// # Errors
/// Fails if learning cannot start, if no trial ended, or if the weights cannot be written.
pub fn learn_search(
    learn: &LearnSearchConfig,
    run: &RunConfig,
    caller: &Caller,
) -> Result<LearnReport, SessionError> {
    let mut counted = run.clone();
    count_solver_work(&mut counted);
    let run_plan = RunPlan::make(&counted, caller)?;
    files::check(learn)?;
    let loaded = LoadedProgram::load(&run_plan)?;
    let (config, program) = (&loaded.config, &loaded.program);
    let mark = ProgramMark {
        name: program.name.clone(),
        hash: program.hash()?,
    };
    let plan = learning_plan(learn, config);
    let job = caller.job.as_ref();
    let directory = files::directory(learn)?;
    let journal = files::journal(learn, &directory, &request(learn, config, &mark, plan))?;
    let quiet = config.output.quiet;
    let line = LiveLine::new(!quiet);
    let log = SharedLog::new(Log::reopen(&directory, quiet, line.clone()));
    for text in &run_plan.warnings {
        log.lock().warning(text);
    }
    warn_about_program(config, program, &log);
    let end = caller.end_without_memory;
    let _net = end.map(|end| MemoryGuard::spread(&directory, end));

    let board = Arc::new(Board::new(
        match job.and_then(|job| job.trials()) {
            Some(trials) => Learning::of_trials(plan, trials.to_vec()),
            None => Learning::new(plan),
        },
        journal,
        Box::new(shown(line.clone())),
        Arc::clone(&caller.signals.stop_requested),
    ));
    let code = Arc::new(BranchCode::of(program));
    let shop = Shop {
        learn,
        plan: &run_plan,
        loaded: &loaded,
        world: &World::of_trials(&loaded, jobs(learn))?,
        directory: &directory,
        engine_log: &SharedLog::new(Log::muted()),
        board: &board,
        make: &maker(&code),
    };
    let stopped = shop.work_all(jobs(learn));
    line.clear();
    if job.is_some() {
        // The journal has the results of its trials; the issuer of the jobs learns from them.
        stopped?;
        return Ok(LearnReport::of_job(learn, directory.path()));
    }
    let finished = match Arc::into_inner(board) {
        Some(board) => board.finish(),
        // Searchers, which hold it too, ended with their engines.
        None => return Err(SessionError::Request("learning did not end".to_string())),
    };
    outcome::conclude(learn, config, mark, &directory, finished, stopped?)
}

/// Returns the plan of learning for these options.
pub fn learning_plan(learn: &LearnSearchConfig, run: &RunConfig) -> Plan {
    Plan {
        features: BRANCH.len(),
        samples: learn.samples,
        best: learn.best,
        trials: learn.trials,
        seed: run.search.seed,
        resets: learn.resets,
    }
}

/// Trials that run side by side.
fn jobs(learn: &LearnSearchConfig) -> usize {
    match learn.jobs {
        0 => available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    }
}

/// Equal trials are to reach the same, so what the solver does is counted and not timed.
fn count_solver_work(config: &mut RunConfig) {
    if let Budget::Time(time) = config.solver.time {
        let work = time.as_nanos() / u128::from(WORK_OF_INSTRUCTION);
        config.solver.time = Budget::Work(u64::try_from(work).unwrap_or(u64::MAX));
    }
}

/// Returns all inputs of the trials.
fn request(
    learn: &LearnSearchConfig,
    config: &RunConfig,
    mark: &ProgramMark,
    plan: Plan,
) -> Request {
    let Plan {
        samples,
        best,
        trials,
        seed,
        resets,
        ..
    } = plan;
    let own = vec![
        format!("--samples={samples}"),
        format!("--best={best}"),
        format!("--trials={trials}"),
        format!("--max-runs={}", learn.executions),
        format!("--seed={seed}"),
        format!("--reset-spaces={resets}"),
    ];
    Request {
        program: mark.hash.clone(),
        options: [own, learn.run_options.clone()].concat(),
        arguments: config.program.arguments.clone(),
    }
}

/// Shows the line of progress when it is time to.
fn shown(line: LiveLine) -> impl Fn(&Progress) + Send + Sync {
    let status = Mutex::new(StatusLine::new(line));
    move |progress| {
        // A line that was not drawn completely is drawn again.
        let mut status = status.lock().unwrap_or_else(PoisonError::into_inner);
        if status.is_due(progress.time) {
            status.show_text(progress.time, &progress.line());
        }
    }
}

/// Returns the maker of a trial's searcher.
fn maker(code: &Arc<BranchCode>) -> SearcherMaker {
    let code = Arc::clone(code);
    Arc::new(move |weights: &[f64], seed: u64| {
        let weights = BranchWeights::new(&BRANCH, weights.to_vec());
        // They are finite and as many as features, because they were drawn so.
        let weights = weights.unwrap_or_else(|_| BranchWeights::zeros(&BRANCH));
        weighted(weights, Arc::clone(&code), seed).0
    })
}
