//! Executions on least inputs: an execution that leaves a path at a branch has the least input that
//! takes the path up to there and then the branch's other side (`--canonical-inputs`).
//!
//! Invariant: what such an execution does depends on the path and the branch alone, not on what was
//! asked before: a solver that remembers answers with whatever model it has at hand. Where the
//! effort for the least input is used up, that is so as far as the effort goes.

use super::{Batch, Extension, ExtensionView, Ran};
use crate::config::RunConfig;
use crate::explore::search::StateId;
use crate::machine::exec::{Absent, Step};
use crate::native::testcase::WriteError;
use crate::solver::term::Model;

/// Gives executions their least inputs.
pub(super) struct LeastInputs {
    /// The input of the state that runs.
    input: Option<Model>,
}

impl LeastInputs {
    pub(super) fn of(config: &RunConfig) -> Option<Self> {
        let concolic = config.concolic.as_ref();
        let wanted = concolic.is_some_and(|concolic| concolic.canonical_inputs);
        wanted.then_some(Self { input: None })
    }
}

impl Extension for LeastInputs {
    /// Asks for the side of a pending state, and gives it its least input.
    fn before_batch(
        &mut self,
        id: StateId,
        run: &mut dyn ExtensionView,
    ) -> Result<Batch, WriteError> {
        let is_pending = run
            .state(id)
            .is_some_and(|state| state.pending_check.is_some());
        if is_pending && let Err(absent) = settle_on_least(id, run) {
            return Ok(Batch::Absent(absent));
        }
        self.input = run.state(id).map(|state| state.model.clone());
        Ok(Batch::Runs)
    }

    /// If the input of the state that ran went to the failing side of a check, the state goes on
    /// with the least one of the other side.
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

/// Puts a pending state on its side with its least input, if there is such a path.
fn settle_on_least(id: StateId, run: &mut dyn ExtensionView) -> Result<(), Absent> {
    let Some(mut state) = run.take_state(id) else {
        return Ok(());
    };
    let call_path = state.frames.top().call_path;
    let before = run.effort().work;
    let settled = run.check_pending(&mut state);
    if settled.is_ok() {
        state.model = run.least_model(&state);
    }
    run.book_solver(call_path, run.effort().work - before);
    run.put_state(id, state);
    if settled.is_ok() {
        // What it covered is heard of with its first turn.
        run.note_ran(id);
    }
    settled
}
