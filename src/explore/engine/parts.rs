//! What a run is given, what it has in hand, and what it leaves.

use super::context::RunContext;
use super::lengths::PathLengths;
use super::limits::ModelLimit;
use super::paths::PathResults;
use super::policies::Policies;
use super::pruning::PruneEvent;
use super::stats::measure::Measure;
use super::stop::{Budget, StopReason};
use super::tail::TailRunner;
use super::threads::team::Member;
use super::work::WorkMeter;
use crate::config::{DistanceWeights, RunConfig};
use crate::explore::coverage::{Aims, Coverage, Totals};
use crate::explore::extensions::{Extension, ExtensionFigures, ExtensionStart, extensions_of};
use crate::explore::prune::{MemoryShare, Pruner};
use crate::explore::search;
use crate::explore::search::{Searcher, StateId};
use crate::explore::sources::RootFigures;
use crate::ir::util::clock::Moment;
use crate::machine::exec::{Executor, Narrowed, Observer};
use crate::machine::state::State;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What belongs to one run.
pub struct Parts<'r> {
    pub results: PathResults,
    pub policies: Policies<'r>,
    pub config: &'r RunConfig,
    pub context: RunContext<'r>,
    /// Present if several threads explore.
    pub team: Option<Member<'r>>,
}

/// A look at the run once a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Since the start of the run.
    pub time: Duration,
    /// Number of open states (|S|).
    pub states: usize,
    /// The program's own branch sides covered by then, by earlier runs of the session too.
    pub branches: u64,
    pub tests: u64,
}

/// How a run went, or all runs of a session together.
pub struct Outcome {
    pub reason: StopReason,
    pub results: PathResults,
    pub totals: Totals,
    pub instructions: u64,
    /// Units of work (docs/research/work.md).
    pub work: u64,
    pub states_peak: u64,
    pub memory_peak: u64,
    pub wall: Duration,
    /// User and system time of all processes, in seconds.
    pub cpu_seconds: f64,
    /// Counts of what the run executed and covered.
    pub observer: Observer,
    /// What the run lost since it began, or went on.
    pub narrowed: Narrowed,
    /// Standing limits of the model that it met.
    pub limits: BTreeSet<ModelLimit>,
    pub extras: Extras,
}

/// What only some runs have to tell.
#[derive(Default)]
pub struct Extras {
    /// A look at a single run once a second.
    pub samples: Vec<Sample>,
    /// When states left a single run.
    pub prune_events: Vec<PruneEvent>,
    /// What the sources of states did.
    pub roots: RootFigures,
    /// Of a concolic run: ended paths and branches, wherever branches grew, and at its end.
    pub growth: Vec<(u64, u64)>,
    /// Of a concolic run: how many instructions its paths took.
    pub lengths: PathLengths,
    /// What the extensions have come to.
    pub extensions: ExtensionFigures,
}

impl Outcome {
    /// Adds what another thread of the run did. Coverage, the peak of states and the reason are the
    /// team's to tell.
    pub fn add(&mut self, other: &Outcome) {
        self.results.tally.add(&other.results.tally);
        self.narrowed.add(&other.narrowed);
        self.limits.extend(&other.limits);
        self.instructions += other.instructions;
        self.work += other.work;
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
    /// Goes on with paths that were stopped.
    pub(super) tails: TailRunner,
    pub(super) forks: u64,
    pub(super) work: WorkMeter,
    /// Own branch sides that were covered first since the search was last told.
    pub(super) newly_covered: Vec<u32>,
    /// What runs beside the loop.
    pub(super) extensions: Vec<Box<dyn Extension>>,
    /// Chooses the states that leave when memory is short.
    pub(super) relief: Box<dyn Pruner>,
    pub(super) stopping_bug: bool,
    pub(super) samples: Vec<Sample>,
    /// Ended paths and branches, wherever branches grew, if somebody is to see it.
    pub(super) growth: Vec<(u64, u64)>,
    /// How many instructions ended paths took, if somebody is to see it.
    pub(super) lengths: PathLengths,
}

impl Progress {
    /// The progress of a run that has no state yet and has seen what `observer` has. `launch` is
    /// the state that the program begins with, if the run begins with one.
    pub(super) fn new(
        executor: &Executor<'_>,
        config: &RunConfig,
        policies: &mut Policies<'_>,
        aims: Option<Aims>,
        mut observer: Observer,
        launch: Option<&State>,
    ) -> Self {
        let program = executor.program();
        if config.search.weights == DistanceWeights::PerState {
            observer.count_waiting();
        }
        // A strategy sees paths, not the numbers of states.
        let heuristics = match config.concolic {
            Some(_) => &[][..],
            None => &config.search.heuristics,
        };
        Self {
            observer,
            coverage: coverage(executor, config, aims),
            measure: Measure::new(program, &config.search, heuristics, policies.number.take()),
            searcher: policies
                .searcher
                .take()
                .unwrap_or_else(|| search::build(&config.search)),
            states: BTreeMap::new(),
            next_id: 0,
            states_peak: 0,
            tails: TailRunner::default(),
            forks: 0,
            work: WorkMeter::default(),
            newly_covered: Vec::new(),
            extensions: extensions_of(&ExtensionStart { config, launch }, &policies.extensions),
            relief: Box::new(MemoryShare::new(
                config.budget.memory_prune_ratio,
                config.search.seed,
            )),
            stopping_bug: false,
            samples: Vec::new(),
            growth: Vec::new(),
            lengths: PathLengths::default(),
        }
    }
}

/// What counts as covered, and what searches are to cover.
fn coverage(executor: &Executor<'_>, config: &RunConfig, aims: Option<Aims>) -> Coverage {
    let (program, segments) = (executor.program(), executor.segments());
    let mut coverage = Coverage::new(program, segments, config.search.scope);
    coverage.tell(&executor.exec_config().side_answers);
    if let Some(aims) = aims {
        coverage.aim_at(aims);
    }
    coverage
}

/// With what a run, or a slice of one, begins.
pub(super) struct Beginning {
    pub(super) budget: Budget,
    pub(super) deadline: Option<Moment>,
    /// Time on the run's clock counts from here.
    pub(super) start: Moment,
    /// Instructions on the clock already.
    pub(super) instructions: u64,
    /// What was lost already.
    pub(super) narrowed: Narrowed,
}
