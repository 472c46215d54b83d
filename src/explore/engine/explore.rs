//! The loop: ask the policies, choose a state, run it for a turn, until a budget is used up or no
//! state is left; what is shown and recorded between turns.

use super::pruning::Open;
use super::run::Engine;
use super::sampling::{SAMPLE_INTERVAL, Sample};
use super::stats::readings::Readings;
use super::stop::StopReason;
use crate::config::Spent;
use crate::explore::search::Clock;
use crate::explore::sources::Next;
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
            let executed = self.progress.observer.instructions;
            let interrupted = self.bench.signals.interrupt.load(Ordering::Relaxed);
            let tuning = &self.bench.tuning.engine;
            let now = self.spending.clock.look(executed, tuning, interrupted);
            if let Some(reason) = self.reason_to_stop()? {
                return Ok(reason);
            }
            self.meet_team();
            self.checkpoint_if_due();
            if self.progress.stopping_bug {
                return Ok(StopReason::ErrorFound);
            }
            if self.schedule.look.take(now, LOOK_INTERVAL) {
                self.show_and_record(now);
            }
            if self.bench.terms.made_since_sweep() > self.bench.tuning.engine.terms_before_sweep {
                self.collect_terms();
            }
            self.prune()?;
            let wanted = self.before_choice()?;
            self.refresh_distances();
            match wanted {
                Some((source, Next::Turn { state, retraced })) => {
                    self.root_turn(source, state, retraced)?;
                    self.extensions_after_turn()?;
                    continue;
                }
                Some((_, Next::Again)) => continue,
                Some((_, Next::Stop)) => return Ok(StopReason::SeedsFollowed),
                Some((_, Next::Search)) | None => {}
            }
            let first = self.ask_extensions(|one, run| one.next(run));
            let clock = self.clock();
            let Some(id) = first.or_else(|| self.progress.searcher.select(clock)) else {
                let refilled = self.ask_extensions(|one, run| one.refill(run).then_some(()));
                if refilled.is_some() {
                    continue;
                }
                match self.more_work() {
                    Some(reason) => return Ok(reason),
                    None => continue,
                }
            };
            self.turn(id, false)?;
            self.extensions_after_turn()?;
        }
    }

    /// Why the run stops before the next turn, if it does; makes room if memory is short.
    fn reason_to_stop(&mut self) -> Result<Option<StopReason>, WriteError> {
        let tests = self.parts.results.tests();
        let spent = self.spent_for_budget();
        if let Some(reason) = self.spending.budget.check(spent, tests) {
            return Ok(Some(reason));
        }
        if self.spending.budget.has_enough_runs(|| self.sums().ended) {
            return Ok(Some(StopReason::MaxRuns));
        }
        let aim = self.parts.config.search.aim.as_ref();
        if aim.is_some_and(|aim| aim.stop) && self.progress.coverage.has_reached_aims() {
            return Ok(Some(StopReason::TargetsReached));
        }
        if let Some(why) = misfit(self.bench.executor, &self.progress.observer, || {
            self.sums().ended
        }) {
            return Ok(Some(StopReason::InputMisfit(why)));
        }
        if self.slice_is_over() {
            return Ok(Some(StopReason::MaxTime));
        }
        if self.bench.signals.interrupt.swap(false, Ordering::Relaxed) {
            if self.bench.signals.ask_to_stop() {
                return Ok(Some(StopReason::Interrupted));
            }
            // The threads of a team share a watch, others have one each.
            let number = self.parts.team.map_or(0, |member| member.number);
            if self.watch.take_memory_reached(number)
                && let Some(reason) = self.relieve_memory()?
            {
                return Ok(Some(reason));
            }
        }
        let team = self.parts.team.map(|member| member.team);
        // A team that was stopped knows why.
        let stopped = team.is_some_and(|team| team.is_stopped());
        Ok(stopped.then_some(StopReason::Interrupted))
    }

    /// PRUNE of Algorithm 1, if it is due.
    fn prune(&mut self) -> Result<(), WriteError> {
        if self.parts.policies.pruner.is_none() {
            return Ok(());
        }
        let clock = self.clock();
        let Some(pruner) = &mut self.parts.policies.pruner else {
            return Ok(());
        };
        let before = self.progress.states.len();
        if !pruner.is_due(clock, before) {
            return Ok(());
        }
        let started = Moment::now();
        let roots = &self.parts.policies.roots;
        let open = Open {
            states: &self.progress.states,
            segments: self.bench.executor.segments(),
            terms: self.bench.terms,
            spared: &|id| roots.iter().any(|root| root.holds(id)),
            can_return: &|_| false,
        };
        let Some(pruned) = pruner.choose(&open, clock) else {
            return Ok(());
        };
        let choosing = started.elapsed();
        self.pruning.begin(&pruned, clock, before, choosing);
        let tests_before = self.parts.results.tests();
        let result = self.end_all(&pruned.states, EarlyReason::Pruned);
        let tests = self.parts.results.tests() - tests_before;
        if let Some(event) = self.pruning.end(tests, started.elapsed() - choosing) {
            let events = self.parts.results.events();
            events.tell(|| Event::Pruned(event.line()));
        }
        result
    }

    /// Samples, statistics and how far the run is, where they are due.
    fn show_and_record(&mut self, now: Duration) {
        let thread = self.parts.thread();
        // The first thread of a team looks at all of them.
        if self.parts.team.is_none() || thread == 0 {
            let mut samples = std::mem::take(&mut self.progress.samples);
            samples.take(now, |time| Sample {
                time,
                states: self.sums().states as usize,
                branches: self.branches(),
                tests: self.parts.results.tests(),
            });
            self.progress.samples = samples;
        }
        let shown = self.parts.context.start.elapsed();
        if thread != 0 {
            if self.schedule.share.take(shown, SHARE_INTERVAL) {
                self.readings().tell_share();
            }
            return;
        }
        self.readings().record_if_due(shown);
        let events = self.parts.results.events();
        if events.is_heard() && self.schedule.status.take(shown, SAMPLE_INTERVAL) {
            let status = self.status(shown);
            self.parts.results.events().tell(|| Event::Status(status));
        }
    }

    /// What statistics read.
    pub(super) fn readings(&self) -> Readings<'_> {
        Readings {
            recorder: self.bench.recorder,
            thread: self.parts.thread(),
            team: self.parts.team.map(|member| member.team),
            program: self.bench.executor.program(),
            segments: self.bench.executor.segments(),
            terms: self.bench.terms,
            prover: &*self.bench.prover,
            observer: &self.progress.observer,
            coverage: &self.progress.coverage,
            results: &self.parts.results,
            open: self.progress.states.len(),
            made: self.sharing.made_here(self.progress.next_id),
            merged: self.progress.extension_figures().merged.unwrap_or(0),
            learned: self.sharing.learned(),
            resident: self.watch.resident(),
        }
    }

    /// Work of this run, or of this slice of it, in this thread.
    pub(super) fn own_work(&self) -> u64 {
        let instructions = self.progress.observer.instructions;
        self.spending.own_work(instructions, &*self.bench.prover)
    }

    /// Time, instructions and work that count against the budget, the last two of all threads;
    /// work is 0 if none does. Time is that of the last look at the clock.
    #[inline(always)]
    pub(super) fn spent_for_budget(&self) -> Spent {
        let team = self.parts.team.map(|member| member.team);
        let instructions = self.progress.observer.instructions;
        (self.spending).against_budget(instructions, &*self.bench.prover, team)
    }

    /// The turn that begins must not keep the solver busy for longer than the budget allows.
    pub(super) fn limit_solver_work(&mut self, spent: Spent) {
        self.spending.limit_solver(spent, &mut *self.bench.prover);
    }

    pub(super) fn clock(&self) -> Clock {
        let instructions = self.progress.observer.instructions;
        Clock {
            instructions,
            work: instructions + self.progress.measure.solver_work(),
            counted: self.spending.work(instructions, &*self.bench.prover),
            time: self.spending.clock.now(),
        }
    }

    /// Computes the distances anew if a heuristic looks at them and they are due.
    #[inline]
    pub(super) fn refresh_distances(&mut self) {
        if self.progress.measure.has_distances() {
            let spent = self.clock().spent();
            self.progress.refresh_distances(self.bench.executor, spent);
        }
    }

    /// Own branch sides covered so far, by earlier runs of the session too.
    pub(super) fn branches(&self) -> u64 {
        match &self.parts.context.earlier_coverage {
            Some(earlier) => earlier.branches + self.new_branches,
            None => self.progress.coverage.totals().branches,
        }
    }

    fn status(&self, time: Duration) -> RunStatus {
        let totals = self.progress.coverage.totals();
        let (sums, context) = (self.sums(), &self.parts.context);
        let threads = self.parts.team.map_or(1, |member| member.team.size());
        let possible = time.as_secs_f64().max(1e-3) * threads as f64;
        RunStatus {
            time_s: time.as_secs_f64(),
            instructions: context.earlier_instructions
                + self.spending.own_instructions(sums.instructions),
            paths: sums.paths,
            states: sums.states,
            tests: self.parts.results.tests(),
            bugs: self.parts.results.bug_count() as u64,
            branches: self.branches(),
            branches_total: totals.branches_total,
            solver_share: sums.solver_time.as_secs_f64() / possible,
            memory_bytes: self.watch.resident(),
            negated: self.parts.config.concolic.as_ref().map(|_| {
                let pending = &self.parts.results.tally.pending;
                (pending.possible, pending.refuted)
            }),
            run: (context.campaign_run.as_ref()).map(|run| (run.number, run.policy.to_string())),
            campaign: context.campaign_run.as_ref().map(|run| CampaignStatus {
                budget: run.span.amount(),
                budget_unit: run.span.unit().to_string(),
                pruned: (self.pruning.events().last())
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
