//! The exploration itself: one run, in one thread or several, or a campaign of short runs.

use super::SessionError;
use super::campaign::{CampaignPlan, path_results};
use super::exploration::{Exploration, FirstThread};
use super::given::test_arguments;
use super::input_layouts::FurtherLayouts;
use super::strategy::{chosen, concolic_summary, weights_summary};
use super::summary::{mean, run_line};
use super::threads;
use homi_explore::engine::{
    Engine, Outcome, Parts, PathResults, Policies, RunContext, SharedExploration,
};
use homi_explore::sources::{EntryState, SourceStart};
use homi_machine::state::State;
use homi_report::{CampaignSummary, ConcolicSummary, Event, SearchChosen, SolverSummary};
use homi_strategies::campaign::{CampaignSetup, NativeCoverage};

/// Result of the exploration.
pub(super) struct Explored {
    pub(super) outcome: Outcome,
    /// Statistics of the other threads' solvers.
    pub(super) other_solvers: Vec<SolverSummary>,
    pub(super) states_mean: f64,
    pub(super) campaign: Option<CampaignSummary>,
    pub(super) concolic: Option<ConcolicSummary>,
}

impl Exploration<'_> {
    /// Explores from `state` on until the budget ends, nothing is left, or the user stops it.
    pub(super) fn explore(
        &self,
        first: &mut FirstThread<'_>,
        state: State,
    ) -> Result<Explored, SessionError> {
        let arguments = test_arguments(&self.config, &self.loaded.program);
        let campaign = self.loaded.campaign.as_ref();
        let resumption = self.loaded.resumption.as_ref();
        let results = path_results(
            campaign,
            &self.config,
            &self.output.directory,
            arguments,
            resumption,
        );
        let results = results
            .knowing(&self.output.earlier_bugs)
            .with_events(&self.output.events);
        let results = match &self.loaded.targets {
            Some(targets) => results.watching(targets.segments()),
            None => results,
        };
        match campaign {
            Some(plan) => self.as_campaign(first, state, results, plan),
            None => self.as_one_run(first, state, results),
        }
    }

    fn as_campaign(
        &self,
        first: &mut FirstThread<'_>,
        state: State,
        results: PathResults,
        plan: &CampaignPlan,
    ) -> Result<Explored, SessionError> {
        let mut native = self.plan.native.clone();
        let given = &self.config.program.arguments;
        let wanted = plan.config.input_layouts;
        let input_layouts =
            FurtherLayouts::of(&self.loaded.program, &self.world.arguments, given, wanted);
        let (open_paths, left_open) = self.open_paths(plan)?;
        let setup = CampaignSetup {
            config: &self.config,
            options: &plan.config,
            store: plan.store(&self.output.directory)?,
            native: native
                .as_mut()
                .map(|replay| replay as &mut (dyn NativeCoverage + Send)),
            seeds: &self.plan.seeds,
            targets: self.loaded.targets.as_ref(),
            input_layouts: &input_layouts,
            policies: &self.world.caller.policies,
            log: &self.output.log,
            open_paths,
            left_open,
            assigned: self.plan.caller.job.as_ref().and_then(|job| job.assigned()),
            interrupts: threads::interrupts(&self.world.caller.signals, self.config.threads),
            start: self.plan.times.clock,
        };
        let mut console = self.output.console();
        let signals = self.world.caller.signals.of_one_session();
        let (executor, solver) = (&first.executor, &mut first.solver);
        let bench = self.context((executor, first.terms), solver, &mut console, signals);
        let (done, other_solvers) =
            self.explore_in_workers(setup, bench, state, plan.stored.as_ref(), results)?;
        Ok(Explored {
            outcome: done.outcome,
            other_solvers,
            states_mean: done.states_mean,
            campaign: Some(done.summary),
            concolic: None,
        })
    }

    fn as_one_run(
        &self,
        first: &mut FirstThread<'_>,
        state: State,
        results: PathResults,
    ) -> Result<Explored, SessionError> {
        let (config, start) = (&self.config, self.plan.times.clock);
        let interrupts = threads::interrupts(&self.world.caller.signals, config.threads);
        let shared_exploration = (config.threads > 1).then(|| {
            let tuning = &self.plan.run_tuning.engine;
            SharedExploration::new(config, tuning, &first.executor, interrupts.clone(), start)
        });
        let further: Vec<PathResults> = (1..config.threads).map(|_| results.for_thread()).collect();
        let mut console = self.output.console();
        let signals = self.world.caller.signals.of_one_session();
        let (executor, solver) = (&first.executor, &mut first.solver);
        let bench = self.context((executor, first.terms), solver, &mut console, signals);
        let entry_state = EntryState::new(&first.executor, state);
        let own = &self.world.caller.policies;
        let mut policies = Policies::of(config, own);
        let strategy = self.plan.strategy.as_ref();
        let statistics = strategy.map(|choice| {
            let (program, targets) = (&self.loaded.program, self.loaded.targets.as_ref());
            let (searcher, statistics) = chosen(choice, program, config.search.seed, targets);
            policies.searcher.get_or_insert(searcher);
            statistics
        });
        policies.sources = own.sources(&SourceStart {
            tuning: &self.plan.run_tuning.sources,
            config,
            program: &self.loaded.program,
            entry_state: &entry_state,
            image: self.world.image.as_ref(),
            seeds: &self.plan.seeds,
            left_open: self.loaded.resumption.as_ref().map(|one| &one.frontier),
            replays: &self.plan.replays,
            in_threads: shared_exploration.is_some(),
            needs_every_path: policies.selector.needs_every_path(),
        });
        let parts = Parts {
            results,
            policies,
            config,
            context: RunContext::alone(start)
                .aiming(self.loaded.targets.clone())
                .with_checkpoints(self.checkpoints.as_ref()),
            shared_exploration: shared_exploration
                .as_ref()
                .map(|shared_exploration| shared_exploration.member(0)),
        };
        let engine = Engine::new(bench, parts, &entry_state, start);
        self.output.events.emit(|| {
            Event::SearchChosen(SearchChosen {
                search: engine.describe_search(),
            })
        });
        let (outcome, other_solvers) = match &shared_exploration {
            None => (engine.run(), Vec::new()),
            Some(shared_exploration) => {
                self.explore_in_threads(shared_exploration, engine, further, &interrupts)?
            }
        };
        let line = run_line(config, &outcome);
        let concolic = (config.concolic.as_ref().zip(statistics)).map(|(config, statistics)| {
            ConcolicSummary {
                weights: strategy.and_then(weights_summary),
                ..concolic_summary(config, statistics.tally(), &outcome)
            }
        });
        self.output
            .events
            .emit(|| Event::RunEnded(Box::new(line.clone())));
        Ok(Explored {
            outcome,
            other_solvers,
            states_mean: mean(&line.states_each_second),
            campaign: None,
            concolic,
        })
    }
}
