//! The fifth stage of a run: the first thread, and what all threads of the exploration share.
//!
//! Invariant: what threads share is behind a lock or never changes; terms and executor belong to
//! one thread each.

use super::directory::RunDirectory;
use super::loaded::LoadedProgram;
use super::plan::Plan;
use super::start::instructions_before_main;
use super::varied_executor::VariedExecutor;
use super::world::World;
use super::{SessionError, parts, resumption};
use homi_config::RunConfig;
use homi_explore::coverage::Coverage;
use homi_explore::engine::{
    Checkpoints, EngineContext, Recorder, SharedRecorder, Signals, SolverSession, branch_table,
};
use homi_ir::program::BranchId;
use homi_machine::exec::{Console, Executor};
use homi_machine::state::State;
use homi_native::testcase::BRANCH_TABLE;
use homi_report::OutputDirectory;
use homi_solver::Solver;
use homi_solver::term::Terms;
use std::mem::forget;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Parts that belong to the first thread; other threads make theirs.
pub(super) struct FirstThread<'t> {
    pub(super) executor: Executor<'t>,
    pub(super) varied: VariedExecutor<'t>,
    pub(super) terms: &'t Terms,
    pub(super) solver: Solver,
}

impl<'t> FirstThread<'t> {
    /// The parts of a thread that executes in a world.
    pub(super) fn of(
        world: &'t World<'_>,
        terms: &'t Terms,
        interrupt: &'t AtomicBool,
    ) -> Result<Self, SessionError> {
        Ok(Self {
            executor: world.executor(terms, interrupt)?,
            varied: world.varied_executor(terms, interrupt),
            terms,
            solver: world.solver(&world.cache),
        })
    }

    /// The executor of executions with this variation, and the solver.
    pub(super) fn executing(&mut self, variation: u16) -> (&Executor<'t>, &mut Solver) {
        let varied = match variation {
            0 => None,
            _ => self.varied.executor(variation),
        };
        (varied.unwrap_or(&self.executor), &mut self.solver)
    }

    /// Prepares the program for running. Fails if it cannot be run, or not with its arguments.
    pub(super) fn begin(
        output: &RunDirectory<'_>,
        world: &'t World<'_>,
        terms: &'t Terms,
    ) -> Result<(Self, State), SessionError> {
        let mut thread = Self::of(world, terms, &world.caller.signals.interrupt)?;
        let state = world.first_state(&thread.executor)?;
        parts::log_queries(&mut thread.solver, &world.loaded.config, &output.directory)?;
        Ok((thread, state))
    }

    /// Leaves the executor to the end of the process, which frees it in no time.
    pub(super) fn forget(self) {
        forget((self.executor, self.varied));
    }
}

/// An exploration, as all its threads see it.
pub(super) struct Exploration<'r> {
    pub(super) plan: &'r Plan<'r>,
    pub(super) loaded: &'r LoadedProgram<'r>,
    pub(super) output: &'r RunDirectory<'r>,
    pub(super) world: &'r World<'r>,
    /// The loaded program's options, with a budget that counts from `main` on.
    pub(super) config: RunConfig,
    /// Checkpoints of the open states, if the run can be resumed.
    pub(super) checkpoints: Option<Checkpoints<'r>>,
    pub(super) coverage: Coverage,
    pub(super) recorder: SharedRecorder,
    /// Instructions that do not count, as they come before the program's `main`.
    pub(super) before_main: u64,
}

impl<'r> Exploration<'r> {
    /// Prepares the exploration from `start` on, and writes what its tests refer to.
    pub(super) fn begin(
        output: &'r RunDirectory<'r>,
        world: &'r World<'r>,
        first: &mut FirstThread<'_>,
        start: &State,
    ) -> Result<Self, SessionError> {
        let loaded = output.loaded;
        let (config, program) = (&loaded.config, &loaded.program);
        let FirstThread {
            executor, solver, ..
        } = first;
        let before_main = if config.dialect.counts_from_main() {
            instructions_before_main(executor, start, solver, &world.host)
        } else {
            0
        };
        let coverage = Coverage::new(program, executor.segments(), config.search.scope);
        let recorder = Recorder::new(
            config.output.stats_interval,
            program,
            executor.segments(),
            &coverage,
        );
        let exploration = Self {
            plan: loaded.plan,
            loaded,
            output,
            world,
            config: counting_from(before_main, config),
            checkpoints: checkpoints(loaded, &output.directory),
            recorder: SharedRecorder::new(recorder),
            coverage,
            before_main,
        };
        exploration.prepare_reports(executor)?;
        Ok(exploration)
    }

    /// Returns the engine context of a thread with these parts.
    pub(super) fn context<'t, 'p>(
        &'t self,
        (executor, terms): (&'t Executor<'p>, &'t Terms),
        solver_session: &'t mut dyn SolverSession,
        console: &'t mut dyn Console,
        signals: Signals,
    ) -> EngineContext<'t, 'p> {
        EngineContext {
            executor,
            terms,
            solver_session,
            host: &self.world.host,
            image: self.world.image.as_ref(),
            console,
            log: &self.output.log,
            recorder: &self.recorder,
            tuning: &self.plan.run_tuning,
            signals,
        }
    }

    /// Returns the signals of a thread other than the first, which has a separate interrupt flag.
    pub(super) fn signals_of_thread(&self, interrupt: &Arc<AtomicBool>) -> Signals {
        Signals {
            interrupt: Arc::clone(interrupt),
            ..self.world.caller.signals.of_one_session()
        }
    }

    /// Writes the table of branches, to which tests refer, and starts the profile if one is wanted.
    fn prepare_reports(&self, executor: &Executor<'_>) -> Result<(), SessionError> {
        let (segments, program) = (executor.segments(), &self.loaded.program);
        let branches = branch_table(program, |branch| {
            let side = segments.side(BranchId(branch), 0);
            self.coverage.is_user_side(side)
        });
        let failed = SessionError::io("cannot write the table of branches");
        let text = serde_json::to_string(&branches).map_err(|error| failed(error.into()))?;
        self.output.directory.write(BRANCH_TABLE, &text)?;
        if self.config.output.profile {
            let directory = self.output.directory.clone();
            let command_line = &self.plan.caller.command_line;
            let mut recorder = self.recorder.lock();
            recorder.profile(directory, command_line, program, segments);
        }
        Ok(())
    }
}

/// Returns the checkpoints of a run; a job hands its open states to the caller instead.
fn checkpoints<'r>(
    loaded: &'r LoadedProgram<'r>,
    directory: &OutputDirectory,
) -> Option<Checkpoints<'r>> {
    let run = (&loaded.config, &loaded.program);
    let checkpoints = resumption::checkpoints(run, loaded.resumption.as_ref(), directory)?;
    Some(match loaded.plan.caller.job {
        Some(_) => checkpoints.for_caller(),
        None => checkpoints,
    })
}

/// Returns the options with instruction budgets that do not count the first `before_main`
/// instructions.
fn counting_from(before_main: u64, config: &RunConfig) -> RunConfig {
    let mut config = config.clone();
    if config.budget.instructions > 0 {
        config.budget.instructions += before_main;
    }
    config
}
