//! Who waits at `klee_close_merge`, and for whom.
//!
//! Invariant: a group is the states that share an opening. Those of it that have closed it wait
//! until none is on its way; of the others one is known by its number (the witness), so that a look
//! at it tells whether the group has to be looked at.

use crate::explore::search::StateId;
use crate::machine::state::{Opening, ProgramPoint, State};
use std::sync::Arc;

/// Instruction distance, in means of those that have arrived, up to which the others are waited
/// for in an incomplete merge.
const PATIENCE: f64 = 2.0;

/// A state that waits.
pub struct Waiting {
    pub id: StateId,
    pub point: ProgramPoint,
    pub state: Box<State>,
}

/// The states of one opening that wait.
pub struct Group {
    pub opening: Arc<Opening>,
    pub waiting: Vec<Waiting>,
    /// A state that is still between the two marks.
    pub witness: Option<StateId>,
    /// States that have arrived, and the mean of their instructions since the opening.
    arrived: u64,
    mean: f64,
}

impl Group {
    /// Whether a state that is on its way is close enough to be waited for.
    pub fn is_close(&self, state: &State) -> bool {
        self.distance(state) < PATIENCE * self.mean
    }

    /// Instructions of a state since the opening.
    fn distance(&self, state: &State) -> f64 {
        let executed = state.metrics.instructions;
        executed.saturating_sub(self.opening.instructions) as f64
    }
}

/// All groups with a state that waits, in the order in which the first of each arrived.
#[derive(Default)]
pub struct Groups {
    groups: Vec<Group>,
}

impl Groups {
    /// The group of an opening at which a state arrives, which is counted.
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

    /// Those that wait in the group of an opening; none leaves an empty group, which is forgotten.
    pub fn fill(&mut self, opening: &Arc<Opening>, waiting: Vec<Waiting>) {
        let mut groups = self.groups.iter_mut();
        if let Some(group) = groups.find(|group| Arc::ptr_eq(&group.opening, opening)) {
            group.waiting = waiting;
        }
        self.groups.retain(|group| !group.waiting.is_empty());
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The groups that wait for a state, or for one that is not known.
    pub fn waiting_for(&self, id: Option<StateId>) -> Vec<usize> {
        let groups = self.groups.iter().enumerate();
        let groups = groups.filter(|(_, group)| group.witness.is_none() || group.witness == id);
        groups.map(|(number, _)| number).collect()
    }

    /// The groups by number.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Who is the witness of a group now.
    pub fn set_witness(&mut self, number: usize, witness: Option<StateId>) {
        self.groups[number].witness = witness;
    }

    /// Takes a group out: its states go on.
    pub fn release(&mut self, number: usize) -> Vec<Waiting> {
        self.groups.remove(number).waiting
    }

    /// The states that wait.
    pub fn states(&self) -> impl Iterator<Item = &Waiting> {
        self.groups.iter().flat_map(|group| &group.waiting)
    }
}
