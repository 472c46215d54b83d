//! Pruning of states during a run.
//!
//! Invariant: states that a source of states holds stay, and every event is recorded before the
//! tests of the pruned states are made.

use crate::prune::{Candidate, CodeLocation, OpenStates, Pruned, SetId, Ties};
use crate::search::{Clock, StateId};
use homi_machine::exec::Segments;
use homi_machine::state::{Metrics, State};
use homi_report::PruneLine;
use homi_solver::Folds;
use homi_solver::term::{Term, Terms};
use std::collections::BTreeMap;
use std::time::Duration;

/// Record of one prune event.
#[derive(Clone, PartialEq, Debug)]
pub struct PruneEvent {
    /// When the event was, on the run's clock.
    pub time: Duration,
    /// Instructions of the run before the event.
    pub instructions: u64,
    /// Weights of the features that decided (theta), if features did.
    pub weights: Vec<f64>,
    /// Number of the share that was to leave among those to choose from, and the share.
    pub ratio_index: usize,
    pub ratio: f64,
    /// Open states (|S|) before and after the event.
    pub before: usize,
    pub after: usize,
    /// Ties of scores among the states, with the number of tests that pruned states wrote.
    pub ties: Ties,
    pub tests: u64,
    /// Time to score and choose, and to take the chosen out with their tests.
    pub choosing: Duration,
    pub removing: Duration,
}

impl PruneEvent {
    /// The event in `learning.jsonl`.
    pub fn line(&self) -> PruneLine {
        PruneLine {
            time_s: self.time.as_secs_f64(),
            instructions: self.instructions,
            ratio: self.ratio,
            before: self.before as u64,
            after: self.after as u64,
            selection_s: self.choosing.as_secs_f64(),
            pruning_s: self.removing.as_secs_f64(),
            distinct_scores: self.ties.distinct as u64,
            largest_tie: self.ties.largest as u64,
            random_ties: self.ties.random_ties as u64,
            tests: self.tests,
            theta: self.weights.clone(),
        }
    }
}

/// The open states as a pruner sees them.
pub(super) struct Open<'a> {
    pub(super) states: &'a BTreeMap<StateId, Box<State>>,
    pub(super) segments: &'a Segments,
    pub(super) terms: &'a Terms,
    /// Returns true if a state must stay.
    pub(super) exempt: &'a dyn Fn(StateId) -> bool,
    /// Returns true if a state could return.
    pub(super) can_return: &'a dyn Fn(StateId) -> bool,
}

impl Open<'_> {
    /// The states that may leave, in the order of creation.
    fn leaving(&self) -> impl Iterator<Item = (StateId, &State)> {
        let states = self.states.iter().map(|(id, state)| (*id, &**state));
        states.filter(|(id, _)| !(self.exempt)(*id))
    }
}

impl OpenStates for Open<'_> {
    fn count(&self) -> usize {
        self.states.len()
    }

    fn candidates(&self) -> Vec<StateId> {
        self.leaving().map(|(id, _)| id).collect()
    }

    fn metrics(&self, state: StateId) -> Option<&Metrics> {
        self.states.get(&state).map(|state| &state.metrics)
    }

    fn location(&self, state: StateId) -> Option<CodeLocation> {
        let state = self.states.get(&state)?;
        Some(location_of(state, self.segments))
    }

    fn can_return(&self, state: StateId) -> bool {
        (self.can_return)(state)
    }

    fn terms(&self) -> &Terms {
        self.terms
    }

    fn fold_conditions(
        &self,
        start: SetId,
        step: &mut dyn FnMut(SetId, Term) -> SetId,
    ) -> Vec<Candidate> {
        let mut folds: Folds<'_, SetId> = Folds::default();
        self.leaving()
            .map(|(id, state)| {
                let set = state.path.fold(&mut folds, start, &mut *step);
                // The side that a state awaits is a condition of it as any other.
                let set = match &state.pending_check {
                    Some(pending_check) => step(set, pending_check.condition),
                    None => set,
                };
                Candidate { state: id, set }
            })
            .collect()
    }
}

/// Returns the code location of a state.
fn location_of(state: &State, segments: &Segments) -> CodeLocation {
    let top = state.frames.top();
    CodeLocation {
        calls: top.call_path,
        segment: segments.segment(top.function, top.pc),
    }
}

/// The prune events of a run.
#[derive(Default)]
pub(super) struct Pruning {
    events: Vec<PruneEvent>,
}

impl Pruning {
    /// Begins an event: `pruned` was chosen among `before` states, which took `choosing`.
    pub(super) fn begin(
        &mut self,
        pruned: &Pruned,
        clock: Clock,
        before: usize,
        choosing: Duration,
    ) {
        self.events.push(PruneEvent {
            time: clock.time,
            instructions: clock.instructions,
            weights: pruned.weights.clone(),
            ratio_index: pruned.ratio_index,
            ratio: pruned.ratio,
            before,
            after: before - pruned.states.len(),
            ties: pruned.ties,
            tests: 0,
            choosing,
            removing: Duration::ZERO,
        });
    }

    /// Ends the event, in which the states wrote `tests` tests. Returns the event.
    pub(super) fn end(&mut self, tests: u64, removing: Duration) -> Option<&PruneEvent> {
        let event = self.events.last_mut()?;
        event.tests = tests;
        event.removing = removing;
        Some(event)
    }

    /// Returns all events so far.
    pub(super) fn events(&self) -> &[PruneEvent] {
        &self.events
    }

    /// Returns all events of the run.
    pub(super) fn into_events(self) -> Vec<PruneEvent> {
        self.events
    }
}
