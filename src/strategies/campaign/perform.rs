//! Run of a campaign: its assembly, and the data it leaves for later runs.

use super::arm::Arm;
use super::concolic_run;
use super::looping::Campaign;
use super::task::Task;
use super::worker::{Waiting, Worker};
use homi_config::{Budget, RunConfig, SearchCoverage};
use homi_explore::engine::{
    CampaignRun, EarlierCoverage, Engine, Listeners, Outcome, Parts, PathResults, Policies,
    RunContext, Suspended,
};
use homi_explore::select::TestSelector;
use homi_explore::sources::{
    FromEntryState, Fuzzing, Resumed, Seeds, SourceStart, StateSource, SwappedOut,
};

impl Worker<'_, '_> {
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
            let (tuning, state) = (&self.bench.tuning.sources, self.entry_state.state.clone());
            found_again = Some(Resumed::new(tuning, state, left));
        }
        let given = std::mem::take(&mut task.given);
        // A run that continues other states does not start from the entry state.
        let begins = resumed.is_none() && given.is_empty() && found_again.is_none();
        let slice =
            (campaign.options.unpruned_run && arm == Arm::Unpruned).then_some(task.plan.span);
        self.make_fuzzing(config);
        if let Some(fuzzing) = &mut self.fuzzing {
            fuzzing.note_seeds(&task.seeds.tests);
        }
        let alone = (arm == Arm::ConcolicRun).then(|| concolic_run::entry_state(&self.entry_state));
        let layout_runs = match arm {
            Arm::WithLayout(layout) => self.layout_runs.get(layout),
            Arm::Pruned | Arm::Unpruned | Arm::ConcolicRun => None,
        };
        let results = results.with_arguments(layout_runs.and(campaign.layout_arguments(arm)));
        let entry_state = alone.as_ref().or(layout_runs).unwrap_or(&self.entry_state);
        let start = SourceStart {
            tuning: &self.bench.tuning.sources,
            config,
            program: self.bench.executor.program(),
            entry_state,
            image: self.bench.image,
            seeds: &task.seeds.tests,
            left_open: None,
            replays: &[],
            in_threads: false,
            needs_every_path: self.selector.needs_every_path(),
        };
        // The unpruned run keeps the bytes of states that memory cannot hold at the end of its
        // slice.
        if resumed.is_none() && slice.is_some() && !start.needs_every_path {
            let (state, limit) = (self.entry_state.state.clone(), config.budget.memory);
            swapped_out = Some(SwappedOut::new(start.tuning, state, limit));
        }
        let fuzzing = match layout_runs {
            Some(_) => &mut None,
            None => &mut self.fuzzing,
        };
        let mut sources = sources(&start, begins, task.seeds.limit, fuzzing);
        let found_first = found_again.as_mut();
        sources.extend(found_first.map(|source| -> Box<dyn StateSource + '_> { Box::new(source) }));
        sources.extend(
            swapped_out
                .as_mut()
                .map(|swapped_out| -> Box<dyn StateSource + '_> { Box::new(swapped_out) }),
        );
        if begins {
            sources.extend(campaign.policies.sources_of_caller(&start));
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
            targets: campaign.targets.cloned(),
            campaign_run: Some(CampaignRun {
                number: task.before.number + 1,
                policy: task.plan.name,
                span: task.plan.span,
            }),
            other_states: std::iter::once(&self.entry_state.state)
                .chain(idle_states)
                .chain(self.layout_runs.states())
                .collect(),
            other_extensions: idle_runs.flat_map(Suspended::extensions).collect(),
            slice,
            worker: self.number,
            checkpoints: None,
            parts_to_give: task.receivers.len(),
        };
        let own = campaign.policies;
        let mut extensions = own.extensions.clone();
        // Decisions from another entry state are not comparable.
        extensions.extend(layout_runs.is_none().then(|| self.repeated.watch()));
        let own_pruner = match arm {
            Arm::Pruned => own.pruner(config),
            Arm::Unpruned | Arm::ConcolicRun | Arm::WithLayout(_) => None,
        };
        let parts = Parts {
            results,
            policies: Policies {
                searcher: match arm {
                    Arm::ConcolicRun => {
                        let program = self.bench.executor.program();
                        Some(campaign.concolic_run_searcher(program, config).0)
                    }
                    Arm::Pruned | Arm::Unpruned | Arm::WithLayout(_) => own.searcher(config),
                },
                number: own.number.clone(),
                pruner: own_pruner.or(task.plan.pruner.take()),
                sources,
                selector: Box::new(&mut self.selector),
                listeners: Listeners(vec![Box::new(&mut self.features)]),
                extensions,
            },
            config,
            context,
            shared_exploration: None,
        };
        let bench = self.bench.lend();
        let mut engine = match resumed {
            Some(run) => Engine::resume(bench, parts, run, task.before.start),
            None => Engine::new(bench, parts, entry_state, task.before.start),
        };
        given
            .into_iter()
            .for_each(|states| engine.take_over(states));
        let (outcome, rest) = match arm {
            Arm::Pruned | Arm::WithLayout(_) => (engine.run(), None),
            Arm::Unpruned | Arm::ConcolicRun => engine.run_slice(),
        };
        self.resumed = outcome.extras.sources.resumed.or(self.resumed);
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
    fn make_fuzzing(&mut self, config: &RunConfig) {
        let search = &config.search;
        if search.fuzz && search.fuzz_ratio > 0.0 && self.fuzzing.is_none() {
            let (bench, entry_state) = (&self.bench, &self.entry_state);
            let drawing = (search.fuzz_ratio, search.seed);
            let program = bench.executor.program();
            let tuning = &bench.tuning.sources;
            let fuzzing = Fuzzing::new(tuning, program, entry_state, drawing, bench.image);
            self.fuzzing = Some(fuzzing.with_tokens(&search.dictionary));
        }
    }
}

/// Returns the sources of a run's states, except swapped-out states. A fresh run starts from the
/// entry state, and follows its seeds until it has used `limit`.
fn sources<'s>(
    start: &SourceStart<'_>,
    begins: bool,
    limit: Option<Budget>,
    fuzzing: &'s mut Option<Fuzzing>,
) -> Vec<Box<dyn StateSource + 's>> {
    let mut sources: Vec<Box<dyn StateSource + 's>> = Vec::new();
    if begins {
        sources.push(Box::new(FromEntryState::new(start.entry_state)));
    }
    if let Some(fuzzing) = fuzzing {
        sources.push(Box::new(fuzzing));
    }
    if !start.seeds.is_empty() {
        sources.push(Box::new(Seeds::new(start.tuning, start.seeds, limit)));
    }
    sources
}
