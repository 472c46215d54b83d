//! The loop: ask the policies, choose a state, run it for a turn, until a budget is used up or no
//! state is left; what is shown and recorded between turns.

use super::life::Engine;
use super::pruning::Open;
use super::sampling::{SAMPLE_INTERVAL, Sample};
use super::stats::readings::Readings;
use super::stop::StopReason;
use crate::explore::search::StateId;
use crate::explore::sources::{Next, TurnOver};
use crate::ir::util::clock::Moment;
use crate::machine::exec::{EarlyReason, Executor, Observer};
use crate::native::testcase::WriteError;
use crate::report::{CampaignStatus, Event, RunStatus};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Time between two shares of the statistics that a further thread tells.
const SHARE_INTERVAL: Duration = Duration::from_millis(500);
/// Time between two looks at what is to be shown or recorded; a turn may take a microsecond.
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
            self.meet_team();
            self.checkpoint_if_due();
            if self.run.progress.stopping_bug {
                return Ok(StopReason::ErrorFound);
            }
            if self.schedule.look.take(now, LOOK_INTERVAL) {
                self.show_and_record(now);
            }
            if self.run.bench.terms.made_since_sweep()
                > self.run.bench.tuning.engine.terms_before_sweep
            {
                self.collect_terms();
            }
            self.prune()?;
            let wanted = self.run.before_choice()?;
            self.refresh_distances();
            match wanted {
                Some((source, Next::Turn { state, retraced })) => {
                    self.root_turn(source, state, retraced)?;
                    self.run.extensions_after_turn()?;
                    continue;
                }
                Some((_, Next::Again)) => continue,
                Some((_, Next::Stop)) => return Ok(StopReason::SeedsFollowed),
                Some((_, Next::Search)) | None => {}
            }
            let first = self.run.ask_extensions(|one, run| one.next(run));
            let clock = self.run.clock();
            let Some(id) = first.or_else(|| self.run.progress.searcher.select(clock)) else {
                let refilled = self
                    .run
                    .ask_extensions(|one, run| one.refill(run).then_some(()));
                if refilled.is_some() {
                    continue;
                }
                match self.more_work() {
                    Some(reason) => return Ok(reason),
                    None => continue,
                }
            };
            self.turn(id, false)?;
            self.run.extensions_after_turn()?;
        }
    }

    /// Why the run stops before the next turn, if it does; makes room if memory is short.
    fn reason_to_stop(&mut self) -> Result<Option<StopReason>, WriteError> {
        let tests = self.run.parts.results.tests();
        let spent = self.run.spent_for_budget();
        if let Some(reason) = self.run.spending.budget.check(spent, tests) {
            return Ok(Some(reason));
        }
        if self
            .run
            .spending
            .budget
            .has_enough_runs(|| self.sums().ended)
        {
            return Ok(Some(StopReason::MaxRuns));
        }
        let aim = self.run.parts.config.search.aim.as_ref();
        if aim.is_some_and(|aim| aim.stop) && self.run.progress.coverage.has_reached_aims() {
            return Ok(Some(StopReason::TargetsReached));
        }
        if let Some(why) = misfit(self.run.bench.executor, &self.run.progress.observer, || {
            self.sums().ended
        }) {
            return Ok(Some(StopReason::InputMisfit(why)));
        }
        if self.slice_is_over() {
            return Ok(Some(StopReason::MaxTime));
        }
        if self
            .run
            .bench
            .signals
            .interrupt
            .swap(false, Ordering::Relaxed)
        {
            if self.run.bench.signals.ask_to_stop() {
                return Ok(Some(StopReason::Interrupted));
            }
            // The threads of a team share a watch, others have one each.
            let number = self.run.parts.team.map_or(0, |member| member.number);
            if self.watch.take_memory_reached(number)
                && let Some(reason) = self.relieve_memory()?
            {
                return Ok(Some(reason));
            }
        }
        let team = self.run.parts.team.map(|member| member.team);
        // A team that was stopped knows why.
        let stopped = team.is_some_and(|team| team.is_stopped());
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
        let roots = &self.run.parts.policies.roots;
        let open = Open {
            states: &self.run.progress.states,
            segments: self.run.bench.executor.segments(),
            terms: self.run.bench.terms,
            spared: &|id| roots.iter().any(|root| root.holds(id)),
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
            events.tell(|| Event::Pruned(event.line()));
        }
        result
    }

    /// The turn that a source asked for.
    pub(super) fn root_turn(
        &mut self,
        source: usize,
        state: StateId,
        retraced: bool,
    ) -> Result<(), WriteError> {
        let first_new = self.run.progress.next_id;
        let before = self.run.clock().work;
        self.turn(state, retraced)?;
        let new: Vec<StateId> = (first_new..self.run.progress.next_id)
            .map(StateId::new)
            .collect();
        let over = TurnOver {
            state,
            new: &new,
            work: self.run.clock().work - before,
        };
        self.run.turn_over(source, &over);
        Ok(())
    }

    /// Samples, statistics and how far the run is, where they are due.
    fn show_and_record(&mut self, now: Duration) {
        let thread = self.run.parts.thread();
        // The first thread of a team looks at all of them.
        if self.run.parts.team.is_none() || thread == 0 {
            let mut samples = std::mem::take(&mut self.run.progress.samples);
            samples.take(now, |time| Sample {
                time,
                states: self.sums().states as usize,
                branches: self.run.branches(),
                tests: self.run.parts.results.tests(),
            });
            self.run.progress.samples = samples;
        }
        let shown = self.run.parts.context.start.elapsed();
        if thread != 0 {
            if self.schedule.share.take(shown, SHARE_INTERVAL) {
                self.readings().tell_share();
            }
            return;
        }
        self.readings().record_if_due(shown);
        let events = self.run.parts.results.events();
        if events.is_heard() && self.schedule.status.take(shown, SAMPLE_INTERVAL) {
            let status = self.status(shown);
            self.run
                .parts
                .results
                .events()
                .tell(|| Event::Status(status));
        }
    }

    /// What statistics read.
    pub(super) fn readings(&self) -> Readings<'_> {
        Readings {
            recorder: self.run.bench.recorder,
            thread: self.run.parts.thread(),
            team: self.run.parts.team.map(|member| member.team),
            program: self.run.bench.executor.program(),
            segments: self.run.bench.executor.segments(),
            terms: self.run.bench.terms,
            prover: &*self.run.bench.prover,
            observer: &self.run.progress.observer,
            coverage: &self.run.progress.coverage,
            results: &self.run.parts.results,
            open: self.run.progress.states.len(),
            made: self.run.sharing.made_here(self.run.progress.next_id),
            merged: self.run.progress.extension_figures().merged.unwrap_or(0),
            learned: self.run.sharing.learned(),
            resident: self.watch.resident(),
        }
    }

    /// Computes the distances anew if a heuristic looks at them and they are due.
    #[inline]
    pub(super) fn refresh_distances(&mut self) {
        if self.run.progress.measure.has_distances() {
            let spent = self.run.clock().spent();
            self.run
                .progress
                .refresh_distances(self.run.bench.executor, spent);
        }
    }

    fn status(&self, time: Duration) -> RunStatus {
        let totals = self.run.progress.coverage.totals();
        let (sums, context) = (self.sums(), &self.run.parts.context);
        let threads = self.run.parts.team.map_or(1, |member| member.team.size());
        let possible = time.as_secs_f64().max(1e-3) * threads as f64;
        RunStatus {
            time_s: time.as_secs_f64(),
            instructions: context.earlier_instructions
                + self.run.spending.own_instructions(sums.instructions),
            paths: sums.paths,
            states: sums.states,
            tests: self.run.parts.results.tests(),
            bugs: self.run.parts.results.bug_count() as u64,
            branches: self.run.branches(),
            branches_total: totals.branches_total,
            solver_share: sums.solver_time.as_secs_f64() / possible,
            memory_bytes: self.watch.resident(),
            negated: self.run.parts.config.concolic.as_ref().map(|_| {
                let pending = &self.run.parts.results.tally.pending;
                (pending.possible, pending.refuted)
            }),
            run: (context.campaign_run.as_ref()).map(|run| (run.number, run.policy.to_string())),
            campaign: context.campaign_run.as_ref().map(|run| CampaignStatus {
                budget: run.span.amount(),
                budget_unit: run.span.unit().to_string(),
                pruned: (self.run.pruning.events().last())
                    .map(|event| (event.ratio, event.before as u64, event.after as u64)),
            }),
        }
    }
}

/// What is wrong with the first input, once it is known. So many paths have ended.
fn misfit(
    executor: &Executor<'_>,
    observer: &Observer,
    ended: impl FnOnce() -> u64,
) -> Option<String> {
    let seen = &observer.given;
    if seen.misfit.is_some() {
        return seen.misfit.clone();
    }
    let first = &executor.first_bytes();
    if first.given.is_empty() || ended() == 0 {
        return None;
    }
    first.misfit(seen)
}
