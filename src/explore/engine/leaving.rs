//! Counts a path that leaves a run, and makes its test.
//!
//! Invariant: every path that leaves and deserves a test has one; every loss is noted.

use super::paths::{Departure, Finishing};
use super::paths::{tell_bug, warn_of_deep_stack, warn_of_gap};
use super::policies::Hearers;
use super::run::Run;
use crate::explore::sources::fuzz::Input;
use crate::machine::exec::{Bug, Example, Narrowing, Termination};
use crate::machine::state::State;
use crate::native::testcase::WriteError;
use crate::report::Answer;

impl Run<'_, '_> {
    /// Returns true if a state that leaves before its end has a path. A pending state is checked if
    /// its test would be written and there is time (`is_asked`); otherwise it is counted as
    /// unchecked, and as a loss.
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
            // It has a path, whose test is not wanted.
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

    /// Counts a path that has left, and writes its test if it deserves one.
    pub(super) fn finish(
        &mut self,
        state: &State,
        termination: &Termination,
        departure: Departure,
    ) -> Result<(), WriteError> {
        let in_klees_words;
        let termination = if self.parts.config.dialect.renames_endings() {
            in_klees_words = termination.in_klees_words();
            &in_klees_words
        } else {
            termination
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
                .note_input(&Input::new(&state.symbolics.objects, &state.model), false);
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

    /// Notes a new bug, which may stop the run.
    fn note_new_bug(&mut self, state: &State, bug: &Bug) {
        let budget = &self.parts.config.budget;
        let kinds = &mut budget.exit_on_kinds.iter();
        let is_named = kinds.any(|kind| kind.eq_ignore_ascii_case(bug.kind.name()));
        self.progress.stopping_bug |= budget.exit_on_error || is_named;
        self.tell_extensions(|one, run| one.shows_new(state, run));
    }
}
