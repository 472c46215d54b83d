//! Pruning: PRUNE of Homi (FSE'20, section 3.1), its random baseline, and pruning at the memory
//! limit.
//!
//! Owns: the trait of pruners, their view of the open states, the table of pruners and one file for
//! each, the schedule of prune events. Never: a state, the search, removing a state from the run.
//! Data come from `engine` (a view of the open states) and go back to it as ids.

mod choose;
mod keep;
pub mod learn;
mod learned;
mod memory;
mod open;
mod random;
mod registry;
mod rules;
mod sets;

pub use choose::{Candidate, Ties, lowest_first, share, shuffled};
pub use keep::leave_some;
pub use learned::Learned;
pub use memory::MemoryShare;
pub use open::{CodeLocation, OpenStates};
pub use random::Random;
pub use registry::{PRUNERS, PrunerRow, PrunerStart, pruner_of};
pub use rules::{PruneRules, Schedule};
pub use sets::{FeatureSets, SetId};

use crate::search::{Clock, StateId};
use crate::select::MadeTest;

/// The pruned states of one event, and how they were chosen.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pruned {
    /// In the order of leaving.
    pub states: Vec<StateId>,
    /// Weights of the features that decided (theta), if features did.
    pub weights: Vec<f64>,
    /// Share of the states that was to leave, and its number among the shares to choose from.
    pub ratio: f64,
    pub ratio_index: usize,
    /// Ties of scores among the states; all 0 if no score decided.
    pub ties: Ties,
}

/// Chooses the states to prune. Each thread of a run has a separate pruner.
pub trait Pruner {
    /// True if states are to leave now. `states` is the number of open states. Asked before every
    /// choice of the search, so it must be cheap.
    fn is_due(&mut self, clock: Clock, states: usize) -> bool;

    /// Returns the states to prune; `None` if this is not a prune event.
    fn choose(&mut self, open: &dyn OpenStates, clock: Clock) -> Option<Pruned>;

    /// A test was made.
    fn test_made(&mut self, _test: &MadeTest<'_>) {}
}

#[cfg(test)]
mod testing;
