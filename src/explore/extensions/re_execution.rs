//! Executions that begin at the program's start each time, as those of testers that run the program
//! natively: `--re-execute`.
//!
//! Invariant: before a state goes on that has split off, its input has run from the program's start
//! to where it stands. If the input comes to another place, or by other sides, that is counted: it
//! has left its predicted path.

use super::{Batch, Extension, ExtensionStatistics, ExtensionView};
use crate::explore::search::StateId;
use crate::explore::sources::{Followed, Goal, follow};
use crate::machine::state::State;
use crate::native::testcase::WriteError;
use rustc_hash::FxHashSet;

/// Where executions begin, and what became of them.
pub(super) struct ReExecution {
    start: State,
    /// States that have split off and have not run.
    fresh: FxHashSet<StateId>,
    /// Executions that left their predicted path.
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

    /// Runs a state's input from the start to where the state stands.
    fn lead_again(&mut self, state: &State, run: &mut dyn ExtensionView) {
        let goal = Goal {
            model: state.model.clone(),
            instructions: state.metrics.instructions,
            point: state.point(run.program()),
            pending_check: None,
            most_batches: state.metrics.instructions,
        };
        let followed = follow(&self.start, &goal, run.as_source());
        // On the same path nothing is new.
        run.forget_covered();
        self.divergences += u64::from(match followed {
            Followed::There(there) => there.sides != state.sides,
            Followed::Dropped => true,
            Followed::Interrupted => false,
        });
    }
}

impl Extension for ReExecution {
    /// A state that has not run yet is led to from the program's start in place of its first turn,
    /// if its side is possible.
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
        let settled = run.check_pending(&mut state);
        if settled.is_ok() {
            self.lead_again(&state, run);
        }
        run.put_state(id, state);
        if let Err(absent) = settled {
            return Ok(Batch::Absent(absent));
        }
        run.note_ran(id);
        Ok(Batch::Over)
    }

    /// A state that only ends is run at once.
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
