//! Run of a campaign: its assembly, and the data it leaves for later runs.

use super::arm::Arm;
use super::lane::{Lane, Waiting};
use super::looping::Campaign;
use super::single_paths;
use super::task::Task;
use crate::config::{RunConfig, SearchCoverage, Span};
use crate::explore::engine::{
    CampaignRun, EarlierCoverage, Engine, Listeners, Outcome, Parts, PathResults, Policies,
    RunContext, Suspended,
};
use crate::explore::select::TestSelector;
use crate::explore::sources::{
    FromLaunch, Probes, Resumed, RootSource, RootStart, Seeds, SwappedOut,
};

impl Lane<'_, '_> {
    /// Performs a planned run.
    pub(super) fn perform(
        &mut self,
        campaign: &Campaign<'_>,
        task: &mut Task,
        results: PathResults,
    ) -> Outcome {
        let (arm, config) = (task.arm, &task.config);
        let resumed = self.waiting.place(arm).and_then(Option::take);
        let (resumed, mut swapped_out, mut found_again) = match resumed {
            Some(waiting) => (Some(waiting.run), waiting.swapped_out, waiting.resumed),
            None => (None, None, None),
        };
        if let Some(left) = task.left_open.take() {
            let (tuning, state) = (&self.bench.tuning.roots, self.launch.state.clone());
            found_again = Some(Resumed::new(tuning, state, left));
        }
        let given = std::mem::take(&mut task.given);
        // A run that continues other states does not start from the entry state.
        let begins = resumed.is_none() && given.is_empty() && found_again.is_none();
        let slice = (campaign.options.reserve && arm == Arm::Unpruned).then_some(task.plan.span);
        self.make_probes(config);
        let alone = (arm == Arm::SinglePaths).then(|| single_paths::launch(&self.launch));
        let shaped = match arm {
            Arm::Shaped(shape) => self.shaped.get(shape),
            Arm::Pruned | Arm::Unpruned | Arm::SinglePaths => None,
        };
        let results = results.saying(shaped.and(campaign.shaped_words(arm)));
        let launch = alone.as_ref().or(shaped).unwrap_or(&self.launch);
        let start = RootStart {
            tuning: &self.bench.tuning.roots,
            config,
            program: self.bench.executor.program(),
            launch,
            seeds: &task.seeds.tests,
            left_open: None,
            replays: &[],
            in_team: false,
            needs_every_path: self.selector.needs_every_path(),
        };
        // The unpruned run keeps the bytes of states that memory cannot hold at the end of its
        // slice.
        if resumed.is_none() && slice.is_some() && !start.needs_every_path {
            let (state, limit) = (self.launch.state.clone(), config.budget.memory);
            swapped_out = Some(SwappedOut::new(start.tuning, state, limit));
        }
        let probes = match shaped {
            Some(_) => &mut None,
            None => &mut self.probes,
        };
        let mut roots = sources(&start, begins, task.seeds.limit, probes);
        let found_first = found_again.as_mut();
        roots.extend(found_first.map(|source| -> Box<dyn RootSource + '_> { Box::new(source) }));
        roots.extend(
            swapped_out
                .as_mut()
                .map(|swapped_out| -> Box<dyn RootSource + '_> { Box::new(swapped_out) }),
        );
        if begins {
            roots.extend(campaign.policies.own_roots(&start));
        }
        let idle_states = self.waiting.iter().flat_map(Waiting::states);
        let idle_runs = self.waiting.iter().map(|waiting| &waiting.run);
        let context = RunContext {
            start: campaign.start,
            earlier_instructions: task.instructions,
            earlier_coverage: Some(EarlierCoverage {
                sides: &task.covered.sides,
                segments: &task.covered.segments,
                branches: task.before.branches,
                known_to_searches: campaign.options.search_coverage == SearchCoverage::Campaign,
            }),
            aims: campaign.aims.cloned(),
            campaign_run: Some(CampaignRun {
                number: task.before.number + 1,
                policy: task.plan.name,
                span: task.plan.span,
            }),
            other_states: std::iter::once(&self.launch.state)
                .chain(idle_states)
                .chain(self.shaped.states())
                .collect(),
            other_extensions: idle_runs.flat_map(Suspended::extensions).collect(),
            slice,
            lane: self.number,
            checkpoints: None,
            parts_to_give: task.receivers.len(),
        };
        let own = campaign.policies;
        let mut extensions = own.extensions.clone();
        // Decisions from another entry state are not comparable.
        extensions.extend(shaped.is_none().then(|| self.rewalked.watch()));
        let own_pruner = match arm {
            Arm::Pruned => own.pruner(config),
            Arm::Unpruned | Arm::SinglePaths | Arm::Shaped(_) => None,
        };
        let parts = Parts {
            results,
            policies: Policies {
                searcher: match arm {
                    Arm::SinglePaths => {
                        let program = self.bench.executor.program();
                        Some(campaign.single_paths_searcher(program, config).0)
                    }
                    Arm::Pruned | Arm::Unpruned | Arm::Shaped(_) => own.searcher(config),
                },
                number: own.number.clone(),
                pruner: own_pruner.or(task.plan.pruner.take()),
                roots,
                selector: Box::new(&mut self.selector),
                listeners: Listeners(vec![Box::new(&mut self.features)]),
                extensions,
            },
            config,
            context,
            team: None,
        };
        let bench = self.bench.lend();
        let mut engine = match resumed {
            Some(run) => Engine::resume(bench, parts, run, task.before.start),
            None => Engine::new(bench, parts, launch, task.before.start),
        };
        given
            .into_iter()
            .for_each(|states| engine.take_over(states));
        let (outcome, rest) = match arm {
            Arm::Pruned | Arm::Shaped(_) => (engine.run(), None),
            Arm::Unpruned | Arm::SinglePaths => engine.run_slice(),
        };
        self.resumed = outcome.extras.roots.resumed.or(self.resumed);
        if let Some(place) = self.waiting.place(arm) {
            *place = rest.map(|run| Waiting {
                run,
                swapped_out,
                resumed: found_again,
            });
        }
        outcome
    }

    /// Creates the fuzzer in the first run if fuzzing is enabled; it continues from run to run.
    fn make_probes(&mut self, config: &RunConfig) {
        let search = &config.search;
        if search.probe_share > 0.0 && self.probes.is_none() {
            let (bench, launch) = (&self.bench, &self.launch);
            let drawing = (search.probe_share, search.seed);
            let program = bench.executor.program();
            self.probes = Some(Probes::new(&bench.tuning.roots, program, launch, drawing));
        }
    }
}

/// Returns the sources of a run's states, except swapped-out states. A fresh run starts from the
/// entry state, and follows its seeds until it has used `limit`.
fn sources<'s>(
    start: &RootStart<'_>,
    begins: bool,
    limit: Option<Span>,
    probes: &'s mut Option<Probes>,
) -> Vec<Box<dyn RootSource + 's>> {
    let mut roots: Vec<Box<dyn RootSource + 's>> = Vec::new();
    if begins {
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
