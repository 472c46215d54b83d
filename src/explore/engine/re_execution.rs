//! Executions that begin at the program's start each time, as those of testers that run the program
//! natively: `--re-execute`.
//!
//! Invariant: before a state goes on that has split off, its input has run from the program's start
//! to where it stands. If the input comes to another place, or by other sides, that is counted: it
//! has left its predicted path.

use super::run::Engine;
use crate::explore::search::StateId;
use crate::explore::sources::{Followed, Goal, follow};
use crate::machine::exec::Absent;
use crate::machine::state::State;
use crate::report::Answer;
use rustc_hash::FxHashSet;

/// Where executions begin, and what became of them.
pub(super) struct ReExecution {
    start: State,
    /// States that have split off and have not run.
    fresh: FxHashSet<StateId>,
    /// Executions that left their predicted path.
    pub(super) divergences: u64,
}

impl ReExecution {
    pub(super) fn new(start: &State) -> Self {
        Self {
            start: start.clone(),
            fresh: FxHashSet::default(),
            divergences: 0,
        }
    }

    /// A state has split off. One that only ends is run at once.
    pub(super) fn note_new(&mut self, id: StateId, state: &State) {
        if state.ending.is_none() {
            self.fresh.insert(id);
        }
    }

    /// The state whose terms are kept.
    pub(super) fn start(&self) -> &State {
        &self.start
    }
}

impl Engine<'_, '_> {
    /// Whether a state is to be led to from the program's start before it runs.
    pub(super) fn begins_at_start(&mut self, id: StateId) -> bool {
        let re_execution = self.progress.re_execution.as_mut();
        re_execution.is_some_and(|re_execution| re_execution.fresh.remove(&id))
            && self.progress.states.contains_key(&id)
    }

    /// Asks for the side of a state, if it is pending; if it is possible, its input runs from the
    /// start to there.
    pub(super) fn run_from_start(&mut self, id: StateId) -> Result<(), Absent> {
        let Some(mut state) = self.progress.states.remove(&id) else {
            return Ok(());
        };
        let settled = self.settle(&mut state);
        if settled.is_ok() {
            self.lead_again(&state);
        }
        self.progress.states.insert(id, state);
        settled
    }

    /// Runs a state's input from the start to where the state stands.
    fn lead_again(&mut self, state: &State) {
        let Some(mut re_execution) = self.progress.re_execution.take() else {
            return;
        };
        let goal = Goal {
            model: state.model.clone(),
            instructions: state.metrics.instructions,
            point: state.point(self.bench.executor.program()),
            awaits: None,
            most_turns: state.metrics.instructions,
        };
        let followed = follow(&re_execution.start, &goal, self);
        // On the same path nothing is new.
        self.progress.observer.forget_new();
        re_execution.divergences += u64::from(match followed {
            Followed::There(there) => there.sides != state.sides,
            Followed::Lost => true,
            Followed::Interrupted => false,
        });
        self.progress.re_execution = Some(re_execution);
    }

    /// Asks for the side that a state awaits, and credits it with what it covers.
    pub(super) fn settle(&mut self, state: &mut State) -> Result<(), Absent> {
        if state.awaits.is_none() {
            return Ok(());
        }
        let was_unasked = state.is_unasked();
        let (prover, observer) = (&mut *self.bench.prover, &mut self.progress.observer);
        let settled = self.bench.executor.settle(state, prover, observer);
        if was_unasked {
            self.parts.results.tally.pending.note(match settled {
                Ok(()) => Answer::Possible,
                Err(Absent::Refuted) => Answer::Refuted,
                Err(Absent::Unknown) => Answer::Unknown,
            });
        }
        let fresh = self.absorb_coverage();
        state.metrics.covered_new |= !fresh.is_empty();
        state.covered_first.push(&fresh.sides, &fresh.segments);
        self.note_covered(&fresh);
        settled
    }
}
