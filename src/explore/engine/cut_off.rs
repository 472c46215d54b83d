//! A turn in which the end of the run left a question without its answer.
//!
//! A question that the budget cuts off is unknown, and what follows from that is no fault of the
//! program's or the solver's: another session would ask it again. Invariant: where checkpoints
//! are written, such a turn has not taken place for them. Of its state they have what it was
//! before; what came of it is open for this session alone.

use super::changes::Changes;
use super::checkpoint::Gathered;
use super::run::Run;
use crate::explore::search::{Left, StateId};
use crate::explore::sources::checkpoint::{DecisionTree, OpenState, Waits};
use crate::machine::exec::{Absent, Narrowed, Step};
use crate::machine::state::{CoveredFirst, DecisionList};

/// A state before its turn.
pub(super) struct BeforeTurn {
    decisions: DecisionList,
    open: OpenState,
    /// Losses of the run before.
    narrowed: Narrowed,
}

impl BeforeTurn {
    /// Describes a state before its batch, if checkpoints are written.
    pub(super) fn of(run: &mut Run<'_, '_>, id: StateId) -> Option<Self> {
        run.parts.context.checkpoints?;
        run.bench.prover.was_cut_off();
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
            narrowed: run.progress.observer.narrowed.clone(),
        })
    }
}

/// A turn that was cut off.
struct CutTurn {
    before: BeforeTurn,
    /// States that resulted from it.
    states: Vec<StateId>,
    /// Coverage of states that are gone.
    covered: CoveredFirst,
}

/// The turns of a run that its end has cut off.
#[derive(Default)]
pub(super) struct CutTurns(Vec<CutTurn>);

impl CutTurns {
    /// Takes down what states were before.
    pub(super) fn take_down(&self, gathered: &mut Gathered) {
        for turn in &self.0 {
            gathered.add_before(&turn.before.decisions, turn.before.open);
            gathered.note_unshown(&turn.covered);
        }
    }

    /// Returns whether a state resulted from one of the cut-off batches.
    pub(super) fn made(&self, id: StateId) -> bool {
        let mut turns = self.0.iter();
        turns.any(|turn| turn.states.contains(&id))
    }

    /// A turn was cut off and its state is no longer there, or is to go.
    pub(super) fn drop_state(&mut self, run: &mut Run<'_, '_>, id: StateId, before: BeforeTurn) {
        run.progress.observer.narrowed = before.narrowed.clone();
        let fresh = run.absorb_coverage();
        let mut covered = CoveredFirst::default();
        if let Some(mut state) = run.progress.states.remove(&id) {
            state.covered_first.push(&fresh.sides, &fresh.segments);
            covered = state.covered_first.clone();
            run.update_search(Changes {
                removed: &[id],
                left: Some(match state.awaits {
                    Some(_) => Left::Unknown(id),
                    None => Left::Ended(id),
                }),
                ..Changes::default()
            });
        }
        run.note_covered(&fresh);
        self.0.push(CutTurn {
            before,
            states: Vec::new(),
            covered,
        });
    }

    /// A turn was cut off; its state and those from `first_new` on are there.
    pub(super) fn keep_states(
        &mut self,
        run: &mut Run<'_, '_>,
        id: StateId,
        first_new: usize,
        before: BeforeTurn,
    ) {
        run.progress.observer.narrowed = before.narrowed.clone();
        let new = (first_new..run.progress.next_id).map(StateId::new);
        self.0.push(CutTurn {
            before,
            states: std::iter::once(id).chain(new).collect(),
            covered: CoveredFirst::default(),
        });
    }
}

/// Returns whether a step is the rest of its state.
pub(super) fn is_last(step: &Step) -> bool {
    matches!(step, Step::Ended(_) | Step::Absent(Absent::Unknown))
}
