//! Canonical inputs of executions (`--canonical-inputs`): an execution that diverges from a path at
//! a branch gets the least input that takes the path up to the branch and then the other side.
//!
//! Invariant: the behavior of such an execution depends on the path and the branch alone, not on
//! earlier queries, whose cached models a solver reuses. The invariant holds as far as the effort
//! for the least input goes.

use super::{Batch, Extension, ExtensionView, Ran};
use crate::search::StateId;
use homi_config::RunConfig;
use homi_machine::exec::{Absent, Step};
use homi_native::testcase::WriteError;
use homi_solver::term::Model;

/// Extension that gives executions their least inputs.
pub(super) struct CanonicalInputs {
    /// The input of the state that runs.
    input: Option<Model>,
}

impl CanonicalInputs {
    pub(super) fn of(config: &RunConfig) -> Option<Self> {
        let concolic = config.concolic.as_ref();
        let wanted = concolic.is_some_and(|concolic| concolic.canonical_inputs);
        wanted.then_some(Self { input: None })
    }
}

impl Extension for CanonicalInputs {
    /// Checks the side of a pending state and gives the state its least input.
    fn before_batch(
        &mut self,
        id: StateId,
        run: &mut dyn ExtensionView,
    ) -> Result<Batch, WriteError> {
        let is_pending = run
            .state(id)
            .is_some_and(|state| state.pending_check.is_some());
        if is_pending && let Err(absent) = choose_canonical(id, run) {
            return Ok(Batch::Absent(absent));
        }
        self.input = run.state(id).map(|state| state.model.clone());
        Ok(Batch::Runs)
    }

    /// Gives the state that ran the least input of the passing side if its input failed a check in
    /// the batch.
    fn ran(&mut self, ran: &mut Ran<'_>, run: &mut dyn ExtensionView) {
        let (Step::Forked(siblings), Some(input)) = (&*ran.step, self.input.take()) else {
            return;
        };
        let mut bugs = siblings.iter().filter(|sibling| sibling.ending.is_some());
        if bugs.any(|sibling| sibling.path.holds(run.terms(), &input))
            && let Some(mut state) = run.take_state(ran.id)
        {
            state.model = run.least_model(&state);
            run.put_state(ran.id, state);
        }
    }
}

/// Puts a pending state on its side with its least input; an error if there is no such path.
fn choose_canonical(id: StateId, run: &mut dyn ExtensionView) -> Result<(), Absent> {
    let Some(mut state) = run.take_state(id) else {
        return Ok(());
    };
    let call_path = state.frames.top().call_path;
    let before = run.effort().work;
    let checked = run.check_pending(&mut state);
    if checked.is_ok() {
        state.model = run.least_model(&state);
    }
    run.record_solver_work(call_path, run.effort().work - before);
    run.put_state(id, state);
    if checked.is_ok() {
        // The searcher counts its coverage with its first batch.
        run.note_ran(id);
    }
    checked
}
