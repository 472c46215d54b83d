//! One run of a campaign: what it is put together from, and what it leaves for the next ones.

use super::Campaign;
use super::arm::Arm;
use super::planning::Plan;
use super::progress::{CampaignProgress, Waiting};
use super::seeds::RunSeeds;
use super::single_paths;
use super::turn::Before;
use crate::config::{RunConfig, SearchCoverage, Span};
use crate::engine::{
    CampaignRun, EarlierCoverage, Engine, Listeners, Outcome, Parts, PathResults, Policies,
    RunContext, Suspended,
};
use crate::roots::{FromLaunch, Probes, RootSource, RootStart, Seeds, SwappedOut};
use crate::select::TestSelector;

impl Campaign<'_, '_> {
    /// Performs a run with what the campaign knows so far.
    pub(super) fn perform(
        &mut self,
        progress: &mut CampaignProgress,
        arm: Arm,
        plan: &mut Plan,
        left: f64,
        before: &Before,
        results: PathResults,
    ) -> Outcome {
        let config = self.run_config(progress, arm, plan, left);
        let resumed = progress.waiting.place(arm).and_then(Option::take);
        let (resumed, mut swapped_out) = match resumed {
            Some(waiting) => (Some(waiting.run), waiting.swapped_out),
            None => (None, None),
        };
        let fresh = resumed.is_none();
        let seeds = match fresh {
            true => self.run_seeds(progress, plan),
            false => RunSeeds::default(),
        };
        let slice = (self.options.reserve && arm == Arm::Unpruned).then_some(plan.span);
        self.make_probes(progress, &config);
        let alone = (arm == Arm::SinglePaths).then(|| single_paths::launch(&progress.launch));
        let launch = alone.as_ref().unwrap_or(&progress.launch);
        let start = RootStart {
            tuning: &self.bench.tuning.roots,
            config: &config,
            program: self.bench.executor.program(),
            launch,
            seeds: &seeds.tests,
            in_team: false,
            needs_every_path: progress.selector.needs_every_path(),
        };
        // The reserve keeps the bytes of what there is no room for at the end of its slice.
        if fresh && slice.is_some() && !start.needs_every_path {
            let (state, limit) = (progress.launch.state.clone(), config.budget.memory);
            swapped_out = Some(SwappedOut::new(start.tuning, state, limit));
        }
        let mut roots = sources(&start, fresh, seeds.limit, &mut progress.probes);
        roots.extend(
            swapped_out
                .as_mut()
                .map(|swapped_out| -> Box<dyn RootSource + '_> { Box::new(swapped_out) }),
        );
        if fresh {
            roots.extend(self.policies.own_roots(&start));
        }
        let idle_states = progress.waiting.iter().flat_map(Suspended::states);
        let idle_trees = progress.waiting.iter().filter_map(Suspended::tree);
        let context = RunContext {
            start: progress.start,
            earlier_instructions: progress.sums.instructions(),
            earlier_coverage: Some(EarlierCoverage {
                sides: &progress.ledger.sides,
                segments: &progress.ledger.segments,
                branches: before.branches,
                known_to_searches: self.options.search_coverage == SearchCoverage::Campaign,
            }),
            aims: self.aims.cloned(),
            campaign_run: Some(CampaignRun {
                number: before.number + 1,
                policy: plan.name,
                span: plan.span,
            }),
            other_states: std::iter::once(&progress.launch.state)
                .chain(idle_states)
                .collect(),
            other_trees: idle_trees.collect(),
            rewalked: Some(&mut progress.rewalked),
            slice,
        };
        let own = self.policies;
        let own_pruner = match arm {
            Arm::Pruned => own.pruner(&config),
            Arm::Unpruned | Arm::SinglePaths => None,
        };
        let parts = Parts {
            results,
            policies: Policies {
                searcher: match arm {
                    Arm::SinglePaths => Some(self.single_paths_searcher(&config).0),
                    Arm::Pruned | Arm::Unpruned => own.searcher(&config),
                },
                number: own.number.clone(),
                pruner: own_pruner.or(plan.pruner.take()),
                roots,
                selector: Box::new(&mut progress.selector),
                listeners: Listeners(vec![Box::new(&mut progress.features)]),
            },
            config: &config,
            context,
            team: None,
        };
        let bench = self.bench.lend();
        let engine = match resumed {
            Some(run) => Engine::resume(bench, parts, run, before.start),
            None => Engine::new(bench, parts, launch, before.start),
        };
        let (outcome, rest) = match arm {
            Arm::Pruned => (engine.run(), None),
            Arm::Unpruned | Arm::SinglePaths => engine.run_slice(),
        };
        if let Some(place) = progress.waiting.place(arm) {
            *place = rest.map(|run| Waiting { run, swapped_out });
        }
        let roots = &outcome.extras.roots;
        if let (Some(limit), Some(done)) = (seeds.given, roots.seeds) {
            progress.given.note(limit, done, &roots.seeds_left);
        }
        outcome
    }

    /// Probes go on from run to run; the first run makes them, if there are to be any.
    fn make_probes(&self, progress: &mut CampaignProgress, config: &RunConfig) {
        let search = &config.search;
        if search.probe_share > 0.0 && progress.probes.is_none() {
            let (bench, launch) = (&self.bench, &progress.launch);
            let drawing = (search.probe_share, search.seed);
            let program = bench.executor.program();
            let probes = Probes::new(&bench.tuning.roots, program, launch, drawing);
            progress.probes = Some(probes);
        }
    }
}

/// Where the states of a run come from, but for those that were swapped out: a fresh run begins
/// with the launch, and follows its seeds until `limit` of it is over.
fn sources<'s>(
    start: &RootStart<'_>,
    fresh: bool,
    limit: Option<Span>,
    probes: &'s mut Option<Probes>,
) -> Vec<Box<dyn RootSource + 's>> {
    let mut roots: Vec<Box<dyn RootSource + 's>> = Vec::new();
    if fresh {
        roots.push(Box::new(FromLaunch::new(start.launch)));
    }
    if let Some(probes) = probes {
        roots.push(Box::new(probes));
    }
    if !start.seeds.is_empty() {
        roots.push(Box::new(Seeds::new(start.tuning, start.seeds, limit)));
    }
    roots
}
