//! How weights are learned.

use serde::{Deserialize, Serialize};

/// The hyper-parameters of Algorithm 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Weights that a vector has.
    pub features: usize,
    /// Vectors that are drawn in each round (n); at least `best`.
    pub samples: usize,
    /// How many of them are checked (k); at least 2, because two refine the spaces.
    pub best: usize,
    /// Trials of each of those; at least 1.
    pub trials: usize,
    /// Seed of all that is drawn.
    pub seed: u64,
    /// A space for whose weight the two best vectors differ in sign is all weights again, as in the
    /// paper's tool; else it stays as it was, as in the paper.
    pub resets: bool,
}

impl Plan {
    /// Trials of one round.
    pub fn trials_per_round(&self) -> usize {
        self.samples + self.best * self.trials
    }
}
