//! Weighted choice among slots: a tree of sums with eight children to a node, level by level in
//! arrays.
//!
//! Eight numbers are one cache line and two additions of vectors, so a change among 100,000 slots
//! touches six lines where a binary tree touches seventeen nodes.
//!
//! Invariant: every number above the leaves is the sum of its eight children exactly as computed,
//! so sums never drift. Levels are whole groups of eight; what is beyond the slots in use is 0.
//! Setting and drawing cost O(log n).

const CHILDREN: usize = 8;

/// Weights of slots, all zero at first.
#[derive(Debug)]
pub(super) struct SumTree {
    /// The leaves first, the one number above all last.
    levels: Vec<Vec<f64>>,
}

/// The sum of a group, always in the same order.
fn sum(group: &[f64]) -> f64 {
    match *group {
        [a, b, c, d, e, f, g, h] => ((a + e) + (c + g)) + ((b + f) + (d + h)),
        _ => group.iter().sum(),
    }
}

/// The children of a node.
fn group(level: &[f64], node: usize) -> &[f64] {
    &level[node * CHILDREN..(node + 1) * CHILDREN]
}

impl SumTree {
    pub(super) fn new() -> Self {
        Self {
            levels: vec![vec![0.0; CHILDREN], vec![0.0]],
        }
    }

    /// Gives a slot a weight (finite, not negative); grows as needed.
    pub(super) fn set(&mut self, slot: usize, weight: f64) {
        if slot >= self.levels[0].len() {
            self.grow(slot + 1);
        }
        self.levels[0][slot] = weight;
        let mut node = slot;
        for upper in 1..self.levels.len() {
            node /= CHILDREN;
            let sum = sum(group(&self.levels[upper - 1], node));
            self.levels[upper][node] = sum;
        }
    }

    /// The sum of all weights.
    pub(super) fn total(&self) -> f64 {
        self.levels[self.levels.len() - 1][0]
    }

    /// Gives every slot the weight that `weigh` says, zero for `None`. O(n).
    pub(super) fn set_all(&mut self, mut weigh: impl FnMut(usize) -> Option<f64>) {
        for (slot, weight) in self.levels[0].iter_mut().enumerate() {
            *weight = weigh(slot).unwrap_or(0.0);
        }
        self.sum_up();
    }

    fn sum_up(&mut self) {
        for upper in 1..self.levels.len() {
            let (lower, rest) = self.levels.split_at_mut(upper);
            let groups = lower[upper - 1].chunks(CHILDREN);
            rest[0]
                .iter_mut()
                .zip(groups)
                .for_each(|(node, group)| *node = sum(group));
        }
    }

    /// Twice as large as needed, so that growing costs O(1) for each slot in the mean.
    fn grow(&mut self, at_least: usize) {
        let mut nodes = (2 * at_least).next_multiple_of(CHILDREN);
        self.levels.truncate(1);
        self.levels[0].resize(nodes, 0.0);
        while nodes > 1 {
            nodes /= CHILDREN;
            if nodes > 1 {
                nodes = nodes.next_multiple_of(CHILDREN);
            }
            self.levels.push(vec![0.0; nodes.max(1)]);
        }
        self.sum_up();
    }

    /// The slot at `fraction` (in [0, 1)) of the total weight; `None` if all weights are zero.
    pub(super) fn find(&self, fraction: f64) -> Option<usize> {
        let total = self.total();
        if total <= 0.0 {
            return None;
        }
        let mut rest = fraction * total;
        let mut node = 0;
        for level in self.levels.iter().rev().skip(1) {
            // Rounding may leave `rest` at or beyond the sum: never walk into a child of weight
            // zero.
            let mut chosen = None;
            for (child, &weight) in group(level, node).iter().enumerate() {
                if weight <= 0.0 {
                    continue;
                }
                if let Some((_, before)) = chosen {
                    rest -= before;
                }
                chosen = Some((child, weight));
                if rest < weight {
                    break;
                }
            }
            node = node * CHILDREN + chosen?.0;
        }
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slots_by_cumulative_weight() {
        let mut tree = SumTree::new();
        for (slot, weight) in [1.0, 0.0, 2.0, 5.0].into_iter().enumerate() {
            tree.set(slot, weight);
        }
        for (fraction, slot) in [
            (0.0, 0),
            (0.124, 0),
            (0.125, 2),
            (0.374, 2),
            (0.375, 3),
            (0.999_999_999_999_999_9, 3),
        ] {
            assert_eq!(tree.find(fraction), Some(slot), "{fraction}");
        }
        tree.set(3, 0.0);
        assert_eq!(tree.find(0.999_999_999_999_999_9), Some(2));
        tree.set(0, 0.0);
        tree.set(2, 0.0);
        assert_eq!(tree.find(0.5), None);
    }

    #[test]
    fn draws_agree_with_cumulative_sums_at_every_size() {
        let mut tree = SumTree::new();
        let weight = |slot: usize| (slot * 7 % 5) as f64;
        let mut total = 0.0;
        for slot in 0..600 {
            tree.set(slot, weight(slot));
            total += weight(slot);
            assert_eq!(tree.total(), total);
        }
        let mut position = 0.5;
        let mut sum = 0.0;
        for slot in 0..600 {
            sum += weight(slot);
            while position < sum {
                assert_eq!(tree.find(position / total), Some(slot));
                position += 1.0;
            }
        }
        tree.set_all(|slot| (slot == 77).then_some(2.0));
        assert_eq!((tree.total(), tree.find(0.5)), (2.0, Some(77)));
    }

    #[test]
    fn growing_keeps_weights() {
        let mut tree = SumTree::new();
        tree.set(0, 1.0);
        tree.set(1000, 3.0);
        assert_eq!(tree.find(0.2), Some(0));
        assert_eq!(tree.find(0.3), Some(1000));
    }
}
