//! Feature vectors of very many states: paths share beginnings, so sets share theirs.
//!
//! Invariant: a set is its parent plus one feature that the parent lacks; parents precede their
//! children, so one pass computes every score. Scores are sums of integers (weights in units of
//! 2^-40): the same features give the same score, whatever the order in which paths met them.

use homi_ir::util::dense_id;

dense_id!(
    /// A set of features; 0 is the empty one.
    SetId, "set"
);

/// Weights are in [-1, 1]; this leaves room for eight million of them in a sum.
const UNIT: f64 = (1u64 << 40) as f64;

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    feature: u32,
}

/// All sets of one prune event.
#[derive(Clone, Debug)]
pub struct FeatureSets {
    nodes: Vec<Node>,
}

impl Default for FeatureSets {
    fn default() -> Self {
        Self::new()
    }
}

impl FeatureSets {
    /// The empty set only.
    pub fn new() -> Self {
        Self {
            nodes: vec![Node {
                parent: 0,
                feature: u32::MAX,
            }],
        }
    }

    pub const EMPTY: SetId = SetId(0);

    /// The set with one more feature; the same set if it has it.
    pub fn with(&mut self, set: SetId, feature: u32) -> SetId {
        if self.contains(set, feature) {
            return set;
        }
        self.nodes.push(Node {
            parent: set.0,
            feature,
        });
        SetId::new(self.nodes.len() - 1)
    }

    fn contains(&self, set: SetId, feature: u32) -> bool {
        let mut at = set.index();
        while at != 0 {
            let node = self.nodes[at];
            if node.feature == feature {
                return true;
            }
            at = node.parent as usize;
        }
        false
    }

    /// feat(s) . theta of every set, in units of 2^-40, by set number.
    pub fn scores(&self, weights: &[f64]) -> Vec<i64> {
        let units: Vec<i64> = weights
            .iter()
            .map(|weight| (weight * UNIT).round() as i64)
            .collect();
        let mut scores = vec![0; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            let weight = units.get(node.feature as usize).copied().unwrap_or(0);
            scores[index] = scores[node.parent as usize] + weight;
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_counts_once_and_order_does_not_matter() {
        let mut sets = FeatureSets::new();
        let a = sets.with(FeatureSets::EMPTY, 0);
        let ab = sets.with(a, 1);
        let abc = sets.with(ab, 2);
        assert_eq!(sets.with(abc, 0), abc);
        let c = sets.with(FeatureSets::EMPTY, 2);
        let cb = sets.with(c, 1);
        let cba = sets.with(cb, 0);
        // In floating point these two sums differ.
        let scores = sets.scores(&[0.1, 0.2, 0.3]);
        assert_eq!(scores[abc.index()], scores[cba.index()]);
        assert_eq!(scores[0], 0);
        let expected = 0.3 * UNIT;
        assert!((scores[ab.index()] as f64 - expected).abs() <= 1.0);
    }
}
