//! Which features matter over several vectors of weights, as the paper asks of its programs.
//!
//! A weight of one vector may be chance: most vectors that were drawn do well for reasons that lie
//! in few of their weights. What several programs agree on is less likely to be.

use super::weights::Weights;
use std::fmt;

/// One feature's weights in several vectors.
#[derive(Clone, PartialEq, Debug)]
pub struct AgreedFeature {
    pub name: &'static str,
    pub mean: f64,
    /// In how many vectors its weight is above 0.
    pub above: usize,
    /// In how many it is below.
    pub below: usize,
}

/// The features of several vectors over one set, those first whose weights are farthest from 0 in
/// the mean.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OverAll(pub Vec<AgreedFeature>);

impl OverAll {
    /// Nothing of no vectors.
    pub fn of<R>(vectors: &[Weights<R>]) -> Self {
        let Some(first) = vectors.first() else {
            return Self::default();
        };
        let feature = |(index, name)| {
            let values = || vectors.iter().map(|vector| vector.values()[index]);
            AgreedFeature {
                name,
                mean: values().sum::<f64>() / vectors.len() as f64,
                above: values().filter(|value| *value > 0.0).count(),
                below: values().filter(|value| *value < 0.0).count(),
            }
        };
        let mut features: Vec<_> = first.set().names().enumerate().map(feature).collect();
        features.sort_by(|one, other| other.mean.abs().total_cmp(&one.mean.abs()));
        Self(features)
    }
}

impl fmt::Display for OverAll {
    /// A line for each feature: mean, how many above and below 0, name.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "    mean  above  below  feature")?;
        for AgreedFeature {
            name,
            mean,
            above,
            below,
        } in &self.0
        {
            writeln!(out, "{mean:>+8.2}  {above:>5}  {below:>5}  {name}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::BRANCH;
    use super::*;

    #[test]
    fn what_vectors_agree_on_comes_first() {
        let vector = |first: f64, second: f64| {
            let weight = |name: &str| match name {
                "in main" => first,
                "nested" => second,
                _ => 0.0,
            };
            Weights::by_name(&BRANCH, weight)
        };
        let over_all = OverAll::of(&[vector(9.0, -4.0), vector(-8.0, -6.0), vector(2.0, -5.0)]);
        let of = |index: usize| {
            let AgreedFeature {
                name,
                mean,
                above,
                below,
            } = over_all.0[index].clone();
            (name, mean, above, below)
        };
        assert_eq!(of(0), ("nested", -5.0, 0, 3));
        assert_eq!(of(1), ("in main", 1.0, 2, 1));
        assert_eq!(over_all.0.len(), BRANCH.len());
        assert!(OverAll::of::<()>(&[]).0.is_empty());
        let text = over_all.to_string();
        let line = text.lines().nth(1).expect("a line");
        assert_eq!(line, "   -5.00      0      3  nested");
    }
}
