//! A run: what it has in hand, how it begins and how it ends. The loop is in `explore`.
//!
//! Invariant: every state of `states` is known to the searcher, and no other; ids are given in
//! order of creation. With budgets in instructions nothing in here depends on time.

use super::checkpoint::first_checkpoint;
use super::cut_off::CutTurns;
use super::limits::met_limits;
use super::memory::process_memory;
use super::memory::relief::relief_starts;
use super::memory::watch::{Watch, WatchLimits};
use super::parts::{Beginning, Extras, Outcome, Parts, Progress};
use super::pruning::PruneEvent;
use super::stop::{Budget, StopReason};
use super::workbench::Workbench;
use crate::config::Spent;
use crate::explore::search::StateId;
use crate::explore::sources::fuzz::Input;
use crate::explore::sources::{Launch, RootFigures};
use crate::ir::util::clock::Moment;
use crate::machine::exec::{Narrowed, Observer};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// A run under way.
pub struct Engine<'r, 'p> {
    pub(super) bench: Workbench<'r, 'p>,
    pub(super) parts: Parts<'r>,
    pub(super) progress: Progress,
    pub(super) budget: Budget,
    pub(super) watch: Arc<Watch>,
    pub(super) start: Moment,
    /// The state that ran last.
    pub(super) last: Option<StateId>,
    /// States that ran before the last one or were forked lately, oldest first; some may have left
    /// or run again.
    pub(super) warm: VecDeque<StateId>,
    /// Instructions on the clock before the first one of this run.
    pub(super) instructions_at_start: u64,
    /// Work on the clock then.
    pub(super) work_at_start: u64,
    /// What was lost before.
    pub(super) narrowed_at_start: Narrowed,
    /// What was spent when this slice of the run began.
    pub(super) slice_start: Spent,
    /// The first sample that belongs to this slice of the run.
    pub(super) first_sample: usize,
    pub(super) prune_events: Vec<PruneEvent>,
    /// Own sides that this run was the first of the session to cover.
    pub(super) new_branches: u64,
    /// Version of the team's coverage when this thread looked last.
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
    /// When the next event of the run's status is due.
    pub(super) next_status: Duration,
    /// When the next checkpoint is due, and the last one to which the team was called.
    pub(super) next_checkpoint: Duration,
    pub(super) checkpoint_number: u64,
    /// Turns that the end of the run has cut off.
    pub(super) cut_turns: CutTurns,
    /// Inputs of seeds that sources have not been told of yet.
    pub(super) seed_inputs: Vec<Input>,
    /// When the turn began, or one shortly before.
    pub(super) now: Duration,
    /// Turns since the clock was read, and instructions at which it is read next.
    pub(super) turns_without_clock: u32,
    pub(super) next_clock: u64,
    /// When to see next whether something is to be shown or recorded.
    pub(super) next_look: Duration,
}

impl<'r, 'p> Engine<'r, 'p> {
    /// Prepares a run whose first instructions were executed by `launch`; its states come from the
    /// sources among its policies. Time counts from `start`.
    pub fn new(
        bench: Workbench<'r, 'p>,
        mut parts: Parts<'r>,
        launch: &Launch,
        start: Moment,
    ) -> Self {
        let mut observer = launch.observer.clone();
        if let Some(checkpoints) = parts.context.checkpoints {
            observer.narrowed.add(&checkpoints.earlier().narrowed);
        }
        let progress = Progress::new(
            bench.executor,
            parts.config,
            &mut parts.policies,
            parts.context.aims.take(),
            observer,
            Some(&launch.state),
        );
        let lane = parts.context.lane;
        bench.recorder.lock().begin(lane, &launch.observer, 0);
        let mut engine = Self::with(bench, parts, progress, launch.instructions(), start);
        engine.tell_search_of_earlier_runs();
        engine.take_up_earlier();
        // What the launch covered is this run's credit, as if it had executed it.
        let fresh = engine.absorb_coverage();
        engine.refresh_distances();
        engine.begin_roots(Some(fresh));
        engine
    }

    /// Prepares a further thread of a team, which has no state yet. Time counts from `start`, the
    /// start of the run.
    pub fn helper(bench: Workbench<'r, 'p>, mut parts: Parts<'r>, start: Moment) -> Self {
        let entry = bench.executor.program().runtime_entry;
        let entry = entry.unwrap_or(bench.executor.program().entry);
        let observer = Observer::new(bench.executor.segments(), entry);
        let aims = parts.context.aims.take();
        let policies = &mut parts.policies;
        let progress = Progress::new(bench.executor, parts.config, policies, aims, observer, None);
        let mut engine = Self::with(bench, parts, progress, 0, start);
        engine.refresh_distances();
        engine
    }

    fn with(
        bench: Workbench<'r, 'p>,
        parts: Parts<'r>,
        progress: Progress,
        instructions: u64,
        start: Moment,
    ) -> Self {
        let limits = &parts.config.budget;
        let budget = Budget::new(limits, instructions);
        let deadline = budget.time().map(|time| start + time);
        let began = Beginning {
            budget,
            deadline,
            start,
            instructions,
            narrowed: progress.observer.narrowed.clone(),
        };
        Self::assemble(bench, parts, progress, began)
    }

    /// An engine at the beginning of a run, or of a slice of one.
    pub(super) fn assemble(
        mut bench: Workbench<'r, 'p>,
        parts: Parts<'r>,
        progress: Progress,
        began: Beginning,
    ) -> Self {
        let limits = WatchLimits {
            deadline: began.deadline,
            memory: relief_starts(&bench.tuning.engine, parts.config.budget.memory),
        };
        bench.set_deadline(limits.deadline);
        let mut engine = Self {
            budget: began.budget,
            watch: match parts.team {
                Some(member) => Arc::clone(&member.team.watch),
                None => Arc::new(Watch::start(
                    limits,
                    vec![Arc::clone(&bench.signals.interrupt)],
                )),
            },
            start: began.start,
            last: None,
            warm: VecDeque::new(),
            instructions_at_start: began.instructions,
            work_at_start: 0,
            narrowed_at_start: began.narrowed,
            slice_start: Spent::default(),
            first_sample: progress.samples.len(),
            progress,
            prune_events: Vec::new(),
            new_branches: 0,
            coverage_version: 0,
            turns: 0,
            mix_at: bench.tuning.engine.first_mix,
            learned: Vec::new(),
            adopted: 0,
            next_share: Duration::ZERO,
            next_status: Duration::ZERO,
            next_checkpoint: first_checkpoint(&bench.tuning.engine),
            checkpoint_number: 0,
            cut_turns: CutTurns::default(),
            seed_inputs: Vec::new(),
            now: began.start.elapsed(),
            turns_without_clock: 0,
            next_clock: 0,
            next_look: Duration::ZERO,
            bench,
            parts,
        };
        engine.start_work();
        engine.slice_start = engine.clock().spent();
        engine
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

    /// Writes the tests of open states and ends the run. In a team the reason goes to all threads,
    /// and the team keeps it.
    pub(super) fn conclude(mut self, mut reason: StopReason) -> Outcome {
        self.stop_work();
        self.note_memory();
        self.tell_extensions(|one, run| one.end(run));
        let waiting = self.swapped_out();
        let failed = matches!(reason, StopReason::WriteFailed(_));
        if let Some(member) = self.parts.team {
            member.team.note_states();
            member.team.stop(reason);
            reason = StopReason::Interrupted;
            while let Some(transfer) = member.team.leftover() {
                self.adopt(transfer);
            }
        }
        if !failed {
            // What is over is no open path.
            match self.end_bugs() {
                Ok(()) => self.checkpoint_at_end(),
                Err(error) => reason = StopReason::WriteFailed(error),
            }
        }
        self.parts.results.tally.count_early(waiting);
        if failed {
            self.note_unwritten();
        } else if let Err(error) = self.finish_open_states() {
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
        self.bench.log.lock().line.clear();
        self.watch.look();
        self.record_end();
        let work = self.own_work();
        let progress = self.progress;
        let mut roots = RootFigures::default();
        for mut root in self.parts.policies.roots {
            root.finish(&mut roots);
        }
        let outcome = Outcome {
            reason,
            totals: progress.coverage.totals(),
            instructions: progress.observer.instructions - self.instructions_at_start,
            work,
            states_peak: progress.states_peak as u64,
            memory_peak: self.watch.peak(),
            wall: self.start.elapsed(),
            cpu_seconds: process_memory::processor_time().as_secs_f64(),
            limits: met_limits(self.bench.executor, &|segment| {
                progress.observer.segment_entries[segment as usize] > 0
            }),
            narrowed: progress.observer.narrowed.since(&self.narrowed_at_start),
            observer: progress.observer.clone(),
            results: self.parts.results,
            extras: Extras {
                samples: progress.samples[self.first_sample..].to_vec(),
                prune_events: self.prune_events,
                roots,
                growth: progress.growth.clone(),
                lengths: progress.lengths.clone(),
                extensions: progress.extension_figures(),
            },
        };
        (outcome, progress)
    }
}
