//! Groups of states that wait at `klee_close_merge`.
//!
//! Invariant: a group holds the states that share an opening. Those that have closed it wait until
//! no other state can reach the close. One such other state, the witness, is known by its number,
//! so a group is re-examined only after its witness ran.

use crate::search::StateId;
use homi_machine::state::{Opening, ProgramPoint, State};
use std::sync::Arc;

/// Largest instruction distance of a state that an incomplete merge waits for, as a multiple of the
/// mean distance of the arrived states.
const MAX_DISTANCE: f64 = 2.0;

/// State that waits.
pub struct Waiting {
    pub id: StateId,
    pub point: ProgramPoint,
    pub state: Box<State>,
}

/// Waiting states of one opening.
pub struct Group {
    pub opening: Arc<Opening>,
    pub waiting: Vec<Waiting>,
    /// State that is still between the two marks; `None` if it is unknown.
    pub witness: Option<StateId>,
    /// Number of arrived states, and the mean of their instructions since the opening.
    arrived: u64,
    mean: f64,
}

impl Group {
    /// True if a state that has not arrived is close enough to wait for.
    pub fn is_close(&self, state: &State) -> bool {
        self.distance(state) < MAX_DISTANCE * self.mean
    }

    /// Returns the instructions of a state since the opening.
    fn distance(&self, state: &State) -> f64 {
        let executed = state.metrics.instructions;
        executed.saturating_sub(self.opening.instructions) as f64
    }
}

/// All groups with a waiting state, in the order in which the first state of each arrived.
#[derive(Default)]
pub struct Groups {
    groups: Vec<Group>,
}

impl Groups {
    /// Returns the group of an opening, and counts a state that arrives there.
    pub fn arrive(&mut self, opening: &Arc<Opening>, state: &State) -> &mut Group {
        let known = self
            .groups
            .iter()
            .position(|group| Arc::ptr_eq(&group.opening, opening));
        let at = known.unwrap_or_else(|| {
            self.groups.push(Group {
                opening: Arc::clone(opening),
                waiting: Vec::new(),
                witness: None,
                arrived: 0,
                mean: 0.0,
            });
            self.groups.len() - 1
        });
        let group = &mut self.groups[at];
        group.arrived += 1;
        group.mean += (group.distance(state) - group.mean) / group.arrived as f64;
        group
    }

    /// Sets the waiting states of an opening's group; removes the group if there are none.
    pub fn fill(&mut self, opening: &Arc<Opening>, waiting: Vec<Waiting>) {
        let mut groups = self.groups.iter_mut();
        if let Some(group) = groups.find(|group| Arc::ptr_eq(&group.opening, opening)) {
            group.waiting = waiting;
        }
        self.groups.retain(|group| !group.waiting.is_empty());
    }

    /// True if no state waits.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the indices of the groups whose witness is this state or unknown.
    pub fn waiting_for(&self, id: Option<StateId>) -> Vec<usize> {
        let groups = self.groups.iter().enumerate();
        let groups = groups.filter(|(_, group)| group.witness.is_none() || group.witness == id);
        groups.map(|(number, _)| number).collect()
    }

    /// Returns the groups by index.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Sets the witness of a group.
    pub fn set_witness(&mut self, number: usize, witness: Option<StateId>) {
        self.groups[number].witness = witness;
    }

    /// Removes a group and returns its states, which continue.
    pub fn release(&mut self, number: usize) -> Vec<Waiting> {
        self.groups.remove(number).waiting
    }

    /// Returns the waiting states of all groups.
    pub fn states(&self) -> impl Iterator<Item = &Waiting> {
        self.groups.iter().flat_map(|group| &group.waiting)
    }
}
