//! States leave the run: by themselves, because they are given up, or because the run is over; and
//! probes end.
//!
//! Invariant: the searcher forgets a state before its test is written, and a test is written for
//! every state that leaves and deserves one, as long as there is time.

use super::halting::Allowance;
use super::paths::{Departure, Finishing};
use super::policies::Hearers;
use super::run::Engine;
use crate::exec::{EarlyReason, Gap, Termination};
use crate::probe::Input;
use crate::search::StateId;
use crate::state::State;
use crate::testcase::WriteError;

/// Different gaps that are told of while the program runs.
const GAPS_TOLD: usize = 20;

impl Engine<'_, '_> {
    /// Takes states out before they end by themselves. One that was only left to show a bug shows
    /// it.
    pub(super) fn end_all(
        &mut self,
        ids: &[StateId],
        reason: EarlyReason,
    ) -> Result<(), WriteError> {
        self.progress.gave_up |= !ids.is_empty();
        self.update_search(None, &[], ids);
        for id in ids {
            let Some(mut state) = self.progress.states.remove(id) else {
                continue;
            };
            let termination = match state.ending.take() {
                Some(ending) => *ending,
                None => Termination::Early(reason),
            };
            self.finish(&state, &termination, Departure::default())?;
        }
        Ok(())
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
        self.update_search(None, &[], &[id]);
        if matches!(termination, Termination::Early(_) | Termination::Gap(_)) {
            self.progress.gave_up = true;
        }
        let departure = Departure {
            retraced,
            ..Departure::default()
        };
        self.finish(&state, termination, departure)
    }

    /// Counts a path that has left, and writes its test if it deserves one.
    pub(super) fn finish(
        &mut self,
        state: &State,
        termination: &Termination,
        departure: Departure,
    ) -> Result<(), WriteError> {
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
            credits: &mut progress.credits,
            tails: &mut progress.tails,
            selector: &mut *policies.selector,
            listener: &mut hearers,
            prune_events: self.prune_events.len(),
        };
        let finished = (self.parts.results).finish(state, termination, departure, &mut run)?;
        if finished.test.is_some() && !self.parts.policies.roots.is_empty() {
            self.note_input(&Input::new(&state.symbolics, &state.model), false);
        }
        if let Termination::Bug(bug) = termination
            && finished.new_bug
        {
            self.progress.bug_seen = true;
            let place = self
                .bench
                .executor
                .program()
                .describe_location(bug.location);
            let test = finished.test.as_deref().unwrap_or("no test");
            let text = format!("ERROR: {place}: {} ({test})", bug.message);
            self.bench.log.lock().message(&text);
        }
        if let Termination::Gap(gap) = termination
            && !departure.probe
        {
            self.warn_of_gap(gap);
        }
        Ok(())
    }

    /// Tells once of each gap; of many, the first ones.
    fn warn_of_gap(&self, gap: &Gap) {
        let place = (self.bench.executor.program()).describe_location(gap.location);
        let text = format!("paths end early at {place}: {}", gap.what);
        let mut log = self.bench.log.lock();
        match self.parts.results.tally.gap_kinds() {
            kinds if kinds <= GAPS_TOLD => log.warning_once(&text, &text),
            _ => log.warning_once(
                "more gaps",
                "paths end early elsewhere too: `gaps` of summary.json lists it all",
            ),
        }
    }

    /// Writes the tests of states that are still open. After the halt time they are no longer
    /// polished.
    pub(super) fn finish_open_states(&mut self) -> Result<(), WriteError> {
        let mut clock = self.start_halting();
        let mut dropped = 0_u64;
        let mut open = std::mem::take(&mut self.progress.states);
        // Those that show something come first, in case time or disk run out.
        let (first, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut open)
            .into_iter()
            .partition(|(_, state)| state.metrics.covered_new || state.ending.is_some());
        for (_, mut state) in first.into_iter().chain(rest) {
            let termination = match state.ending.take() {
                Some(ending) => *ending,
                None => Termination::Early(EarlyReason::Interrupted),
            };
            if !self.parts.config.tests.dump_open {
                self.parts.results.tally.count_early(1);
                continue;
            }
            let allowance = self.look_at_halting(&mut clock);
            if allowance == Allowance::Nothing {
                self.parts.results.tally.count_early(1);
                let wanted = self.parts.results.may_want(
                    &*self.parts.policies.selector,
                    &state,
                    &termination,
                    &self.progress.credits,
                );
                dropped += u64::from(wanted);
                continue;
            }
            let departure = Departure {
                hurry: allowance == Allowance::Hurry,
                ..Departure::default()
            };
            self.finish(&state, &termination, departure)?;
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
