//! One thread of a campaign: what it works with, the runs that it suspended, and its loop. A
//! campaign in one thread has one lane.
//!
//! Each lane has terms, solver, launch and suspended runs of its own, so nothing is locked while a
//! run is under way. Between two runs it visits the campaign: books what the run found, learns, and
//! plans the next one with what all lanes know by then.
//!
//! Invariant: a lane ends only after its last run was booked.

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

/// A run that was suspended, with the states that it swapped out, and those of an earlier session
/// that it has not found again yet.
pub(super) struct Waiting {
    pub run: Suspended,
    pub swapped_out: Option<SwappedOut>,
    pub resumed: Option<Resumed>,
}

impl Waiting {
    /// How many paths wait.
    pub(super) fn paths(&self) -> u64 {
        let swapped_out = self.swapped_out.as_ref().map_or(0, RootSource::waiting);
        let resumed = self.resumed.as_ref().map_or(0, RootSource::waiting);
        self.run.waiting() + swapped_out + resumed
    }

    /// Its states.
    pub(super) fn states(&self) -> impl Iterator<Item = &State> {
        let resumed = self.resumed.iter().flat_map(Resumed::states);
        self.run.states().chain(resumed)
    }
}

/// The runs that were put aside, each to go on where it stopped. A session that takes up a campaign
/// has none; the one without pruning goes on with its open paths (`open_paths`).
#[derive(Default)]
pub(super) struct WaitingRuns {
    /// The run without pruning, or the lane's part of it.
    pub unpruned: Option<Waiting>,
    /// The one that follows single paths.
    pub single: Option<Waiting>,
}

impl WaitingRuns {
    /// Those that there are.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Waiting> {
        self.unpruned.iter().chain(&self.single)
    }

    /// How many paths wait in them.
    pub(super) fn paths(&self) -> u64 {
        self.iter().map(Waiting::paths).sum()
    }

    /// Where the run of an arm waits that goes on; nothing where each run is a fresh one.
    pub(super) fn place(&mut self, arm: Arm) -> Option<&mut Option<Waiting>> {
        match arm {
            Arm::Pruned | Arm::Shaped(_) => None,
            Arm::Unpruned => Some(&mut self.unpruned),
            Arm::SinglePaths => Some(&mut self.single),
        }
    }
}

/// A thread of a campaign.
pub struct Lane<'r, 'p> {
    /// From 0, which shows the status.
    pub(super) number: usize,
    pub(super) bench: Workbench<'r, 'p>,
    /// Where each run starts.
    pub(super) launch: Launch,
    /// The same for the further shapes of input, once they are needed.
    pub(super) shaped: ShapedLaunches,
    /// The program's first state.
    pub(super) first: State,
    pub(super) waiting: WaitingRuns,
    /// Probes go on from run to run.
    pub(super) probes: Option<Probes>,
    /// Which tests become files, over all runs of the lane.
    pub(super) selector: AddsCoverage,
    /// The tests of the run under way.
    pub(super) features: TestFeatures,
    /// Knows which terms are conditions, numbered as those of the campaign.
    pub(super) recogniser: SharedRecogniser,
    pub(super) rewalked: RewalkedPrefixes,
    /// So many of the files that others wrote are known to `selector`.
    files_known: usize,
    /// When its open paths are written down next, and whether they were.
    pub(super) next_writing: Moment,
    pub(super) has_written: bool,
    /// How paths of an earlier session were found again.
    pub(super) resumed: Option<ResumedSummary>,
}

/// What a lane leaves when it is over.
pub struct LaneEnd {
    pub(super) results: PathResults,
    pub(super) launch: Launch,
    pub(super) probes: Option<ProbeSummary>,
    pub(super) resumed: Option<ResumedSummary>,
    pub(super) rewalked_all: bool,
}

/// What a lane is made from.
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

    /// Performs runs until the campaign is over. Tests go where those of `results` go.
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
        // Runs that waited show their states in their tests already; their paths end here.
        results.tally.count_early(self.waiting.paths());
        LaneEnd {
            results,
            probes: self.probes_done(),
            resumed: self.resumed,
            rewalked_all: self.rewalked.is_full(),
            launch: self.launch,
        }
    }

    /// What the lane's probes did.
    pub(super) fn probes_done(&self) -> Option<ProbeSummary> {
        self.probes.as_ref().map(Probes::done)
    }

    /// Learns what other lanes have written and which conditions they have met.
    pub(super) fn catch_up(&mut self, progress: &CampaignProgress<'_>) {
        for file in &progress.shown[self.files_known..] {
            if file.lane != self.number {
                self.selector.show(&file.sides, &file.segments);
            }
        }
        self.files_known = progress.shown.len();
        self.recogniser.lock().catch_up(&progress.conditions);
    }

    /// Which suspended runs the lane can go on with, or begin. The last one follows single paths.
    pub(super) fn able(&self, progress: &CampaignProgress<'_>) -> Able {
        Able {
            single_paths: self.number + 1 == progress.order.lanes(),
            unpruned: progress.parts.is_for(self.number),
        }
    }

    /// Frees terms that no run needs any more, if there are enough of them.
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

    /// The parts of the run without pruning that were cut off for other lanes when it was
    /// suspended.
    pub(super) fn cut_off(&mut self) -> Vec<TransferredStates> {
        let waiting = self.waiting.unpruned.as_mut();
        waiting.map_or_else(Vec::new, |waiting| waiting.run.take_given())
    }
}
