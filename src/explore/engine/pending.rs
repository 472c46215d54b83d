//! A pending state learns whether the side that it awaits is possible.

use super::run::Run;
use homi_machine::exec::Absent;
use homi_machine::state::State;
use homi_report::Answer;

impl Run<'_, '_> {
    /// Asks for the side that a state awaits, and credits it with what it covers.
    pub(super) fn check_pending(&mut self, state: &mut State) -> Result<(), Absent> {
        if state.pending_check.is_none() {
            return Ok(());
        }
        let was_unchecked = state.is_unchecked();
        let (solver_session, observer) =
            (&mut *self.bench.solver_session, &mut self.progress.observer);
        let checked = self
            .bench
            .executor
            .check_pending(state, solver_session, observer);
        if was_unchecked {
            self.parts.results.tally.pending.note(match checked {
                Ok(()) => Answer::Feasible,
                Err(Absent::Infeasible) => Answer::Infeasible,
                Err(Absent::Unknown) => Answer::Unknown,
            });
        }
        let fresh = self.absorb_coverage();
        state.metrics.covered_new |= !fresh.is_empty();
        state.covered_first.push(&fresh.sides, &fresh.segments);
        self.note_covered(&fresh);
        checked
    }
}
