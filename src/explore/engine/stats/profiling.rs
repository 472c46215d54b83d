//! The profile of the program while it is being made: `run.istats` and the flame graphs.
//!
//! Invariant: it counts what the session's runs did, each from the counts with which it began; what
//! other threads executed first counts in their profile only.

use super::profile::Profile;
use homi_ir::program::{FuncId, Program};
use homi_ir::util::clock::Moment;
use homi_machine::exec::{Observer, Segments};
use homi_machine::state::CallPathId;
use homi_report::{DirectoryError, OutputDirectory, callgrind, flamegraph};
use std::collections::BTreeMap;
use std::time::Duration;

/// Interval at which the profile is written during the run.
const PROFILE_INTERVAL: Duration = Duration::from_secs(10);

/// The profile under way.
pub(in crate::engine) struct Profiling {
    /// The profile of the runs that are over.
    ended: Profile,
    /// Counts with which each thread's present run began.
    began: BTreeMap<usize, Observer>,
    next: Duration,
    directory: OutputDirectory,
    command: String,
}

impl Profiling {
    pub(in crate::engine) fn new(
        directory: OutputDirectory,
        command: &str,
        segments: &Segments,
        entry: FuncId,
    ) -> Self {
        Self {
            ended: Profile::new(segments, entry),
            began: BTreeMap::new(),
            next: PROFILE_INTERVAL,
            directory,
            command: command.to_string(),
        }
    }

    /// A thread's run begins with these counts.
    pub(in crate::engine) fn begin(&mut self, thread: usize, observer: &Observer) {
        self.began.insert(thread, observer.clone());
    }

    /// The run that a thread began last is over, or swapped out.
    pub(in crate::engine) fn end(&mut self, thread: usize, observer: &Observer) {
        if let Some(began) = self.began.remove(&thread) {
            self.ended.add(observer, &began);
        }
    }

    /// Adds the counts of another thread of the run when it is over. `learned` is the code that
    /// only others had executed, which its counters have as entered once.
    pub(in crate::engine) fn add_thread(
        &mut self,
        observer: &Observer,
        segments: &Segments,
        learned: &[u32],
    ) {
        let mut start = Observer::new(segments, observer.call_paths.node(CallPathId(0)).function);
        for segment in learned {
            start.segment_entries[*segment as usize] += 1;
        }
        self.ended.add(observer, &start);
    }

    /// The first thread has learned of code that only others had executed, which its counters say
    /// was entered once.
    pub(in crate::engine) fn learn(&mut self, learned: &[u32]) {
        if let Some(began) = self.began.get_mut(&0) {
            for segment in learned {
                began.segment_entries[*segment as usize] += 1;
            }
        }
    }

    /// Writes the profile of the runs that are over.
    pub(in crate::engine) fn write_ended(
        &self,
        program: &Program,
        segments: &Segments,
    ) -> Result<(), DirectoryError> {
        self.write(&self.ended, program, segments)
    }

    /// Writes the profile up to now, if it is time to; `time` is the session's.
    pub(in crate::engine) fn write_if_due(
        &mut self,
        time: Duration,
        observer: &Observer,
        program: &Program,
        segments: &Segments,
    ) {
        if time < self.next {
            return;
        }
        let started = Moment::now();
        // The next one, or the one at the end, may succeed; that one warns.
        let _ = self.write(&self.sum(observer), program, segments);
        // A large profile takes a twentieth of the time at most.
        self.next = time + PROFILE_INTERVAL.max(20 * started.elapsed());
    }

    /// Returns the profile up to now; of the other threads' runs only ended ones count.
    fn sum(&self, observer: &Observer) -> Profile {
        let mut sum = self.ended.clone();
        if let Some(began) = self.began.get(&0) {
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
