//! Statistics of the whole session: a row of figures now and then, the hottest lines at the end.
//!
//! Invariant: it only reads the run. Each run numbers its states anew and start from
//! copies of one observer, so what a run did is the difference between its observer's counts now
//! and at its start; the recorder adds these up.

use super::profiling::Profiling;
use super::rows::hot_lines;
use super::share::{Counts, Share, SiteSums};
use crate::explore::coverage::{Coverage, Fresh};
use crate::explore::engine::memory::process_memory;
use crate::explore::engine::run::Engine;
use crate::ir::program::{BranchId, BranchKind, Program};
use crate::ir::util::resident::resident_of;
use crate::machine::exec::{Observer, Segments};
use crate::machine::state::SideSet;
use crate::report::{
    DirectoryError, Event, HotLine, MemorySummary, OutputDirectory, Sampled, StatsRow,
};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time between two shares that a further thread tells.
const SHARE_INTERVAL: Duration = Duration::from_millis(500);
/// Rows between two writes of the hot lines.
const ROWS_PER_LINES: u64 = 10;

/// The statistics of a session.
pub struct Recorder {
    /// Zero: only the first and the last row.
    interval: Duration,
    next: Duration,
    rows: u64,
    /// Numbers of both sides of each conditional branch of the program's own code.
    pub(in crate::explore::engine) branches: Vec<(u32, u32)>,
    pub(in crate::explore::engine) sides: SideSet,
    segments: SideSet,
    pub(in crate::explore::engine) covered_instructions: u64,
    /// Counts of the runs that are over.
    ended: Counts,
    ended_sites: SiteSums,
    /// By thread: the counts with which its present run began, where that is not zero.
    begun: BTreeMap<usize, Begun>,
    /// Bytes allocated before the first instruction.
    program_memory: u64,
    pub(in crate::explore::engine) memory: MemorySummary,
    profiling: Option<Profiling>,
    /// The further threads' shares, as they last told.
    others: BTreeMap<usize, Share>,
}

/// The counts with which a run began.
#[derive(Default)]
struct Begun {
    counts: Counts,
    sites: SiteSums,
}

impl Begun {
    fn of(observer: &Observer, states: usize) -> Self {
        Self {
            counts: Counts::of(observer, states),
            sites: observer.sites.by_instruction(&observer.call_paths),
        }
    }

    /// What has been counted since, by site.
    fn sites_since(&self, observer: &Observer) -> SiteSums {
        let mut sums = observer.sites.by_instruction(&observer.call_paths);
        for (site, counts) in &mut sums {
            *counts = counts.since(self.sites.get(site).copied().unwrap_or_default());
        }
        sums
    }
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

impl Recorder {
    /// A recorder that tells a row every `interval`.
    pub fn new(
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
            interval,
            next: Duration::ZERO,
            rows: 0,
            branches,
            sides: SideSet::new(segments.side_count()),
            segments: SideSet::new(segments.segment_count()),
            covered_instructions: 0,
            ended: Counts::default(),
            ended_sites: SiteSums::default(),
            begun: BTreeMap::new(),
            program_memory: process_memory::allocated_bytes(),
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
        self.profiling = Some(Profiling::new(directory, command, segments, entry));
    }

    /// Adds instructions that were executed before the first run.
    pub fn add_start_up(&mut self, instructions: u64) {
        self.ended.instructions += instructions;
    }

    /// A thread's run begins with these counts.
    pub(in crate::explore::engine) fn begin(
        &mut self,
        thread: usize,
        observer: &Observer,
        states: usize,
    ) {
        self.begun.insert(thread, Begun::of(observer, states));
        if let Some(profiling) = &mut self.profiling {
            profiling.begin(thread, observer);
        }
    }

    /// The run that a thread began last is over, or put aside.
    pub(in crate::explore::engine) fn end(
        &mut self,
        thread: usize,
        observer: &Observer,
        states: usize,
    ) {
        let now = Begun::of(observer, states);
        let begun = self.begun.entry(thread).or_default();
        let sites = begun.sites_since(observer);
        self.ended = self.ended.plus(now.counts, begun.counts);
        *begun = now;
        for (site, counts) in sites {
            self.ended_sites.entry(site).or_default().add(counts);
        }
        if let Some(profiling) = &mut self.profiling {
            profiling.end(thread, observer);
        }
    }

    /// The profile, if one is made.
    pub(in crate::explore::engine) fn profiling(&mut self) -> Option<&mut Profiling> {
        self.profiling.as_mut()
    }

    /// What the run covered first; earlier runs may have covered it too.
    pub(in crate::explore::engine) fn cover(&mut self, fresh: &Fresh, coverage: &Coverage) {
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
        time >= self.next
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
            Some(profiling) => profiling.write_ended(program, segments),
            None => Ok(()),
        }
    }

    /// Memory by kind when the last run stopped exploring.
    pub fn memory(&self) -> MemorySummary {
        self.memory
    }
}

impl Engine<'_, '_> {
    /// Time since the start of the session.
    pub(in crate::explore::engine) fn session_time(&self) -> Duration {
        self.parts.context.start.elapsed()
    }

    /// Writes a row if it is time for one; a further thread tells its share.
    pub(in crate::explore::engine) fn record_if_due(&mut self, time: Duration) {
        if self.thread() != 0 {
            if time >= self.next_share {
                self.next_share = time + SHARE_INTERVAL;
                self.tell_share();
            }
            return;
        }
        let is_heard = self.parts.results.events().is_heard();
        if is_heard && self.bench.recorder.lock().is_due(time) {
            self.note_memory();
            self.record(time);
        }
        if let Some(profiling) = self.bench.recorder.lock().profiling() {
            let executor = self.bench.executor;
            let observer = &self.progress.observer;
            profiling.write_if_due(time, observer, executor.program(), executor.segments());
        }
    }

    /// Tells what this thread has done so far.
    fn tell_share(&self) {
        let share = self.share(&self.bench.recorder.lock());
        let others = &mut self.bench.recorder.lock().others;
        others.insert(self.thread(), share);
    }

    /// The run is over or put aside: the last row, and its counts become part of the session's. Of
    /// a team the first thread does that, when the others have told their last share.
    pub(in crate::explore::engine) fn record_end(&self) {
        if self.thread() != 0 && self.parts.team.is_some() {
            self.tell_share();
            let segments = self.bench.executor.segments();
            if let Some(profiling) = self.bench.recorder.lock().profiling() {
                profiling.add_thread(&self.progress.observer, segments, &self.learned);
            }
            return;
        }
        if let Some(member) = self.parts.team {
            member.team.wait_for_others();
        }
        let (thread, states) = (self.thread(), self.states_made());
        let observer = &self.progress.observer;
        self.bench.recorder.lock().end(thread, observer, states);
        if thread != 0 {
            self.tell_share();
            return;
        }
        self.record(self.session_time());
        if self.parts.team.is_none() {
            return;
        }
        let recorder = &mut *self.bench.recorder.lock();
        for share in std::mem::take(&mut recorder.others).values() {
            for (site, counts) in &share.sites {
                recorder.ended_sites.entry(*site).or_default().add(*counts);
            }
        }
    }

    /// Looks at the memory by kind.
    pub(in crate::explore::engine) fn note_memory(&self) {
        if self.thread() != 0 {
            self.tell_share();
            return;
        }
        let recorder = &mut *self.bench.recorder.lock();
        let prover = &self.bench.prover;
        let allocated = process_memory::allocated_bytes();
        let others = recorder.others.values();
        let (terms, smt) = others.fold((0, 0), |(terms, smt), other| {
            (terms + other.terms_bytes, smt + other.smt_bytes)
        });
        let terms = terms + self.bench.terms.memory() as u64;
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
        let process = self.bench.prover.child_process();
        process.map_or(0, |process| resident_of(&process.to_string()))
    }

    /// States that came to be in this thread: those of other threads do not count again.
    fn states_made(&self) -> usize {
        self.progress.next_id - self.adopted
    }

    /// What this thread has done in the session.
    fn share(&self, recorder: &Recorder) -> Share {
        let (progress, tally) = (&self.progress, &self.parts.results.tally);
        let counts = Counts::of(&progress.observer, self.states_made());
        let none = Begun::default();
        let begun = recorder.begun.get(&self.thread()).unwrap_or(&none);
        let mut sites = begun.sites_since(&progress.observer);
        let ended = match self.thread() {
            0 => {
                for (site, counts) in &recorder.ended_sites {
                    sites.entry(*site).or_default().add(*counts);
                }
                recorder.ended
            }
            _ => Counts::default(),
        };
        let counts = ended.plus(counts, begun.counts);
        Share {
            counts,
            sites,
            paths: tally.paths,
            silent: tally.paths.silent,
            solver_ended: tally.solver_ended,
            user_errors: tally.user_errors,
            external_errors: tally.external_errors,
            merged: progress.extension_figures().merged.unwrap_or(0),
            states: progress.states.len() as u64,
            solver: self.bench.prover.statistics(),
            terms_bytes: self.bench.terms.memory() as u64,
            smt_bytes: self.smt_bytes(),
        }
    }

    fn record(&self, time: Duration) {
        let events = self.parts.results.events();
        if !events.is_heard() {
            return;
        }
        let recorder = &mut *self.bench.recorder.lock();
        let program = self.bench.executor.program();
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
        let lines = with_lines.then(|| hot_lines(program, &all.sites));
        let StatsRow { klee, homi } = row;
        let sampled = Sampled {
            stats: klee,
            homi,
            lines,
        };
        events.tell(|| Event::Sampled(Box::new(sampled)));
    }
}
