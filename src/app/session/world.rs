//! The fourth stage of a run: what the program runs in. Its host, what it is started with, how it
//! is executed, and what the threads share of terms and of answers to queries.
//!
//! Invariant: all threads see one world, and none changes what a path does in it.

use super::directory::RunDirectory;
use super::generator::{self, InputGenerator};
use super::loaded::LoadedProgram;
use super::standalone::first_state;
use super::sync::{self, LiveExchange};
use super::varied_executor::{VARIATIONS, VariedConfigs, VariedExecutor};
use super::{Caller, SessionError, given, image, parts};
use homi_config::RunConfig;
use homi_ir::program::Program;
use homi_machine::exec::{ExecConfig, Executor, SideAnswers};
use homi_machine::host::{HostConfig, ProgramArguments, RealHost, StandardInput, system_data};
use homi_machine::state::State;
use homi_native::image::Image;
use homi_native::testcase::RunEnvironment;
use homi_solver::term::{SharedArrays, Terms};
use homi_solver::{SharedCache, Solver, SolverConfig};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Environment in which a program runs.
pub(super) struct World<'r> {
    pub(super) loaded: &'r LoadedProgram<'r>,
    /// The plan's caller, with the sources of states of `--input-generator` and `--sync`.
    pub(super) caller: Caller,
    pub(super) generator: InputGenerator,
    pub(super) exchange: LiveExchange,
    pub(super) exec_config: ExecConfig,
    /// Configurations of varied executions.
    varied_configs: OnceLock<VariedConfigs>,
    /// Arguments with which the program starts.
    pub(super) arguments: ProgramArguments,
    pub(super) arrays: SharedArrays,
    pub(super) cache: SharedCache,
    pub(super) host: RealHost,
    /// The program's native image, which fuzzing uses in runs whose budget is time.
    pub(super) image: Option<Arc<Image>>,
}

impl<'r> World<'r> {
    /// The world of a run that writes into a directory, which its program does not see.
    pub(super) fn open(output: &RunDirectory<'r>) -> Result<Self, SessionError> {
        let (loaded, directory) = (output.loaded, output.directory.path());
        let config = &loaded.config;
        let mut host = host(config)?;
        host.hidden = Some(directory.to_path_buf());
        let run_environment = RunEnvironment {
            directory: host.root.clone(),
            hidden: None,
            data: system_data(),
            ids: host.ids,
            environment: loaded.plan.environment.clone(),
            inputs: absolute(&config.program.inputs),
        };
        let failed = SessionError::io("cannot write the run environment");
        run_environment.write(directory).map_err(failed)?;
        let mut world = Self::around(loaded, host, config.threads)?;
        world.exec_config.side_answers = side_answers(&loaded.program);
        let asker = (&mut world.caller, &loaded.program);
        world.image = image::of_run(loaded, &world.arguments);
        world.generator = generator::start(config, asker, &output.log)?;
        let asker = (&mut world.caller, &loaded.program);
        let told = (directory, &output.events);
        world.exchange = sync::start(config, asker, told, &output.log)?;
        Ok(world)
    }

    /// Returns the environment of trials that run in parallel and return only their results.
    pub(super) fn of_trials(
        loaded: &'r LoadedProgram<'r>,
        jobs: usize,
    ) -> Result<Self, SessionError> {
        Self::around(loaded, host(&loaded.config)?, jobs)
    }

    fn around(
        loaded: &'r LoadedProgram<'r>,
        host: HostConfig,
        threads: usize,
    ) -> Result<Self, SessionError> {
        let config = &loaded.config;
        let shown = config.program.files_dir.display();
        let failed = SessionError::io(format!("cannot use {shown} as the program's directory"));
        Ok(Self {
            loaded,
            caller: loaded.plan.caller.clone(),
            generator: InputGenerator::default(),
            exchange: LiveExchange::default(),
            exec_config: parts::exec_config(config)?,
            varied_configs: OnceLock::new(),
            arguments: ProgramArguments {
                arguments: given::arguments(config, &loaded.program),
                environment: loaded.plan.environment.clone(),
            },
            arrays: SharedArrays::default(),
            cache: SharedCache::new(SolverConfig::default().cache_entries, threads),
            host: RealHost::new(host).map_err(failed)?,
            image: None,
        })
    }

    /// A thread's executor of varied executions.
    pub(super) fn varied_executor<'t>(
        &'t self,
        terms: &'t Terms,
        interrupt: &'t AtomicBool,
    ) -> VariedExecutor<'t> {
        let varied = |variation| ExecConfig {
            variation,
            ..self.exec_config.clone()
        };
        let configs = self.varied_configs.get_or_init(|| VARIATIONS.map(varied));
        VariedExecutor::new(&self.loaded.program, terms, configs, interrupt)
    }

    /// A thread's executor.
    pub(super) fn executor<'t>(
        &'t self,
        terms: &'t Terms,
        interrupt: &'t AtomicBool,
    ) -> Result<Executor<'t>, SessionError> {
        let program = &self.loaded.program;
        Ok(Executor::new(program, terms, &self.exec_config, interrupt)?)
    }

    /// The state before the program's first instruction.
    pub(super) fn first_state(&self, executor: &Executor<'_>) -> Result<State, SessionError> {
        Ok(first_state(executor, &self.arguments)?)
    }

    /// A thread's solver.
    pub(super) fn solver(&self, cache: &SharedCache) -> Solver {
        let tuning = &self.loaded.plan.tuning;
        parts::solver(&self.loaded.config, tuning, cache, &self.caller)
    }
}

/// Returns absolute paths.
fn absolute(paths: &[PathBuf]) -> Vec<PathBuf> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    paths.iter().map(absolute).collect()
}

/// Room for the answers about all sides of a program.
fn side_answers(program: &Program) -> SideAnswers {
    let sides = program.branches.iter();
    SideAnswers::new(sides.map(|branch| branch.sides as usize).sum())
}

/// The host behind the program: its files, its standard input.
fn host(config: &RunConfig) -> Result<HostConfig, SessionError> {
    let directory = given::files_directory(config)?;
    let mut host = HostConfig::new(directory, config.program.user);
    host.stdin = StandardInput::inherited();
    Ok(host)
}
