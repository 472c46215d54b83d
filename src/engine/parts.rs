//! What a run is given, what it has in hand, and what it leaves.

use super::ground::KnownGround;
use super::measure::Measure;
use super::paths::{Credits, PathResults};
use super::policies::Policies;
use super::probing::Probing;
use super::pruning::PruneEvent;
use super::stop::{Budget, StopReason};
use super::suspend::Suspended;
use super::tail::TailRunner;
use super::team::Member;
use crate::config::{DistanceWeights, RunConfig, Span};
use crate::coverage::{Coverage, Totals};
use crate::exec::{Executor, Observer};
use crate::prune::{MemoryShare, Pruner};
use crate::report::{AsideSummary, CampaignSnapshot, ProbeSummary, SeedSummary};
use crate::search::{self, Searcher, StateId};
use crate::state::{SideSet, State};
use crate::util::clock::Moment;
use std::collections::BTreeMap;
use std::time::Duration;

/// What belongs to one run.
pub struct Parts<'r> {
    pub results: PathResults,
    pub policies: Policies<'r>,
    pub config: &'r RunConfig,
    /// Present in the runs of a campaign.
    pub campaign: Option<InCampaign<'r>>,
    /// Present if several threads explore; not in a campaign.
    pub team: Option<Member<'r>>,
}

/// What a campaign adds to one of its runs.
pub struct InCampaign<'r> {
    /// For the status line; `time`, `branches` and the like are filled in when it is shown.
    pub snapshot: CampaignSnapshot,
    /// When the campaign started.
    pub start: Moment,
    /// Instructions of earlier runs.
    pub earlier_instructions: u64,
    /// Sides that earlier runs covered.
    pub known_sides: &'r SideSet,
    /// How many of them are the program's own.
    pub known_branches: u64,
    /// Segments that earlier runs covered.
    pub known_segments: &'r SideSet,
    /// Whether searches take all that for covered.
    pub known_to_searches: bool,
    pub ground: &'r mut KnownGround,
    /// The probes of earlier runs, to go on with.
    pub probing: Option<Box<Probing>>,
    /// Where all runs start; it must survive sweeps.
    pub launch: &'r State,
    /// The run in reserve: its turn ends after so much, or once there are enough open paths for
    /// pruning to choose from. Of what is open then the bytes are kept, so that it can go on later.
    pub slice: Option<Span>,
    /// A run that waits meanwhile.
    pub waiting: Option<&'r Suspended>,
}

/// A look at the run once a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Since the start of the run.
    pub time: Duration,
    /// |S|.
    pub states: usize,
    /// The program's own branch sides covered by then, by earlier runs of the campaign too.
    pub branches: u64,
    pub tests: u64,
}

/// How a run went, or all runs of a campaign together.
pub struct Outcome {
    pub reason: StopReason,
    pub results: PathResults,
    pub totals: Totals,
    pub instructions: u64,
    pub states_peak: u64,
    pub memory_peak: u64,
    pub wall: Duration,
    /// User and system time of all processes, in seconds.
    pub cpu_seconds: f64,
    /// What was covered.
    pub observer: Observer,
    pub extras: Extras,
}

/// What only some runs have to tell.
#[derive(Default)]
pub struct Extras {
    /// A look at a single run once a second.
    pub samples: Vec<Sample>,
    /// When states left a single run.
    pub prune_events: Vec<PruneEvent>,
    /// Present if there were probes.
    pub probing: Option<Box<Probing>>,
    /// Present if there were seeds.
    pub seeds: Option<SeedSummary>,
    /// Numbers of the seeds that may only have lacked time, ascending.
    pub seeds_left: Vec<usize>,
    /// Present if states could be put aside.
    pub aside: Option<AsideSummary>,
}

impl Outcome {
    /// What the probes did, those of earlier runs of the campaign too.
    pub fn probes(&self) -> Option<ProbeSummary> {
        let probing = self.extras.probing.as_ref();
        probing.map(|probing| probing.done())
    }

    /// Adds what another thread of the run did. Coverage, the peak of states and the reason are the
    /// team's to tell.
    pub fn add(&mut self, other: &Outcome) {
        self.results.tally.add(&other.results.tally);
        self.instructions += other.instructions;
        self.memory_peak = self.memory_peak.max(other.memory_peak);
        self.wall = self.wall.max(other.wall);
        self.cpu_seconds = self.cpu_seconds.max(other.cpu_seconds);
    }
}

/// How far a run has come: all of it but what it works with, its budget and its clock.
pub(super) struct Progress {
    pub(super) observer: Observer,
    pub(super) coverage: Coverage,
    pub(super) measure: Measure,
    pub(super) searcher: Box<dyn Searcher>,
    pub(super) states: BTreeMap<StateId, Box<State>>,
    pub(super) next_id: usize,
    pub(super) states_peak: usize,
    /// What the states covered first.
    pub(super) credits: Credits,
    /// Goes on with paths that were stopped.
    pub(super) tails: TailRunner,
    pub(super) forks: u64,
    /// Chooses the states that leave when memory is short.
    pub(super) relief: Box<dyn Pruner>,
    /// A path was given up before its end, so that running out of states is not exhaustion.
    pub(super) gave_up: bool,
    pub(super) bug_seen: bool,
    pub(super) samples: Vec<Sample>,
}

impl Progress {
    /// Of a run that has no state yet and has seen what `observer` has.
    pub(super) fn new(
        executor: &Executor<'_>,
        config: &RunConfig,
        policies: &mut Policies<'_>,
        mut observer: Observer,
    ) -> Self {
        let program = executor.program();
        if config.search.weights == DistanceWeights::PerState {
            observer.count_waiting();
        }
        Self {
            observer,
            coverage: Coverage::new(program, executor.segments(), config.search.scope),
            measure: Measure::new(program, &config.search, policies.number.take()),
            searcher: policies
                .searcher
                .take()
                .unwrap_or_else(|| search::build(&config.search)),
            states: BTreeMap::new(),
            next_id: 0,
            states_peak: 0,
            credits: Credits::default(),
            tails: TailRunner::default(),
            forks: 0,
            relief: Box::new(MemoryShare::new(
                config.budget.memory_prune_ratio,
                config.search.seed,
            )),
            gave_up: false,
            bug_seen: false,
            samples: Vec::new(),
        }
    }
}

/// With what a run, or a slice of one, begins.
pub(super) struct Beginning {
    pub(super) budget: Budget,
    pub(super) deadline: Option<Moment>,
    /// Time on the run's clock counts from here.
    pub(super) start: Moment,
    /// On the clock already.
    pub(super) instructions: u64,
}
