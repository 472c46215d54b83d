//! Helpers for this module's tests.

use super::choose::Candidate;
use super::sets::SetId;
use super::{CodeLocation, OpenStates, PruneRules};
use crate::prune::learn::DiscreteSpace;
use crate::search::{Clock, StateId};
use homi_config::Budget;
use homi_machine::state::{CallPathId, Metrics};
use homi_solver::term::{Term, Terms};
use std::time::Duration;

pub(super) fn rules(interval: Budget, growth: usize) -> PruneRules {
    PruneRules {
        ratios: DiscreteSpace {
            greatest: 0.6,
            intervals: 3,
        },
        interval,
        growth,
        kept: 0,
    }
}

pub(super) fn clock(seconds: u64, instructions: u64) -> Clock {
    Clock {
        instructions,
        work: instructions,
        counted: instructions,
        time: Duration::from_secs(seconds),
    }
}

/// States at different code locations, without path conditions.
pub(super) struct Open {
    pub(super) count: usize,
}

impl OpenStates for Open {
    fn count(&self) -> usize {
        self.count
    }

    fn candidates(&self) -> Vec<StateId> {
        (0..self.count).map(StateId::new).collect()
    }

    fn metrics(&self, _state: StateId) -> Option<&Metrics> {
        None
    }

    fn location(&self, state: StateId) -> Option<CodeLocation> {
        Some(CodeLocation {
            calls: CallPathId(0),
            segment: state.0,
        })
    }

    fn can_return(&self, _state: StateId) -> bool {
        false
    }

    fn terms(&self) -> &Terms {
        unreachable!("these states have no conditions")
    }

    fn fold_conditions(
        &self,
        start: SetId,
        _step: &mut dyn FnMut(SetId, Term) -> SetId,
    ) -> Vec<Candidate> {
        let candidates = self.candidates().into_iter();
        candidates
            .map(|state| Candidate { state, set: start })
            .collect()
    }
}
