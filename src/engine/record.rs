//! Statistics of the whole session: a row of `run.stats` now and then, the hottest lines at the end.
//!
//! Invariant: it only reads the run. Runs of a campaign number their states anew and start from copies of one
//! observer, so what a run did is the difference between its observer's counts now and at its start; the recorder
//! adds these up. A file that cannot be written is given up with a warning and stops nothing.

use super::memory;
use super::profile::Profile;
use super::run::Engine;
use crate::coverage::{Coverage, Fresh};
use crate::exec::{ForkKind, Observer, Segments, SiteCounts};
use crate::program::{BranchId, BranchKind, FuncId, Program};
use crate::report::{
    DirectoryError, HomiRow, HotLine, KleeRow, MemorySummary, OutputDirectory, PathSummary,
    StatsFile, StatsRow, callgrind, flamegraph,
};
use crate::solver::{Layer, SolverStatistics};
use crate::state::{CallPathId, SideSet};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Lines in the list of hot ones: so many by forks, and so many by solver time.
const HOT_BY_FORKS: usize = 20;
const HOT_BY_TIME: usize = 10;
/// Time between two shares that a further thread tells.
const SHARE_INTERVAL: Duration = Duration::from_millis(500);
/// Rows between two writes of the hot lines.
const ROWS_PER_LINES: u64 = 10;

type SiteSums = FxHashMap<(FuncId, u32), SiteCounts>;

/// Counts that only grow.
#[derive(Clone, Copy, Default)]
struct Counts {
    instructions: u64,
    allocations: u64,
    unknowns: u64,
    concretisations: u64,
    states: u64,
}

impl Counts {
    fn of(observer: &Observer, states: usize) -> Self {
        Self {
            instructions: observer.instructions,
            allocations: observer.allocations,
            unknowns: observer.unknowns,
            concretisations: observer.concretisations,
            states: states as u64,
        }
    }

    /// `self + now - start`.
    fn plus(self, now: Counts, start: Counts) -> Self {
        let plus = |sum: u64, now: u64, start: u64| sum + now.saturating_sub(start);
        Self {
            instructions: plus(self.instructions, now.instructions, start.instructions),
            allocations: plus(self.allocations, now.allocations, start.allocations),
            unknowns: plus(self.unknowns, now.unknowns, start.unknowns),
            concretisations: plus(
                self.concretisations,
                now.concretisations,
                start.concretisations,
            ),
            states: plus(self.states, now.states, start.states),
        }
    }
}

/// How often the profile is written while the run goes on.
const PROFILE_INTERVAL: Duration = Duration::from_secs(10);

/// The profile under way.
struct Profiling {
    /// Of the runs that are over.
    ended: Profile,
    /// The counts with which the present run began.
    began: Option<Observer>,
    next: Duration,
    directory: OutputDirectory,
    command: String,
}

impl Profiling {
    /// Everything up to now.
    fn sum(&self, observer: &Observer) -> Profile {
        let mut sum = self.ended.clone();
        if let Some(began) = &self.began {
            sum.add(observer, began);
        }
        sum
    }

    /// Writes the files of the profile.
    fn write(
        &self,
        profile: &Profile,
        program: &Program,
        segments: &Segments,
    ) -> Result<(), DirectoryError> {
        let profile = profile.describe(program, segments, &self.command);
        self.directory.write("run.istats", &callgrind(&profile))?;
        let title = format!("{}: instructions by call path", program.name);
        let graph = flamegraph(&profile, &title, "instructions", |stack| stack.1);
        if let Some(graph) = graph {
            self.directory.write("flamegraph.svg", &graph)?;
        }
        let title = format!("{}: time in the solver by call path", program.name);
        let graph = flamegraph(&profile, &title, "microseconds", |stack| stack.2);
        if let Some(graph) = graph {
            self.directory.write("flamegraph-solver.svg", &graph)?;
        }
        Ok(())
    }
}

/// The statistics of a session.
pub struct Recorder {
    file: Option<StatsFile>,
    /// Zero: only the first and the last row.
    interval: Duration,
    next: Duration,
    rows: u64,
    /// Both sides of the conditional branches that count.
    branches: Vec<(u32, u32)>,
    sides: SideSet,
    segments: SideSet,
    covered_instructions: u64,
    /// Of the runs that are over, and of the present one when it began.
    ended: Counts,
    began: Counts,
    ended_sites: SiteSums,
    began_sites: SiteSums,
    /// Bytes allocated before the first instruction.
    program_memory: u64,
    memory: MemorySummary,
    profiling: Option<Profiling>,
    /// The further threads' shares, as they last told.
    others: BTreeMap<usize, Share>,
}

/// The recorder of a session, for all its threads.
pub struct SharedRecorder(Mutex<Recorder>);

impl SharedRecorder {
    pub fn new(recorder: Recorder) -> Self {
        Self(Mutex::new(recorder))
    }

    /// The recorder. Whoever holds it must not ask for it again.
    pub fn lock(&self) -> MutexGuard<'_, Recorder> {
        // Statistics that a thread which panicked has left half done harm nobody.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One thread's share of a row.
#[derive(Clone, Default)]
struct Share {
    counts: Counts,
    sites: SiteSums,
    paths: PathSummary,
    silent: u64,
    solver_ended: u64,
    user_errors: u64,
    /// Open states.
    states: u64,
    solver: SolverStatistics,
    terms_bytes: u64,
    smt_bytes: u64,
}

impl Share {
    fn add(&mut self, other: &Share) {
        let Share {
            counts,
            sites,
            paths,
            silent,
            solver_ended,
            user_errors,
            states,
            solver,
            terms_bytes,
            smt_bytes,
        } = other;
        self.counts = self.counts.plus(*counts, Counts::default());
        for (site, counts) in sites {
            self.sites.entry(*site).or_default().add(*counts);
        }
        self.paths.add(*paths);
        self.silent += silent;
        self.solver_ended += solver_ended;
        self.user_errors += user_errors;
        self.states += states;
        self.solver.add(solver);
        self.terms_bytes += terms_bytes;
        self.smt_bytes += smt_bytes;
    }
}

impl Recorder {
    /// A recorder that writes to `file`, if there is one, every `interval`.
    pub fn new(
        file: Option<StatsFile>,
        interval: Duration,
        program: &Program,
        segments: &Segments,
        coverage: &Coverage,
    ) -> Self {
        let branches = program.branches.iter().enumerate();
        let branches = branches
            .filter(|(_, site)| site.kind == BranchKind::Conditional)
            .map(|(index, _)| {
                let side = |side| segments.side(BranchId::new(index), side);
                (side(0), side(1))
            })
            .filter(|sides| coverage.is_own_side(sides.0))
            .collect();
        Self {
            file,
            interval,
            next: Duration::ZERO,
            rows: 0,
            branches,
            sides: SideSet::new(segments.side_count()),
            segments: SideSet::new(segments.segment_count()),
            covered_instructions: 0,
            ended: Counts::default(),
            began: Counts::default(),
            ended_sites: SiteSums::default(),
            began_sites: SiteSums::default(),
            program_memory: memory::allocated_bytes(),
            memory: MemorySummary::default(),
            profiling: None,
            others: BTreeMap::new(),
        }
    }

    /// Writes a profile of the program too: every now and then, and at the end.
    pub fn profile(
        &mut self,
        directory: OutputDirectory,
        command: &str,
        program: &Program,
        segments: &Segments,
    ) {
        let entry = program.runtime_entry.unwrap_or(program.entry);
        self.profiling = Some(Profiling {
            ended: Profile::new(segments, entry),
            began: None,
            next: PROFILE_INTERVAL,
            directory,
            command: command.to_string(),
        });
    }

    /// Adds instructions that were executed before the first run.
    pub fn add_start_up(&mut self, instructions: u64) {
        self.ended.instructions += instructions;
    }

    /// A run begins with these counts.
    pub(super) fn begin(&mut self, observer: &Observer, states: usize) {
        self.began = Counts::of(observer, states);
        self.began_sites = observer.sites.by_instruction(&observer.call_paths);
        if let Some(profiling) = &mut self.profiling {
            profiling.began = Some(observer.clone());
        }
    }

    /// The run that began last is over, or put aside.
    pub(super) fn end(&mut self, observer: &Observer, states: usize) {
        self.ended_sites = self.site_sums(observer);
        self.began_sites = observer.sites.by_instruction(&observer.call_paths);
        let now = Counts::of(observer, states);
        self.ended = self.ended.plus(now, self.began);
        self.began = now;
        if let Some(profiling) = &mut self.profiling {
            profiling.ended = profiling.sum(observer);
            profiling.began = None;
        }
    }

    /// What a further thread of the run counted, once it is over. `learned` is the code that only others had
    /// executed, which its counters say was entered once.
    fn add_thread(&mut self, observer: &Observer, segments: &Segments, learned: &[u32]) {
        let Some(profiling) = &mut self.profiling else {
            return;
        };
        let mut start = Observer::new(segments, observer.call_paths.node(CallPathId(0)).function);
        for segment in learned {
            start.segment_entries[*segment as usize] += 1;
        }
        profiling.ended.add(observer, &start);
    }

    /// The same code, learned by the first thread.
    pub(super) fn learn(&mut self, learned: &[u32]) {
        let profiling = self.profiling.as_mut();
        if let Some(began) = profiling.and_then(|profiling| profiling.began.as_mut()) {
            for segment in learned {
                began.segment_entries[*segment as usize] += 1;
            }
        }
    }

    /// What the run covered first; earlier runs may have covered it too.
    pub(super) fn cover(&mut self, fresh: &Fresh, coverage: &Coverage) {
        for side in &fresh.sides {
            self.sides.insert(*side);
        }
        for segment in &fresh.segments {
            if self.segments.insert(*segment) {
                self.covered_instructions += u64::from(coverage.weight(*segment));
            }
        }
    }

    fn is_due(&self, time: Duration) -> bool {
        self.file.is_some() && time >= self.next
    }

    fn site_sums(&self, observer: &Observer) -> SiteSums {
        let mut sums = self.ended_sites.clone();
        for (site, counts) in observer.sites.by_instruction(&observer.call_paths) {
            let began = self.began_sites.get(&site).copied().unwrap_or_default();
            sums.entry(site).or_default().add(counts.since(began));
        }
        sums
    }

    /// The lines that forked most and those that cost the solver most, by forks, then questions.
    pub fn hot_lines(&self, program: &Program) -> Vec<HotLine> {
        hot_lines(program, &self.ended_sites)
    }

    /// Writes the profile, if one is made.
    pub fn write_profile(
        &self,
        program: &Program,
        segments: &Segments,
    ) -> Result<(), DirectoryError> {
        match &self.profiling {
            Some(profiling) => profiling.write(&profiling.ended, program, segments),
            None => Ok(()),
        }
    }

    /// Memory by kind when the last run stopped exploring.
    pub fn memory(&self) -> MemorySummary {
        self.memory
    }
}

fn hot_lines(program: &Program, sites: &SiteSums) -> Vec<HotLine> {
    // Forks of libc and of the modelled kernel have lines too: theirs are said to be in their files.
    let mut lines: BTreeMap<(String, &str), SiteCounts> = BTreeMap::new();
    for ((function, pc), counts) in sites {
        let function = program.function(*function);
        let location = function.locations.get(*pc as usize);
        let location = location.copied().unwrap_or(function.location);
        let at = (program.describe_location(location), function.name.as_str());
        lines.entry(at).or_default().add(*counts);
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.solver));
    let mut by_forks = lines.split_off(lines.len().min(HOT_BY_TIME));
    let mut hot = lines;
    by_forks.sort_by_key(|(_, counts)| std::cmp::Reverse((counts.forks, counts.questions)));
    by_forks.truncate(HOT_BY_FORKS);
    hot.extend(by_forks);
    hot.sort_by(|a, b| {
        let forks = |counts: &SiteCounts| (counts.forks, counts.questions);
        forks(&b.1).cmp(&forks(&a.1)).then_with(|| a.0.cmp(&b.0))
    });
    hot.into_iter()
        .map(|((location, function), counts)| HotLine {
            location,
            function: function.to_string(),
            forks: counts.forks,
            questions: counts.questions,
            solver_s: counts.solver.as_secs_f64(),
        })
        .collect()
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Writes what the solver did into a row.
fn add_solver(row: &mut StatsRow, solver: &SolverStatistics) {
    let answered = |layer: Layer| solver.layer(layer).answered;
    let time = |layers: &[Layer]| -> u64 {
        let times = layers.iter().map(|layer| solver.layer(*layer).time);
        micros(times.sum())
    };
    let klee = &mut row.klee;
    klee.queries = solver.questions;
    klee.solver_queries = solver.smt_calls;
    klee.num_query_constructs = solver.smt_nodes;
    klee.solver_time = micros(solver.time);
    klee.query_time = time(&[Layer::Smt]);
    klee.cex_cache_time = time(&[
        Layer::Cache,
        Layer::Guided,
        Layer::Linear,
        Layer::Search,
        Layer::Smt,
    ]);
    klee.query_cache_hits = answered(Layer::Cache);
    klee.query_cache_misses =
        answered(Layer::Linear) + answered(Layer::Search) + answered(Layer::Smt);
    klee.query_cex_cache_hits = answered(Layer::Model) + answered(Layer::Guided);
    klee.query_cex_cache_misses = solver.questions.saturating_sub(klee.query_cex_cache_hits);
    row.homi.timeouts = solver.timeouts;
    row.homi.set_layers(Layer::ALL.map(|layer| {
        let layer = solver.layer(layer);
        (layer.answered, micros(layer.time))
    }));
}

/// Writes forks by kind into a row.
fn add_forks(row: &mut KleeRow, program: &Program, sites: &SiteSums) {
    let mut forks = [0; ForkKind::COUNT];
    for ((function, pc), counts) in sites {
        forks[ForkKind::of(program, *function, *pc) as usize] += counts.forks;
    }
    [
        row.branches_conditional,
        row.branches_indirect,
        row.branches_switch,
        row.branches_call,
        row.branches_mem_op,
        row.branches_resolve_pointer,
        row.branches_alloc,
        row.branches_realloc,
        row.branches_free,
        row.branches_get_val,
    ] = forks;
}

impl Engine<'_, '_> {
    /// Time since the start of the campaign, or of the run if there is none.
    pub(super) fn session_time(&self) -> Duration {
        match &self.parts.campaign {
            Some(campaign) => campaign.start.elapsed(),
            None => self.start.elapsed(),
        }
    }

    /// Writes a row if it is time for one; a further thread tells its share.
    pub(super) fn record_if_due(&mut self, time: Duration) {
        if self.thread() != 0 {
            if time >= self.next_share {
                self.next_share = time + SHARE_INTERVAL;
                self.tell_share();
            }
            return;
        }
        if self.parts.recorder.lock().is_due(time) {
            self.note_memory();
            self.record(time);
        }
        let mut recorder = self.parts.recorder.lock();
        if let Some(profiling) = &mut recorder.profiling
            && time >= profiling.next
        {
            let executor = self.parts.executor;
            let sum = profiling.sum(&self.progress.observer);
            let started = Instant::now();
            // The next one, or the one at the end, may succeed; that one warns.
            let _ = profiling.write(&sum, executor.program(), executor.segments());
            // A large profile takes a twentieth of the time at most.
            profiling.next = time + PROFILE_INTERVAL.max(20 * started.elapsed());
        }
    }

    /// Tells what this thread has done so far.
    fn tell_share(&self) {
        let share = self.share(&self.parts.recorder.lock());
        let others = &mut self.parts.recorder.lock().others;
        others.insert(self.thread(), share);
    }

    /// The run is over or put aside: the last row, and its counts become part of the session's. Of a team the
    /// first thread does that, when the others have told their last share.
    pub(super) fn record_end(&self) {
        if self.thread() != 0 {
            self.tell_share();
            let segments = self.parts.executor.segments();
            let mut recorder = self.parts.recorder.lock();
            recorder.add_thread(&self.progress.observer, segments, &self.learned);
            return;
        }
        if let Some(member) = self.parts.team {
            member.team.wait_for_others();
        }
        self.parts
            .recorder
            .lock()
            .end(&self.progress.observer, self.states_made());
        self.record(self.session_time());
        let recorder = &mut *self.parts.recorder.lock();
        for share in std::mem::take(&mut recorder.others).values() {
            for (site, counts) in &share.sites {
                recorder.ended_sites.entry(*site).or_default().add(*counts);
            }
        }
    }

    /// Looks at the memory by kind.
    pub(super) fn note_memory(&self) {
        if self.thread() != 0 {
            self.tell_share();
            return;
        }
        let recorder = &mut *self.parts.recorder.lock();
        let prover = &self.parts.prover;
        let allocated = memory::allocated_bytes();
        let others = recorder.others.values();
        let (terms, smt) = others.fold((0, 0), |(terms, smt), other| {
            (terms + other.terms_bytes, smt + other.smt_bytes)
        });
        let terms = terms + self.parts.terms.memory() as u64;
        let cache = prover.memory() as u64;
        let program = recorder.program_memory.min(allocated);
        recorder.memory = MemorySummary {
            resident_bytes: self.watch.resident(),
            smt_bytes: smt + self.smt_bytes(),
            allocated_bytes: allocated,
            program_bytes: program,
            terms_bytes: terms,
            solver_cache_bytes: cache,
            states_bytes: allocated.saturating_sub(program + terms + cache),
        };
    }

    fn smt_bytes(&self) -> u64 {
        let process = self.parts.prover.child_process();
        process.map_or(0, |process| memory::resident_of(&process.to_string()))
    }

    /// States that came to be in this thread: those of other threads do not count again.
    fn states_made(&self) -> usize {
        self.progress.next_id - self.adopted
    }

    /// What this thread has done in the session.
    fn share(&self, recorder: &Recorder) -> Share {
        let (progress, sink) = (&self.progress, &self.parts.sink);
        let counts = Counts::of(&progress.observer, self.states_made());
        let (counts, sites) = if self.thread() == 0 {
            (
                recorder.ended.plus(counts, recorder.began),
                recorder.site_sums(&progress.observer),
            )
        } else {
            let observer = &progress.observer;
            (counts, observer.sites.by_instruction(&observer.call_paths))
        };
        Share {
            counts,
            sites,
            paths: sink.paths,
            silent: sink.silent,
            solver_ended: sink.solver_ended,
            user_errors: sink.user_errors,
            states: progress.states.len() as u64,
            solver: self.parts.prover.statistics(),
            terms_bytes: self.parts.terms.memory() as u64,
            smt_bytes: self.smt_bytes(),
        }
    }

    fn record(&self, time: Duration) {
        let recorder = &mut *self.parts.recorder.lock();
        if recorder.file.is_none() {
            return;
        }
        let program = self.parts.executor.program();
        let mut all = self.share(recorder);
        recorder.others.values().for_each(|other| all.add(other));
        let row = self.row(recorder, time, &all);
        recorder.next = if recorder.interval.is_zero() {
            Duration::MAX
        } else {
            time + recorder.interval
        };
        recorder.rows += 1;
        let with_lines = recorder.rows % ROWS_PER_LINES == 0 || self.progress.states.is_empty();
        let Some(file) = &mut recorder.file else {
            return;
        };
        let written = file.append(&row).and_then(|()| {
            if with_lines {
                file.set_lines(&hot_lines(program, &all.sites))
            } else {
                Ok(())
            }
        });
        if let Err(error) = written {
            recorder.file = None;
            let text = format!("no further statistics are written: {error}");
            self.parts.log.lock().warning(&text);
        }
    }

    fn row(&self, recorder: &Recorder, time: Duration, all: &Share) -> StatsRow {
        let sink = &self.parts.sink;
        let (paths, counts) = (all.paths, all.counts);
        let totals = self.progress.coverage.totals();
        let covered = recorder.branches.iter().map(|sides| {
            let covered = |side| u64::from(recorder.sides.contains(side));
            covered(sides.0) + covered(sides.1)
        });
        let covered: Vec<u64> = covered.collect();
        let with = |sides: u64| covered.iter().filter(|count| **count == sides).count() as u64;
        let memory = recorder.memory;
        let mut row = StatsRow {
            klee: KleeRow {
                instructions: counts.instructions,
                full_branches: with(2),
                partial_branches: with(1),
                num_branches: covered.len() as u64,
                user_time: (memory::user_seconds() * 1e6) as u64,
                num_states: all.states,
                malloc_usage: memory.allocated_bytes,
                wall_time: micros(time),
                covered_instructions: recorder.covered_instructions,
                uncovered_instructions: totals
                    .instructions_total
                    .saturating_sub(recorder.covered_instructions),
                inhibited_forks: counts.unknowns,
                allocations: counts.allocations,
                states: counts.states,
                termination_exit: paths.completed.saturating_sub(all.silent),
                termination_early: paths.early.saturating_sub(all.solver_ended),
                termination_solver_error: all.solver_ended,
                termination_program_error: paths.error.saturating_sub(all.user_errors),
                termination_user_error: all.user_errors,
                termination_execution_error: paths.gap,
                termination_early_algorithm: paths.pruned,
                termination_early_user: all.silent,
                ..KleeRow::default()
            },
            homi: HomiRow {
                paths: paths.total(),
                tests: sink.tests(),
                bugs: sink.bug_count() as u64,
                branches: recorder.sides.iter().count() as u64,
                branches_total: totals.branches_total,
                resident: memory.resident_bytes,
                smt_memory: memory.smt_bytes,
                program_memory: memory.program_bytes,
                term_memory: memory.terms_bytes,
                cache_memory: memory.solver_cache_bytes,
                state_memory: memory.states_bytes,
                concretisations: counts.concretisations,
                ..HomiRow::default()
            },
        };
        add_solver(&mut row, &all.solver);
        add_forks(&mut row.klee, self.parts.executor.program(), &all.sites);
        row
    }
}
