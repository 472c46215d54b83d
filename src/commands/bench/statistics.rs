//! Statistics for few runs: means, spread, rank tests, effect sizes.
//!
//! Invariant: p-values of at most [`MOST_EXACT`] values are exact, including ties: all assignments
//! of the given ranks are equally likely. Larger samples use the normal approximation.

use statrs::function::erf::erfc;
use statrs::statistics::Statistics;

/// Maximum number of values, over both groups, for exact p-values.
const MOST_EXACT: usize = 60;

/// Returns the mean; `None` of no values.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.mean())
}

/// Returns the standard deviation of a sample; `None` of fewer than two values.
pub(super) fn deviation(values: &[f64]) -> Option<f64> {
    (values.len() > 1).then(|| values.std_dev())
}

/// Returns the geometric mean of positive values; `None` of no values.
pub(super) fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    mean(&logarithms).map(f64::exp)
}

/// Returns the median; `None` of no values.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted.len().checked_sub(1)? / 2, sorted.len() / 2);
    Some((sorted[low] + sorted[high]) / 2.0)
}

/// Returns the probability that a value of `ours` exceeds one of `theirs`; ties count half (Vargha
/// and Delaney's A). 0.5 is no effect, 0.56 small, 0.64 medium, 0.71 large.
pub(super) fn effect_size(ours: &[f64], theirs: &[f64]) -> Option<f64> {
    if ours.is_empty() || theirs.is_empty() {
        return None;
    }
    let wins = ours.iter().flat_map(|a| {
        theirs.iter().map(move |b| match a.total_cmp(b) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
    });
    Some(wins.sum::<f64>() / (ours.len() * theirs.len()) as f64)
}

/// Returns twice the rank of each value, from 2 on. Tied values share a rank, which may be a half.
fn double_ranks(values: &[f64]) -> Vec<usize> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        2 * below + equal + 1
    };
    values.iter().map(rank).collect()
}

/// Returns the two-sided p of the Mann-Whitney test that neither group tends to larger values.
pub(super) fn mann_whitney(ours: &[f64], theirs: &[f64]) -> Option<f64> {
    if ours.is_empty() || theirs.is_empty() {
        return None;
    }
    let ranks = double_ranks(&[ours, theirs].concat());
    let sum: usize = ranks[..ours.len()].iter().sum();
    let all: usize = ranks.iter().sum();
    let (m, n) = (ours.len(), theirs.len());
    if m + n > MOST_EXACT {
        return Some(rank_sum_approximated(&ranks, m, sum));
    }
    // ways[k][s] is the number of choices of k values whose double ranks sum to s.
    let mut ways = vec![vec![0.0; all + 1]; m + 1];
    ways[0][0] = 1.0;
    for rank in &ranks {
        for chosen in (1..=m).rev() {
            for total in (*rank..=all).rev() {
                ways[chosen][total] += ways[chosen - 1][total - rank];
            }
        }
    }
    // Distance from the mean, with all sums scaled by (m + n) to stay integers.
    let far = |sum: usize| (sum * (m + n)).abs_diff(all * m);
    let every: f64 = ways[m].iter().sum();
    let as_far = ways[m]
        .iter()
        .enumerate()
        .filter(|(total, _)| far(*total) >= far(sum));
    Some((as_far.map(|(_, ways)| ways).sum::<f64>() / every).min(1.0))
}

fn rank_sum_approximated(ranks: &[usize], m: usize, sum: usize) -> f64 {
    let all = ranks.len() as f64;
    let (m, n) = (m as f64, all - m as f64);
    let middle = m * (all + 1.0) / 2.0;
    let squares: f64 = ranks
        .iter()
        .map(|rank| (*rank as f64 / 2.0 - (all + 1.0) / 2.0).powi(2))
        .sum();
    let variance = m * n / (all * (all - 1.0)) * squares;
    two_sided(sum as f64 / 2.0 - middle, variance)
}

/// Returns the two-sided p of a distance from the mean, with a continuity correction of one half.
fn two_sided(distance: f64, variance: f64) -> f64 {
    if variance <= 0.0 {
        return 1.0;
    }
    let steps = (distance.abs() - 0.5).max(0.0) / variance.sqrt();
    erfc(steps / std::f64::consts::SQRT_2)
}

/// Returns the two-sided p of Wilcoxon's signed-rank test that differences are symmetric about 0.
/// Pairs without a difference do not count; `None` if there are no others.
pub(super) fn wilcoxon(differences: &[f64]) -> Option<f64> {
    let counted: Vec<f64> = differences
        .iter()
        .copied()
        .filter(|one| *one != 0.0)
        .collect();
    if counted.is_empty() {
        return None;
    }
    let sizes: Vec<f64> = counted.iter().map(|one| one.abs()).collect();
    let ranks = double_ranks(&sizes);
    let all: usize = ranks.iter().sum();
    let positive = counted.iter().zip(&ranks).filter(|(one, _)| **one > 0.0);
    let sum: usize = positive.map(|(_, rank)| rank).sum();
    if counted.len() > MOST_EXACT {
        let variance: f64 = ranks.iter().map(|rank| (*rank as f64 / 4.0).powi(2)).sum();
        return Some(two_sided((sum as f64 - all as f64 / 2.0) / 2.0, variance));
    }
    let mut ways = vec![0.0; all + 1];
    ways[0] = 1.0;
    for rank in &ranks {
        for total in (*rank..=all).rev() {
            ways[total] += ways[total - rank];
        }
    }
    let far = |sum: usize| (2 * sum).abs_diff(all);
    let every: f64 = ways.iter().sum();
    let as_far = ways
        .iter()
        .enumerate()
        .filter(|(total, _)| far(*total) >= far(sum));
    Some(as_far.map(|(_, ways)| ways).sum::<f64>() / every)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("there is a value");
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn means_and_spread() {
        close(mean(&[1.0, 2.0, 6.0]), 3.0);
        // ((-2)^2 + (-1)^2 + 3^2) / 2 = 7
        close(deviation(&[1.0, 2.0, 6.0]), 7f64.sqrt());
        close(geometric_mean(&[1.0, 4.0]), 2.0);
        close(median(&[5.0, 1.0, 2.0]), 2.0);
        close(median(&[4.0, 1.0]), 2.5);
        assert_eq!(
            (mean(&[]), deviation(&[3.0]), median(&[])),
            (None, None, None)
        );
    }

    #[test]
    fn groups_apart_have_the_least_p_that_so_few_values_can_have() {
        // One of the C(6, 3) = 20 assignments and its mirror image.
        close(mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 2.0 / 20.0);
        // C(10, 5) = 252.
        let (low, high) = ([1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]);
        close(mann_whitney(&low, &high), 2.0 / 252.0);
        close(mann_whitney(&high, &low), 2.0 / 252.0);
        // Ranks 1, 2, 4 against 3, 5, 6: sums 6, 7 (once each) and their mirror images.
        close(mann_whitney(&[1.0, 2.0, 4.0], &[3.0, 5.0, 6.0]), 4.0 / 20.0);
        close(mann_whitney(&[1.0], &[2.0]), 1.0);
    }

    #[test]
    fn ties_share_their_ranks() {
        close(mann_whitney(&[7.0, 7.0, 7.0], &[7.0, 7.0]), 1.0);
        // Ranks 1.5, 1.5 against 3, 4: sum 3 of {3, 4.5, 4.5, 5.5, 5.5, 7}; 7 is as far.
        close(mann_whitney(&[1.0, 1.0], &[2.0, 3.0]), 2.0 / 6.0);
        // Ranks 1, 2.5 against 2.5, 4: sums 3.5, 3.5, 5, 5, 6.5, 6.5 by pairs; four are as far.
        close(mann_whitney(&[1.0, 2.0], &[2.0, 3.0]), 4.0 / 6.0);
    }

    #[test]
    fn every_way_counted_one_by_one_gives_the_same() {
        let values = [3.0, 1.0, 3.0, 8.0, 2.0, 2.0, 9.0];
        let ranks = double_ranks(&values);
        let sum_of = |chosen: u32| {
            (0..7)
                .filter(|i| chosen >> i & 1 == 1)
                .map(|i| ranks[i])
                .sum::<usize>()
        };
        let middle = 3.0 * ranks.iter().sum::<usize>() as f64 / 7.0;
        let far = |chosen: u32| (sum_of(chosen) as f64 - middle).abs();
        let ways: Vec<u32> = (0..128u32)
            .filter(|chosen| chosen.count_ones() == 3)
            .collect();
        let as_far = ways
            .iter()
            .filter(|chosen| far(**chosen) >= far(0b111) - 1e-9)
            .count();
        let expected = as_far as f64 / ways.len() as f64;
        close(mann_whitney(&values[..3], &values[3..]), expected);
    }

    #[test]
    fn signed_ranks() {
        // All 2^5 signs, two of which are as far.
        close(wilcoxon(&[1.0, 2.0, 3.0, 4.0, 5.0]), 2.0 / 32.0);
        // Ranks 1, 2, 3 with the first negative: sums of positive ranks 5 or more, or 1 or less.
        close(wilcoxon(&[-1.0, 2.0, 3.0]), 4.0 / 8.0);
        close(wilcoxon(&[0.0, 4.0]), 1.0);
        assert_eq!(wilcoxon(&[0.0, 0.0]), None);
    }

    #[test]
    fn many_values_are_approximated_well() {
        let ours: Vec<f64> = (0..30).map(|i| f64::from(i * 7 % 30) + 4.0).collect();
        let theirs: Vec<f64> = (0..30).map(|i| f64::from(i * 11 % 30)).collect();
        let exact = mann_whitney(&ours, &theirs).expect("a value");
        let ranks = double_ranks(&[ours.as_slice(), theirs.as_slice()].concat());
        let sum = ranks[..30].iter().sum();
        let near = rank_sum_approximated(&ranks, 30, sum);
        assert!((near - exact).abs() < 0.005, "{near} {exact}");
        assert!(mann_whitney(&[1.0; 50], &[1.0; 50]) == Some(1.0));
    }

    #[test]
    fn effects() {
        close(effect_size(&[4.0, 5.0], &[1.0, 2.0]), 1.0);
        close(effect_size(&[1.0, 2.0], &[1.0, 2.0]), 0.5);
        close(effect_size(&[1.0], &[1.0, 2.0]), 0.25);
    }
}
