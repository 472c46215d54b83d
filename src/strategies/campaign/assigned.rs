//! Run of a campaign that another process performs: its drawn parameters and the campaign's
//! knowledge at that time.
//!
//! Invariant: the run depends only on this record and the options of its campaign. It is therefore
//! equal on every machine and in every repetition.

use super::campaign_data::CampaignData;
use homi_explore::prune::learn::{Condition, Policy, Probabilities, Recogniser};
use serde::{Deserialize, Serialize};

/// Run that another process performs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AssignedRun {
    /// Number of the run in its campaign, from 0.
    pub number: u64,
    /// Pruning policy; `None` if the campaign does not learn.
    pub policy: Option<Policy>,
    /// Index of N' in S_time.
    pub budget: usize,
    /// Core conditions that are features, by number.
    pub conditions: Vec<Condition>,
    /// Learned probabilities, if the policy needs them; features are indices into `conditions`.
    pub learned: Option<Probabilities>,
    /// Branch sides that the campaign has covered; `segments` are the covered segments.
    pub sides: Vec<u32>,
    pub segments: Vec<u32>,
}

impl AssignedRun {
    /// Gives an empty campaign the knowledge that the campaign had when it planned the run.
    pub(super) fn prepare(&self, data: &mut CampaignData, conditions: &mut Recogniser) {
        for condition in &self.conditions {
            conditions.intern(condition.clone());
        }
        for side in &self.sides {
            data.sides.insert(*side);
        }
        for segment in &self.segments {
            data.segments.insert(*segment);
        }
    }

    /// True if the single run of the campaign has started; `begun` is the number of started runs.
    pub(super) fn is_done(&self, begun: u64) -> bool {
        begun > self.number
    }
}
