//! Trials of weights of features of states: symbolic runs by `--search param:FILE`.
//!
//! Invariant: what a trial reaches depends on its weights and its seed alone. Its budget is work,
//! and what the solver has answered before changes the work of a question, so each trial has terms
//! and a cache of its own. Trials share nothing but the program.

use super::super::SessionError;
use super::Shop;
use super::worker::Stopped;
use crate::config::{Heuristic, RunConfig, StateWeights};
use crate::engine::{Outcome, StopReason};
use crate::expr::SharedArrays;
use crate::features::{STATE, Weights};
use crate::learn_search::{Cost, Reached, Trial};
use crate::roots::RootStart;
use crate::solver::{SharedCache, SolverConfig};
use crate::util::clock::Moment;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

impl Shop<'_> {
    /// Makes one trial after the other until none is left or something says stop.
    pub(super) fn work_on_states(
        &self,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Stopped, SessionError> {
        while let Some(trial) = self.board.take() {
            let since = Moment::now();
            let outcome = self.run_states(&self.trial_config(&trial), interrupt)?;
            match outcome.reason {
                StopReason::Interrupted => {
                    self.board.give_back(trial);
                    return Ok(Stopped::AtEnd);
                }
                StopReason::OutOfMemory => {
                    self.board.give_back(trial);
                    return Ok(Stopped::OutOfMemory);
                }
                StopReason::WriteFailed(error) => return Err(SessionError::Stopped(error)),
                _ => {}
            }
            let cost = Cost {
                engine_ns: u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX),
                ..Cost::default()
            };
            self.board.end(&trial, reached(&outcome), cost);
        }
        let is_late =
            !self.learn.time.is_zero() && self.plan.times.clock.elapsed() >= self.learn.time;
        Ok(match is_late {
            true => Stopped::MaxTime,
            false => Stopped::AtEnd,
        })
    }

    /// The run that a trial is.
    fn trial_config(&self, trial: &Trial) -> RunConfig {
        let mut config = self.loaded.config.clone();
        config.search.seed = trial.seed;
        // They are finite and as many as features, because they were drawn so.
        let weights = Weights::new(&STATE, trial.weights.to_vec());
        config.search.heuristics = vec![Heuristic::Weights(Arc::new(StateWeights {
            weights: weights.unwrap_or_else(|_| Weights::zeros(&STATE)),
            learned_for: None,
        }))];
        config
    }

    fn run_states(
        &self,
        config: &RunConfig,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Outcome, SessionError> {
        let arrays = SharedArrays::default();
        let cache = SharedCache::new(SolverConfig::default().cache_entries, 1);
        self.run(config, (&arrays, &cache), interrupt, |launch, policies| {
            policies.roots = self.world.caller.policies.roots(&RootStart {
                tuning: &self.plan.run_tuning.roots,
                config,
                program: &self.loaded.program,
                launch,
                seeds: &[],
                left_open: None,
                replays: &[],
                in_team: false,
                needs_every_path: policies.selector.needs_every_path(),
            });
        })
    }
}

fn reached(outcome: &Outcome) -> Reached {
    let paths = &outcome.results.tally.paths;
    Reached {
        branches: outcome.totals.branches,
        executions: paths.completed + paths.early + paths.error,
    }
}
