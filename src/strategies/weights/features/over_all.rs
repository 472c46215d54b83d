//! Importance of features over several vectors of weights, as the paper evaluates it for its
//! programs.
//!
//! A single weight may be due to chance: most drawn vectors do well because of a few weights.
//! Agreement of several programs is less likely to be chance.

use super::weights::Weights;
use std::fmt;

/// Weights of one feature in several vectors.
#[derive(Clone, PartialEq, Debug)]
pub struct AgreedFeature {
    pub name: &'static str,
    pub mean: f64,
    /// Number of vectors in which its weight is above 0.
    pub above: usize,
    /// Number of vectors in which its weight is below 0.
    pub below: usize,
}

/// Features of several vectors over one set, sorted by the absolute value of their mean weight,
/// largest first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OverAll(pub Vec<AgreedFeature>);

impl OverAll {
    /// Computes the features of these vectors; empty if there are no vectors.
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
    /// Writes a line per feature: mean, numbers above and below 0, name.
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
