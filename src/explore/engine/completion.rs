//! Completion of a path that did not end: it runs on with its test's bytes, to learn which branches
//! the test covers (a native replay of the test runs on too).
//!
//! Invariant: nothing of the run changes. The state is a copy, its output is dropped, its counts go
//! to a separate observer, and the oracle knows only one assignment, so nothing forks.

use homi_machine::exec::{Executor, Host, MutedConsole, Observer, Step, Termination, World};
use homi_machine::state::State;
use homi_solver::term::{Model, Term, Terms};
use homi_solver::{Check, Oracle, PathCondition, Wanted};

/// Runs tails; keeps its observer between them.
#[derive(Debug, Default)]
pub(super) struct CompletionRunner {
    observer: Option<Observer>,
}

/// Result of continuing with the bytes of a test.
pub(super) struct Completion {
    /// The state after the completion run.
    pub(super) state: State,
    /// True if the program ended, with an exit or a bug.
    pub(super) ended: bool,
    /// Instructions of the completion run.
    pub(super) instructions: u64,
}

impl CompletionRunner {
    /// Goes on from a state with the bytes of a model for at most `limit` instructions.
    /// `call_paths` is the number of call paths of the run.
    pub(super) fn run(
        &mut self,
        executor: &Executor<'_>,
        host: &dyn Host,
        (state, model): (&State, &Model),
        limit: u64,
        call_paths: usize,
    ) -> Completion {
        let mut state = state.clone();
        state.model = model.clone();
        state.forks.enabled = true;
        state.input.begins_objects = false;
        executor.follow_model_only(&mut state);
        let entry = state.frames.top().function;
        let observer = self
            .observer
            .get_or_insert_with(|| Observer::new(executor.segments(), entry));
        observer.call_paths.pad_to(call_paths);
        observer.new_segments.clear();
        observer.new_sides.clear();
        let start = observer.instructions;
        let mut ended = false;
        loop {
            let before = observer.instructions;
            let left = limit.saturating_sub(before - start);
            if left == 0 {
                break;
            }
            let world = World {
                host,
                console: &mut MutedConsole,
            };
            let step = executor.run(&mut state, &mut OneModel, world, observer, left);
            if let Step::Ended(termination) = step {
                // Silent: the program assumes something that these bytes do not fulfil.
                ended = matches!(
                    termination,
                    Termination::Exit(_) | Termination::Bug(_) | Termination::Silent
                );
                break;
            }
            // A fork is possible only if the path has more than one model; the state itself
            // continues.
            if observer.instructions == before && !matches!(step, Step::Forked(_)) {
                break;
            }
        }
        Completion {
            state,
            ended,
            instructions: observer.instructions - start,
        }
    }
}

/// An oracle for which the state's model is all there is.
pub(super) struct OneModel;

impl Oracle for OneModel {
    fn check(&mut self, terms: &Terms, _: &PathCondition, model: &Model, condition: Term) -> Check {
        if terms.eval(condition, model) == 0 {
            Check::Unsat
        } else {
            Check::Sat(model.clone())
        }
    }

    fn min_max(
        &mut self,
        terms: &Terms,
        _: &PathCondition,
        model: &Model,
        term: Term,
        _: Wanted,
    ) -> (u128, u128) {
        let value = terms.eval(term, model);
        (value, value)
    }
}
