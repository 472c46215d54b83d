//! Spaces from which weights are drawn: one interval per weight.
//!
//! Invariant: an interval lies within [-10, 10] and is not empty.

use rand::RngExt;

/// Maximum of a weight; the minimum is its negation.
const GREATEST: f64 = 10.0;

/// Interval of one weight, both ends included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Space {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Space {
    /// Space of all weights.
    pub(super) const ALL: Space = Space {
        low: -GREATEST,
        high: GREATEST,
    };

    /// Draws a weight of the interval uniformly.
    pub(super) fn draw(self, generator: &mut impl RngExt) -> f64 {
        generator.random_range(self.low..=self.high)
    }

    /// Refines the interval by the weights of the two best vectors. If both are above 0, it starts
    /// at the smaller one; if both are below 0, it ends at the larger one. Otherwise the interval
    /// is unchanged, as in the paper; the paper's tool resets it to all weights (`resets`).
    pub(super) fn refined(self, best: f64, second: f64, resets: bool) -> Space {
        if best > 0.0 && second > 0.0 {
            Space {
                low: best.min(second),
                high: GREATEST,
            }
        } else if best < 0.0 && second < 0.0 {
            Space {
                low: -GREATEST,
                high: best.max(second),
            }
        } else if resets {
            Space::ALL
        } else {
            self
        }
    }

    /// True if weights of both signs can be drawn.
    pub(super) fn is_undecided(self) -> bool {
        self.low < 0.0 && self.high > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64;

    fn space(low: f64, high: f64) -> Space {
        Space { low, high }
    }

    #[test]
    fn equal_signs_narrow_and_others_stay_or_are_reset() {
        let before = space(-4.0, 6.0);
        for (best, second, stays, resets) in [
            (3.0, 5.0, space(3.0, 10.0), space(3.0, 10.0)),
            (5.0, 3.0, space(3.0, 10.0), space(3.0, 10.0)),
            (-3.0, -2.0, space(-10.0, -2.0), space(-10.0, -2.0)),
            (-2.0, -3.0, space(-10.0, -2.0), space(-10.0, -2.0)),
            (-2.0, 3.0, before, Space::ALL),
            (2.0, -3.0, before, Space::ALL),
            (0.0, 3.0, before, Space::ALL),
            (-1.0, 0.0, before, Space::ALL),
            (0.0, 0.0, before, Space::ALL),
            (4.0, 4.0, space(4.0, 10.0), space(4.0, 10.0)),
        ] {
            assert_eq!(
                before.refined(best, second, false),
                stays,
                "{best} {second}"
            );
            assert_eq!(
                before.refined(best, second, true),
                resets,
                "{best} {second}"
            );
        }
    }

    #[test]
    fn weights_are_drawn_from_all_of_the_interval() {
        let mut generator = Pcg64::new(7, 7);
        let narrow = space(2.0, 3.0);
        let drawn: Vec<f64> = (0..1000).map(|_| narrow.draw(&mut generator)).collect();
        assert!(drawn.iter().all(|weight| (2.0..=3.0).contains(weight)));
        let below = drawn.iter().filter(|weight| **weight < 2.5).count();
        assert!(
            below.abs_diff(500) < 60,
            "{below} of 1000 in the lower half"
        );
        assert_eq!(space(10.0, 10.0).draw(&mut generator), 10.0);
    }
}
