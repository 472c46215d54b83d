//! Parts of a run that are made from its options alone: tuning, executor's limits, solver.

use super::{Caller, SessionError};
use homi_config::{Budget, RunConfig};
use homi_explore::engine::RunTuning;
use homi_explore::prune::pruner_of;
use homi_ir::util::tuning::{TuningError, TuningRow};
use homi_machine::exec::ExecConfig;
use homi_report::OutputDirectory;
use homi_solver::{QueryLogForm, SharedCache, Solver, SolverConfig, Tuning, WORK_OF_INSTRUCTION};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Returns the executor's configuration, including the content of files.
pub(super) fn exec_config(config: &RunConfig) -> Result<ExecConfig, SessionError> {
    let given = config.seeds.path.as_deref().map(sides_in).transpose()?;
    Ok(ExecConfig::of(config).with_sides(given))
}

/// The sides in a `.path` file of KLEE's manner.
fn sides_in(path: &Path) -> Result<Arc<[bool]>, SessionError> {
    let shown = path.display();
    let failed = SessionError::io(format!("cannot read the path {shown}"));
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let sides = text.split_whitespace().map(|text| match text {
        "1" => Ok(true),
        "0" => Ok(false),
        other => Err(SessionError::Request(format!(
            "--replay-path {shown}: expected 0 or 1, found `{other}`"
        ))),
    });
    sides.collect()
}

/// Bytes for a thread's SMT process: a part of the run's limit, so that a hard query cannot use
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

/// Checks that the pruner of the options exists.
pub(super) fn check_pruner(config: &RunConfig) -> Result<(), SessionError> {
    match pruner_of(config) {
        Ok(_) => Ok(()),
        Err(why) => Err(SessionError::Request(format!("--prune: {why}"))),
    }
}

/// All tuning constants of run and solver.
pub fn tuning_rows() -> Vec<TuningRow> {
    let mut rows = RunTuning::rows();
    rows.extend(Tuning::rows());
    rows
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

/// Returns the time of a limit of the solver: a unit of work counts as a nanosecond.
fn solver_time(limit: Budget) -> Duration {
    match limit {
        Budget::Time(time) => time,
        Budget::Instructions(count) | Budget::Work(count) => {
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

/// Lets the first thread's solver write down its queries where the user wants them.
pub(super) fn log_queries(
    solver: &mut Solver,
    config: &RunConfig,
    directory: &OutputDirectory,
) -> Result<(), SessionError> {
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
    if let Some(path) = &config.queries {
        let failed = SessionError::io(format!("cannot write queries to {}", path.display()));
        solver.record_queries(path).map_err(failed)?;
    }
    Ok(())
}
