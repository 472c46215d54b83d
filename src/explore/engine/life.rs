//! An engine: how it begins a run and how it ends it. The loop is in `explore`.
//!
//! Invariant: a run that ends leaves its workbench usable for the next one.

use super::checkpointing::Checkpointing;
use super::clock::Schedule;
use super::cut_off::CutTurns;
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
use super::warm::Warm;
use super::workbench::Workbench;
use crate::explore::sources::{Launch, RootFigures};
use crate::ir::util::clock::Moment;
use crate::machine::exec::{Narrowed, Observer};
use std::sync::Arc;

/// A run in progress, with the loop over it.
pub struct Engine<'r, 'p> {
    pub(super) run: Run<'r, 'p>,
    pub(super) slice: Slice,
    pub(super) schedule: Schedule,
    pub(super) checkpointing: Checkpointing,
    pub(super) watch: Arc<Watch>,
    /// Losses before this slice of the run.
    narrowed_at_start: Narrowed,
    /// Batches that the end of the run has cut off.
    pub(super) cut_turns: CutTurns,
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
        let mut progress = Progress::new(
            bench.executor,
            parts.config,
            &mut parts.policies,
            parts.context.aims.take(),
            observer,
            Some(&launch.state),
        );
        if let Some(earlier) = &parts.context.earlier_coverage {
            progress.know_earlier(earlier);
        }
        let lane = parts.context.lane;
        bench.recorder.lock().begin(lane, &launch.observer, 0);
        let began = Beginning::anew(parts.config, start, progress.observer.instructions);
        let mut engine = Self::assemble(bench, parts, progress, began);
        if let Some(checkpoints) = engine.run.parts.context.checkpoints {
            // This coverage is not new to anyone.
            let (earlier, observer) = (checkpoints.earlier(), &mut engine.run.progress.observer);
            (engine.run.sharing).take_up(&earlier.segments, &earlier.sides, observer);
            let fresh = engine.run.absorb_coverage();
            engine.run.note_covered(&fresh);
        }
        // What the launch covered is this run's credit, as if it had executed it.
        let fresh = engine.run.absorb_coverage();
        engine.refresh_distances();
        engine.run.begin_roots(Some(fresh));
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
        let began = Beginning::anew(parts.config, start, progress.observer.instructions);
        let mut engine = Self::assemble(bench, parts, progress, began);
        engine.refresh_distances();
        engine
    }

    /// An engine at the beginning of a run, or of a slice of one.
    pub(super) fn assemble(
        mut bench: Workbench<'r, 'p>,
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
            &*bench.prover,
        );
        progress.samples.begin_slice();
        let checkpointing = Checkpointing::new(tuning);
        let watch = match parts.team {
            Some(member) => Arc::clone(&member.team.watch),
            None => Arc::new(Watch::start(
                limits,
                vec![Arc::clone(&bench.signals.interrupt)],
            )),
        };
        let narrowed_at_start = progress.observer.narrowed.clone();
        let run = Run {
            spending,
            warm: Warm::default(),
            sharing: Sharing::new(tuning),
            pruning: Pruning::default(),
            new_branches: 0,
            seed_inputs: Vec::new(),
            progress,
            bench,
            parts,
        };
        Self {
            slice: Slice::begin(run.clock().spent()),
            run,
            schedule: Schedule::default(),
            checkpointing,
            watch,
            narrowed_at_start,
            cut_turns: CutTurns::default(),
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

    /// Writes the tests of open states and ends the run. In a team the reason goes to all threads,
    /// and the team keeps it.
    pub(super) fn conclude(mut self, mut reason: StopReason) -> Outcome {
        self.run.spending.end(&mut *self.run.bench.prover);
        self.readings().note_memory();
        self.run.tell_extensions(|one, run| one.end(run));
        let waiting = self.run.parts.policies.waiting();
        let failed = matches!(reason, StopReason::WriteFailed(_));
        if let Some(member) = self.run.parts.team {
            member.team.note_states();
            member.team.stop(reason);
            reason = StopReason::Interrupted;
            while let Some(transfer) = member.team.leftover() {
                self.take_over(transfer);
            }
        }
        if !failed {
            // What is over is no open path.
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
            match self.run.parts.team {
                Some(member) => member.team.stop(error),
                None => reason = error,
            }
        }
        self.outcome(reason).0
    }

    /// How the run (or this slice of it) went, and how far it has come.
    pub(super) fn outcome(self, reason: StopReason) -> (Outcome, Progress) {
        self.run.bench.log.lock().line.clear();
        self.watch.look();
        (self.readings()).record_end(|| self.run.parts.context.start.elapsed());
        let work = self.run.own_work();
        let (progress, spending) = (self.run.progress, self.run.spending);
        let mut roots = RootFigures::default();
        for mut root in self.run.parts.policies.roots {
            root.finish(&mut roots);
        }
        let outcome = Outcome {
            reason,
            totals: progress.coverage.totals(),
            instructions: spending.own_instructions(progress.observer.instructions),
            work,
            states_peak: progress.states_peak as u64,
            memory_peak: self.watch.peak(),
            wall: spending.clock.elapsed(),
            cpu_seconds: process_memory::processor_time().as_secs_f64(),
            limits: met_limits(self.run.bench.executor, &|segment| {
                progress.observer.segment_entries[segment as usize] > 0
            }),
            narrowed: progress.observer.narrowed.since(&self.narrowed_at_start),
            observer: progress.observer.clone(),
            results: self.run.parts.results,
            extras: Extras {
                samples: progress.samples.of_slice(),
                prune_events: self.run.pruning.into_events(),
                roots,
                growth: progress.growth.points(),
                lengths: progress.lengths.clone(),
                extensions: progress.extension_figures(),
            },
        };
        (outcome, progress)
    }
}
