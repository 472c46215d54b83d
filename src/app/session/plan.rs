//! The first stage of a run: what is asked for, before the program is read.
//!
//! Invariant: nothing is written. Errors of the request alone are found here, and every file that
//! the options name, except the program, is read here, once.

use super::native::GcovReplay;
use super::times::Times;
use super::{
    Caller, SessionError, event_stream, given, memory_guard, parts, seeds, strategy, targets,
};
use homi_config::RunConfig;
use homi_explore::engine::RunTuning;
use homi_explore::sources::{ReplayedTest, SeedTest};
use homi_report::Event;
use homi_solver::Tuning;
use homi_strategies::concolic::StrategyChoice;

/// Plan of a run.
pub(super) struct Plan<'r> {
    pub(super) caller: &'r Caller,
    pub(super) times: Times,
    /// The options, fitted to the machine, to replayed tests and to a piece of a larger work.
    pub(super) config: RunConfig,
    /// Warnings to log once there is a log.
    pub(super) warnings: Vec<String>,
    /// Constants of the solver.
    pub(super) tuning: Tuning,
    /// Constants of the loop and of the sources of states.
    pub(super) run_tuning: RunTuning,
    /// The program's environment.
    pub(super) environment: Vec<Vec<u8>>,
    /// Replays tests natively, for a campaign that learns from gcov's coverage.
    pub(super) native: Option<GcovReplay>,
    /// Earlier tests to follow first.
    pub(super) seeds: Vec<SeedTest>,
    /// Tests with whose bytes the program is executed.
    pub(super) replays: Vec<ReplayedTest>,
    /// The strategy of a concolic run.
    pub(super) strategy: Option<StrategyChoice>,
    /// Events of earlier sessions in the output directory.
    pub(super) earlier: Vec<Event>,
}

impl<'r> Plan<'r> {
    /// Plans a run. Fails if what is asked for makes no sense, or a file that it names is not
    /// there.
    pub(super) fn make(config: &RunConfig, caller: &'r Caller) -> Result<Self, SessionError> {
        let times = Times::begin(config);
        let mut config = config.clone();
        let mut warnings = Vec::from_iter(memory_guard::fit(&mut config));
        warnings.extend(caller.warnings.iter().cloned());
        let job = caller.job.as_ref();
        if let Some(job) = job {
            job.fit(&mut config)?;
        }
        let replays = seeds::replays(&config)?;
        seeds::take_arguments(&mut config, &replays);
        targets::add_changed(&mut config)?;
        let (tuning, run_tuning) = parts::tuning(&config)?;
        parts::check_pruner(&config)?;
        let environment = given::environment(&config)?;
        let native = config.gcov.as_deref().map(GcovReplay::new).transpose();
        let native = native.map_err(|error| SessionError::Request(format!("{error:#}")))?;
        let mut seeds = seeds::read(&config)?;
        seeds.extend(job.iter().flat_map(|job| job.seeds()).cloned());
        Ok(Self {
            caller,
            times,
            warnings,
            tuning,
            run_tuning,
            environment,
            native,
            seeds,
            replays,
            strategy: strategy::choice(&config)?,
            earlier: event_stream::earlier(&config)?,
            config,
        })
    }
}
