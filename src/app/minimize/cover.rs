//! The choice of tests: a weighted cover of all branch sides.
//!
//! Invariant: of tests with equal gain the smaller one is chosen, then the one whose name comes
//! first, so equal directories give equal choices.

use super::Covering;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Numbers of tests, ascending, that show each bug and cover each side of all tests, except the
/// sides in `covered`.
pub fn choose(tests: &[Covering], mut covered: BTreeSet<u32>) -> Vec<usize> {
    let mut chosen: BTreeSet<usize> = of_bugs(tests).into_values().collect();
    for number in &chosen {
        covered.extend(&tests[*number].sides);
    }
    let by_bugs = chosen.clone();
    let before = covered.clone();
    let order = |number: usize, gain: usize| {
        let test = &tests[number];
        (gain, Reverse(test.size), Reverse(&test.path), number)
    };
    // The gain of a test only shrinks: the greatest bound that still holds is the greatest gain.
    let mut heap: BinaryHeap<_> = (0..tests.len())
        .map(|number| order(number, tests[number].sides.len()))
        .collect();
    while let Some((bound, .., number)) = heap.pop() {
        let sides = tests[number].sides.iter();
        let gain = sides.filter(|side| !covered.contains(side)).count();
        if gain == 0 {
            continue;
        }
        if gain < bound {
            heap.push(order(number, gain));
            continue;
        }
        covered.extend(&tests[number].sides);
        chosen.insert(number);
    }
    without_superfluous(tests, chosen, &by_bugs, &before)
}

/// The smallest test of each bug.
fn of_bugs(tests: &[Covering]) -> BTreeMap<&str, usize> {
    let mut smallest: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, test) in tests.iter().enumerate() {
        let Some(bug) = &test.bug else {
            continue;
        };
        let best = smallest.entry(bug).or_insert(number);
        if (test.size, &test.path) < (tests[*best].size, &tests[*best].path) {
            *best = number;
        }
    }
    smallest
}

/// The tests without those whose sides others cover, too; the largest go first.
fn without_superfluous(
    tests: &[Covering],
    chosen: BTreeSet<usize>,
    by_bugs: &BTreeSet<usize>,
    before: &BTreeSet<u32>,
) -> Vec<usize> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for side in chosen.iter().flat_map(|number| &tests[*number].sides) {
        *counts.entry(*side).or_insert(0) += 1;
    }
    let mut order: Vec<usize> = chosen.difference(by_bugs).copied().collect();
    order.sort_by_key(|number| (Reverse(tests[*number].size), *number));
    let mut kept = chosen;
    for number in order {
        let sides = &tests[number].sides;
        let is_needed = |side: &u32| counts[side] == 1 && !before.contains(side);
        if !sides.iter().any(is_needed) {
            kept.remove(&number);
            for side in sides {
                *counts.entry(*side).or_insert(1) -= 1;
            }
        }
    }
    kept.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(name: &str, size: u64, sides: &[u32], bug: Option<&str>) -> Covering {
        Covering {
            path: name.into(),
            size,
            sides: sides.to_vec(),
            bug: bug.map(str::to_string),
        }
    }

    #[test]
    fn the_smaller_of_equals_is_chosen_and_bugs_once_each() {
        let tests = [
            test("a", 9, &[1, 2, 3], None),
            test("b", 5, &[1, 2, 3], None),
            test("c", 5, &[1, 2, 3], None),
            test("d", 9, &[4], Some("null")),
            test("e", 7, &[1, 4], Some("null")),
            test("f", 7, &[1, 4, 5], Some("div")),
        ];
        assert_eq!(choose(&tests, BTreeSet::new()), [1, 4, 5]);
        assert_eq!(choose(&tests[..3], BTreeSet::from([1, 2])), [1]);
        assert!(choose(&tests[..3], BTreeSet::from([1, 2, 3])).is_empty());
    }

    #[test]
    fn what_later_choices_make_superfluous_leaves() {
        // The first takes most; the others cover all of it and more.
        let tests = [
            test("a", 9, &[1, 2, 3, 4], None),
            test("b", 5, &[1, 2, 5], None),
            test("c", 5, &[3, 4, 6], None),
        ];
        assert_eq!(choose(&tests, BTreeSet::new()), [1, 2]);
    }
}
