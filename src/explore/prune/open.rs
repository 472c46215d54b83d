//! View of the open states for pruners.

use super::choose::Candidate;
use super::sets::SetId;
use crate::search::StateId;
use homi_machine::state::{CallPathId, Metrics};
use homi_solver::term::{Term, Terms};

/// Code location of a state: the calls that led there, and the next piece of code (segment).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CodeLocation {
    pub calls: CallPathId,
    pub segment: u32,
}

/// The open states of a run at a prune event.
pub trait OpenStates {
    /// Returns |S|: the number of open states, including states that must stay.
    fn count(&self) -> usize;

    /// The states that may leave, in the order of creation.
    fn candidates(&self) -> Vec<StateId>;

    /// Numbers of a state's path.
    fn metrics(&self, state: StateId) -> Option<&Metrics>;

    fn location(&self, state: StateId) -> Option<CodeLocation>;

    /// True if the state can return after it was pruned, so that its path is not dropped.
    fn can_return(&self, state: StateId) -> bool;

    /// The terms that path conditions are made of.
    fn terms(&self) -> &Terms;

    /// Folds over the path condition of each state that may leave, from `start` on: `step` has what
    /// the path's earlier conditions gave, and the next condition. Beginnings that paths share are
    /// folded once.
    fn fold_conditions(
        &self,
        start: SetId,
        step: &mut dyn FnMut(SetId, Term) -> SetId,
    ) -> Vec<Candidate>;
}
