//! Which states leave: PRUNE of Homi (FSE'20, section 3.1) and its random baselines.
//!
//! Owns: feature vectors of states as persistent sets, their scores, and the choice of the lowest or of
//! random ones. Never: a state, a term, a distribution, the clock. It sees ids, sets of feature numbers
//! and weights. Data come from `engine`, which takes the chosen states out of the run.

mod choose;
mod sets;

pub use choose::{Candidate, lowest, random};
pub use sets::{FeatureSets, SetId};
