//! Re-execution (`--re-execute`): every execution begins at the program's start, as in testers that
//! run the program natively.
//!
//! Invariant: before a forked state continues, its input has run from the program's start to the
//! state's position. A divergence is counted if the input reaches another position or takes other
//! sides than predicted.

use super::{Batch, Extension, ExtensionStatistics, ExtensionView};
use crate::search::StateId;
use crate::sources::{Followed, Goal, follow};
use homi_machine::state::State;
use homi_native::testcase::WriteError;
use rustc_hash::FxHashSet;

/// Extension that re-executes forked states from the entry state, and its counts.
pub(super) struct ReExecution {
    start: State,
    /// Forked states that have not run yet.
    fresh: FxHashSet<StateId>,
    /// Number of executions that left their predicted path.
    divergences: u64,
}

impl ReExecution {
    pub(super) fn new(start: &State) -> Self {
        Self {
            start: start.clone(),
            fresh: FxHashSet::default(),
            divergences: 0,
        }
    }

    /// Runs a state's input from the entry state to the state's position.
    fn lead_again(&mut self, state: &State, run: &mut dyn ExtensionView) {
        let goal = Goal {
            model: state.model.clone(),
            instructions: state.metrics.instructions,
            point: state.point(run.program()),
            pending_check: None,
            most_batches: state.metrics.instructions,
        };
        let followed = follow(&self.start, &goal, run.as_source());
        // Code on a path that was executed before is not new.
        run.forget_covered();
        self.divergences += u64::from(match followed {
            Followed::There(there) => there.sides != state.sides,
            Followed::Dropped => true,
            Followed::Interrupted => false,
        });
    }
}

impl Extension for ReExecution {
    /// Spends the first batch of a forked state on its re-execution, if its side is feasible.
    fn before_batch(
        &mut self,
        id: StateId,
        run: &mut dyn ExtensionView,
    ) -> Result<Batch, WriteError> {
        if !self.fresh.remove(&id) {
            return Ok(Batch::Runs);
        }
        let Some(mut state) = run.take_state(id) else {
            return Ok(Batch::Runs);
        };
        let checked = run.check_pending(&mut state);
        if checked.is_ok() {
            self.lead_again(&state, run);
        }
        run.put_state(id, state);
        if let Err(absent) = checked {
            return Ok(Batch::Absent(absent));
        }
        run.note_ran(id);
        Ok(Batch::Over)
    }

    /// Notes a new state; a state that only ends runs without re-execution.
    fn forked(&mut self, _parent: StateId, id: StateId, state: &State) {
        if state.ending.is_none() {
            self.fresh.insert(id);
        }
    }

    fn visit_states(&self, visit: &mut dyn FnMut(&State)) {
        visit(&self.start);
    }

    fn add_statistics(&self, statistics: &mut ExtensionStatistics) {
        statistics.divergences = Some(self.divergences);
    }
}
