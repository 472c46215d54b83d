//! Statistics of the whole session: a row of statistics now and then, the hottest lines at the end.
//!
//! Invariant: it only reads the run. Each run numbers its states from the start and begins with a
//! copy of one observer, so the counts of a run are the difference between its observer's counts
//! now and at its start; the recorder sums these up.

use super::hot_lines::hot_lines;
use super::profiling::Profiling;
use super::share::{Counts, Share, SiteSums};
use crate::coverage::{Coverage, Fresh};
use crate::engine::memory::process_memory;
use homi_ir::program::{BranchId, BranchKind, Program};
use homi_machine::exec::{Observer, Segments};
use homi_machine::state::SideSet;
use homi_report::{DirectoryError, HotLine, MemorySummary, OutputDirectory};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The statistics of a session.
pub struct Recorder {
    /// Zero: only the first and the last row.
    interval: Duration,
    next: Duration,
    pub(super) rows: u64,
    /// Numbers of both sides of each conditional branch of the program's own code.
    pub(super) branches: Vec<(u32, u32)>,
    pub(super) sides: SideSet,
    segments: SideSet,
    pub(super) covered_instructions: u64,
    /// Counts of the runs that are over.
    ended: Counts,
    ended_sites: SiteSums,
    /// Counts with which each thread's present run began, if not zero.
    begun: BTreeMap<usize, Begun>,
    /// Bytes allocated before the first instruction.
    pub(super) program_memory: u64,
    pub(super) memory: MemorySummary,
    profiling: Option<Profiling>,
    /// The further threads' shares, as they last told.
    pub(super) others: BTreeMap<usize, Share>,
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

    /// Counts since then, by site.
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

    /// Locks the recorder. The holder must not lock it again.
    pub fn lock(&self) -> MutexGuard<'_, Recorder> {
        // Statistics that a panicked thread left half done are harmless.
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
            .filter(|sides| coverage.is_user_side(sides.0))
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
    pub(in crate::engine) fn begin(&mut self, thread: usize, observer: &Observer, states: usize) {
        self.begun.insert(thread, Begun::of(observer, states));
        if let Some(profiling) = &mut self.profiling {
            profiling.begin(thread, observer);
        }
    }

    /// The run that a thread began last is over, or swapped out.
    pub(in crate::engine) fn end(&mut self, thread: usize, observer: &Observer, states: usize) {
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
    pub(in crate::engine) fn profiling(&mut self) -> Option<&mut Profiling> {
        self.profiling.as_mut()
    }

    /// Coverage of the run; earlier runs may have it too.
    pub(in crate::engine) fn cover(&mut self, fresh: &Fresh, coverage: &Coverage) {
        for side in &fresh.sides {
            self.sides.insert(*side);
        }
        for segment in &fresh.segments {
            if self.segments.insert(*segment) {
                self.covered_instructions += u64::from(coverage.weight(*segment));
            }
        }
    }

    pub(super) fn is_due(&self, time: Duration) -> bool {
        time >= self.next
    }

    /// Counts a row. The next one is due after the interval.
    pub(super) fn next_row(&mut self, time: Duration) {
        self.next = if self.interval.is_zero() {
            Duration::MAX
        } else {
            time + self.interval
        };
        self.rows += 1;
    }

    /// Returns the counts of a thread in the session, whose current run has this observer and
    /// number of states. Runs that have ended count for the first thread.
    pub(super) fn counted(
        &self,
        thread: usize,
        observer: &Observer,
        states: usize,
    ) -> (Counts, SiteSums) {
        let none = Begun::default();
        let begun = self.begun.get(&thread).unwrap_or(&none);
        let mut sites = begun.sites_since(observer);
        let ended = match thread {
            0 => {
                for (site, counts) in &self.ended_sites {
                    sites.entry(*site).or_default().add(*counts);
                }
                self.ended
            }
            _ => Counts::default(),
        };
        let counts = Counts::of(observer, states);
        (ended.plus(counts, begun.counts), sites)
    }

    /// Adds the last shares of the further threads, which have ended, to the session's counts.
    pub(super) fn end_others(&mut self) {
        for share in std::mem::take(&mut self.others).values() {
            for (site, counts) in &share.sites {
                self.ended_sites.entry(*site).or_default().add(*counts);
            }
        }
    }

    /// Returns the lines with the most forks and with the highest solver cost, by forks, then
    /// queries.
    pub fn hot_lines(&self, program: &Program) -> Vec<HotLine> {
        hot_lines(program, &self.ended_sites)
    }

    /// Writes the profile, if one is made.
    pub fn write_callgrind(
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
