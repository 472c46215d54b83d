//! Parameters of learning.

use serde::{Deserialize, Serialize};

/// Hyper-parameters of Algorithm 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Number of weights of a vector.
    pub features: usize,
    /// Number of vectors drawn in each round (n); at least `best`.
    pub samples: usize,
    /// Number of vectors that are checked (k); at least 2, because two vectors refine the spaces.
    pub best: usize,
    /// Number of trials per checked vector; at least 1.
    pub trials: usize,
    /// Seed of all random draws.
    pub seed: u64,
    /// True if a space whose weight differs in sign between the two best vectors is reset to all
    /// weights, as in the paper's tool. Otherwise the space is unchanged, as in the paper.
    pub resets: bool,
}
