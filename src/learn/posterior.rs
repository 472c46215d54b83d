//! `--learn posterior`: what tests tell of conditions, without the weights that pruned beside them.
//!
//! Not in the paper. Its equation (1) credits the weights that a run drew with each test of the
//! run, though a weight decides only which states leave, and a test shows nothing of those. Here a
//! condition is credited with the tests on whose path it stands: how likely such a test is the
//! first of the campaign to cover something. Shares and run times are credited with tests for each
//! time that they were used, where equations (2) and (3) prefer what was used most.
//!
//! A later run finds less than an earlier one, whatever it does. So a test counts for half after
//! `HALF_LIFE` more runs, and a condition is held against the rate of all tests.

use super::features::FeatureId;
use super::generate::{Data, Probabilities, RunRecord, WeightDistribution};
use super::sample::Policy;
use rand::{Rng, RngExt};
use std::collections::{BTreeMap, BTreeSet};

/// Runs after which a test counts for half of what it did.
const HALF_LIFE: f64 = 10.0;
/// Tests' worth of the rate of all tests that is known of a condition before any of it.
const KNOWN_BEFORE: f64 = 10.0;
/// Log-odds that become a weight of 1; greater ones do as well.
const GREATEST: f64 = 8.0;
/// Least rate of good tests; logarithms of 0 are of no use.
const LEAST_RATE: f64 = 1e-6;
/// Part of the runs after the first ones that use what was learned; the others explore.
const EXPLOITED: f64 = 0.6;
/// Runs after the first that explore, unless the user says how many.
pub const EXPLORATIONS: u32 = 3;

/// Tests with a condition on their paths, by age: all, and those that were the first of the
/// campaign to cover something.
#[derive(Clone, Copy, Default)]
struct Seen {
    all: f64,
    good: f64,
}

impl Seen {
    fn note(&mut self, weight: f64, is_good: bool) {
        self.all += weight;
        self.good += if is_good { weight } else { 0.0 };
    }
}

/// Whether each test was the first to cover something, in the order of making.
fn firsts(data: &Data) -> Vec<bool> {
    let mut covered: BTreeSet<u32> = BTreeSet::new();
    let tests = data.tests.iter();
    let is_first = tests.map(|test| {
        let before = covered.len();
        covered.extend(test.sides.iter());
        covered.len() > before
    });
    is_first.collect()
}

/// The distributions from which exploiting runs draw.
///
/// `budgets` has the length of each value of S_time, in any unit; the result has a probability for
/// each of `ratios` values of S_ratio and for each budget, in proportion to first tests per prune
/// event and per length of runs.
pub fn posterior_probabilities(data: &Data, ratios: usize, budgets: &[f64]) -> Probabilities {
    let is_first = firsts(data);
    let count = data.runs.len();
    let by_age = |run: usize| 0.5_f64.powf(count.saturating_sub(run + 1) as f64 / HALF_LIFE);
    let mut all = Seen::default();
    let mut seen: BTreeMap<FeatureId, Seen> = BTreeMap::new();
    let mut found_by_ratio = vec![0.0; ratios];
    let mut found_by_budget = vec![0.0; budgets.len()];
    for (test, is_good) in data.tests.iter().zip(is_first) {
        let weight = by_age(test.run);
        all.note(weight, is_good);
        for feature in test.features.iter() {
            seen.entry(*feature).or_default().note(weight, is_good);
        }
        let run = data.runs.get(test.run).filter(|_| is_good);
        let Some(run) = run else {
            continue;
        };
        add(&mut found_by_budget, run.budget, weight);
        let event = test.event.and_then(|event| run.events.get(event));
        add(&mut found_by_ratio, event.map(|event| event.ratio), weight);
    }
    let base = ((all.good + 1.0) / (all.all + 2.0)).max(LEAST_RATE);
    let weight = |seen: &Seen| WeightDistribution::LogOdds {
        good: seen.good + KNOWN_BEFORE * base,
        other: seen.all - seen.good + KNOWN_BEFORE * (1.0 - base),
        base,
    };
    let (used_ratios, used_budgets) = used(&data.runs, ratios, budgets, by_age);
    Probabilities {
        features: seen.keys().copied().collect(),
        weights: seen.values().map(weight).collect(),
        ratio: per_use(&found_by_ratio, &used_ratios),
        budget: per_use(&found_by_budget, &used_budgets),
    }
}

fn add(to: &mut [f64], place: Option<usize>, amount: f64) {
    if let Some(sum) = place.and_then(|place| to.get_mut(place)) {
        *sum += amount;
    }
}

/// Prune events with each share, and lengths of the runs with each budget, by age.
fn used(
    runs: &[RunRecord],
    ratios: usize,
    budgets: &[f64],
    by_age: impl Fn(usize) -> f64,
) -> (Vec<f64>, Vec<f64>) {
    let (mut events, mut lengths) = (vec![0.0; ratios], vec![0.0; budgets.len()]);
    for (number, run) in runs.iter().enumerate() {
        let weight = by_age(number);
        for event in &run.events {
            add(&mut events, Some(event.ratio), weight);
        }
        let length = run.budget.and_then(|budget| budgets.get(budget));
        let length = length.copied().unwrap_or(0.0);
        add(&mut lengths, run.budget, weight * length);
    }
    (events, lengths)
}

/// Probabilities in proportion to what was found for each use; as for two more uses at the mean
/// rate, so that what was hardly used is neither certain nor ruled out.
fn per_use(found: &[f64], used: &[f64]) -> Vec<f64> {
    let (all_found, all_used): (f64, f64) = (found.iter().sum(), used.iter().sum());
    let count = found.len() as f64;
    if all_found <= 0.0 || all_used <= 0.0 {
        return vec![1.0 / count; found.len()];
    }
    let mean = all_found / all_used;
    let before = 2.0 * all_used / count;
    let rate = |(found, used): (&f64, &f64)| (found + before * mean) / (used + before);
    let rates: Vec<f64> = found.iter().zip(used).map(rate).collect();
    let sum: f64 = rates.iter().sum();
    rates.iter().map(|rate| rate / sum).collect()
}

/// The weight in [-1, 1] of a rate of good tests beside that of all.
pub(super) fn weight_of(rate: f64, base: f64) -> f64 {
    let odds = |rate: f64| {
        let rate = rate.clamp(LEAST_RATE, 1.0 - LEAST_RATE);
        (rate / (1.0 - rate)).ln()
    };
    ((odds(rate) - odds(base)) / GREATEST).clamp(-1.0, 1.0)
}

/// The policy of run `run` (0 is the first): runs 1 to `explorations` explore, of later ones 3 of 5
/// use what was learned.
pub fn choose_policy_by_posterior(run: u64, explorations: u32, generator: &mut impl Rng) -> Policy {
    match run {
        0 => Policy::Initial,
        run if run <= u64::from(explorations) => Policy::Explore,
        _ if generator.random_bool(EXPLOITED) => Policy::Exploit,
        _ => Policy::Explore,
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::{Event, TestRecord};
    use super::*;
    use rand_pcg::Pcg64;
    use std::sync::Arc;

    fn test(run: usize, features: &[u32], sides: &[u32]) -> TestRecord {
        TestRecord {
            run,
            event: Some(0),
            features: features.iter().copied().map(FeatureId).collect(),
            sides: Arc::from(sides),
        }
    }

    fn run(budget: usize, ratio: usize) -> RunRecord {
        RunRecord {
            budget: Some(budget),
            features: Vec::new(),
            events: vec![Event {
                weights: Vec::new(),
                ratio,
            }],
        }
    }

    fn data(tests: Vec<TestRecord>) -> Data {
        Data {
            runs: vec![run(0, 0), run(1, 1)],
            tests,
        }
    }

    #[test]
    fn a_condition_of_first_tests_weighs_more_than_one_of_repetitions() {
        let mut tests: Vec<TestRecord> = (0..20).map(|side| test(0, &[1], &[side])).collect();
        tests.extend((0..20).map(|side| test(1, &[2], &[side])));
        let learned = posterior_probabilities(&data(tests), 3, &[1.0, 2.0]);
        assert_eq!(learned.features, [FeatureId(1), FeatureId(2)]);
        let mut generator = Pcg64::new(1, 2);
        let mut drawn = |index: usize| learned.weights[index].sample(&mut generator);
        for _ in 0..100 {
            let (first, repeated) = (drawn(0), drawn(1));
            assert!((-1.0..=1.0).contains(&first) && (-1.0..=1.0).contains(&repeated));
            assert!(first > repeated, "{first} {repeated}");
        }
        assert!(learned.ratio[0] > learned.ratio[2] && learned.ratio[2] > learned.ratio[1]);
        for probabilities in [&learned.ratio, &learned.budget] {
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        // Twice as long, and nothing found.
        assert!(learned.budget[0] > 2.0 * learned.budget[1]);
    }

    #[test]
    fn a_condition_of_few_tests_weighs_little() {
        let mut tests: Vec<TestRecord> = (0..40).map(|side| test(0, &[1], &[side / 2])).collect();
        tests.push(test(0, &[3], &[100]));
        let learned = posterior_probabilities(&data(tests), 3, &[1.0, 2.0]);
        let mut generator = Pcg64::new(3, 4);
        let draws = (0..400).map(|_| learned.weights[1].sample(&mut generator));
        let mean = draws.sum::<f64>() / 400.0;
        assert!(mean.abs() < 0.1, "{mean}");
    }

    #[test]
    fn nothing_known_is_uniform() {
        let learned = posterior_probabilities(&Data::default(), 4, &[1.0, 2.0]);
        assert_eq!(learned.ratio, [0.25; 4]);
        assert_eq!(learned.budget, [0.5; 2]);
        assert!(learned.features.is_empty());
    }

    #[test]
    fn most_later_runs_use_what_was_learned() {
        let mut generator = Pcg64::new(5, 6);
        let mut policy = |run| choose_policy_by_posterior(run, EXPLORATIONS, &mut generator);
        assert_eq!(policy(0), Policy::Initial);
        assert_eq!([1, 2, 3].map(&mut policy), [Policy::Explore; 3]);
        let exploits = (4..1004)
            .filter(|run| policy(*run) == Policy::Exploit)
            .count();
        assert!((550..650).contains(&exploits), "{exploits}");
    }
}
