//! The exploration itself: one run, in one thread or several, or a campaign of short runs.

use super::SessionError;
use super::compose::{FirstThread, Session};
use super::native::GcovReplay;
use super::plan::{CampaignPlan, path_results};
use super::program::test_arguments;
use super::shapes::FurtherShapes;
use super::strategy::concolic_summary;
use super::summary::{mean, run_line};
use super::threads;
use crate::campaign::{CampaignSetup, Header, NativeCoverage};
use crate::engine::{Engine, Outcome, Parts, PathResults, Policies, RunContext, Team, Workbench};
use crate::report::{CampaignSummary, ConcolicSummary, Event, SearchChosen, SolverSummary};
use crate::roots::{Launch, RootStart};
use crate::state::State;

/// How the exploration went.
pub(super) struct Explored {
    pub(super) outcome: Outcome,
    /// What the further threads' solvers did.
    pub(super) other_solvers: Vec<SolverSummary>,
    pub(super) states_mean: f64,
    pub(super) campaign: Option<CampaignSummary>,
    pub(super) concolic: Option<ConcolicSummary>,
}

/// What a campaign needs besides the session.
pub(super) struct CampaignParts {
    pub(super) plan: CampaignPlan,
    pub(super) header: Header,
    pub(super) native: Option<GcovReplay>,
}

impl Session<'_> {
    /// Explores from `state` on until the budget ends, nothing is left, or the user stops it.
    pub(super) fn explore(
        &self,
        first: &mut FirstThread<'_>,
        state: State,
        campaign: Option<CampaignParts>,
    ) -> Result<Explored, SessionError> {
        let words = test_arguments(self.config, self.program);
        let plan = campaign.as_ref().map(|parts| &parts.plan);
        let resumption = self.resumption.as_ref();
        let results = path_results(plan, self.config, self.directory, words, resumption);
        let results = results.knowing(&self.earlier_bugs).telling(self.events);
        let results = match &self.aims {
            Some(aims) => results.watching(aims.segments()),
            None => results,
        };
        match campaign {
            Some(parts) => self.as_campaign(first, state, results, parts),
            None => self.as_one_run(first, state, results),
        }
    }

    fn as_campaign(
        &self,
        first: &mut FirstThread<'_>,
        state: State,
        results: PathResults,
        mut parts: CampaignParts,
    ) -> Result<Explored, SessionError> {
        let native = parts.native.as_mut();
        let given = &self.config.program.arguments;
        let wanted = parts.plan.config.shapes;
        let shapes = FurtherShapes::of(self.program, self.arguments, given, wanted);
        let (open_paths, left_open) = self.open_paths(&parts.plan)?;
        let setup = CampaignSetup {
            config: self.config,
            options: &parts.plan.config,
            store: parts.plan.store(self.directory, &parts.header)?,
            native: native.map(|replay| replay as &mut (dyn NativeCoverage + Send)),
            seeds: self.seeds,
            aims: self.aims.as_ref(),
            shapes: &shapes,
            policies: &self.caller.policies,
            log: self.log,
            open_paths,
            left_open,
            assigned: self
                .caller
                .piece
                .as_ref()
                .and_then(|piece| piece.assigned()),
            interrupts: threads::interrupts(&self.caller.signals, self.config.threads),
            start: self.times.clock,
        };
        let mut console = self.console();
        let bench = Workbench {
            executor: first.executor,
            terms: first.terms,
            prover: &mut first.solver,
            host: self.host,
            console: &mut console,
            log: self.log,
            recorder: self.recorder,
            signals: self.caller.signals.of_one_session(),
            tuning: self.run_tuning,
        };
        let (done, other_solvers) =
            self.explore_in_lanes(setup, bench, state, parts.plan.stored.as_ref(), results)?;
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
        let (config, start) = (self.config, self.times.clock);
        let interrupts = threads::interrupts(&self.caller.signals, config.threads);
        let team = (config.threads > 1).then(|| {
            let tuning = &self.run_tuning.engine;
            Team::new(config, tuning, first.executor, interrupts.clone(), start)
        });
        let further: Vec<PathResults> = (1..config.threads).map(|_| results.for_thread()).collect();
        let mut console = self.console();
        let bench = Workbench {
            executor: first.executor,
            terms: first.terms,
            prover: &mut first.solver,
            host: self.host,
            console: &mut console,
            log: self.log,
            recorder: self.recorder,
            signals: self.caller.signals.of_one_session(),
            tuning: self.run_tuning,
        };
        let launch = Launch::new(first.executor, state);
        let own = &self.caller.policies;
        let mut policies = Policies::of(config, own);
        let strategy = self.strategy();
        let figures = strategy.map(|(searcher, figures)| {
            policies.searcher.get_or_insert(searcher);
            figures
        });
        policies.roots = own.roots(&RootStart {
            tuning: &self.run_tuning.roots,
            config,
            program: self.program,
            launch: &launch,
            seeds: self.seeds,
            left_open: self.resumption.as_ref().map(|one| &one.frontier),
            replays: self.replays,
            in_team: team.is_some(),
            needs_every_path: policies.selector.needs_every_path(),
        });
        let parts = Parts {
            results,
            policies,
            config,
            context: RunContext::alone(start)
                .aiming(self.aims.clone())
                .with_checkpoints(self.checkpoints.as_ref()),
            team: team.as_ref().map(|team| team.member(0)),
        };
        let engine = Engine::new(bench, parts, &launch, start);
        self.events.tell(|| {
            Event::SearchChosen(SearchChosen {
                search: engine.describe_search(),
            })
        });
        let (outcome, other_solvers) = match &team {
            None => (engine.run(), Vec::new()),
            Some(team) => self.explore_in_threads(team, engine, further, &interrupts)?,
        };
        let line = run_line(config, &outcome);
        let concolic =
            (config.concolic.as_ref().zip(figures)).map(|(config, figures)| ConcolicSummary {
                weights: self.weights_summary(),
                ..concolic_summary(config, figures.tally(), &outcome)
            });
        self.events.tell(|| Event::RunEnded(Box::new(line.clone())));
        Ok(Explored {
            outcome,
            other_solvers,
            states_mean: mean(&line.states_each_second),
            campaign: None,
            concolic,
        })
    }
}
