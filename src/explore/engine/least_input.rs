//! Executions on least inputs: an execution that leaves a path at a branch has the least input that
//! takes the path up to there and then the branch's other side.
//!
//! Invariant: what such an execution does depends on the path and the branch alone, not on what was
//! asked before: a solver that remembers answers with whatever model it has at hand. Where the
//! effort for the least input is used up, that is so as far as the effort goes.

use super::changes::Changes;
use super::run::Engine;
use crate::explore::extensions::Leaving;
use crate::explore::search::StateId;
use crate::machine::exec::Step;
use crate::machine::state::State;
use crate::solver::term::Model;

impl Engine<'_, '_> {
    /// Whether executions are to have least inputs.
    pub(super) fn wants_least_inputs(&self) -> bool {
        let concolic = self.parts.config.concolic.as_ref();
        concolic.is_some_and(|concolic| concolic.least_inputs)
    }

    /// Asks for the side of a state that is about to run, if it is pending, and gives it its least
    /// input. False if there is no such path; then it has left.
    pub(super) fn begins_on_least_input(&mut self, id: StateId) -> bool {
        let states = &mut self.progress.states;
        if states.get(&id).is_none_or(|state| state.awaits.is_none()) {
            return true;
        }
        let Some(mut state) = states.remove(&id) else {
            return true;
        };
        let call_path = state.frames.top().call_path;
        let before = self.bench.prover.effort().work;
        let settled = self.settle(&mut state);
        if settled.is_ok() {
            self.make_least(&mut state);
        }
        let work = self.bench.prover.effort().work - before;
        self.progress.measure.book(call_path, work);
        match settled {
            Ok(()) => {
                self.progress.states.insert(id, state);
                // What it covered is heard of with its first turn.
                self.update_search(Changes {
                    current: Some(id),
                    ..Changes::default()
                });
                true
            }
            Err(absent) => {
                self.leaves(&state, Leaving::Absent(absent));
                self.leave_absent(id, absent);
                false
            }
        }
    }

    /// A state's turn is over that had the input `before`. If that went to the failing side of a
    /// check, the state goes on with the least one of the other side.
    pub(super) fn leave_bug_behind(&mut self, id: StateId, before: &Model, step: &Step) {
        let Step::Forked(siblings) = step else {
            return;
        };
        let bugs = siblings.iter().filter(|sibling| sibling.ending.is_some());
        let terms = self.bench.terms;
        let took_it = bugs
            .into_iter()
            .any(|sibling| sibling.path.holds(terms, before));
        if took_it && let Some(mut state) = self.progress.states.remove(&id) {
            self.make_least(&mut state);
            self.progress.states.insert(id, state);
        }
    }

    fn make_least(&mut self, state: &mut State) {
        let arrays: Vec<_> = state.symbolics.iter().map(|object| object.array).collect();
        let prover = &mut self.bench.prover;
        state.model = prover.canonical_model(self.bench.terms, &state.path, &arrays, &state.model);
    }
}
