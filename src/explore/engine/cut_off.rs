//! A batch in which the end of the run left a query without its answer.
//!
//! A query that the budget cuts off is unknown, and what follows from that is not a fault of the
//! program's or the solver's: another session would ask it again. Invariant: where checkpoints are
//! written, such a batch has not taken place for them. They have its state before the batch; the
//! states after it are open for this session alone.

use super::changes::Changes;
use super::checkpoint::CheckpointData;
use super::run::Run;
use crate::search::{Left, StateId};
use crate::sources::checkpoint::{DecisionTree, OpenState, Waits};
use homi_machine::exec::{Absent, Step, Underapproximations};
use homi_machine::state::{CoveredFirst, DecisionList};

/// A state before its batch.
pub(super) struct BeforeBatch {
    decisions: DecisionList,
    open: OpenState,
    /// Losses of the run before.
    underapproximations: Underapproximations,
}

impl BeforeBatch {
    /// Describes a state before its batch, if checkpoints are written.
    pub(super) fn of(run: &mut Run<'_, '_>, id: StateId) -> Option<Self> {
        run.parts.context.checkpoints?;
        run.bench.solver_session.was_cut_off();
        let state = run.progress.states.get(&id)?;
        let top = state.frames.top();
        Some(Self {
            decisions: state.decisions.clone(),
            open: OpenState {
                node: DecisionTree::ROOT,
                instructions: state.metrics.instructions,
                waits: Waits::of(state),
                function: top.function,
                pc: top.pc,
            },
            underapproximations: run.progress.observer.underapproximations.clone(),
        })
    }
}

/// A batch that was cut off.
struct CutBatch {
    before: BeforeBatch,
    /// States that resulted from it.
    states: Vec<StateId>,
    /// Coverage of states that are gone.
    covered: CoveredFirst,
}

/// The turns of a run that its end has cut off.
#[derive(Default)]
pub(super) struct CutBatches(Vec<CutBatch>);

impl CutBatches {
    /// Takes down what states were before.
    pub(super) fn take_down(&self, collected: &mut CheckpointData) {
        for batch in &self.0 {
            collected.add_before(&batch.before.decisions, batch.before.open);
            collected.note_unshown(&batch.covered);
        }
    }

    /// Returns true if a state resulted from one of the cut-off batches.
    pub(super) fn made(&self, id: StateId) -> bool {
        let mut batches = self.0.iter();
        batches.any(|batch| batch.states.contains(&id))
    }

    /// A batch was cut off and its state is no longer there, or is to go.
    pub(super) fn drop_state(&mut self, run: &mut Run<'_, '_>, id: StateId, before: BeforeBatch) {
        run.progress.observer.underapproximations = before.underapproximations.clone();
        let fresh = run.absorb_coverage();
        let mut covered = CoveredFirst::default();
        if let Some(mut state) = run.progress.states.remove(&id) {
            state.covered_first.push(&fresh.sides, &fresh.segments);
            covered = state.covered_first.clone();
            run.update_search(Changes {
                removed: &[id],
                left: Some(match state.pending_check {
                    Some(_) => Left::Unknown(id),
                    None => Left::Ended(id),
                }),
                ..Changes::default()
            });
        }
        run.note_covered(&fresh);
        self.0.push(CutBatch {
            before,
            states: Vec::new(),
            covered,
        });
    }

    /// A batch was cut off; its state and those from `first_new` on are there.
    pub(super) fn keep_states(
        &mut self,
        run: &mut Run<'_, '_>,
        id: StateId,
        first_new: usize,
        before: BeforeBatch,
    ) {
        run.progress.observer.underapproximations = before.underapproximations.clone();
        let new = (first_new..run.progress.next_id).map(StateId::new);
        self.0.push(CutBatch {
            before,
            states: std::iter::once(id).chain(new).collect(),
            covered: CoveredFirst::default(),
        });
    }
}

/// Returns true if a step is the rest of its state.
pub(super) fn is_last(step: &Step) -> bool {
    matches!(step, Step::Ended(_) | Step::Absent(Absent::Unknown))
}
