//! The loop: ask the policies, choose a state, run it for a batch, until a budget is used up or no
//! state is left.

use super::life::Engine;
use super::pruning::Open;
use super::stop::StopReason;
use crate::search::StateId;
use crate::sources::{BatchOver, Next};
use homi_ir::util::clock::Moment;
use homi_machine::exec::{EarlyReason, Executor, Observer};
use homi_native::testcase::WriteError;
use homi_report::Event;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Time between two looks at what is to be shown or recorded; a batch may take a microsecond.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

impl Engine<'_, '_> {
    /// Algorithm 1: the loop. Ends with the reason to stop.
    pub(super) fn explore(&mut self) -> Result<StopReason, WriteError> {
        loop {
            let executed = self.run.progress.observer.instructions;
            let interrupted = self.run.bench.signals.interrupt.load(Ordering::Relaxed);
            let tuning = &self.run.bench.tuning.engine;
            let now = self.run.spending.clock.look(executed, tuning, interrupted);
            if let Some(reason) = self.reason_to_stop()? {
                return Ok(reason);
            }
            self.meet_other_threads();
            self.checkpoint_if_due();
            if self.run.progress.stopping_bug {
                return Ok(StopReason::ErrorFound);
            }
            if self.schedule.look.take(now, LOOK_INTERVAL) {
                self.show_and_record(now);
            }
            if self.run.bench.terms.made_since_sweep() > tuning.terms_before_sweep {
                self.collect_terms();
            }
            self.prune()?;
            let wanted = self.run.before_choice()?;
            self.refresh_distances();
            match wanted {
                Some((source, Next::Batch { state, reexecuted })) => {
                    self.source_batch(source, state, reexecuted)?;
                    self.run.extensions_after_batch()?;
                    continue;
                }
                Some((_, Next::Again)) => continue,
                Some((_, Next::Stop)) => return Ok(StopReason::SeedsFollowed),
                Some((_, Next::Search)) | None => {}
            }
            let first = self.run.ask_extensions(|one, run| one.next(run));
            let clock = self.run.clock();
            let Some(id) = first.or_else(|| self.run.progress.searcher.select(clock)) else {
                if self.run.refill_from_extensions() {
                    continue;
                }
                match self.more_work() {
                    Some(reason) => return Ok(reason),
                    None => continue,
                }
            };
            self.batch(id, false)?;
            self.run.extensions_after_batch()?;
        }
    }

    /// Returns why the run stops before the next batch, if it does; frees memory at the limit.
    fn reason_to_stop(&mut self) -> Result<Option<StopReason>, WriteError> {
        let tests = self.run.parts.results.tests();
        let usage = self.run.usage_for_budget();
        let (budget, ended) = (&self.run.spending.budget, || self.sums().ended);
        if let Some(reason) = budget.check(usage, tests) {
            return Ok(Some(reason));
        }
        if budget.has_enough_runs(ended) {
            return Ok(Some(StopReason::MaxRuns));
        }
        let target = self.run.parts.config.search.target.as_ref();
        if target.is_some_and(|target| target.stop)
            && self.run.progress.coverage.has_reached_targets()
        {
            return Ok(Some(StopReason::TargetsReached));
        }
        let (bench, observer) = (&self.run.bench, &self.run.progress.observer);
        if let Some(why) = size_mismatch(bench.executor, observer, ended) {
            return Ok(Some(StopReason::InputSizeMismatch(why)));
        }
        if self.slice_is_over() {
            return Ok(Some(StopReason::MaxTime));
        }
        let signals = &bench.signals;
        if signals.interrupt.swap(false, Ordering::Relaxed) {
            if signals.ask_to_stop() {
                return Ok(Some(StopReason::Interrupted));
            }
            // The threads of a group of threads share a watch, others have one each.
            let number = self
                .run
                .parts
                .shared_exploration
                .map_or(0, |member| member.number);
            if self.watch.take_memory_reached(number)
                && let Some(reason) = self.relieve_memory()?
            {
                return Ok(Some(reason));
            }
        }
        let shared_exploration = self
            .run
            .parts
            .shared_exploration
            .map(|member| member.shared_exploration);
        // A group of threads that was stopped knows why.
        let stopped =
            shared_exploration.is_some_and(|shared_exploration| shared_exploration.is_stopped());
        Ok(stopped.then_some(StopReason::Interrupted))
    }

    /// PRUNE of Algorithm 1, if it is due.
    fn prune(&mut self) -> Result<(), WriteError> {
        if self.run.parts.policies.pruner.is_none() {
            return Ok(());
        }
        let clock = self.run.clock();
        let Some(pruner) = &mut self.run.parts.policies.pruner else {
            return Ok(());
        };
        let before = self.run.progress.states.len();
        if !pruner.is_due(clock, before) {
            return Ok(());
        }
        let started = Moment::now();
        let sources = &self.run.parts.policies.sources;
        let open = Open {
            states: &self.run.progress.states,
            segments: self.run.bench.executor.segments(),
            terms: self.run.bench.terms,
            exempt: &|id| sources.iter().any(|root| root.holds(id)),
            can_return: &|_| false,
        };
        let Some(pruned) = pruner.choose(&open, clock) else {
            return Ok(());
        };
        let choosing = started.elapsed();
        self.run.pruning.begin(&pruned, clock, before, choosing);
        let tests_before = self.run.parts.results.tests();
        let result = self.end_all(&pruned.states, EarlyReason::Pruned);
        let tests = self.run.parts.results.tests() - tests_before;
        if let Some(event) = self.run.pruning.end(tests, started.elapsed() - choosing) {
            let events = self.run.parts.results.events();
            events.emit(|| Event::Pruned(event.line()));
        }
        result
    }

    /// Runs the batch that a source asked for.
    fn source_batch(
        &mut self,
        source: usize,
        state: StateId,
        reexecuted: bool,
    ) -> Result<(), WriteError> {
        let first_new = self.run.progress.next_id;
        let before = self.run.clock().work;
        self.batch(state, reexecuted)?;
        let new: Vec<StateId> = (first_new..self.run.progress.next_id)
            .map(StateId::new)
            .collect();
        let over = BatchOver {
            state,
            new: &new,
            work: self.run.clock().work - before,
        };
        self.run.batch_over(source, &over);
        Ok(())
    }

    /// Updates the distances if a heuristic uses them and they are due.
    #[inline]
    pub(super) fn refresh_distances(&mut self) {
        if self.run.progress.measure.has_distances() {
            let usage = self.run.clock().usage();
            (self.run.progress).refresh_distances(self.run.bench.executor, usage);
        }
    }
}

/// Returns the error in the first input, once it is known. `ended` counts the paths that have
/// ended.
fn size_mismatch(
    executor: &Executor<'_>,
    observer: &Observer,
    ended: impl FnOnce() -> u64,
) -> Option<String> {
    let seen = &observer.given;
    if seen.size_mismatch.is_some() {
        return seen.size_mismatch.clone();
    }
    let first = &executor.first_bytes();
    if first.given.is_empty() || ended() == 0 {
        return None;
    }
    first.size_mismatch(seen)
}
