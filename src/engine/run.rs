//! The loop: choose a state, run it for a turn, tell the search what happened, turn what ended into tests.
//!
//! Invariant: every state of `states` is known to the searcher, and no other; ids are given in order of
//! creation. With budgets in instructions nothing in here depends on time.

use super::ground::KnownGround;
use super::launch::Launch;
use super::measure::Measure;
use super::memory;
use super::probing::Probing;
use super::prover::Prover;
use super::pruning::{PruneEvent, Pruning};
use super::record::SharedRecorder;
use super::sink::TestSink;
use super::stop::{Budget, StopReason};
use super::suspend::Suspended;
use super::sweep::sweep_terms;
use super::team::Member;
use super::watch::{Watch, WatchLimits};
use crate::config::RunConfig;
use crate::coverage::{Coverage, Fresh, Totals};
use crate::exec::{EarlyReason, Executor, Observer, Step, Termination, World};
use crate::expr::Terms;
use crate::report::{CampaignSnapshot, ProbeSummary, SharedLog, Snapshot};
use crate::search::{self, Added, Clock, Searcher, StateId, Update};
use crate::state::{Siblings, SideSet, State};
use crate::testcase::WriteError;
use crate::util::clock::Moment;
use rand::RngExt;
use rand_pcg::Pcg64;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Instructions of a turn if batches have no limit in instructions.
const LONGEST_TURN: u64 = 1 << 20;
/// Terms made since the last sweep that make a sweep worth while even without memory pressure.
const TERMS_BEFORE_SWEEP: u64 = 8 << 20;
/// Shares of the memory limit: where relief starts, where dropping caches must get to, where giving up
/// states must get to.
const RELIEF_STARTS: f64 = 0.93;
const CACHES_SUFFICE: f64 = 0.78;
const STATES_DOWN_TO: f64 = 0.72;
/// Share of the limit from which all threads wait while one relieves memory.
const RELIEF_PRESSES: f64 = 0.96;
/// Share of the memory limit that terms must hold for a sweep under pressure: it visits every state.
const TERMS_WORTH_SWEEPING: f64 = 0.08;
/// States given up together: neighbours by age share memory, which only the last of them frees.
const GIVE_UP_TOGETHER: usize = 32;
/// How often the number of states is noted.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);

/// What a run works with.
pub struct Parts<'r, 'p> {
    pub executor: &'r Executor<'p>,
    pub terms: &'r Terms,
    pub prover: &'r mut dyn Prover,
    pub world: &'r mut dyn World,
    pub log: &'r SharedLog,
    pub recorder: &'r SharedRecorder,
    pub sink: TestSink,
    pub config: &'r RunConfig,
    /// Makes the executor leave its loop; set by the watch and by the user's request to stop.
    pub interrupt: Arc<AtomicBool>,
    /// The user asked to stop.
    pub stop_requested: Arc<AtomicBool>,
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
    /// Sides that earlier runs covered.
    pub known_sides: &'r SideSet,
    /// How many of them are the program's own.
    pub known_branches: u64,
    pub ground: &'r mut KnownGround,
    pub pruning: Option<Pruning>,
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

/// How a run went.
pub struct Outcome {
    pub reason: StopReason,
    pub sink: TestSink,
    pub totals: Totals,
    pub instructions: u64,
    pub states_peak: u64,
    pub memory_peak: u64,
    pub wall: Duration,
    /// User and system time of all processes, in seconds.
    pub cpu_seconds: f64,
    pub samples: Vec<Sample>,
    pub prune_events: Vec<PruneEvent>,
    /// What was covered.
    pub observer: Observer,
    /// Present if there were probes.
    pub probes: Option<ProbeSummary>,
}

impl Outcome {
    /// Adds what another thread of the run did. Coverage, the peak of states and the reason are the team's
    /// to tell.
    pub fn add(&mut self, other: &Outcome) {
        self.sink.add_counts(&other.sink);
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
    pub(super) forks: u64,
    /// Chooses the states to give up under memory pressure.
    pub(super) generator: Pcg64,
    /// A path was given up before its end, so that running out of states is not exhaustion.
    pub(super) gave_up: bool,
    pub(super) bug_seen: bool,
    pub(super) samples: Vec<Sample>,
}

impl Progress {
    /// Of a run that has no state yet and has seen what `observer` has.
    fn new(executor: &Executor<'_>, config: &RunConfig, observer: Observer) -> Self {
        let program = executor.program();
        Self {
            observer,
            coverage: Coverage::new(program, executor.segments(), config.search.scope),
            measure: Measure::new(program, &config.search),
            searcher: search::build(&config.search),
            states: BTreeMap::new(),
            next_id: 0,
            states_peak: 0,
            forks: 0,
            generator: Pcg64::new(u128::from(config.search.seed), 0x5851_f42d_4c95_7f2d),
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

/// A run under way.
pub struct Engine<'r, 'p> {
    pub(super) parts: Parts<'r, 'p>,
    pub(super) progress: Progress,
    pub(super) budget: Budget,
    pub(super) watch: Arc<Watch>,
    pub(super) start: Moment,
    /// The state that ran last.
    pub(super) last: Option<StateId>,
    /// Those that ran before it or were forked lately, oldest first; some may have left or run again.
    warm: VecDeque<StateId>,
    /// Instructions on the clock before the first one of this run.
    pub(super) instructions_at_start: u64,
    /// The first sample that belongs to this slice of the run.
    pub(super) first_sample: usize,
    pub(super) prune_events: Vec<PruneEvent>,
    /// Own sides that this run was the first of the campaign to cover.
    pub(super) new_to_campaign: u64,
    /// Of the team's coverage, when this thread looked last.
    pub(super) coverage_version: u64,
    pub(super) turns: u64,
    /// So many states are mixed with those of another thread next.
    pub(super) mix_at: usize,
    /// Code that was entered by other threads first; its counters are one too high.
    pub(super) learned: Vec<u32>,
    /// States that came from other threads.
    pub(super) adopted: usize,
    /// When the next share of the statistics is due.
    pub(super) next_share: Duration,
    /// Present if inputs near those of the states are tried.
    pub(super) probing: Option<Probing>,
    /// When the turn began, or one shortly before.
    now: Duration,
    /// Turns since the clock was read, and instructions at which it is read next.
    turns_without_clock: u32,
    next_clock: u64,
    /// When to see next whether something is to be shown or recorded.
    next_look: Duration,
}

/// Time between two looks at what is to be shown or recorded; a turn may take a microsecond.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

/// Turns, and instructions, between two looks at the clock: a look takes a tenth of the shortest turns. Who waits for
/// a limit sets the interrupt, after which the next turn looks.
const MOST_WITHOUT_CLOCK: u32 = 8;
const INSTRUCTIONS_WITHOUT_CLOCK: u64 = 1000;

/// States that wait and keep their access caches, of 1.5 KiB each.
const MOST_WARM: usize = 128;
/// Mentions of states that ran or were forked after which their number is looked at.
const WARM_MENTIONS: usize = 4 * MOST_WARM;

/// Resident bytes at which memory is relieved.
pub(super) fn relief_starts(limit: u64) -> u64 {
    (limit as f64 * RELIEF_STARTS) as u64
}

impl<'r, 'p> Engine<'r, 'p> {
    /// Prepares a run from a launch; time counts from `start`.
    pub fn new(parts: Parts<'r, 'p>, launch: &Launch, start: Moment) -> Self {
        let config = parts.config;
        let progress = Progress::new(parts.executor, config, launch.observer.clone());
        let mut initial = launch.state.clone();
        parts.recorder.lock().begin(&launch.observer, 0);
        let mut engine = Self::with(parts, progress, launch.instructions(), start);
        // What the launch covered is this run's credit, as if it had executed it.
        let fresh = engine.absorb_coverage();
        initial.metrics.covered_new = !fresh.is_empty();
        if !fresh.for_search {
            initial.metrics.instructions_since_new = 0;
        }
        engine.note_credit(0, &fresh);
        engine.refresh_distances(engine.start.elapsed());
        let (share, seed) = (config.search.probe_share, config.search.seed);
        if share > 0.0 {
            let program = engine.parts.executor.program();
            engine.probing = Some(Probing::new(program, launch, share, seed));
        }
        engine.add_states(None, vec![Box::new(initial)]);
        engine
    }

    /// One of a team's further threads: it has no state yet. `start` is that of the run.
    pub fn helper(parts: Parts<'r, 'p>, start: Moment) -> Self {
        let entry = parts.executor.program().runtime_entry;
        let entry = entry.unwrap_or(parts.executor.program().entry);
        let observer = Observer::new(parts.executor.segments(), entry);
        let progress = Progress::new(parts.executor, parts.config, observer);
        let mut engine = Self::with(parts, progress, 0, start);
        engine.refresh_distances(engine.start.elapsed());
        engine
    }

    fn with(parts: Parts<'r, 'p>, progress: Progress, instructions: u64, start: Moment) -> Self {
        let limits = &parts.config.budget;
        let budget = Budget::new(limits, instructions);
        let deadline = budget.time().map(|time| start + time);
        let began = Beginning {
            budget,
            deadline,
            start,
            instructions,
        };
        Self::assemble(parts, progress, began)
    }

    /// An engine at the beginning of a run, or of a slice of one.
    pub(super) fn assemble(parts: Parts<'r, 'p>, progress: Progress, began: Beginning) -> Self {
        let limits = WatchLimits {
            deadline: began.deadline,
            memory: relief_starts(parts.config.budget.memory),
        };
        parts.prover.set_deadline(limits.deadline);
        Self {
            budget: began.budget,
            watch: match parts.team {
                Some(member) => Arc::clone(&member.team.watch),
                None => Arc::new(Watch::start(limits, vec![Arc::clone(&parts.interrupt)])),
            },
            start: began.start,
            last: None,
            warm: VecDeque::new(),
            instructions_at_start: began.instructions,
            first_sample: progress.samples.len(),
            progress,
            prune_events: Vec::new(),
            new_to_campaign: 0,
            coverage_version: 0,
            turns: 0,
            mix_at: super::parcel::FIRST_MIX,
            learned: Vec::new(),
            adopted: 0,
            next_share: Duration::ZERO,
            probing: None,
            now: began.start.elapsed(),
            turns_without_clock: 0,
            next_clock: 0,
            next_look: Duration::ZERO,
            parts,
        }
    }

    /// The lines of the `info` file about the search.
    pub fn describe_search(&self) -> String {
        self.progress.searcher.describe()
    }

    /// Runs until something says stop, then writes the tests of open states.
    pub fn run(mut self) -> Outcome {
        let reason = match self.explore() {
            Ok(reason) => reason,
            Err(error) => StopReason::WriteFailed(error),
        };
        self.conclude(reason)
    }

    /// Writes the tests of open states and ends the run. In a team the reason goes to all threads, and the team
    /// keeps it.
    pub(super) fn conclude(mut self, mut reason: StopReason) -> Outcome {
        self.note_memory();
        let failed = matches!(reason, StopReason::WriteFailed(_));
        if let Some(member) = self.parts.team {
            member.team.note_states();
            member.team.stop(reason);
            reason = StopReason::Interrupted;
            while let Some(parcel) = member.team.leftover() {
                self.adopt(parcel);
            }
        }
        if !failed && let Err(error) = self.finish_open_states() {
            let error = StopReason::WriteFailed(error);
            match self.parts.team {
                Some(member) => member.team.stop(error),
                None => reason = error,
            }
        }
        self.outcome(reason).0
    }

    /// How the run (or this slice of it) went, and how far it has come.
    pub(super) fn outcome(self, reason: StopReason) -> (Outcome, Progress) {
        self.parts.log.lock().status.clear();
        self.watch.look();
        self.record_end();
        let progress = self.progress;
        let outcome = Outcome {
            reason,
            totals: progress.coverage.totals(),
            instructions: progress.observer.instructions - self.instructions_at_start,
            states_peak: progress.states_peak as u64,
            memory_peak: self.watch.peak(),
            wall: self.start.elapsed(),
            cpu_seconds: memory::cpu_seconds(),
            samples: progress.samples[self.first_sample..].to_vec(),
            prune_events: self.prune_events,
            observer: progress.observer.clone(),
            sink: self.parts.sink,
            probes: self.probing.map(|probing| probing.done),
        };
        (outcome, progress)
    }

    /// Algorithm 1: the loop.
    pub(super) fn explore(&mut self) -> Result<StopReason, WriteError> {
        loop {
            let now = self.look_at_clock();
            let tests = self.parts.sink.tests();
            let instructions = self.instructions_for_budget();
            if let Some(reason) = self.budget.check(now, instructions, tests) {
                return Ok(reason);
            }
            if self.parts.interrupt.swap(false, Ordering::Relaxed) {
                if self.parts.stop_requested.load(Ordering::Relaxed) {
                    return Ok(StopReason::Interrupted);
                }
                if self.watch.take_memory_reached(self.thread())
                    && let Some(reason) = self.relieve_memory()?
                {
                    return Ok(reason);
                }
            }
            if let Some(member) = self.parts.team {
                if member.team.is_stopped() {
                    // The team knows why.
                    return Ok(StopReason::Interrupted);
                }
                self.meet_team();
            }
            if self.progress.bug_seen && self.parts.config.budget.exit_on_error {
                return Ok(StopReason::ErrorFound);
            }
            if now >= self.next_look {
                self.next_look = now + LOOK_INTERVAL;
                self.show_and_record(now);
            }
            if self.parts.terms.made_since_sweep() > TERMS_BEFORE_SWEEP {
                self.collect_terms();
            }
            self.prune()?;
            self.probe()?;
            self.refresh_distances(now);
            let Some(id) = self.progress.searcher.select(self.clock()) else {
                match self.more_work() {
                    Some(reason) => return Ok(reason),
                    None => continue,
                }
            };
            self.turn(id)?;
        }
    }

    /// The time when a turn begins. As long as turns are of a few instructions, only some of them look.
    fn look_at_clock(&mut self) -> Duration {
        let executed = self.progress.observer.instructions;
        let skip = self.turns_without_clock < MOST_WITHOUT_CLOCK
            && executed < self.next_clock
            && !self.parts.interrupt.load(Ordering::Relaxed);
        if skip {
            self.turns_without_clock += 1;
        } else {
            self.turns_without_clock = 0;
            self.next_clock = executed + INSTRUCTIONS_WITHOUT_CLOCK;
            self.now = self.start.elapsed();
        }
        self.now
    }

    /// Samples, statistics and the status line, where they are due.
    fn show_and_record(&mut self, now: Duration) {
        self.take_samples(now);
        let shown = match self.parts.campaign {
            Some(_) => self.session_time(),
            None => now,
        };
        self.record_if_due(shown);
        if self.thread() == 0 && self.parts.log.lock().status.is_due(shown) {
            let snapshot = self.snapshot(shown);
            self.parts.log.lock().status.show(&snapshot);
        }
    }

    fn clock(&self) -> Clock {
        Clock {
            instructions: self.progress.observer.instructions,
            time: self.now,
        }
    }

    fn refresh_distances(&mut self, time: Duration) {
        let executor = self.parts.executor;
        if self.progress.measure.refresh(
            executor,
            &self.progress.observer,
            &self.progress.coverage,
            time,
        ) {
            let (measure, states, observer) = (
                &mut self.progress.measure,
                &self.progress.states,
                &self.progress.observer,
            );
            self.progress
                .searcher
                .reweigh(&mut |id| Some(measure.of(states.get(&id)?, executor, observer)));
        }
    }

    /// Runs one state until it forks, ends or its turn is over.
    fn turn(&mut self, id: StateId) -> Result<(), WriteError> {
        let batch = match self.parts.config.search.batch_instructions {
            0 => LONGEST_TURN,
            batch => batch,
        };
        let executed = self.instructions_for_budget();
        let slice = batch.min(self.budget.instructions_left(executed));
        let may_fork = self.may_fork();
        if let Some(last) = self.last.replace(id)
            && last != id
        {
            self.keep_warm(last);
        }
        let Some(state) = self.progress.states.get_mut(&id) else {
            // The searcher named a state that has left: forget it there too.
            debug_assert!(false, "the searcher chose {id}, which does not exist");
            self.update_search(None, &[], &[id]);
            return Ok(());
        };
        let before = state.metrics;
        let fingerprint = state.decisions.fingerprint();
        // Reading the clock is a tenth of a short turn.
        let turn_start = self.parts.campaign.is_some().then(Moment::now);
        let forking = state.forking;
        state.forking &= may_fork;
        let solver_before = self.parts.prover.time();
        let mut step = self.parts.executor.run(
            state,
            &mut *self.parts.prover,
            &mut *self.parts.world,
            &mut self.progress.observer,
            slice,
        );
        if !may_fork {
            state.forking = forking;
        }
        let solver_time = self.parts.prover.time().saturating_sub(solver_before);
        state.metrics.solver_seconds += solver_time.as_secs_f64();
        let others = self.parts.team.map(|member| &member.team.coverage);
        let fresh = self
            .progress
            .coverage
            .absorb(&mut self.progress.observer, others);
        // The executor counts any code as new; tests, and searches if told so, only the user's own.
        let executed = state.metrics.instructions - before.instructions;
        let own = |metrics: &mut crate::state::Metrics| {
            if !fresh.for_search {
                metrics.instructions_since_new = match before.instructions_since_new {
                    0 => 0,
                    count => count + executed,
                };
            }
        };
        own(&mut state.metrics);
        state.metrics.covered_new = before.covered_new || !fresh.is_empty();
        if let (Some(campaign), Some(turn_start)) = (&mut self.parts.campaign, turn_start) {
            let time = [turn_start.elapsed(), solver_time];
            campaign.ground.book(fingerprint, executed, time);
        }
        if let Step::Forked(siblings) = &mut step {
            for sibling in siblings {
                own(&mut sibling.metrics);
                // The executor credits a sibling with any code that it is first to enter, the kernel's too.
                sibling.metrics.covered_new &= !fresh.is_empty();
                sibling.metrics.solver_seconds = state.metrics.solver_seconds;
                if !may_fork {
                    sibling.forking = forking;
                }
            }
        }
        let sequence = state.sequence;
        self.note_credit(sequence, &fresh);
        match step {
            Step::Continue => {
                self.update_search(Some(id), &[], &[]);
                Ok(())
            }
            Step::Forked(siblings) => {
                self.progress.forks += siblings.len() as u64;
                self.add_states(Some(id), siblings);
                Ok(())
            }
            Step::Ended(termination) => self.end(id, &termination),
        }
    }

    /// Lets a state keep its access cache for a while, as one of the last that ran or were forked.
    fn keep_warm(&mut self, id: StateId) {
        self.warm.push_back(id);
        if self.warm.len() >= WARM_MENTIONS {
            self.cool();
        }
    }

    /// Takes their caches from the states that ran or were forked longest ago. Those that have left do not count: a
    /// depth-first search comes back to a few states after any number of paths, and all below them inherit what
    /// they remember.
    #[cold]
    fn cool(&mut self) {
        let mut seen = FxHashSet::default();
        let mentions = std::mem::take(&mut self.warm);
        for id in mentions.into_iter().rev() {
            let Some(state) = self.progress.states.get_mut(&id) else {
                continue;
            };
            if !seen.insert(id) {
                continue;
            }
            if self.warm.len() < MOST_WARM {
                self.warm.push_front(id);
            } else if Some(id) != self.last {
                state.trim();
            }
        }
    }

    fn may_fork(&self) -> bool {
        let limit = self.parts.config.budget.forks;
        limit == 0 || self.sums().forks < limit
    }

    /// Remembers what a state covered first, for its test.
    pub(super) fn note_credit(&mut self, sequence: u64, fresh: &Fresh) {
        if fresh.is_empty() {
            return;
        }
        self.parts
            .recorder
            .lock()
            .cover(fresh, &self.progress.coverage);
        if let Some(campaign) = &self.parts.campaign {
            let new = fresh.sides.iter();
            let new = new.filter(|side| !campaign.known_sides.contains(**side));
            self.new_to_campaign += new.count() as u64;
        }
        let wants_lines = self.parts.sink.wants_lines();
        let credit = self.parts.sink.credit(sequence);
        credit.sides.extend(&fresh.sides);
        credit.segments.extend(&fresh.segments);
        if wants_lines {
            let executor = self.parts.executor;
            for segment in &fresh.segments {
                let (function, start, end) = executor.segments().range(*segment);
                let locations = &executor.program().function(function).locations;
                for location in &locations[start as usize..end as usize] {
                    let location = executor.program().location(*location);
                    if location.line != 0 {
                        credit.lines.insert((location.file, location.line));
                    }
                }
            }
        }
    }

    /// Gives new states their numbers and tells the search.
    pub(super) fn add_states(&mut self, parent: Option<StateId>, states: Siblings) {
        let mut added = Vec::with_capacity(states.len());
        for mut state in states {
            let id = StateId::new(self.progress.next_id);
            state.sequence = self.sequence(self.progress.next_id);
            self.progress.next_id += 1;
            let metrics =
                self.progress
                    .measure
                    .of(&state, self.parts.executor, &self.progress.observer);
            added.push(Added {
                id,
                parent,
                metrics,
            });
            if let Some(parent) = parent.and_then(|parent| self.progress.states.get(&parent)) {
                state.memory.warm_from(&parent.memory);
            }
            self.progress.states.insert(id, state);
            self.keep_warm(id);
        }
        self.progress.states_peak = self.progress.states_peak.max(self.progress.states.len());
        self.update_search(parent, &added, &[]);
    }

    pub(super) fn update_search(
        &mut self,
        current: Option<StateId>,
        added: &[Added],
        removed: &[StateId],
    ) {
        let current = current.and_then(|id| {
            let state = self.progress.states.get(&id)?;
            let metrics =
                self.progress
                    .measure
                    .of(state, self.parts.executor, &self.progress.observer);
            Some((id, metrics))
        });
        let clock = self.clock();
        self.progress.searcher.update(&Update {
            current,
            added,
            removed,
            clock,
        });
    }

    /// PRUNE of Algorithm 1, if it is due.
    fn prune(&mut self) -> Result<(), WriteError> {
        let clock = self.clock();
        let (Some(campaign), Some(harvest)) =
            (&mut self.parts.campaign, &mut self.parts.sink.harvest)
        else {
            return Ok(());
        };
        let Some(pruning) = &mut campaign.pruning else {
            return Ok(());
        };
        if !pruning.is_due(clock) {
            return Ok(());
        }
        let started = Moment::now();
        let recogniser = &mut harvest.recogniser;
        let chosen = pruning.choose(&self.progress.states, self.parts.terms, recogniser, clock);
        let Some((mut event, chosen)) = chosen else {
            return Ok(());
        };
        harvest.events += 1;
        campaign.snapshot.pruned = Some((event.ratio, event.before, event.after));
        event.choosing = started.elapsed();
        let result = self.end_all(&chosen, EarlyReason::Pruned);
        event.removing = started.elapsed() - event.choosing;
        self.prune_events.push(event);
        result
    }

    /// Notes the number of states for every second that has passed.
    fn take_samples(&mut self, now: Duration) {
        if self.thread() != 0 {
            return;
        }
        while now >= SAMPLE_INTERVAL * (self.progress.samples.len() as u32 + 1) {
            let sample = Sample {
                time: SAMPLE_INTERVAL * (self.progress.samples.len() as u32 + 1),
                states: self.sums().states as usize,
                branches: self.branches(),
                tests: self.parts.sink.tests(),
            };
            self.progress.samples.push(sample);
        }
    }

    /// Own branch sides covered so far, in the whole campaign if there is one.
    fn branches(&self) -> u64 {
        match &self.parts.campaign {
            Some(campaign) => campaign.known_branches + self.new_to_campaign,
            None => self.progress.coverage.totals().branches,
        }
    }

    fn snapshot(&self, time: Duration) -> Snapshot {
        let totals = self.progress.coverage.totals();
        let sums = self.sums();
        let threads = self.parts.team.map_or(1, |member| member.team.size());
        let possible = time.as_secs_f64().max(1e-3) * threads as f64;
        Snapshot {
            time,
            instructions: sums.instructions,
            paths: sums.paths,
            states: sums.states as usize,
            tests: self.parts.sink.tests(),
            bugs: self.parts.sink.bug_count(),
            branches: self.branches(),
            branches_total: totals.branches_total,
            solver_share: sums.solver_time.as_secs_f64() / possible,
            memory: self.watch.resident(),
            campaign: self
                .parts
                .campaign
                .as_ref()
                .map(|campaign| campaign.snapshot),
        }
    }

    // ---- memory ----

    /// Frees the terms that no state can reach.
    fn collect_terms(&mut self) {
        let waiting = self.parts.campaign.as_ref();
        let waiting = waiting.and_then(|campaign| campaign.waiting);
        let own = self.progress.states.values().map(|state| &**state);
        let probed = self.probing.iter().map(Probing::start);
        sweep_terms(
            self.parts.terms,
            own.chain(probed)
                .chain(waiting.into_iter().flat_map(Suspended::states)),
        );
    }

    /// Brings memory below the limit: first what can be computed again, then states.
    fn relieve_memory(&mut self) -> Result<Option<StopReason>, WriteError> {
        let limit = self.parts.config.budget.memory as f64;
        // One thread after the other: what the first gives up may be enough. The others go on meanwhile, unless it
        // does not give up as fast as they take.
        let _turn = match self.parts.team {
            None => None,
            Some(member) => match member.team.turn_to_relieve() {
                Some(turn) => Some(turn),
                None if (self.watch.resident() as f64) < limit * RELIEF_PRESSES => return Ok(None),
                None => Some(member.team.wait_to_relieve()),
            },
        };
        if self.parts.team.is_some() && self.watch.look() as f64 <= limit * CACHES_SUFFICE {
            return Ok(None);
        }
        self.parts.prover.trim();
        if self.parts.terms.memory() as f64 > limit * TERMS_WORTH_SWEEPING {
            self.collect_terms();
        }
        memory::release_freed();
        let mut resident = self.watch.look() as f64;
        if resident <= limit * CACHES_SUFFICE {
            return Ok(None);
        }
        while resident > limit * STATES_DOWN_TO {
            if self.others_have_most_states() {
                return Ok(None);
            }
            if self.progress.states.len() <= 1 {
                if resident <= limit * RELIEF_STARTS {
                    return Ok(None);
                }
                let last = self.progress.states.keys().next().copied();
                if let Some(id) = last {
                    self.end(id, &Termination::Early(EarlyReason::OutOfMemory))?;
                }
                return Ok(Some(StopReason::OutOfMemory));
            }
            self.give_up_share()?;
            resident = self.watch.look() as f64;
        }
        Ok(None)
    }

    /// PRUNE_M of Algorithm 1: its share of the states leaves.
    pub(super) fn give_up_share(&mut self) -> Result<(), WriteError> {
        let share = self.progress.states.len() as f64 * self.parts.config.budget.memory_prune_ratio;
        let most = self.progress.states.len().saturating_sub(1);
        let count = (share.floor() as usize).max(1).min(most);
        self.give_up_states(count)?;
        memory::release_freed();
        Ok(())
    }

    /// Ends `count` random states. They are drawn in groups of neighbours, because
    /// neighbours share memory that only the last of them frees.
    fn give_up_states(&mut self, count: usize) -> Result<(), WriteError> {
        let groups = self.progress.states.len().div_ceil(GIVE_UP_TOGETHER);
        let order: Vec<u64> = (0..groups)
            .map(|_| self.progress.generator.random())
            .collect();
        let mut victims: Vec<(u64, StateId)> = self
            .progress
            .states
            .keys()
            .enumerate()
            .map(|(position, id)| (order[position / GIVE_UP_TOGETHER], *id))
            .collect();
        victims.sort_unstable();
        let text = format!(
            "memory limit: giving up {count} of {} states",
            victims.len()
        );
        self.parts.log.lock().warning_once("memory limit", &text);
        let victims: Vec<_> = victims
            .into_iter()
            .take(count)
            .map(|victim| victim.1)
            .collect();
        self.end_all(&victims, EarlyReason::OutOfMemory)
    }
}
