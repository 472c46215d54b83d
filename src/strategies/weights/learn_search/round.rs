//! Result of a round of learning.

use super::trial::{Reached, TrialId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Numbers of branches over the trials of one vector.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Branches {
    pub trials: u64,
    pub mean: f64,
    /// Sample standard deviation; 0 for one trial.
    pub spread: f64,
    pub least: u64,
    pub most: u64,
}

impl Branches {
    /// Computes the numbers of some trials; zeros if there are none.
    pub(super) fn of(trials: &[Reached]) -> Self {
        let count = trials.len() as f64;
        let numbers = || trials.iter().map(|reached| reached.branches);
        let mean = numbers().sum::<u64>() as f64 / count.max(1.0);
        let squares: f64 = numbers()
            .map(|branches| (branches as f64 - mean).powi(2))
            .sum();
        Self {
            trials: trials.len() as u64,
            mean,
            spread: (squares / (count - 1.0).max(1.0)).sqrt(),
            least: numbers().min().unwrap_or(0),
            most: numbers().max().unwrap_or(0),
        }
    }

    /// True if several trials gave equal results, so that they are worth one.
    pub fn is_one_run(&self) -> bool {
        self.trials > 1 && self.least == self.most
    }
}

/// Returns the vectors by the mean of their trials, the best first; of equal ones, the vector drawn
/// first.
pub(super) fn ranking(reached: &BTreeMap<TrialId, Reached>) -> Vec<(u32, Branches)> {
    let mut trials: BTreeMap<u32, Vec<Reached>> = BTreeMap::new();
    for (id, reached) in reached {
        trials.entry(id.vector).or_default().push(*reached);
    }
    let of_each = trials.into_iter();
    let mut ranking: Vec<(u32, Branches)> = of_each
        .map(|(vector, trials)| (vector, Branches::of(&trials)))
        .collect();
    // The stable sort keeps the order of equal vectors.
    ranking.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
    ranking
}

/// Finished round.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    /// Number of the round, from 1.
    pub number: u32,
    /// Branches over the trials of Find, one per vector.
    pub found: Branches,
    /// Checked vectors, best first: the index of each in the drawn ones, and its branches.
    pub checked: Vec<(u32, Branches)>,
    /// Number of weights for which the next round can draw only one sign.
    pub decided: usize,
}

impl Round {
    /// Returns the branches of the best vector.
    pub fn best(&self) -> Branches {
        self.checked.first().map(|best| best.1).unwrap_or_default()
    }

    /// Returns the round for the history in a weight file.
    pub fn to_value(&self) -> Value {
        let checked = self.checked.iter().map(|(vector, branches)| {
            json!({
                "vector": vector,
                "mean": branches.mean,
                "spread": branches.spread,
                "least": branches.least,
                "most": branches.most,
            })
        });
        json!({
            "round": self.number,
            "find": {
                "vectors": self.found.trials,
                "mean": self.found.mean,
                "spread": self.found.spread,
                "least": self.found.least,
                "most": self.found.most,
            },
            "check": checked.collect::<Vec<_>>(),
            "weights_of_one_sign": self.decided,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(branches: &[u64]) -> Vec<Reached> {
        let each = branches.iter().map(|branches| Reached {
            branches: *branches,
            executions: 1,
        });
        each.collect()
    }

    #[test]
    fn mean_and_spread_by_hand() {
        let branches = Branches::of(&reached(&[2, 4, 4, 4, 5, 5, 7, 9]));
        assert_eq!((branches.trials, branches.mean), (8, 5.0));
        assert!((branches.spread - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!((branches.least, branches.most), (2, 9));
        assert!(!branches.is_one_run());
    }

    #[test]
    fn equal_trials_are_one_run_and_one_trial_teaches_nothing() {
        assert!(Branches::of(&reached(&[6, 6, 6])).is_one_run());
        assert_eq!(Branches::of(&reached(&[6, 6, 6])).spread, 0.0);
        assert!(!Branches::of(&reached(&[6])).is_one_run());
        assert_eq!(Branches::of(&[]), Branches::default());
    }
}
