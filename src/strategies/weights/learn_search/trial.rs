//! Trial: one concolic run with a vector of weights, and its result.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Purpose of a trial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// One trial of each drawn vector.
    Find,
    /// Several trials of each of the best vectors; their mean counts.
    Check,
}

/// Identity of a trial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct TrialId {
    /// Number of the round, from 1.
    pub round: u32,
    pub phase: Phase,
    /// Index of the vector among those drawn in this round, from 0.
    pub vector: u32,
    /// Index of the trial among the vector's trials in this phase, from 0.
    pub repeat: u32,
}

/// Trial to run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trial {
    pub id: TrialId,
    pub weights: Arc<[f64]>,
    /// Seed that decides ties and restarts.
    pub seed: u64,
}

/// Finished trial.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndedTrial {
    #[serde(flatten)]
    pub id: TrialId,
    /// Seed; with the vector's weights it makes `homi concolic` repeat the trial.
    pub seed: u64,
    #[serde(flatten)]
    pub reached: Reached,
}

/// Result of a trial. Equal trials have equal results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reached {
    /// Number of covered sides of user code.
    pub branches: u64,
    /// Number of paths that ended, including failing sides of checks.
    pub executions: u64,
}
