//! Loop of Algorithm 2 in one or several threads: start and end of a campaign.
//!
//! Invariant: shared data are read and written only under the campaign's lock.

use super::account::Sums;
use super::assigned::AssignedRun;
use super::campaign_data::CampaignData;
use super::given_seeds::GivenSeeds;
use super::input_layouts::LayoutChoice;
use super::native::NativeCoverage;
use super::open_paths::{LeftOpen, OpenPaths};
use super::options::announce;
use super::order::Order;
use super::parts::Parts;
use super::progress::{CampaignProgress, Ending};
use super::scheduler::Scheduler;
use super::store::{Store, Stored};
use super::worker::{NewWorker, Worker, WorkerEnd};
use homi_config::{CampaignConfig, CampaignKind, RunConfig};
use homi_explore::coverage::{Coverage, Targets};
use homi_explore::engine::{
    EngineContext, Extras, Outcome, PathResults, PolicyMakers, StopReason, met_limits,
};
use homi_explore::extensions::ExtensionStatistics;
use homi_explore::prune::learn::{Recogniser, SharedRecogniser};
use homi_explore::select::AddsCoverage;
use homi_explore::sources::{EntryState, SeedTest, SourceStatistics};
use homi_ir::util::clock::Moment;
use homi_machine::exec::{Executor, KeptConsole, World};
use homi_machine::state::State;
use homi_report::{AddUp, CampaignSummary, SharedLog};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Parts of a new campaign.
pub struct CampaignSetup<'r> {
    pub config: &'r RunConfig,
    pub options: &'r CampaignConfig,
    pub store: Store,
    /// Source of B(t) by native replays; `None` if the engine's coverage counts.
    pub native: Option<&'r mut (dyn NativeCoverage + Send)>,
    /// Given seeds that the first runs of this session follow.
    pub seeds: &'r [SeedTest],
    /// Target lines of the runs.
    pub targets: Option<&'r Targets>,
    /// Further input layouts, which some runs use.
    pub input_layouts: &'r dyn LayoutChoice,
    /// Pruning policies that the caller adds.
    pub policies: &'r PolicyMakers,
    pub log: &'r SharedLog,
    /// Files of the open paths; `left_open` has the paths that an earlier session saved.
    pub open_paths: Option<OpenPaths>,
    pub left_open: Option<LeftOpen>,
    /// Single run to perform, if another process planned it.
    pub assigned: Option<&'r AssignedRun>,
    /// Flags by worker; a set flag makes its executor leave its loop.
    pub interrupts: Vec<Arc<AtomicBool>>,
    /// Start of the session, from which times count.
    pub start: Moment,
}

/// Shared data of a campaign's workers.
pub struct Campaign<'r> {
    pub(super) config: &'r RunConfig,
    pub(super) options: &'r CampaignConfig,
    pub(super) seeds: &'r [SeedTest],
    pub(super) targets: Option<&'r Targets>,
    pub(super) input_layouts: &'r dyn LayoutChoice,
    pub(super) policies: &'r PolicyMakers,
    pub(super) assigned: Option<&'r AssignedRun>,
    pub(super) open_paths: Option<OpenPaths>,
    pub(super) log: &'r SharedLog,
    pub(super) start: Moment,
    interrupts: Vec<Arc<AtomicBool>>,
    over: Arc<AtomicBool>,
    progress: Mutex<CampaignProgress<'r>>,
    /// Notified when a worker has planned or committed a run, or ended.
    pub(super) wakeup: Condvar,
}

/// Result of a campaign: the merged outcome of all runs, and its statistics.
pub struct CampaignOutcome {
    pub outcome: Outcome,
    pub summary: CampaignSummary,
    pub states_mean: f64,
}

/// Guard that a thread holds while its worker exists. When it is dropped, other workers stop
/// waiting for this one.
pub struct WorkerGuard<'c, 'r> {
    campaign: &'c Campaign<'r>,
    worker: usize,
}

impl Drop for WorkerGuard<'_, '_> {
    fn drop(&mut self) {
        self.campaign.lock().order.leave(self.worker);
        if std::thread::panicking() {
            self.campaign.give_up();
        }
        self.campaign.wakeup.notify_all();
    }
}

impl<'r> Campaign<'r> {
    /// Starts a campaign with the data `stored` of an earlier session, and runs the program to its
    /// first fork in the first worker.
    pub fn begin<'l, 'p>(
        setup: CampaignSetup<'r>,
        bench: EngineContext<'l, 'p>,
        initial: State,
        stored: Option<&Stored>,
        results: &PathResults,
    ) -> (Self, Worker<'l, 'p>) {
        let (config, options) = (setup.config, setup.options);
        let mut conditions = Recogniser::default();
        let rule = setup.policies.selector(config);
        let mut selector = AddsCoverage::new(rule, options.completion_instructions);
        let mut data = CampaignData::default();
        let earlier = || stored.iter().flat_map(|stored| &stored.runs);
        for run in earlier() {
            data.take_up(run, &mut conditions);
            for (sides, segments) in run.shown() {
                selector.show(sides, segments);
            }
        }
        if options.kind == CampaignKind::Homi && !data.data.runs.is_empty() {
            data.learn(options);
        }
        let mut runs = data.data.runs.len() as u64;
        let mut given = GivenSeeds::new(setup.seeds.len(), config.seeds.time);
        if let Some(assigned) = setup.assigned {
            assigned.prepare(&mut data, &mut conditions);
            (runs, given) = (assigned.number, GivenSeeds::default());
        }
        let text = announce(options, config.budget.time);
        setup.log.lock().detail(&text);
        let shown = earlier().flat_map(|run| &run.tests);
        for (test, file) in shown.filter_map(|test| Some((test, test.file.as_ref()?))) {
            results.adopt(&test.segments, file);
        }
        let keeps_bytes = setup.native.is_some();
        let coverage = coverage(bench.executor, config);
        let worker = new_worker(0, bench, initial, (selector, keeps_bytes));
        let mut underapproximations = worker.entry_state.observer.underapproximations.clone();
        earlier().for_each(|run| underapproximations.add(&run.underapproximations));
        let workers = setup.interrupts.len();
        let mut parts = Parts::new(workers);
        if let Some(left) = &setup.left_open {
            parts.go_on(&left.facts);
        }
        let progress = CampaignProgress {
            store: setup.store,
            native: setup.native,
            coverage,
            data,
            conditions,
            given,
            scheduler: Scheduler::new(options.unpruned_run || options.keep_unpruned_run, 0.0),
            pruned_runs: earlier().filter(|run| run.budget.is_some()).count() as u64,
            sums: Sums {
                start_up: worker.entry_state.instructions(),
                underapproximations,
                ..Sums::default()
            },
            begun: runs,
            parts,
            left_open: setup.left_open.map(|left| left.frontier),
            order: Order::new(workers, !options.run_max.is_timed()),
            shown: Vec::new(),
            worst_layout: None,
            ending: None,
        };
        let campaign = Self {
            config,
            options,
            seeds: setup.seeds,
            targets: setup.targets,
            input_layouts: setup.input_layouts,
            policies: setup.policies,
            assigned: setup.assigned,
            open_paths: setup.open_paths,
            log: setup.log,
            start: setup.start,
            interrupts: setup.interrupts,
            over: Arc::clone(&worker.bench.signals.campaign_over),
            progress: Mutex::new(progress),
            wakeup: Condvar::new(),
        };
        let most = campaign.max_concolic_run(runs == 0);
        let scheduler = Scheduler::new(campaign.keeps_unpruned(), most);
        campaign.lock().scheduler = scheduler.with_layouts(campaign.input_layouts.count());
        (campaign, worker)
    }

    /// Creates a further worker, numbered from 1. The worker runs the program to its first fork;
    /// `signals` stops it when the campaign is over.
    pub fn further_worker<'l, 'p>(
        &self,
        number: usize,
        mut bench: EngineContext<'l, 'p>,
        initial: State,
    ) -> Worker<'l, 'p> {
        bench.signals.campaign_over = Arc::clone(&self.over);
        let rule = self.policies.selector(self.config);
        let selector = AddsCoverage::new(rule, self.options.completion_instructions);
        let keeps_bytes = self.lock().native.is_some();
        let worker = new_worker(number, bench, initial, (selector, keeps_bytes));
        self.lock().sums.start_up += worker.entry_state.instructions();
        worker
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, CampaignProgress<'r>> {
        // A panic of a thread continues in the main thread, so partially updated data are never
        // used.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the shared campaign data; blocks until this worker is next in order.
    pub(super) fn visit(&self, worker: usize) -> MutexGuard<'_, CampaignProgress<'r>> {
        let mut progress = self.lock();
        while !progress.order.is_next(worker) {
            let waited = self.wakeup.wait(progress);
            progress = waited.unwrap_or_else(PoisonError::into_inner);
        }
        progress
    }

    /// Ends the campaign because a worker cannot be created.
    pub fn give_up(&self) {
        self.lock().end(Ending {
            reason: StopReason::Interrupted,
            observer: None,
        });
        self.stop_workers();
    }

    /// Returns the guard that a thread holds while its worker exists.
    pub fn worker_guard(&self, worker: usize) -> WorkerGuard<'_, 'r> {
        WorkerGuard {
            campaign: self,
            worker,
        }
    }

    /// Ends the runs of all workers.
    pub(super) fn stop_workers(&self) {
        if self.interrupts.len() > 1 {
            self.over.store(true, Ordering::Relaxed);
            for interrupt in &self.interrupts {
                interrupt.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Merges the outcomes of all runs after all workers have ended; `executor` may be any
    /// worker's.
    pub fn end(
        self,
        executor: &Executor<'_>,
        first: WorkerEnd,
        others: Vec<WorkerEnd>,
    ) -> CampaignOutcome {
        self.finish_open_paths();
        let WorkerEnd {
            mut results,
            entry_state,
            mut fuzzing,
            resumed,
            mut repeated_all,
        } = first;
        for other in others {
            results.tally.add(&other.results.tally);
            fuzzing.add_up(&other.fuzzing);
            repeated_all |= other.repeated_all;
        }
        let poisoned = self.progress.into_inner();
        let progress = poisoned.unwrap_or_else(PoisonError::into_inner);
        results.tally.count_early(progress.parts.untaken());
        let (sums, totals) = (&progress.sums, progress.totals());
        let Ending { reason, observer } = progress.ending.unwrap_or(Ending {
            reason: StopReason::MaxTime,
            observer: None,
        });
        let underapproximations = match &observer {
            // A run that explored all paths has the complete list of under-approximations.
            Some(last) if reason.is_exhausted() => last.underapproximations.clone(),
            _ => sums.underapproximations.clone(),
        };
        let mut observer = observer.unwrap_or_else(|| entry_state.observer.clone());
        observer.adopt(&progress.data.segments, &progress.data.sides);
        CampaignOutcome {
            summary: sums.summarise(
                self.options.kind,
                &progress.data,
                &entry_state,
                repeated_all,
                &progress.conditions,
            ),
            states_mean: sums.states_mean(),
            outcome: Outcome {
                underapproximations,
                limits: met_limits(executor, &|segment| {
                    progress.data.segments.contains(segment)
                }),
                reason,
                totals,
                instructions: sums.instructions(),
                work: sums.work(),
                states_peak: sums.runs.states_peak,
                memory_peak: sums.memory_peak,
                wall: self.start.elapsed(),
                cpu_seconds: homi_explore::engine::cpu_time().as_secs_f64(),
                observer,
                results,
                extras: Extras {
                    sources: SourceStatistics {
                        seeds: progress.given.summary(),
                        fuzzing,
                        resumed,
                        ..SourceStatistics::default()
                    },
                    extensions: ExtensionStatistics {
                        subsumption: sums.subsumption.clone(),
                        ..ExtensionStatistics::default()
                    },
                    ..Extras::default()
                },
            },
        }
    }
}

fn coverage(executor: &Executor<'_>, config: &RunConfig) -> Coverage {
    let (program, segments) = (executor.program(), executor.segments());
    Coverage::new(program, segments, config.search.scope)
}

/// Creates a worker with its entry state. The program's output before its first fork is shown once.
fn new_worker<'r, 'p>(
    number: usize,
    mut bench: EngineContext<'r, 'p>,
    initial: State,
    (selector, keeps_bytes): (AddsCoverage, bool),
) -> Worker<'r, 'p> {
    let mut unheard = KeptConsole::default();
    let lent = bench.lend();
    let first = initial.clone();
    let entry_state = EntryState::new(lent.executor, initial).advance(
        lent.executor,
        lent.solver_session,
        World {
            host: lent.host,
            console: match number {
                0 => lent.console,
                _ => &mut unheard,
            },
        },
    );
    bench
        .recorder
        .lock()
        .add_start_up(entry_state.instructions());
    Worker::of(NewWorker {
        number,
        bench,
        first,
        entry_state,
        selector,
        recogniser: SharedRecogniser::default(),
        keeps_bytes,
    })
}
