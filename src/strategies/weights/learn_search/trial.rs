//! A trial: one concolic run of a vector of weights, and what it reached.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a trial is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// One trial of each vector that was drawn.
    Find,
    /// Several of each of the best, of which the mean counts.
    Check,
}

/// Which trial it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct TrialId {
    /// From 1.
    pub round: u32,
    pub phase: Phase,
    /// The vector's place among those that were drawn in this round, from 0.
    pub vector: u32,
    /// Which of the vector's trials in this phase, from 0.
    pub repeat: u32,
}

/// A trial to be made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trial {
    pub id: TrialId,
    pub weights: Arc<[f64]>,
    /// Decides ties and restarts.
    pub seed: u64,
}

/// A trial that is over.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EndedTrial {
    #[serde(flatten)]
    pub id: TrialId,
    /// With it and the vector's weights, `homi concolic` makes the same trial.
    pub seed: u64,
    #[serde(flatten)]
    pub reached: Reached,
}

/// What a trial reached. Equal trials reach the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reached {
    /// Sides of the program's own branches that were covered.
    pub branches: u64,
    /// Paths that came to their end, the failing sides of checks among them.
    pub executions: u64,
}
