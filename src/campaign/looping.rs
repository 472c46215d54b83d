//! The loop of Algorithm 2.

use super::account::Sums;
use super::ledger::Ledger;
use super::native::NativeCoverage;
use super::options::announce;
use super::progress::{CampaignProgress, WaitingRuns};
use super::seeds::GivenSeeds;
use super::store::{Store, Stored};
use super::test_features::TestFeatures;
use super::turn::Turn;
use super::turns::Turns;
use crate::config::{CampaignConfig, CampaignKind, RunConfig};
use crate::coverage::{Aims, Coverage};
use crate::engine::{
    Extras, Outcome, PathResults, PolicyMakers, RewalkedPrefixes, StopReason, Workbench, met_limits,
};
use crate::exec::{Narrowing, Observer, World};
use crate::learn::SharedRecogniser;
use crate::report::CampaignSummary;
use crate::roots::{Launch, RootFigures, SeedTest};
use crate::select::AddsCoverage;
use crate::state::State;
use crate::util::clock::Moment;

/// What a campaign works with.
pub struct Campaign<'r, 'p> {
    pub bench: Workbench<'r, 'p>,
    pub config: &'r RunConfig,
    pub options: &'r CampaignConfig,
    pub store: Store,
    /// Present if B(t) is what native replays take.
    pub native: Option<&'r mut dyn NativeCoverage>,
    /// Tests from elsewhere that the first runs of this session follow.
    pub seeds: &'r [SeedTest],
    /// Lines that its runs are to reach together.
    pub aims: Option<&'r Aims>,
    /// Policies of the caller's own.
    pub policies: &'r PolicyMakers,
}

/// How a campaign went: the outcome of all runs as one, and its own numbers.
pub struct CampaignOutcome {
    pub outcome: Outcome,
    pub summary: CampaignSummary,
    pub states_mean: f64,
}

impl Campaign<'_, '_> {
    /// Runs until the budget is used up, the user asks to stop, or a run without pruning has
    /// followed every path to its end. Time counts from `start`. `stored` is what an earlier
    /// session left.
    pub fn run(
        mut self,
        initial: State,
        mut results: PathResults,
        stored: Option<&Stored>,
        start: Moment,
    ) -> CampaignOutcome {
        let mut progress = self.begin(initial, stored, start, &results);
        let (reason, last) = loop {
            let Some(left) = self.left(&progress) else {
                break (StopReason::MaxTime, None);
            };
            let turn = self.turn(&mut progress, results, left);
            let verdict = verdict(&turn);
            results = turn.results;
            match verdict {
                Verdict::GoOn => {}
                Verdict::Stop => break (turn.reason, Some(turn.observer)),
                Verdict::Stuck if turn.reason.is_exhausted() => {
                    break (turn.reason, Some(turn.observer));
                }
                Verdict::Stuck => break (StopReason::NoStatesLeft, Some(turn.observer)),
            }
        };
        self.end(progress, results, reason, last)
    }

    /// Takes up what is known and runs the program up to its first choice.
    fn begin(
        &mut self,
        initial: State,
        stored: Option<&Stored>,
        start: Moment,
        results: &PathResults,
    ) -> CampaignProgress {
        let recogniser = SharedRecogniser::default();
        let rule = self.policies.selector(self.config);
        let mut selector = AddsCoverage::new(rule, self.options.tail_instructions);
        let mut ledger = Ledger::default();
        let earlier = || stored.iter().flat_map(|stored| &stored.runs);
        for run in earlier() {
            ledger.take_up(run, &mut recogniser.lock(), &mut selector);
        }
        if self.options.kind == CampaignKind::Homi && !ledger.data.runs.is_empty() {
            ledger.learn(self.options);
        }
        let is_new = ledger.data.runs.is_empty();
        let text = announce(self.options, self.config.budget.time);
        self.bench.log.lock().detail(&text);
        let shown = earlier().flat_map(|run| &run.tests);
        for (test, file) in shown.filter_map(|test| Some((test, test.file.as_ref()?))) {
            results.adopt(&test.segments, file);
        }
        let launch = Launch::new(self.bench.executor, initial).advance(
            self.bench.executor,
            &mut *self.bench.prover,
            World {
                host: self.bench.host,
                console: &mut *self.bench.console,
            },
        );
        let start_up = launch.instructions();
        let mut narrowed = launch.observer.narrowed.clone();
        earlier().for_each(|run| narrowed.add(&run.narrowed));
        self.bench.recorder.lock().add_start_up(start_up);
        let program = self.bench.executor.program();
        let scope = self.config.search.scope;
        CampaignProgress {
            start,
            coverage: Coverage::new(program, self.bench.executor.segments(), scope),
            ledger,
            features: TestFeatures::new(recogniser.clone(), self.native.is_some()),
            recogniser,
            selector,
            rewalked: RewalkedPrefixes::default(),
            probes: None,
            given: GivenSeeds::new(self.seeds.len(), self.config.seeds.time),
            turns: Turns::new(self.keeps_unpruned(), self.most_single_paths(is_new)),
            waiting: WaitingRuns::default(),
            pruned_runs: earlier().filter(|run| run.budget.is_some()).count() as u64,
            sums: Sums {
                start_up,
                narrowed,
                ..Sums::default()
            },
            launch,
        }
    }

    /// The outcome of all runs as one.
    fn end(
        &self,
        progress: CampaignProgress,
        mut results: PathResults,
        reason: StopReason,
        last: Option<Observer>,
    ) -> CampaignOutcome {
        // Runs that waited show their states in their tests already; their paths end here.
        results.tally.count_early(progress.waiting.paths());
        let sums = &progress.sums;
        CampaignOutcome {
            summary: sums.summarise(
                self.options.kind,
                &progress.ledger,
                &progress.launch,
                &progress.rewalked,
                &progress.recogniser.lock(),
            ),
            states_mean: sums.states_mean(),
            outcome: Outcome {
                narrowed: match &last {
                    // The run that followed every path tells what of the program was not followed.
                    Some(last) if reason.is_exhausted() => last.narrowed.clone(),
                    _ => sums.narrowed.clone(),
                },
                limits: met_limits(self.bench.executor, &|segment| {
                    progress.ledger.segments.contains(segment)
                }),
                reason,
                totals: progress.totals(),
                instructions: sums.instructions(),
                work: sums.work(),
                states_peak: sums.runs.states_peak,
                memory_peak: sums.memory_peak,
                wall: progress.start.elapsed(),
                cpu_seconds: crate::engine::processor_time().as_secs_f64(),
                observer: {
                    let mut observer = last.unwrap_or_else(|| progress.launch.observer.clone());
                    observer.adopt(&progress.ledger.segments, &progress.ledger.sides);
                    observer
                },
                results,
                extras: Extras {
                    roots: RootFigures {
                        seeds: progress.given.summary(),
                        probes: progress.probes_done(),
                        ..RootFigures::default()
                    },
                    subsumption: sums.subsumption.clone(),
                    ..Extras::default()
                },
            },
        }
    }
}

/// What follows from how a run went.
enum Verdict {
    GoOn,
    /// For the run's own reason.
    Stop,
    /// A run that executes nothing would be followed by endless others.
    Stuck,
}

fn verdict(turn: &Turn) -> Verdict {
    let narrowed = &turn.observer.narrowed;
    // With more time the solver may know.
    let may_know_more = [Narrowing::Unknown, Narrowing::SolverLimit]
        .into_iter()
        .any(|kind| narrowed.has(kind));
    match turn.reason {
        StopReason::Exhausted(_) => Verdict::Stop,
        // The next run would take one value for several at the same places.
        StopReason::ExhaustedNarrowed if !may_know_more => Verdict::Stop,
        // The next run would end in the same gaps.
        StopReason::NoStatesLeft if turn.whole && !may_know_more => Verdict::Stop,
        StopReason::MaxInstructions
        | StopReason::MaxTests
        | StopReason::MaxRuns
        | StopReason::TargetsReached
        | StopReason::InputMisfit(_)
        | StopReason::Interrupted
        | StopReason::ErrorFound
        | StopReason::WriteFailed(_) => Verdict::Stop,
        StopReason::ExhaustedNarrowed
        | StopReason::NoStatesLeft
        | StopReason::MaxTime
        | StopReason::OutOfMemory => match turn.executed {
            0 => Verdict::Stuck,
            _ => Verdict::GoOn,
        },
    }
}
