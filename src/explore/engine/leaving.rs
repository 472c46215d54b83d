//! Counts a path that is removed from a run, and makes its test.
//!
//! Invariant: every removed path that deserves a test has one; every dropped path is noted.

use super::paths::{Departure, Finishing};
use super::paths::{report_bug, warn_of_deep_stack, warn_unsupported};
use super::policies::AllListeners;
use super::run::Run;
use crate::sources::fuzz::Input;
use homi_machine::exec::{Bug, Example, Termination, Underapproximation};
use homi_machine::state::State;
use homi_native::testcase::WriteError;
use homi_report::Answer;

impl Run<'_, '_> {
    /// Returns true if a state that is removed before its end has a feasible path. A pending state
    /// is checked if its test would be written and there is time (`is_asked`); otherwise it is
    /// counted as unchecked, and as dropped.
    pub(super) fn is_there(
        &mut self,
        state: &mut State,
        termination: &Termination,
        is_asked: bool,
    ) -> bool {
        if state.pending_check.is_none() {
            return true;
        }
        let wanted = is_asked && {
            let executor = self.bench.executor;
            let side = executor.pending_side(state);
            let new_side = side.filter(|side| self.progress.is_new_side(*side));
            (self.parts).would_show(state, termination, executor, new_side)
        };
        if !wanted && !state.is_unchecked() {
            // It has a path, whose test is not wanted.
            return true;
        }
        if !wanted {
            self.parts.results.tally.pending.note(Answer::Unchecked);
            if let Some((kind, example)) = termination.underapproximation() {
                self.note_dropped(state, kind, example);
            }
            return false;
        }
        self.check_pending(state).is_ok()
    }

    /// Counts a path that has left, and writes its test if it deserves one. Returns the name of the
    /// test.
    pub(super) fn finish(
        &mut self,
        state: &State,
        termination: &Termination,
        departure: Departure,
    ) -> Result<Option<String>, WriteError> {
        let in_klees_format;
        let termination = if self.parts.config.dialect.renames_endings() {
            in_klees_format = termination.in_klees_format();
            &in_klees_format
        } else {
            termination
        };
        warn_of_deep_stack(self.bench.log, self.parts.config, termination);
        if departure.leaves_the_run()
            && let Some((kind, example)) = termination.underapproximation()
        {
            self.note_dropped(state, kind, example);
        }
        let work = self.work_of_slice();
        let completions = self.parts.results.tally.completion_instructions;
        let writing = (self.spending).begin_writing(completions, &mut *self.bench.solver_session);
        let progress = &mut self.progress;
        let policies = &mut self.parts.policies;
        let mut all_listeners = AllListeners {
            listeners: &mut policies.listeners,
            pruner: policies.pruner.as_deref_mut(),
        };
        let mut run = Finishing {
            executor: self.bench.executor,
            terms: self.bench.terms,
            coverage: &progress.coverage,
            solver_session: &mut *self.bench.solver_session,
            host: self.bench.host,
            call_paths: progress.observer.call_paths.len(),
            completions: &mut progress.completions,
            selector: &mut *policies.selector,
            listener: &mut all_listeners,
            prune_events: self.pruning.events().len(),
            pins_boundaries: self.parts.config.pins_boundaries,
            work,
        };
        let result = (self.parts.results).finish(state, termination, departure, &mut run);
        let completions = self.parts.results.tally.completion_instructions;
        if (self.spending).end_writing(writing, completions, &*self.bench.solver_session) {
            self.limit_solver_work(self.usage_for_budget());
        }
        let finished = match result {
            Ok(finished) => finished,
            Err(error) => {
                self.note_dropped(
                    state,
                    Underapproximation::Test,
                    Example::note(error.to_string()),
                );
                return Err(error);
            }
        };
        if self.parts.config.concolic.is_some() {
            let (ended, branches) = (self.parts.results.tally.ended, self.branches());
            self.progress.growth.note(ended, branches);
        }
        if finished.test.is_some() && !self.parts.policies.sources.is_empty() {
            self.parts
                .policies
                .note_input(&Input::new(&state.symbolics.objects, &state.model), false);
        }
        if let Termination::Bug(bug) = termination {
            if finished.new_bug {
                self.note_new_bug(state, bug);
            }
            let (log, program) = (self.bench.log, self.bench.executor.program());
            report_bug(log, self.parts.config, program, bug, &finished);
        }
        if let Termination::Unsupported(unsupported) = termination
            && !departure.fuzzing_run
        {
            let kinds = self.parts.results.tally.unsupported_kinds();
            warn_unsupported(
                self.bench.log,
                self.bench.executor.program(),
                unsupported,
                kinds,
            );
        }
        Ok(finished.test)
    }

    /// Notes a new bug, which may stop the run.
    fn note_new_bug(&mut self, state: &State, bug: &Bug) {
        let budget = &self.parts.config.budget;
        let kinds = &mut budget.exit_on_kinds.iter();
        let is_named = kinds.any(|kind| kind.eq_ignore_ascii_case(bug.kind.name()));
        self.progress.stopping_bug |= budget.exit_on_error || is_named;
        self.notify_extensions(|one, run| one.shows_new(state, run));
    }
}
