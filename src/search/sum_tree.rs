//! Weighted choice among slots: a complete binary tree of sums in an array.
//!
//! Invariant: `nodes[i] = nodes[2i] + nodes[2i + 1]` exactly as computed, so sums never drift; the
//! leaves are `nodes[capacity..]`. Setting and drawing cost O(log n).

/// Weights of slots `0..capacity`, all zero at first.
#[derive(Debug)]
pub(super) struct SumTree {
    nodes: Vec<f64>,
    capacity: usize,
}

impl SumTree {
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![0.0; 2],
            capacity: 1,
        }
    }

    /// Gives a slot a weight (finite, not negative); grows as needed.
    pub(super) fn set(&mut self, slot: usize, weight: f64) {
        if slot >= self.capacity {
            self.grow(slot + 1);
        }
        let mut node = self.capacity + slot;
        self.nodes[node] = weight;
        while node > 1 {
            node /= 2;
            self.nodes[node] = self.nodes[2 * node] + self.nodes[2 * node + 1];
        }
    }

    /// The sum of all weights.
    pub(super) fn total(&self) -> f64 {
        self.nodes[1]
    }

    /// Gives every slot the weight that `weigh` says, zero for `None`. O(n).
    pub(super) fn set_all(&mut self, mut weigh: impl FnMut(usize) -> Option<f64>) {
        for slot in 0..self.capacity {
            self.nodes[self.capacity + slot] = weigh(slot).unwrap_or(0.0);
        }
        for node in (1..self.capacity).rev() {
            self.nodes[node] = self.nodes[2 * node] + self.nodes[2 * node + 1];
        }
    }

    fn grow(&mut self, at_least: usize) {
        let capacity = at_least.next_power_of_two();
        let mut nodes = vec![0.0; 2 * capacity];
        let leaves = &self.nodes[self.capacity..];
        nodes[capacity..capacity + self.capacity].copy_from_slice(leaves);
        for node in (1..capacity).rev() {
            nodes[node] = nodes[2 * node] + nodes[2 * node + 1];
        }
        self.nodes = nodes;
        self.capacity = capacity;
    }

    /// The slot at `fraction` (in [0, 1)) of the total weight; `None` if all weights are zero.
    pub(super) fn find(&self, fraction: f64) -> Option<usize> {
        if self.nodes[1] <= 0.0 {
            return None;
        }
        let mut rest = fraction * self.nodes[1];
        let mut node = 1;
        while node < self.capacity {
            let left = self.nodes[2 * node];
            // Rounding may leave `rest` at or beyond the sum: never walk into an empty subtree.
            if rest < left || self.nodes[2 * node + 1] <= 0.0 {
                node *= 2;
            } else {
                rest -= left;
                node = 2 * node + 1;
            }
        }
        Some(node - self.capacity)
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
    fn growing_keeps_weights() {
        let mut tree = SumTree::new();
        tree.set(0, 1.0);
        tree.set(1000, 3.0);
        assert_eq!(tree.find(0.2), Some(0));
        assert_eq!(tree.find(0.3), Some(1000));
    }
}
