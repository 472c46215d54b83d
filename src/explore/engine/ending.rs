//! Removal of states: at their ends, because they are dropped, or because the run is over; and ends
//! of fuzzing runs.
//!
//! Invariant: the searcher forgets a state before its test is written, and a test is written for
//! every removed state that deserves one, as long as there is time.

use super::changes::Changes;
use super::halting::{Allowance, HaltClock};
use super::life::Engine;
use super::paths::{Departure, user_sides};
use crate::extensions::Leaving;
use crate::search::{Left, StateId};
use homi_machine::exec::{EarlyReason, Example, Termination, Underapproximation};
use homi_native::testcase::WriteError;
use homi_report::Answer;

impl Engine<'_, '_> {
    /// Takes states out before they end by themselves. One that was only left to show a bug shows
    /// it.
    pub(super) fn end_all(
        &mut self,
        ids: &[StateId],
        reason: EarlyReason,
    ) -> Result<(), WriteError> {
        self.run.update_search(Changes {
            removed: ids,
            ..Changes::default()
        });
        for id in ids {
            let Some(mut state) = self.run.progress.states.remove(id) else {
                continue;
            };
            let termination = match state.ending.take() {
                Some(ending) => *ending,
                None => Termination::Early(reason),
            };
            self.run.leaves(&state, Leaving::Dropped);
            if !self.run.is_there(&mut state, &termination, true) {
                continue;
            }
            self.run
                .finish(&state, &termination, Departure::default())?;
        }
        Ok(())
    }

    /// Ends the states that were only left to show bugs, before what is open is written down.
    pub(super) fn end_bugs(&mut self) -> Result<(), WriteError> {
        if self.run.parts.context.checkpoints.is_none() || !self.run.parts.config.tests.dump_open {
            return Ok(());
        }
        let bugs = self.run.progress.showing_bugs();
        if bugs.is_empty() {
            return Ok(());
        }
        HaltClock::begin(&mut self.run.bench, &self.run.parts.config.budget);
        self.end_all(&bugs, EarlyReason::Interrupted)
    }

    /// Removes a state from the run and writes its test if it deserves one. `reexecuted` is true if
    /// an earlier test has the same path and everything was learned from it.
    pub(super) fn end(
        &mut self,
        id: StateId,
        termination: &Termination,
        reexecuted: bool,
    ) -> Result<(), WriteError> {
        let Some(state) = self.run.progress.states.remove(&id) else {
            return Ok(());
        };
        let taken = if self.run.progress.searcher.wants_taken() {
            user_sides(&state, &self.run.progress.coverage)
        } else {
            Vec::new()
        };
        self.run.update_search(Changes {
            removed: &[id],
            left: Some(Left::Ended(id)),
            taken: &taken,
            ..Changes::default()
        });
        let departure = Departure {
            reexecuted,
            ..Departure::default()
        };
        if self.run.parts.config.concolic.is_some() {
            self.run.progress.lengths.note(state.metrics.instructions);
        }
        let finished = self.run.finish(&state, termination, departure);
        self.run.leaves(&state, Leaving::Ended(termination));
        finished.map(|_| ())
    }

    /// Reserves time for the test of a path that has ended. If the time of the run is over by now,
    /// its test is made with care nevertheless, since no later session reaches it.
    pub(super) fn take_time_for_test(&mut self) {
        let spending = &self.run.spending;
        let limit = (self.run.parts.context.checkpoints).and(spending.budget.time());
        if limit.is_some_and(|limit| spending.clock.elapsed() >= limit) {
            HaltClock::begin(&mut self.run.bench, &self.run.parts.config.budget);
        }
    }

    /// The tests of states that are still open cannot be written.
    pub(super) fn note_unwritten(&mut self) {
        let open = std::mem::take(&mut self.run.progress.states);
        for state in open.values() {
            if self.run.parts.might_show(state, self.run.bench.executor) {
                let why = Example::note("no file could be written any more");
                self.run.note_dropped(state, Underapproximation::Test, why);
            }
        }
        self.run.progress.states = open;
    }

    /// Writes the tests of states that are still open. After the halt time they are no longer
    /// polished.
    pub(super) fn finish_open_states(&mut self) -> Result<(), WriteError> {
        let budget = &self.run.parts.config.budget;
        let mut clock = HaltClock::begin(&mut self.run.bench, budget);
        let mut dropped = 0_u64;
        let mut open = std::mem::take(&mut self.run.progress.states);
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
            if !self.run.parts.config.tests.dump_open {
                if state.is_unchecked() {
                    self.run.parts.results.tally.pending.note(Answer::Unchecked)
                } else {
                    self.run.parts.results.tally.count_early(1)
                }
                continue;
            }
            let allowance = clock.look(&mut self.run.bench, budget);
            if allowance == Allowance::Nothing {
                self.run.parts.results.tally.count_early(1);
                if (self.run.parts).may_want(&state, &termination, self.run.bench.executor) {
                    dropped += 1;
                    let why = Example::note("the time for it was over");
                    self.run.note_dropped(&state, Underapproximation::Test, why);
                }
                continue;
            }
            let is_asked = allowance == Allowance::Full;
            if !self.run.is_there(&mut state, &termination, is_asked) {
                continue;
            }
            let departure = Departure {
                hurry: allowance == Allowance::Hurry,
                ..Departure::default()
            };
            if let Err(error) = self.run.finish(&state, &termination, departure) {
                self.run.progress.states.extend(left);
                self.note_unwritten();
                return Err(error);
            }
        }
        if dropped > 0 {
            let text = format!(
                "{dropped} tests of open states were not written: the time for them (--halt-time) is over"
            );
            self.run.bench.log.lock().warning_once("halt time", &text);
        }
        Ok(())
    }
}
