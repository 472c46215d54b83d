//! The way from the program's start to where a state stands, found again with its input.
//!
//! Idea: the bytes of the input decide every fork, until as many instructions are executed as the
//! state had; the solver's cache knows most of the queries. Invariant: what is found is a state
//! at the same place of the same path, or nothing.

use super::RunView;
use homi_machine::exec::Step;
use homi_machine::state::{ProgramPoint, State};
use homi_solver::term::Model;

/// Destination of a state.
pub struct Goal {
    /// The bytes that lead there.
    pub model: Model,
    /// Instructions from the program's start.
    pub instructions: u64,
    pub point: ProgramPoint,
    /// Fingerprint of the decisions of a pending state, whose inputs are its parent's.
    pub pending_check: Option<u64>,
    /// Turns after which it is given up: a batch that forks executes one instruction at least.
    pub most_batches: u64,
}

/// Result of following an input.
pub enum Followed {
    There(Box<State>),
    Dropped,
    /// The user or a limit wants attention first.
    Interrupted,
}

/// Runs from a program's first state to a goal.
pub fn follow(start: &State, goal: &Goal, run: &mut dyn RunView) -> Followed {
    let mut state = Box::new(start.clone());
    state.model = goal.model.clone();
    state.input.begins_objects = false;
    // The instruction that a pending state splits off at is executed by its parent.
    let end = goal.instructions + u64::from(goal.pending_check.is_some());
    for _ in 0..goal.most_batches {
        let Some(left) = end.checked_sub(state.metrics.instructions) else {
            break;
        };
        if left == 0 {
            if state.point(run.program()) != goal.point || goal.pending_check.is_some() {
                break;
            }
            state.input.begins_objects = true;
            return Followed::There(state);
        }
        let allowed = run.instructions_left();
        if allowed == 0 || run.is_interrupted() {
            return Followed::Interrupted;
        }
        match run.execute(&mut state, left.min(allowed)) {
            Step::Continue => {}
            Step::Ended(_) | Step::Absent(_) => break,
            Step::Forked(mut siblings) => {
                if let Some(place) = siblings.iter().position(|other| goal.is(other)) {
                    let mut there = siblings.swap_remove(place);
                    there.input.begins_objects = true;
                    return Followed::There(there);
                }
                let takes = |state: &State| state.admits(run.terms(), &goal.model);
                if !takes(&state) || state.ending.is_some() {
                    let mut others = siblings.into_iter().filter(|other| other.ending.is_none());
                    match others.find(|other| takes(other)) {
                        Some(other) => state = other,
                        None => break,
                    }
                }
                state.model = goal.model.clone();
            }
        }
    }
    Followed::Dropped
}

impl Goal {
    /// True if a sibling is the pending state that is looked for.
    fn is(&self, sibling: &State) -> bool {
        let fingerprint = sibling.decisions.fingerprint();
        sibling.pending_check.is_some() && self.pending_check == Some(fingerprint)
    }
}
