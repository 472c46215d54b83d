//! Which states leave: PRUNE of Homi (FSE'20, section 3.1) and its random baselines.
//!
//! Owns: feature vectors of states as persistent sets, their scores, the choice of the lowest or of
//! random ones, and of those that stay for the sake of their place. Never: a state, a term, a
//! distribution, the clock. It sees ids, sets of feature numbers and weights. Data come from
//! `engine`, which takes the chosen states out of the run.

mod choose;
mod keep;
mod sets;

pub use choose::{Candidate, lowest_first, share, shuffled};
pub use keep::leave_some;
pub use sets::{FeatureSets, SetId};
