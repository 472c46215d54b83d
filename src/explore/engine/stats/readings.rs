//! Statistics of one thread's run: its share, rows, memory.
//!
//! Invariant: statistics never change the run.

use super::hot_lines::hot_lines;
use super::record::Recorder;
use super::record::SharedRecorder;
use super::rows::row;
use super::share::Share;
use crate::coverage::Coverage;
use crate::engine::memory::process_memory;
use crate::engine::paths::PathResults;
use crate::engine::solver_session::SolverSession;
use crate::engine::threads::shared_exploration::SharedExploration;
use homi_ir::program::Program;
use homi_ir::util::resident::resident_of;
use homi_machine::exec::{Observer, Segments};
use homi_report::{Event, MemorySummary, Sampled, StatsRow};
use homi_solver::term::Terms;
use std::time::Duration;

/// Rows between two writes of the hot lines.
const ROWS_PER_LINES: u64 = 10;

/// The parts of one thread's run that statistics read.
pub(in crate::engine) struct Readings<'r> {
    pub(in crate::engine) recorder: &'r SharedRecorder,
    pub(in crate::engine) thread: usize,
    pub(in crate::engine) shared_exploration: Option<&'r SharedExploration>,
    pub(in crate::engine) program: &'r Program,
    pub(in crate::engine) segments: &'r Segments,
    pub(in crate::engine) terms: &'r Terms,
    pub(in crate::engine) solver_session: &'r dyn SolverSession,
    pub(in crate::engine) observer: &'r Observer,
    pub(in crate::engine) coverage: &'r Coverage,
    pub(in crate::engine) results: &'r PathResults,
    /// Number of open states.
    pub(in crate::engine) open: usize,
    /// Number of states that were created in this thread.
    pub(in crate::engine) made: usize,
    /// Number of paths that were merged into another one.
    pub(in crate::engine) merged: u64,
    /// Segments whose counters are one too high, because the run did not enter them.
    pub(in crate::engine) learned: &'r [u32],
    /// Resident bytes of all processes.
    pub(in crate::engine) resident: u64,
}

impl Readings<'_> {
    /// Adds the share of a further thread to the recorder.
    pub(in crate::engine) fn report_share(&self) {
        let recorder = &mut *self.recorder.lock();
        let share = self.share(recorder);
        recorder.others.insert(self.thread, share);
    }

    /// Writes a row and the profile of the first thread if they are due; `time` is the session's.
    pub(in crate::engine) fn record_if_due(&self, time: Duration) {
        let has_listeners = self.results.events().has_listeners();
        if has_listeners && self.recorder.lock().is_due(time) {
            self.note_memory();
            self.record(time);
        }
        if let Some(profiling) = self.recorder.lock().profiling() {
            profiling.write_if_due(time, self.observer, self.program, self.segments);
        }
    }

    /// Writes the last row of a run that ends or is suspended, and adds its counts to the
    /// session's. The first thread of a group of threads does so after the others have added their
    /// last share.
    pub(in crate::engine) fn record_end(&self, time: impl FnOnce() -> Duration) {
        if self.thread != 0 && self.shared_exploration.is_some() {
            self.report_share();
            if let Some(profiling) = self.recorder.lock().profiling() {
                profiling.add_thread(self.observer, self.segments, self.learned);
            }
            return;
        }
        if let Some(shared_exploration) = self.shared_exploration {
            shared_exploration.wait_for_others();
        }
        let mut recorder = self.recorder.lock();
        recorder.end(self.thread, self.observer, self.made);
        drop(recorder);
        if self.thread != 0 {
            self.report_share();
            return;
        }
        self.record(time());
        if self.shared_exploration.is_some() {
            self.recorder.lock().end_others();
        }
    }

    /// Measures the memory by kind.
    pub(in crate::engine) fn note_memory(&self) {
        if self.thread != 0 {
            self.report_share();
            return;
        }
        let recorder = &mut *self.recorder.lock();
        let allocated = process_memory::allocated_bytes();
        let others = recorder.others.values();
        let (terms, smt) = others.fold((0, 0), |(terms, smt), other| {
            (terms + other.terms_bytes, smt + other.smt_bytes)
        });
        let terms = terms + self.terms.memory() as u64;
        let cache = self.solver_session.memory() as u64;
        let program = recorder.program_memory.min(allocated);
        recorder.memory = MemorySummary {
            resident_bytes: self.resident,
            smt_bytes: smt + self.smt_bytes(),
            allocated_bytes: allocated,
            program_bytes: program,
            terms_bytes: terms,
            solver_cache_bytes: cache,
            states_bytes: allocated.saturating_sub(program + terms + cache),
        };
    }

    fn smt_bytes(&self) -> u64 {
        let process = self.solver_session.child_process();
        process.map_or(0, |process| resident_of(&process.to_string()))
    }

    /// Returns the share of this thread in the session.
    fn share(&self, recorder: &Recorder) -> Share {
        let tally = &self.results.tally;
        let (counts, sites) = recorder.counted(self.thread, self.observer, self.made);
        Share {
            counts,
            sites,
            paths: tally.paths,
            silent: tally.paths.silent,
            solver_ended: tally.solver_ended,
            user_errors: tally.user_errors,
            external_errors: tally.external_errors,
            merged: self.merged,
            states: self.open as u64,
            solver: self.solver_session.statistics(),
            terms_bytes: self.terms.memory() as u64,
            smt_bytes: self.smt_bytes(),
        }
    }

    /// Reports a row.
    fn record(&self, time: Duration) {
        let events = self.results.events();
        if !events.has_listeners() {
            return;
        }
        let recorder = &mut *self.recorder.lock();
        let mut all = self.share(recorder);
        recorder.others.values().for_each(|other| all.add(other));
        let of = (self.program, self.coverage.totals(), self.results);
        let StatsRow { klee, homi } = row(recorder, time, &all, of);
        recorder.next_row(time);
        let with_lines = recorder.rows % ROWS_PER_LINES == 0 || self.open == 0;
        let lines = with_lines.then(|| hot_lines(self.program, &all.sites));
        let sampled = Sampled {
            stats: klee,
            homi,
            lines,
        };
        events.emit(|| Event::Sampled(Box::new(sampled)));
    }
}
