//! An engine: how it begins a run and how it ends it. The loop is in `explore`.
//!
//! Invariant: a run that ends leaves its workbench usable for the next one.

use super::cached::CachedStates;
use super::checkpointing::Checkpointing;
use super::clock::Schedule;
use super::cut_off::CutBatches;
use super::engine_context::EngineContext;
use super::limits::met_limits;
use super::memory::process_memory;
use super::memory::watch::{Watch, WatchLimits};
use super::outcome::{Extras, Outcome};
use super::parts::{Beginning, Parts, Progress};
use super::pruning::Pruning;
use super::run::Run;
use super::spending::{Slice, Spending};
use super::stop::StopReason;
use super::threads::sharing::Sharing;
use crate::sources::{EntryState, SourceStatistics};
use homi_ir::util::clock::Moment;
use homi_machine::exec::{Observer, Underapproximations};
use std::sync::Arc;

/// A run in progress, with the loop over it.
pub struct Engine<'r, 'p> {
    pub(super) run: Run<'r, 'p>,
    pub(super) slice: Slice,
    pub(super) schedule: Schedule,
    pub(super) checkpointing: Checkpointing,
    pub(super) watch: Arc<Watch>,
    /// Losses before this slice of the run.
    underapproximations_at_start: Underapproximations,
    /// Batches that the end of the run has cut off.
    pub(super) cut_batches: CutBatches,
}

impl<'r, 'p> Engine<'r, 'p> {
    /// Prepares a run whose first instructions were executed by `entry_state`; its states come from
    /// the sources among its policies. Time counts from `start`.
    pub fn new(
        bench: EngineContext<'r, 'p>,
        mut parts: Parts<'r>,
        entry_state: &EntryState,
        start: Moment,
    ) -> Self {
        let mut observer = entry_state.observer.clone();
        if let Some(checkpoints) = parts.context.checkpoints {
            observer
                .underapproximations
                .add(&checkpoints.earlier().underapproximations);
        }
        let mut progress = Progress::new(
            bench.executor,
            parts.config,
            &mut parts.policies,
            parts.context.targets.take(),
            observer,
            Some(&entry_state.state),
        );
        if let Some(earlier) = &parts.context.earlier_coverage {
            progress.know_earlier(earlier);
        }
        let worker = parts.context.worker;
        bench
            .recorder
            .lock()
            .begin(worker, &entry_state.observer, 0);
        let began = Beginning::anew(parts.config, start, progress.observer.instructions);
        let mut engine = Self::assemble(bench, parts, progress, began);
        if let Some(checkpoints) = engine.run.parts.context.checkpoints {
            // This coverage is not new to anyone.
            let (earlier, observer) = (checkpoints.earlier(), &mut engine.run.progress.observer);
            (engine.run.sharing).take_up(&earlier.segments, &earlier.sides, observer);
            let fresh = engine.run.absorb_coverage();
            engine.run.note_covered(&fresh);
        }
        // The entry state's coverage counts for this run, as if it had executed that code.
        let fresh = engine.run.absorb_coverage();
        engine.refresh_distances();
        engine.run.begin_sources(Some(fresh));
        engine
    }

    /// Prepares a further thread of a group of threads, which has no state yet. Time counts from
    /// `start`, the start of the run.
    pub fn helper(bench: EngineContext<'r, 'p>, mut parts: Parts<'r>, start: Moment) -> Self {
        let entry = bench.executor.program().runtime_entry;
        let entry = entry.unwrap_or(bench.executor.program().entry);
        let observer = Observer::new(bench.executor.segments(), entry);
        let targets = parts.context.targets.take();
        let policies = &mut parts.policies;
        let progress = Progress::new(
            bench.executor,
            parts.config,
            policies,
            targets,
            observer,
            None,
        );
        let began = Beginning::anew(parts.config, start, progress.observer.instructions);
        let mut engine = Self::assemble(bench, parts, progress, began);
        engine.refresh_distances();
        engine
    }

    /// An engine at the beginning of a run, or of a slice of one.
    pub(super) fn assemble(
        mut bench: EngineContext<'r, 'p>,
        parts: Parts<'r>,
        mut progress: Progress,
        began: Beginning,
    ) -> Self {
        let limits = WatchLimits {
            deadline: began.deadline,
            memory: (bench.tuning.engine).short_memory(parts.config.budget.memory),
        };
        bench.set_deadline(limits.deadline);
        let tuning = &bench.tuning.engine;
        let instructions = progress.observer.instructions;
        let spending = Spending::begin(
            began.budget,
            began.start,
            instructions,
            began.work,
            &*bench.solver_session,
        );
        progress.samples.begin_slice();
        let checkpointing = Checkpointing::new(tuning);
        let watch = match parts.shared_exploration {
            Some(member) => Arc::clone(&member.shared_exploration.watch),
            None => Arc::new(Watch::start(
                limits,
                vec![Arc::clone(&bench.signals.interrupt)],
            )),
        };
        let underapproximations_at_start = progress.observer.underapproximations.clone();
        let run = Run {
            spending,
            cached: CachedStates::default(),
            sharing: Sharing::new(tuning),
            pruning: Pruning::default(),
            new_branches: 0,
            seed_inputs: Vec::new(),
            longer_inputs: Vec::new(),
            progress,
            bench,
            parts,
        };
        Self {
            slice: Slice::begin(run.clock().usage()),
            run,
            schedule: Schedule::default(),
            checkpointing,
            watch,
            underapproximations_at_start,
            cut_batches: CutBatches::default(),
        }
    }

    /// The lines of the `info` file about the search.
    pub fn describe_search(&self) -> String {
        self.run.progress.searcher.describe()
    }

    /// Runs until something says stop, then writes the tests of open states.
    pub fn run(mut self) -> Outcome {
        let reason = match self.explore() {
            Ok(reason) => reason,
            Err(error) => StopReason::WriteFailed(error),
        };
        self.conclude(reason)
    }

    /// Writes the tests of open states and ends the run. In a group of threads the reason goes to
    /// all threads, and the group of threads keeps it.
    pub(super) fn conclude(mut self, mut reason: StopReason) -> Outcome {
        self.run.spending.end(&mut *self.run.bench.solver_session);
        self.readings().note_memory();
        self.run.notify_extensions(|one, run| one.end(run));
        let waiting = self.run.parts.policies.waiting();
        let failed = matches!(reason, StopReason::WriteFailed(_));
        if let Some(member) = self.run.parts.shared_exploration {
            member.shared_exploration.note_states();
            member.shared_exploration.stop(reason);
            reason = StopReason::Interrupted;
            while let Some(transfer) = member.shared_exploration.leftover() {
                self.take_over(transfer);
            }
        }
        if !failed {
            // A path that is over is not open.
            match self.end_bugs() {
                Ok(()) => self.checkpoint_at_end(),
                Err(error) => reason = StopReason::WriteFailed(error),
            }
        }
        self.run.parts.results.tally.count_early(waiting);
        if failed {
            self.note_unwritten();
        } else if let Err(error) = self.finish_open_states() {
            let error = StopReason::WriteFailed(error);
            match self.run.parts.shared_exploration {
                Some(member) => member.shared_exploration.stop(error),
                None => reason = error,
            }
        }
        self.outcome(reason).0
    }

    /// Returns the outcome of the run (or of this slice), and its progress.
    pub(super) fn outcome(self, reason: StopReason) -> (Outcome, Progress) {
        self.run.bench.log.lock().line.clear();
        self.watch.look();
        (self.readings()).record_end(|| self.run.parts.context.start.elapsed());
        let work = self.run.work_of_slice();
        let (progress, spending) = (self.run.progress, self.run.spending);
        let mut sources = SourceStatistics::default();
        for mut root in self.run.parts.policies.sources {
            root.finish(&mut sources);
        }
        let outcome = Outcome {
            reason,
            totals: progress.coverage.totals(),
            instructions: spending.instructions_of_slice(progress.observer.instructions),
            work,
            states_peak: progress.states_peak as u64,
            memory_peak: self.watch.peak(),
            wall: spending.clock.elapsed(),
            cpu_seconds: process_memory::cpu_time().as_secs_f64(),
            limits: met_limits(self.run.bench.executor, &|segment| {
                let observer = &progress.observer;
                observer.segment_entries[segment as usize] > 0
                    || observer.proofs.segments.contains(&segment)
            }),
            underapproximations: progress
                .observer
                .underapproximations
                .since(&self.underapproximations_at_start),
            observer: progress.observer.clone(),
            results: self.run.parts.results,
            extras: Extras {
                samples: progress.samples.of_slice(),
                prune_events: self.run.pruning.into_events(),
                sources,
                growth: progress.growth.points(),
                lengths: progress.lengths.clone(),
                extensions: progress.extension_statistics(),
            },
        };
        (outcome, progress)
    }
}
