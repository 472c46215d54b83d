//! Campaign worker: a thread with its data, its suspended runs and its loop. A single-threaded
//! campaign has one worker.
//!
//! Each worker has separate terms, solver, entry state and suspended runs, so a run needs no locks.
//! Between two runs it locks the campaign: it books the results of the run, learns, and plans the
//! next run with the knowledge of all workers.
//!
//! Invariant: a worker ends only after its last run was booked.

use super::arm::Arm;
use super::looping::Campaign;
use super::progress::CampaignProgress;
use super::rewalked_prefix::RewalkedPrefixes;
use super::shapes::ShapedLaunches;
use super::test_features::TestFeatures;
use super::turns::Able;
use crate::explore::engine::{
    PathResults, Suspended, TransferredStates, Workbench, release_memory, sweep_terms,
    terms_worth_sweeping,
};
use crate::explore::prune::learn::SharedRecogniser;
use crate::explore::select::AddsCoverage;
use crate::explore::sources::{Launch, Probes, Resumed, RootSource, SwappedOut};
use crate::ir::util::clock::Moment;
use crate::machine::state::State;
use crate::report::{ProbeSummary, ResumedSummary};

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
        let swapped_out = self.swapped_out.as_ref().map_or(0, RootSource::waiting);
        let resumed = self.resumed.as_ref().map_or(0, RootSource::waiting);
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
            Arm::Pruned | Arm::Shaped(_) => None,
            Arm::Unpruned => Some(&mut self.unpruned),
            Arm::SinglePaths => Some(&mut self.single),
        }
    }
}

/// Thread of a campaign.
pub struct Lane<'r, 'p> {
    /// Number of the worker, from 0; worker 0 shows the status line.
    pub(super) number: usize,
    pub(super) bench: Workbench<'r, 'p>,
    /// Entry state of each run.
    pub(super) launch: Launch,
    /// Entry states of the further input layouts, created on demand.
    pub(super) shaped: ShapedLaunches,
    /// Initial state of the program.
    pub(super) first: State,
    pub(super) waiting: WaitingRuns,
    /// Fuzzing, which continues from run to run.
    pub(super) probes: Option<Probes>,
    /// Selects the tests that become files, over all runs of the worker.
    pub(super) selector: AddsCoverage,
    /// Tests of the run in progress.
    pub(super) features: TestFeatures,
    /// Recognizes the terms that are conditions, with the campaign's numbers.
    pub(super) recogniser: SharedRecogniser,
    pub(super) rewalked: RewalkedPrefixes,
    /// Number of files of other workers that `selector` knows.
    files_known: usize,
    /// Time of the next save of the open paths; `has_written` is true after the first one.
    pub(super) next_writing: Moment,
    pub(super) has_written: bool,
    /// Statistics of reaching the paths of an earlier session again.
    pub(super) resumed: Option<ResumedSummary>,
}

/// Results of a worker that ended.
pub struct LaneEnd {
    pub(super) results: PathResults,
    pub(super) launch: Launch,
    pub(super) probes: Option<ProbeSummary>,
    pub(super) resumed: Option<ResumedSummary>,
    pub(super) rewalked_all: bool,
}

/// Parts of a new worker.
pub(super) struct NewLane<'r, 'p> {
    pub number: usize,
    pub bench: Workbench<'r, 'p>,
    pub first: State,
    pub launch: Launch,
    pub selector: AddsCoverage,
    pub recogniser: SharedRecogniser,
    pub keeps_bytes: bool,
}

impl<'r, 'p> Lane<'r, 'p> {
    pub(super) fn of(new: NewLane<'r, 'p>) -> Self {
        Self {
            number: new.number,
            bench: new.bench,
            launch: new.launch,
            shaped: ShapedLaunches::default(),
            first: new.first,
            waiting: WaitingRuns::default(),
            probes: None,
            selector: new.selector,
            features: TestFeatures::new(new.recogniser.clone(), new.keeps_bytes),
            recogniser: new.recogniser,
            rewalked: RewalkedPrefixes::default(),
            files_known: 0,
            next_writing: Moment::now(),
            has_written: false,
            resumed: None,
        }
    }

    /// Performs runs until the campaign is over. Tests go to the listeners of `results`.
    pub fn run(mut self, campaign: &Campaign<'_>, mut results: PathResults) -> LaneEnd {
        let _presence = campaign.presence(self.number);
        while let Some(mut task) = campaign.next_task(&mut self, &results) {
            let outcome = self.perform(campaign, &mut task, results);
            let arm = task.arm;
            results = campaign.book(&mut self, task, outcome);
            if arm == Arm::Unpruned {
                campaign.write_open_paths(&mut self);
            }
            self.sweep(campaign);
        }
        campaign.write_last_open_paths(&mut self);
        // Suspended runs have already written tests of their states; their paths end here.
        results.tally.count_early(self.waiting.paths());
        LaneEnd {
            results,
            probes: self.probes_done(),
            resumed: self.resumed,
            rewalked_all: self.rewalked.is_full(),
            launch: self.launch,
        }
    }

    /// Returns the statistics of the worker's fuzzing.
    pub(super) fn probes_done(&self) -> Option<ProbeSummary> {
        self.probes.as_ref().map(Probes::done)
    }

    /// Learns the files and conditions of other workers.
    pub(super) fn catch_up(&mut self, progress: &CampaignProgress<'_>) {
        for file in &progress.shown[self.files_known..] {
            if file.lane != self.number {
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
            single_paths: self.number + 1 == progress.order.lanes(),
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
                    visit(&self.launch.state);
                    visit(&self.first);
                    self.shaped.states().for_each(&mut *visit);
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
