//! States that are kept because of their code location (not in the paper).
//!
//! After forks within loops most states of S are at few code locations, and some locations have one
//! or two. Scores do not see that: many states tie, and the only way into a rare location is pruned
//! as easily as the thousandth copy of a common one. So the last few states of each location are
//! pruned last.
//!
//! Invariant: the number of pruned states stays the same, and among states of one location the kept
//! ones score highest.

use crate::search::StateId;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Returns the first `count` of `order` after the last `kept` of each location moved to its end.
pub fn leave_some<P: Hash + Eq>(
    order: Vec<StateId>,
    count: usize,
    kept: usize,
    location: impl Fn(StateId) -> P,
) -> Vec<StateId> {
    let mut seen: FxHashMap<P, usize> = FxHashMap::default();
    let (mut last, mut leaving): (Vec<_>, Vec<_>) = order.into_iter().rev().partition(|state| {
        let seen = seen.entry(location(*state)).or_default();
        *seen += 1;
        *seen <= kept
    });
    leaving.reverse();
    last.reverse();
    leaving.extend(last);
    leaving.truncate(count);
    leaving
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(count: usize, kept: usize) -> Vec<usize> {
        // States 0 to 5 at one place, 6 and 7 at another, 8 alone; lower numbers leave first.
        let order = (0..9).map(StateId::new).collect();
        let location = |state: StateId| [0, 0, 0, 0, 0, 0, 1, 1, 2][state.index()];
        let leaving = leave_some(order, count, kept, location);
        leaving.iter().map(|state| state.index()).collect()
    }

    #[test]
    fn the_last_of_each_location_stay() {
        assert_eq!(left(4, 0), [0, 1, 2, 3]);
        assert_eq!(left(6, 1), [0, 1, 2, 3, 4, 6]);
        assert_eq!(left(4, 2), [0, 1, 2, 3]);
    }

    #[test]
    fn they_are_removed_when_no_others_remain() {
        assert_eq!(left(6, 2), [0, 1, 2, 3, 4, 5]);
        assert_eq!(left(8, 1), [0, 1, 2, 3, 4, 6, 5, 7]);
    }
}
