//! States leave the run: by themselves, because they are given up, or because the run is over; and
//! probes end.
//!
//! Invariant: the searcher forgets a state before its test is written, and a test is written for
//! every state that leaves and deserves one, as long as there is time.

use super::changes::Changes;
use super::halting::{Allowance, HaltClock};
use super::paths::{Departure, Finishing, own_sides};
use super::paths::{tell_bug, warn_of_deep_stack, warn_of_gap};
use super::policies::Hearers;
use super::run::Engine;
use crate::explore::extensions::Leaving;
use crate::explore::search::{Left, StateId};
use crate::explore::sources::fuzz::Input;
use crate::machine::exec::{Bug, EarlyReason, Example, Narrowing, Termination};
use crate::machine::state::State;
use crate::native::testcase::WriteError;
use crate::report::Answer;

impl Engine<'_, '_> {
    /// Takes states out before they end by themselves. One that was only left to show a bug shows
    /// it.
    pub(super) fn end_all(
        &mut self,
        ids: &[StateId],
        reason: EarlyReason,
    ) -> Result<(), WriteError> {
        self.update_search(Changes {
            removed: ids,
            ..Changes::default()
        });
        for id in ids {
            let Some(mut state) = self.progress.states.remove(id) else {
                continue;
            };
            let termination = match state.ending.take() {
                Some(ending) => *ending,
                None => Termination::Early(reason),
            };
            self.leaves(&state, Leaving::GivenUp);
            if !self.is_there(&mut state, &termination, true) {
                continue;
            }
            self.finish(&state, &termination, Departure::default())?;
        }
        Ok(())
    }

    /// Ends the states that were only left to show bugs, before what is open is written down.
    pub(super) fn end_bugs(&mut self) -> Result<(), WriteError> {
        if self.parts.context.checkpoints.is_none() || !self.parts.config.tests.dump_open {
            return Ok(());
        }
        let bugs = self.progress.showing_bugs();
        if bugs.is_empty() {
            return Ok(());
        }
        HaltClock::begin(&mut self.bench, &self.parts.config.budget);
        self.end_all(&bugs, EarlyReason::Interrupted)
    }

    /// Takes a state out of the run and writes its test if it deserves one. `retraced`: its path is
    /// that of an earlier test from which all was learned.
    pub(super) fn end(
        &mut self,
        id: StateId,
        termination: &Termination,
        retraced: bool,
    ) -> Result<(), WriteError> {
        let Some(state) = self.progress.states.remove(&id) else {
            return Ok(());
        };
        let taken = match self.progress.searcher.wants_taken() {
            true => own_sides(&state, &self.progress.coverage),
            false => Vec::new(),
        };
        self.update_search(Changes {
            removed: &[id],
            left: Some(Left::Ended(id)),
            taken: &taken,
            ..Changes::default()
        });
        let departure = Departure {
            retraced,
            ..Departure::default()
        };
        if self.parts.config.concolic.is_some() {
            self.progress.lengths.note(state.metrics.instructions);
        }
        let finished = self.finish(&state, termination, departure);
        self.leaves(&state, Leaving::Ended(termination));
        finished
    }

    /// Whether a state that leaves before its end has a path. The side of a pending one is asked
    /// for if its test would be written and there is time (`is_asked`); else nobody knows, which is
    /// counted, and lost.
    pub(super) fn is_there(
        &mut self,
        state: &mut State,
        termination: &Termination,
        is_asked: bool,
    ) -> bool {
        if state.awaits.is_none() {
            return true;
        }
        let wanted = is_asked && {
            let executor = self.bench.executor;
            let side = executor.awaited_side(state);
            let new_side = side.filter(|side| self.progress.is_new_side(*side));
            (self.parts).would_show(state, termination, executor, new_side)
        };
        if !wanted && !state.is_unasked() {
            // It has a path, which nobody wants to see.
            return true;
        }
        if !wanted {
            self.parts.results.tally.pending.note(Answer::Unasked);
            if let Some((kind, example)) = termination.narrowing() {
                self.note_lost(state, kind, example);
            }
            return false;
        }
        self.settle(state).is_ok()
    }

    /// A path has come to its end. Should the time of the run be over by now, its test is made with
    /// care all the same, since no later session comes to it.
    pub(super) fn take_time_for_test(&mut self) {
        let limit = self
            .parts
            .context
            .checkpoints
            .and(self.spending.budget.time());
        if limit.is_some_and(|limit| self.spending.clock.elapsed() >= limit) {
            HaltClock::begin(&mut self.bench, &self.parts.config.budget);
        }
    }

    /// The run loses something where a state stands.
    pub(super) fn note_lost(&mut self, state: &State, kind: Narrowing, example: Example) {
        let (function, pc) = self.bench.executor.place(state);
        let at = (kind, function, pc);
        self.progress.observer.narrowed.note(at, || example);
    }

    /// Counts a path that has left, and writes its test if it deserves one.
    pub(super) fn finish(
        &mut self,
        state: &State,
        termination: &Termination,
        departure: Departure,
    ) -> Result<(), WriteError> {
        let in_klees_words;
        let termination = match self.parts.config.dialect.renames_endings() {
            true => {
                in_klees_words = termination.in_klees_words();
                &in_klees_words
            }
            false => termination,
        };
        warn_of_deep_stack(self.bench.log, self.parts.config, termination);
        if departure.leaves_the_run()
            && let Some((kind, example)) = termination.narrowing()
        {
            self.note_lost(state, kind, example);
        }
        let work = self.own_work();
        let tails = self.parts.results.tally.tail_instructions;
        let writing = (self.spending).begin_writing(tails, &mut *self.bench.prover);
        let progress = &mut self.progress;
        let policies = &mut self.parts.policies;
        let mut hearers = Hearers {
            listeners: &mut policies.listeners,
            pruner: policies.pruner.as_deref_mut(),
        };
        let mut run = Finishing {
            executor: self.bench.executor,
            terms: self.bench.terms,
            coverage: &progress.coverage,
            prover: &mut *self.bench.prover,
            host: self.bench.host,
            call_paths: progress.observer.call_paths.len(),
            tails: &mut progress.tails,
            selector: &mut *policies.selector,
            listener: &mut hearers,
            prune_events: self.pruning.events().len(),
            work,
        };
        let result = (self.parts.results).finish(state, termination, departure, &mut run);
        let tails = self.parts.results.tally.tail_instructions;
        if (self.spending).end_writing(writing, tails, &*self.bench.prover) {
            self.limit_solver_work(self.spent_for_budget());
        }
        let finished = match result {
            Ok(finished) => finished,
            Err(error) => {
                self.note_lost(state, Narrowing::Test, Example::note(error.to_string()));
                return Err(error);
            }
        };
        if self.parts.config.concolic.is_some() {
            let (ended, branches) = (self.parts.results.tally.ended, self.branches());
            self.progress.growth.note(ended, branches);
        }
        if finished.test.is_some() && !self.parts.policies.roots.is_empty() {
            self.parts
                .policies
                .note_input(&Input::new(&state.symbolics, &state.model), false);
        }
        if let Termination::Bug(bug) = termination {
            if finished.new_bug {
                self.note_new_bug(state, bug);
            }
            let (log, program) = (self.bench.log, self.bench.executor.program());
            tell_bug(log, self.parts.config, program, bug, &finished);
        }
        if let Termination::Gap(gap) = termination
            && !departure.probe
        {
            let kinds = self.parts.results.tally.gap_kinds();
            warn_of_gap(self.bench.log, self.bench.executor.program(), gap, kinds);
        }
        Ok(())
    }

    /// A path has ended in a bug that nobody had seen before.
    fn note_new_bug(&mut self, state: &State, bug: &Bug) {
        let budget = &self.parts.config.budget;
        let kinds = &mut budget.exit_on_kinds.iter();
        let is_named = kinds.any(|kind| kind.eq_ignore_ascii_case(bug.kind.name()));
        self.progress.stopping_bug |= budget.exit_on_error || is_named;
        self.tell_extensions(|one, run| one.shows_new(state, run));
    }

    /// The tests of states that are still open cannot be written.
    pub(super) fn note_unwritten(&mut self) {
        let open = std::mem::take(&mut self.progress.states);
        for state in open.values() {
            if self.parts.might_show(state, self.bench.executor) {
                let why = Example::note("no file could be written any more");
                self.note_lost(state, Narrowing::Test, why);
            }
        }
        self.progress.states = open;
    }

    /// Writes the tests of states that are still open. After the halt time they are no longer
    /// polished.
    pub(super) fn finish_open_states(&mut self) -> Result<(), WriteError> {
        let budget = &self.parts.config.budget;
        let mut clock = HaltClock::begin(&mut self.bench, budget);
        let mut dropped = 0_u64;
        let mut open = std::mem::take(&mut self.progress.states);
        // Those that show something come first, in case time or disk run out.
        let (first, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut open)
            .into_iter()
            .partition(|(_, state)| state.metrics.covered_new || state.ending.is_some());
        let mut left = first.into_iter().chain(rest);
        while let Some((_, mut state)) = left.next() {
            let termination = match state.ending.take() {
                Some(ending) => *ending,
                None => Termination::Early(EarlyReason::Interrupted),
            };
            if !self.parts.config.tests.dump_open {
                match state.is_unasked() {
                    true => self.parts.results.tally.pending.note(Answer::Unasked),
                    false => self.parts.results.tally.count_early(1),
                }
                continue;
            }
            let allowance = clock.look(&mut self.bench, budget);
            if allowance == Allowance::Nothing {
                self.parts.results.tally.count_early(1);
                if (self.parts).may_want(&state, &termination, self.bench.executor) {
                    dropped += 1;
                    let why = Example::note("the time for it was over");
                    self.note_lost(&state, Narrowing::Test, why);
                }
                continue;
            }
            let is_asked = allowance == Allowance::Full;
            if !self.is_there(&mut state, &termination, is_asked) {
                continue;
            }
            let departure = Departure {
                hurry: allowance == Allowance::Hurry,
                ..Departure::default()
            };
            if let Err(error) = self.finish(&state, &termination, departure) {
                self.progress.states.extend(left);
                self.note_unwritten();
                return Err(error);
            }
        }
        if dropped > 0 {
            let text = format!(
                "{dropped} tests of open states were not written: the time for them (--halt-time) is over"
            );
            self.bench.log.lock().warning_once("halt time", &text);
        }
        Ok(())
    }
}
