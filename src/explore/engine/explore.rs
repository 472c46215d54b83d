//! The loop: ask the policies, choose a state, run it for a turn, until a budget is used up or no
//! state is left; what is shown and recorded between turns.

use super::parts::Sample;
use super::run::Engine;
use super::stop::StopReason;
use crate::explore::search::Clock;
use crate::explore::sources::Next;
use crate::native::testcase::WriteError;
use crate::report::{CampaignStatus, Event, RunStatus};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How often the number of states is noted.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two looks at what is to be shown or recorded; a turn may take a microsecond.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

impl Engine<'_, '_> {
    /// Algorithm 1: the loop. Ends with the reason to stop.
    pub(super) fn explore(&mut self) -> Result<StopReason, WriteError> {
        loop {
            let now = self.look_at_clock();
            if let Some(reason) = self.reason_to_stop()? {
                return Ok(reason);
            }
            self.meet_team();
            self.checkpoint_if_due();
            if self.progress.stopping_bug {
                return Ok(StopReason::ErrorFound);
            }
            if now >= self.next_look {
                self.next_look = now + LOOK_INTERVAL;
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
        if let Some(reason) = self.budget.check(spent, tests) {
            return Ok(Some(reason));
        }
        if self.budget.has_enough_runs(|| self.sums().ended) {
            return Ok(Some(StopReason::MaxRuns));
        }
        if self.stops_at_aims() {
            return Ok(Some(StopReason::TargetsReached));
        }
        if let Some(why) = self.misfit() {
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

    /// Whether all lines that the run was to reach are reached, and that ends it.
    fn stops_at_aims(&self) -> bool {
        let aim = self.parts.config.search.aim.as_ref();
        aim.is_some_and(|aim| aim.stop) && self.progress.coverage.has_reached_aims()
    }

    /// What is wrong with the first input, once it is known.
    fn misfit(&self) -> Option<String> {
        let seen = &self.progress.observer.given;
        if seen.misfit.is_some() {
            return seen.misfit.clone();
        }
        let first = &self.bench.executor.first_bytes();
        if first.given.is_empty() || self.sums().ended == 0 {
            return None;
        }
        first.misfit(seen)
    }

    /// The time when a turn begins. As long as turns are of a few instructions, only some of them
    /// look, which takes a tenth of the shortest ones. Who waits for a limit sets the interrupt,
    /// after which the next turn looks.
    fn look_at_clock(&mut self) -> Duration {
        let executed = self.progress.observer.instructions;
        let tuning = &self.bench.tuning.engine;
        let skip = self.turns_without_clock < tuning.turns_without_clock
            && executed < self.next_clock
            && !self.bench.signals.interrupt.load(Ordering::Relaxed);
        if skip {
            self.turns_without_clock += 1;
        } else {
            self.turns_without_clock = 0;
            self.next_clock = executed + tuning.instructions_without_clock;
            self.now = self.start.elapsed();
        }
        self.now
    }

    /// Samples, statistics and how far the run is, where they are due.
    fn show_and_record(&mut self, now: Duration) {
        self.take_samples(now);
        let shown = self.session_time();
        self.record_if_due(shown);
        self.tell_status(shown);
    }

    /// Tells how far the run is, if that is due.
    fn tell_status(&mut self, time: Duration) {
        let events = self.parts.results.events();
        if self.thread() != 0 || time < self.next_status || !events.is_heard() {
            return;
        }
        self.next_status = time + SAMPLE_INTERVAL;
        let status = self.status(time);
        self.parts.results.events().tell(|| Event::Status(status));
    }

    /// Lines that earlier runs reached are no aims any more; and searches take for covered what
    /// earlier runs covered, if they are to.
    pub(super) fn tell_search_of_earlier_runs(&mut self) {
        let Some(earlier) = self.parts.context.earlier_coverage else {
            return;
        };
        let coverage = &mut self.progress.coverage;
        coverage.reach_aims(earlier.segments);
        if earlier.known_to_searches {
            coverage.set_known(earlier.segments.clone(), earlier.sides.clone());
            self.progress.measure.forget_update();
        }
    }

    pub(super) fn clock(&self) -> Clock {
        let instructions = self.progress.observer.instructions;
        Clock {
            instructions,
            work: instructions + self.progress.measure.solver_work(),
            counted: self.work(),
            time: self.now,
        }
    }

    /// Computes the distances anew if a heuristic looks at them and they are due.
    #[inline]
    pub(super) fn refresh_distances(&mut self) {
        if self.progress.measure.has_distances() {
            self.refresh_due_distances();
        }
    }

    fn refresh_due_distances(&mut self) {
        let spent = self.clock().spent();
        let executor = self.bench.executor;
        if self.progress.measure.refresh(
            executor,
            &self.progress.observer,
            &self.progress.coverage,
            spent,
        ) {
            let (measure, states, observer) = (
                &mut self.progress.measure,
                &self.progress.states,
                &self.progress.observer,
            );
            self.progress
                .searcher
                .reweigh(&mut |id| Some(measure.of(states.get(&id)?, executor, observer)));
        }
    }

    /// Notes the number of states for every second that has passed.
    fn take_samples(&mut self, now: Duration) {
        // The first thread of a team looks at all of them.
        if self.parts.team.is_some_and(|member| member.number != 0) {
            return;
        }
        while now >= SAMPLE_INTERVAL * (self.progress.samples.len() as u32 + 1) {
            let sample = Sample {
                time: SAMPLE_INTERVAL * (self.progress.samples.len() as u32 + 1),
                states: self.sums().states as usize,
                branches: self.branches(),
                tests: self.parts.results.tests(),
            };
            self.progress.samples.push(sample);
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
            instructions: context.earlier_instructions + sums.instructions
                - self.instructions_at_start,
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
                pruned: (self.prune_events.last())
                    .map(|event| (event.ratio, event.before as u64, event.after as u64)),
            }),
        }
    }
}
