//! The three ways to sample theta (section 3.2.4), and drawing from the discrete distributions.

use super::generate::WeightDistribution;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Normal};
use serde::{Deserialize, Serialize};

/// Policy by which a run draws its weights, ratios and budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// No features yet, so no pruning: the first run.
    Initial,
    /// All weights, ratios and times are uniform.
    Explore,
    /// Weights, ratios and times follow the learned distributions.
    Exploit,
    /// The weights farthest from the learned ones; ratio and budget as learned.
    Reverse,
}

impl Policy {
    pub fn name(self) -> &'static str {
        match self {
            Policy::Initial => "initial",
            Policy::Explore => "explore",
            Policy::Exploit => "exploit",
            Policy::Reverse => "reverse",
        }
    }
}

/// The policy of run `run` (0 is the first): runs 1 to `explorations` explore, later ones draw one
/// of the three with equal probability.
pub fn choose_policy(run: u64, explorations: u32, generator: &mut impl Rng) -> Policy {
    match run {
        0 => Policy::Initial,
        run if run <= u64::from(explorations) => Policy::Explore,
        _ => match generator.random_range(0..3) {
            0 => Policy::Exploit,
            1 => Policy::Reverse,
            _ => Policy::Explore,
        },
    }
}

/// A number with the given probabilities; they sum to 1 up to rounding.
pub fn draw_index(probabilities: &[f64], generator: &mut impl Rng) -> usize {
    let mut left: f64 = generator.random();
    let mut last = 0;
    for (index, probability) in probabilities.iter().enumerate() {
        if *probability > 0.0 {
            last = index;
            if left < *probability {
                return index;
            }
            left -= probability;
        }
    }
    last
}

/// theta by the policy; `draws` is the size of U in reverse exploitation.
pub fn sample_weights(
    policy: Policy,
    distributions: &[WeightDistribution],
    draws: u32,
    generator: &mut impl Rng,
) -> Vec<f64> {
    let uniform = |generator: &mut _| uniform(generator);
    match policy {
        Policy::Initial | Policy::Explore => {
            distributions.iter().map(|_| uniform(generator)).collect()
        }
        Policy::Exploit => distributions
            .iter()
            .map(|distribution| distribution.sample(generator))
            .collect(),
        Policy::Reverse => {
            // One U per vector.
            let set: Vec<f64> = (0..draws).map(|_| uniform(generator)).collect();
            distributions
                .iter()
                .map(|distribution| farthest(&set, distribution.sample(generator)))
                .collect()
        }
    }
}

/// The element of the set that is farthest from a weight; the first of equals.
fn farthest(set: &[f64], weight: f64) -> f64 {
    let mut best = set.first().copied().unwrap_or(-weight);
    for value in set {
        if (value - weight).abs() > (best - weight).abs() {
            best = *value;
        }
    }
    best
}

/// A number from the uniform distribution U([-1, 1]).
fn uniform(generator: &mut impl Rng) -> f64 {
    generator.random_range(-1.0..=1.0)
}

impl WeightDistribution {
    /// One weight in [-1, 1].
    pub fn sample(&self, generator: &mut impl Rng) -> f64 {
        match *self {
            WeightDistribution::Uniform => uniform(generator),
            WeightDistribution::Normal { mean, deviation } => {
                // A deviation that is not positive is the point mass.
                let Some(normal) = Normal::new(mean, deviation)
                    .ok()
                    .filter(|_| deviation > 0.0)
                else {
                    return mean.clamp(-1.0, 1.0);
                };
                // Rejection is exact. Means of weights lie in [-1, 1] and deviations are at most 1,
                // so a draw is accepted with probability above 0.4.
                for _ in 0..10_000 {
                    let value = normal.sample(generator);
                    if (-1.0..=1.0).contains(&value) {
                        return value;
                    }
                }
                mean.clamp(-1.0, 1.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64;

    fn generator() -> Pcg64 {
        Pcg64::new(42, 54)
    }

    fn moments(values: &[f64]) -> (f64, f64) {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let square = |value: &f64| (value - mean) * (value - mean);
        let variance = values.iter().map(square).sum::<f64>() / values.len() as f64;
        (mean, variance.sqrt())
    }

    fn draws(distribution: WeightDistribution, count: usize) -> Vec<f64> {
        let mut generator = generator();
        (0..count)
            .map(|_| distribution.sample(&mut generator))
            .collect()
    }

    #[test]
    fn a_narrow_normal_keeps_its_moments() {
        let values = draws(
            WeightDistribution::Normal {
                mean: 0.3,
                deviation: 0.1,
            },
            20_000,
        );
        let (mean, deviation) = moments(&values);
        assert!((mean - 0.3).abs() < 0.005, "{mean}");
        assert!((deviation - 0.1).abs() < 0.005, "{deviation}");
    }

    #[test]
    fn a_wide_normal_is_cut_off_not_clamped() {
        let values = draws(
            WeightDistribution::Normal {
                mean: 1.0,
                deviation: 0.5,
            },
            20_000,
        );
        assert!(values.iter().all(|value| (-1.0..=1.0).contains(value)));
        assert!(!values.contains(&1.0));
        // Nearly a half-normal: mean 1 - 0.5 sqrt(2 / pi) = 0.601.
        let (mean, _) = moments(&values);
        assert!((mean - 0.601).abs() < 0.01, "{mean}");
    }

    #[test]
    fn uniform_and_point() {
        let (mean, deviation) = moments(&draws(WeightDistribution::Uniform, 20_000));
        assert!(mean.abs() < 0.02, "{mean}");
        assert!((deviation - 1.0 / 3f64.sqrt()).abs() < 0.01, "{deviation}");
        let point = WeightDistribution::Normal {
            mean: -0.25,
            deviation: 0.0,
        };
        assert_eq!(draws(point, 3), [-0.25; 3]);
    }

    #[test]
    fn reverse_takes_the_farthest() {
        assert_eq!(farthest(&[-0.9, 0.1, 0.8], 0.5), -0.9);
        assert_eq!(farthest(&[-0.9, 0.1, 0.8], -0.2), 0.8);
        let point = |mean| WeightDistribution::Normal {
            mean,
            deviation: 0.0,
        };
        let mut generator = generator();
        let weights = sample_weights(
            Policy::Reverse,
            &[point(0.5), point(-0.5), point(0.7)],
            100,
            &mut generator,
        );
        // The extremes of one hundred draws, and the same U for each weight.
        assert!(weights[0] < -0.9 && weights[1] > 0.9, "{weights:?}");
        assert_eq!(weights[0], weights[2]);
    }

    #[test]
    fn exploration_does_not_look_at_what_was_learned() {
        let point = WeightDistribution::Normal {
            mean: 0.5,
            deviation: 0.0,
        };
        let weights = sample_weights(Policy::Explore, &[point; 1000], 100, &mut generator());
        let (mean, deviation) = moments(&weights);
        assert!(mean.abs() < 0.06 && deviation > 0.5, "{mean} {deviation}");
        let same = sample_weights(Policy::Explore, &[point; 1000], 100, &mut generator());
        assert_eq!(weights, same, "a seed gives the same weights");
        let learned = sample_weights(Policy::Exploit, &[point; 3], 100, &mut generator());
        assert_eq!(learned, [0.5; 3]);
    }

    #[test]
    fn policies_explore_first_and_are_equally_likely_later() {
        let mut generator = generator();
        assert_eq!(choose_policy(0, 10, &mut generator), Policy::Initial);
        for run in 1..=10 {
            assert_eq!(choose_policy(run, 10, &mut generator), Policy::Explore);
        }
        let mut counts = [0; 3];
        for run in 11..9_011 {
            match choose_policy(run, 10, &mut generator) {
                Policy::Explore => counts[0] += 1,
                Policy::Exploit => counts[1] += 1,
                Policy::Reverse => counts[2] += 1,
                Policy::Initial => unreachable!("only the first run"),
            }
        }
        assert!(
            counts.iter().all(|count| (2_800..3_200).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn discrete_draws_follow_their_probabilities() {
        let mut generator = generator();
        let mut counts = [0; 3];
        for _ in 0..9_000 {
            counts[draw_index(&[2.0 / 3.0, 0.0, 1.0 / 3.0], &mut generator)] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((5_800..6_200).contains(&counts[0]), "{counts:?}");
        assert_eq!(draw_index(&[0.0, 1.0], &mut generator), 1);
    }
}
