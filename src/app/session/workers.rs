//! `--threads` of a campaign: one worker per thread, each with its terms, executor and solver.
//!
//! Invariant: all threads have ended when `explore_in_workers` returns. A thread that panics ends
//! the campaign, and its panic continues in the main thread.

use super::SessionError;
use super::exploration::Exploration;
use super::threads::STACK;
use homi_config::RunConfig;
use homi_explore::engine::{EngineContext, PathResults, SolverSession};
use homi_machine::state::State;
use homi_report::SolverSummary;
use homi_solver::term::Terms;
use homi_solver::{SharedCache, SolverConfig};
use homi_strategies::campaign::{Campaign, CampaignOutcome, CampaignSetup, Stored, WorkerEnd};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{Builder, ScopedJoinHandle, scope};

/// Result of a worker thread.
type Done = Result<(WorkerEnd, SolverSummary), SessionError>;

impl Exploration<'_> {
    /// Performs a campaign: its first worker in this thread with `bench`, and one more in a
    /// separate thread for each further thread that the options ask for. Returns the outcome, and
    /// the statistics of the other workers' solvers.
    pub(super) fn explore_in_workers(
        &self,
        setup: CampaignSetup<'_>,
        bench: EngineContext<'_, '_>,
        state: State,
        stored: Option<&Stored>,
        results: PathResults,
    ) -> Result<(CampaignOutcome, Vec<SolverSummary>), SessionError> {
        let executor = bench.executor;
        let interrupts = setup.interrupts.clone();
        let (campaign, first) = Campaign::begin(setup, bench, state, stored, &results);
        let further: Vec<PathResults> = (1..interrupts.len())
            .map(|_| results.for_thread())
            .collect();
        let (first, others) = scope(|scope| {
            let mut threads: Vec<ScopedJoinHandle<'_, Done>> = Vec::new();
            for (number, results) in (1..).zip(further) {
                let (campaign, interrupt) = (&campaign, &interrupts[number]);
                let spawned = Builder::new()
                    .name(format!("explorer {number}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || {
                        let done = self.further_worker(campaign, number, results, interrupt);
                        if done.is_err() {
                            campaign.give_up();
                        }
                        done
                    });
                match spawned {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        campaign.give_up();
                        let what = "cannot start a thread; try fewer --threads";
                        return Err(SessionError::io(what)(error));
                    }
                }
            }
            let first = first.run(&campaign, results);
            let mut others = Vec::new();
            for thread in threads {
                let done = thread.join();
                others.push(done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok::<_, SessionError>((first, others))
        })?;
        let (workers, solvers) = others.into_iter().unzip();
        Ok((campaign.end(executor, first, workers), solvers))
    }

    /// One further thread, from start to end.
    fn further_worker(
        &self,
        campaign: &Campaign<'_>,
        number: usize,
        results: PathResults,
        interrupt: &Arc<AtomicBool>,
    ) -> Done {
        let _worker_guard = campaign.worker_guard(number);
        let terms = Terms::sharing(&self.world.arrays);
        let executor = self.world.executor(&terms, interrupt)?;
        let state = self.world.first_state(&executor)?;
        let separate = separate_cache(&self.config);
        let cache = separate.as_ref().unwrap_or(&self.world.cache);
        let mut solver = self.world.solver(cache);
        let mut console = self.output.console();
        let signals = self.signals_of_thread(interrupt);
        let bench = self.context((&executor, &terms), &mut solver, &mut console, signals);
        let worker = campaign.further_worker(number, bench, state);
        let end = worker.run(campaign, results);
        Ok((end, solver.summary()))
    }
}

/// Returns a cache for one worker alone if budgets count work: then the cost of a query must not
/// depend on the queries of other workers.
fn separate_cache(config: &RunConfig) -> Option<SharedCache> {
    let counted = !config.budget.time.is_timed();
    counted.then(|| SharedCache::new(SolverConfig::default().cache_entries, 1))
}
