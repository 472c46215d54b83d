//! Branches over executions, for the page of a concolic run.
//!
//! Invariant: both numbers only grow, and no three points in a row have the same branches.

/// Pairs of ended paths and covered branch sides: wherever the latter grew, and at the end.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Growth(Vec<(u64, u64)>);

impl Growth {
    /// Adds a point.
    pub(in crate::engine) fn note(&mut self, ended: u64, branches: u64) {
        match self.0.as_slice() {
            // The last point is where it ends.
            [.., (_, before), (last, now)] if *before == branches && *now == branches => {
                debug_assert!(*last <= ended);
                self.0.pop();
            }
            _ => {}
        }
        self.0.push((ended, branches));
    }

    /// Returns the points.
    pub(in crate::engine) fn points(&self) -> Vec<(u64, u64)> {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subpath_without_new_branches_has_two_points() {
        let mut growth = Growth::default();
        for (ended, branches) in [(1, 4), (2, 6), (3, 6), (4, 6), (5, 6), (6, 7)] {
            growth.note(ended, branches);
        }
        assert_eq!(growth.points(), [(1, 4), (2, 6), (5, 6), (6, 7)]);
    }
}
