//! The sample spaces S_time and S_ratio (section 3.2) and the paper's hyper-parameters.

/// `intervals` equal steps up to `greatest`: greatest/intervals, 2 greatest/intervals, ...,
/// greatest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiscreteSpace {
    pub greatest: f64,
    pub intervals: usize,
}

impl DiscreteSpace {
    /// The value number `index`, from 0 for the least.
    pub fn value(&self, index: usize) -> f64 {
        self.greatest * (index + 1) as f64 / self.intervals as f64
    }

    pub fn len(&self) -> usize {
        self.intervals
    }

    pub fn is_empty(&self) -> bool {
        self.intervals == 0
    }
}

/// The hyper-parameters of sections 3 and 4.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paper {
    /// The total budget of the experiments, in seconds.
    pub total: f64,
    /// Times of a run in seconds: the paper's tau_max and tau_itv.
    pub run_time: DiscreteSpace,
    /// Pruning ratios: the paper's eta_max and eta_itv.
    pub ratio: DiscreteSpace,
    /// Time between two prune events in seconds: the paper's eta_t.
    pub interval: f64,
    /// Number of runs that explore: the paper's m.
    pub explorations: u32,
    /// Number of samples that reverse exploitation chooses from: the paper's |U|.
    pub draws: u32,
}

/// The values of the paper.
pub const PAPER: Paper = Paper {
    total: 18_000.0,
    run_time: DiscreteSpace {
        greatest: 800.0,
        intervals: 4,
    },
    ratio: DiscreteSpace {
        greatest: 0.6,
        intervals: 3,
    },
    interval: 30.0,
    explorations: 10,
    draws: 100,
};

/// tau_max and eta_t for a total budget: the paper's, multiplied by total / 18000 s if that is less
/// than 1; eta_t is at least `least_interval`.
pub fn scaled(total: f64, least_interval: f64) -> (f64, f64) {
    let factor = (total / PAPER.total).min(1.0);
    (
        PAPER.run_time.greatest * factor,
        (PAPER.interval * factor).max(least_interval),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(space: DiscreteSpace) -> Vec<f64> {
        (0..space.len()).map(|index| space.value(index)).collect()
    }

    #[test]
    fn the_papers_examples() {
        let time = DiscreteSpace {
            greatest: 600.0,
            intervals: 6,
        };
        assert_eq!(values(time), [100.0, 200.0, 300.0, 400.0, 500.0, 600.0]);
        let ratio = DiscreteSpace {
            greatest: 0.8,
            intervals: 4,
        };
        for (value, expected) in values(ratio).into_iter().zip([0.2, 0.4, 0.6, 0.8]) {
            assert!((value - expected).abs() < 1e-12);
        }
        assert_eq!(values(PAPER.run_time), [200.0, 400.0, 600.0, 800.0]);
    }

    #[test]
    fn short_budgets_scale_down_and_long_ones_do_not_scale_up() {
        let (run, interval) = scaled(600.0, 1.0);
        assert!((run - 800.0 / 30.0).abs() < 1e-9);
        assert_eq!(interval, 1.0);
        assert_eq!(scaled(36_000.0, 1.0), (800.0, 30.0));
        assert_eq!(scaled(9_000.0, 1.0), (400.0, 15.0));
    }
}
