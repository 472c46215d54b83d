//! A run of a campaign that takes place elsewhere: what was drawn for it there, and what was known.
//!
//! Invariant: with the options of its campaign it is all that the run depends on. So it is the same
//! run on every machine, and as often as it is made.

use super::ledger::Ledger;
use crate::explore::prune::learn::{Condition, Policy, Probabilities, Recogniser};
use serde::{Deserialize, Serialize};

/// A run that is to be made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AssignedRun {
    /// Number of the run in its campaign, from 0.
    pub number: u64,
    /// Nothing where nothing is learned.
    pub policy: Option<Policy>,
    /// Number of N' in S_time.
    pub budget: usize,
    /// The core conditions that features are, by number.
    pub conditions: Vec<Condition>,
    /// What was learned, if the policy asks for it; numbers of features are places in `conditions`.
    pub learned: Option<Probabilities>,
    /// Sides and segments that the campaign has covered.
    pub sides: Vec<u32>,
    pub segments: Vec<u32>,
}

impl AssignedRun {
    /// Makes a campaign that has nothing know what is known where the run was planned.
    pub(super) fn prepare(&self, ledger: &mut Ledger, conditions: &mut Recogniser) {
        for condition in &self.conditions {
            conditions.intern(condition.clone());
        }
        for side in &self.sides {
            ledger.sides.insert(*side);
        }
        for segment in &self.segments {
            ledger.segments.insert(*segment);
        }
    }

    /// True if the run, the only one that there was to be, has begun; `begun` runs have.
    pub(super) fn is_done(&self, begun: u64) -> bool {
        begun > self.number
    }
}
