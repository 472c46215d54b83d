//! Campaign worker: a thread with its data, its suspended runs and its loop. A single-threaded
//! campaign has one worker.
//!
//! Each worker has separate terms, solver, entry state and suspended runs, so a run needs no locks.
//! Between two runs it locks the campaign: it books the results of the run, learns, and plans the
//! next run with the knowledge of all workers.
//!
//! Invariant: a worker ends only after its last run was committed.

use super::arm::Arm;
use super::input_layouts::LayoutEntryStates;
use super::looping::Campaign;
use super::progress::CampaignProgress;
use super::repeated_prefix::RepeatedPrefixes;
use super::scheduler::Able;
use super::test_features::TestFeatures;
use homi_explore::engine::{
    EngineContext, PathResults, Suspended, TransferredStates, release_memory, sweep_terms,
    terms_worth_sweeping,
};
use homi_explore::prune::learn::SharedRecogniser;
use homi_explore::select::AddsCoverage;
use homi_explore::sources::{EntryState, Fuzzing, Resumed, StateSource, SwappedOut};
use homi_ir::util::clock::Moment;
use homi_machine::state::State;
use homi_report::{FuzzingSummary, ResumedSummary};

/// Suspended run, with the states that it swapped out and the states of an earlier session that it
/// has not reached again.
pub(super) struct Waiting {
    pub run: Suspended,
    pub swapped_out: Option<SwappedOut>,
    pub resumed: Option<Resumed>,
}

impl Waiting {
    /// Returns the number of waiting paths.
    pub(super) fn paths(&self) -> u64 {
        let swapped_out = self.swapped_out.as_ref().map_or(0, StateSource::waiting);
        let resumed = self.resumed.as_ref().map_or(0, StateSource::waiting);
        self.run.waiting() + swapped_out + resumed
    }

    /// Returns the states of the run.
    pub(super) fn states(&self) -> impl Iterator<Item = &State> {
        let resumed = self.resumed.iter().flat_map(Resumed::states);
        self.run.states().chain(resumed)
    }
}

/// Suspended runs of a worker. A resumed session starts without any; its unpruned run continues
/// with the saved open paths (`open_paths`).
#[derive(Default)]
pub(super) struct WaitingRuns {
    /// Unpruned run, or the worker's part of it.
    pub unpruned: Option<Waiting>,
    /// Concolic run.
    pub single: Option<Waiting>,
}

impl WaitingRuns {
    /// Returns the suspended runs.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Waiting> {
        self.unpruned.iter().chain(&self.single)
    }

    /// Returns the number of paths that wait in the suspended runs.
    pub(super) fn paths(&self) -> u64 {
        self.iter().map(Waiting::paths).sum()
    }

    /// Returns the slot of an arm's suspended run; `None` for arms whose runs are always fresh.
    pub(super) fn place(&mut self, arm: Arm) -> Option<&mut Option<Waiting>> {
        match arm {
            Arm::Pruned | Arm::WithLayout(_) => None,
            Arm::Unpruned => Some(&mut self.unpruned),
            Arm::ConcolicRun => Some(&mut self.single),
        }
    }
}

/// Thread of a campaign.
pub struct Worker<'r, 'p> {
    /// Number of the worker, from 0; worker 0 shows the status line.
    pub(super) number: usize,
    pub(super) bench: EngineContext<'r, 'p>,
    /// Entry state of each run.
    pub(super) entry_state: EntryState,
    /// Entry states of the further input layouts, created on demand.
    pub(super) layout_runs: LayoutEntryStates,
    /// Initial state of the program.
    pub(super) first: State,
    pub(super) waiting: WaitingRuns,
    /// Fuzzing, which continues from run to run.
    pub(super) fuzzing: Option<Fuzzing>,
    /// Selects the tests that become files, over all runs of the worker.
    pub(super) selector: AddsCoverage,
    /// Tests of the run in progress.
    pub(super) features: TestFeatures,
    /// Recognizes the terms that are conditions, with the campaign's numbers.
    pub(super) recogniser: SharedRecogniser,
    pub(super) repeated: RepeatedPrefixes,
    /// Number of files of other workers that `selector` knows.
    files_known: usize,
    /// Time of the next save of the open paths; `has_written` is true after the first one.
    pub(super) next_writing: Moment,
    pub(super) has_written: bool,
    /// Statistics of reaching the paths of an earlier session again.
    pub(super) resumed: Option<ResumedSummary>,
}

/// Results of a worker that ended.
pub struct WorkerEnd {
    pub(super) results: PathResults,
    pub(super) entry_state: EntryState,
    pub(super) fuzzing: Option<FuzzingSummary>,
    pub(super) resumed: Option<ResumedSummary>,
    pub(super) repeated_all: bool,
}

/// Parts of a new worker.
pub(super) struct NewWorker<'r, 'p> {
    pub number: usize,
    pub bench: EngineContext<'r, 'p>,
    pub first: State,
    pub entry_state: EntryState,
    pub selector: AddsCoverage,
    pub recogniser: SharedRecogniser,
    pub keeps_bytes: bool,
}

impl<'r, 'p> Worker<'r, 'p> {
    pub(super) fn of(new: NewWorker<'r, 'p>) -> Self {
        Self {
            number: new.number,
            bench: new.bench,
            entry_state: new.entry_state,
            layout_runs: LayoutEntryStates::default(),
            first: new.first,
            waiting: WaitingRuns::default(),
            fuzzing: None,
            selector: new.selector,
            features: TestFeatures::new(new.recogniser.clone(), new.keeps_bytes),
            recogniser: new.recogniser,
            repeated: RepeatedPrefixes::default(),
            files_known: 0,
            next_writing: Moment::now(),
            has_written: false,
            resumed: None,
        }
    }

    /// Performs runs until the campaign is over. Tests go to the listeners of `results`.
    pub fn run(mut self, campaign: &Campaign<'_>, mut results: PathResults) -> WorkerEnd {
        let _worker_guard = campaign.worker_guard(self.number);
        while let Some(mut task) = campaign.next_task(&mut self, &results) {
            let outcome = self.perform(campaign, &mut task, results);
            let arm = task.arm;
            results = campaign.commit(&mut self, task, outcome);
            if arm == Arm::Unpruned {
                campaign.write_open_paths(&mut self);
            }
            self.sweep(campaign);
        }
        campaign.write_last_open_paths(&mut self);
        // Suspended runs have already written tests of their states; their paths end here.
        results.tally.count_early(self.waiting.paths());
        WorkerEnd {
            results,
            fuzzing: self.fuzzing_done(),
            resumed: self.resumed,
            repeated_all: self.repeated.is_full(),
            entry_state: self.entry_state,
        }
    }

    /// Returns the statistics of the worker's fuzzing.
    pub(super) fn fuzzing_done(&self) -> Option<FuzzingSummary> {
        self.fuzzing.as_ref().map(Fuzzing::done)
    }

    /// Learns the files and conditions of other workers.
    pub(super) fn catch_up(&mut self, progress: &CampaignProgress<'_>) {
        for file in &progress.shown[self.files_known..] {
            if file.worker != self.number {
                self.selector.show(&file.sides, &file.segments);
            }
        }
        self.files_known = progress.shown.len();
        self.recogniser.lock().catch_up(&progress.conditions);
    }

    /// Returns the suspended runs that the worker can continue or start. Only the last worker
    /// performs the concolic run.
    pub(super) fn able(&self, progress: &CampaignProgress<'_>) -> Able {
        Able {
            concolic_ratio: self.number + 1 == progress.order.workers(),
            unpruned: progress.parts.is_for(self.number),
        }
    }

    /// Frees unused terms if there are enough of them.
    fn sweep(&self, campaign: &Campaign<'_>) {
        let (tuning, limit) = (self.bench.tuning, campaign.config.budget.memory);
        if terms_worth_sweeping(&tuning.engine, self.bench.terms, limit) {
            let waiting = || self.waiting.iter();
            let extensions = || waiting().flat_map(|waiting| waiting.run.extensions());
            sweep_terms(
                self.bench.terms,
                |visit| {
                    visit(&self.entry_state.state);
                    visit(&self.first);
                    self.layout_runs.states().for_each(&mut *visit);
                    extensions().for_each(|one| one.visit_states(visit));
                    waiting().flat_map(Waiting::states).for_each(visit);
                },
                |visit| extensions().for_each(|one| one.visit_terms(visit)),
            );
        }
        release_memory();
    }

    /// Returns the parts of the unpruned run that were split off for other workers at its
    /// suspension.
    pub(super) fn cut_off(&mut self) -> Vec<TransferredStates> {
        let waiting = self.waiting.unpruned.as_mut();
        waiting.map_or_else(Vec::new, |waiting| waiting.run.take_given())
    }
}
