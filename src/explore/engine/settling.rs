//! A pending state learns whether the side that it awaits is possible.

use super::run::Run;
use crate::machine::exec::Absent;
use crate::machine::state::State;
use crate::report::Answer;

impl Run<'_, '_> {
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
