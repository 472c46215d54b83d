//! FGenerator and PGenerator (sections 3.2.2 and 3.2.3): features and probabilities from the chosen
//! tests.
//!
//! A test carries what made it: the run's budget N', and (F, theta, r) of the run's last prune
//! event at or before its creation; a test from before the first event has no theta and no r. The
//! denominators of equations (2) and (3) count the tests that have the value; if none has, the
//! distribution is uniform.

use super::features::FeatureId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One prune event of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// theta, one weight per feature of the run.
    pub weights: Vec<f64>,
    /// Index of the pruning ratio r in S_ratio.
    pub ratio: usize,
}

/// Parameters of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunRecord {
    /// Number of N' in S_time, if the run had one.
    pub budget: Option<usize>,
    /// F, ascending; shared by all events of the run.
    pub features: Vec<FeatureId>,
    pub events: Vec<Event>,
}

/// One element of D: a test's features Phi, the test t and what it covered, B.
#[derive(Clone, PartialEq, Debug)]
pub struct TestRecord {
    /// Position in `Data::runs`.
    pub run: usize,
    /// The last event at or before the test's creation.
    pub event: Option<usize>,
    /// The core conditions of Phi, ascending.
    pub features: Arc<[FeatureId]>,
    /// B: the branch sides that the test covered, ascending.
    pub sides: Arc<[u32]>,
}

/// D with the provenance of its tests.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Data {
    pub runs: Vec<RunRecord>,
    pub tests: Vec<TestRecord>,
}

/// The distribution of one feature's weight: P_i of the paper's equation (1).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightDistribution {
    /// U([-1, 1]): the feature has not been used for a good test yet.
    Uniform,
    /// N(mean, deviation) cut off at -1 and 1; a deviation of 0 is a point mass.
    Normal { mean: f64, deviation: f64 },
}

/// Learned probabilities: the paper's F, P_stgy, P_ratio and P_time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Probabilities {
    pub features: Vec<FeatureId>,
    /// The distribution of each feature's weight.
    pub weights: Vec<WeightDistribution>,
    /// Probability of each value of S_ratio.
    pub ratio: Vec<f64>,
    /// Probability of each value of S_time.
    pub budget: Vec<f64>,
}

/// FGenerator: all core conditions of the chosen tests' path conditions, ascending.
pub fn generate_features(data: &Data, good: &[usize]) -> Vec<FeatureId> {
    let features: BTreeSet<FeatureId> = good
        .iter()
        .flat_map(|test| data.tests[*test].features.iter().copied())
        .collect();
    features.into_iter().collect()
}

/// PGenerator, for spaces with `ratios` and `budgets` values.
pub fn generate_probabilities(
    data: &Data,
    good: &[usize],
    features: Vec<FeatureId>,
    ratios: usize,
    budgets: usize,
) -> Probabilities {
    // W_i, duplicates kept: every good test counts once for each feature that made it.
    let mut used: Vec<Vec<f64>> = vec![Vec::new(); features.len()];
    let mut ratio_counts = vec![0u64; ratios];
    let mut budget_counts = vec![0u64; budgets];
    for test in good {
        let test = &data.tests[*test];
        let run = &data.runs[test.run];
        if let Some(count) = run.budget.and_then(|budget| budget_counts.get_mut(budget)) {
            *count += 1;
        }
        let Some(event) = test.event.and_then(|event| run.events.get(event)) else {
            continue;
        };
        if let Some(count) = ratio_counts.get_mut(event.ratio) {
            *count += 1;
        }
        for (feature, weight) in run.features.iter().zip(&event.weights) {
            if let Ok(position) = features.binary_search(feature) {
                used[position].push(*weight);
            }
        }
    }
    Probabilities {
        features,
        weights: used.iter().map(|weights| distribution(weights)).collect(),
        ratio: normalised(&ratio_counts),
        budget: normalised(&budget_counts),
    }
}

/// The distribution learned from a feature's weights: the paper's equation (1).
fn distribution(weights: &[f64]) -> WeightDistribution {
    if weights.is_empty() {
        return WeightDistribution::Uniform;
    }
    let count = weights.len() as f64;
    // Equal weights give exactly their value, not a sum's rounding.
    if weights.iter().all(|weight| *weight == weights[0]) {
        return WeightDistribution::Normal {
            mean: weights[0],
            deviation: 0.0,
        };
    }
    let mean = weights.iter().sum::<f64>() / count;
    let variance = weights
        .iter()
        .map(|weight| (weight - mean) * (weight - mean))
        .sum::<f64>()
        / count;
    WeightDistribution::Normal {
        mean,
        deviation: variance.sqrt(),
    }
}

/// Counts as probabilities; uniform if all are 0.
fn normalised(counts: &[u64]) -> Vec<f64> {
    let total: u64 = counts.iter().sum();
    counts
        .iter()
        .map(|count| match total {
            0 => 1.0 / counts.len() as f64,
            _ => *count as f64 / total as f64,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(run: usize, event: Option<usize>, features: &[u32]) -> TestRecord {
        TestRecord {
            run,
            event,
            features: features.iter().copied().map(FeatureId).collect(),
            sides: Arc::from([]),
        }
    }

    fn event(ratio: usize, weights: &[f64]) -> Event {
        Event {
            weights: weights.to_vec(),
            ratio,
        }
    }

    /// Run 0 without features; run 1 with F = {1, 3} and two events; run 2 with F = {3}.
    fn data() -> Data {
        Data {
            runs: vec![
                RunRecord {
                    budget: Some(3),
                    ..RunRecord::default()
                },
                RunRecord {
                    budget: Some(0),
                    features: vec![FeatureId(1), FeatureId(3)],
                    events: vec![event(2, &[0.5, -0.5]), event(0, &[1.0, 0.25])],
                },
                RunRecord {
                    budget: Some(0),
                    features: vec![FeatureId(3)],
                    events: vec![event(0, &[0.75])],
                },
            ],
            tests: vec![
                test(0, None, &[1, 2]),
                test(1, None, &[]),
                test(1, Some(0), &[3]),
                test(1, Some(1), &[5]),
                test(2, Some(0), &[3, 4]),
            ],
        }
    }

    #[test]
    fn features_are_those_of_the_chosen_paths() {
        let ids = |list: &[u32]| list.iter().copied().map(FeatureId).collect::<Vec<_>>();
        assert_eq!(generate_features(&data(), &[4, 0]), ids(&[1, 2, 3, 4]));
        assert_eq!(generate_features(&data(), &[1]), ids(&[]));
    }

    #[test]
    fn probabilities_by_hand() {
        let data = data();
        let good = [0, 2, 3, 4];
        let features = generate_features(&data, &good);
        let p = generate_probabilities(&data, &good, features, 3, 4);
        // Feature 1: weights 0.5 and 1; feature 3: -0.5, 0.25, 0.75; 2, 4 and 5 were never used.
        let normal = |mean: f64, variance: f64| WeightDistribution::Normal {
            mean,
            deviation: variance.sqrt(),
        };
        let third = 0.5 / 3.0;
        let spread = [-0.5f64, 0.25, 0.75]
            .iter()
            .map(|weight| (weight - third).powi(2))
            .sum::<f64>()
            / 3.0;
        assert_eq!(
            p.weights,
            [
                normal(0.75, 0.0625),
                WeightDistribution::Uniform,
                normal(third, spread),
                WeightDistribution::Uniform,
                WeightDistribution::Uniform,
            ]
        );
        // Three tests have a ratio: 2 once, 0 twice. All four have a budget: 3 once, 0 three times.
        assert_eq!(p.ratio, [2.0 / 3.0, 0.0, 1.0 / 3.0]);
        assert_eq!(p.budget, [0.75, 0.0, 0.0, 0.25]);
    }

    #[test]
    fn without_events_ratios_are_uniform_and_one_value_is_a_point() {
        let data = data();
        let p = generate_probabilities(&data, &[0, 1], vec![FeatureId(1)], 3, 4);
        assert_eq!(p.ratio, [1.0 / 3.0; 3]);
        assert_eq!(p.weights, [WeightDistribution::Uniform]);
        let p = generate_probabilities(&data, &[4], vec![FeatureId(3)], 3, 4);
        let point = WeightDistribution::Normal {
            mean: 0.75,
            deviation: 0.0,
        };
        assert_eq!(p.weights, [point]);
    }
}
