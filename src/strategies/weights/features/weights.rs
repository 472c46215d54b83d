//! Vector of weights over a set of features.
//!
//! Invariant: one finite weight per feature, in the order of the rows. A score sums weights in that
//! order, so equal features give bit-identical scores.

use super::error::WeightsError;
use super::set::FeatureSet;

/// Weights of the features of a set.
#[derive(Debug)]
pub struct Weights<R: 'static> {
    set: &'static FeatureSet<R>,
    values: Box<[f64]>,
}

impl<R> Clone for Weights<R> {
    fn clone(&self) -> Self {
        Self {
            set: self.set,
            values: self.values.clone(),
        }
    }
}

impl<R> PartialEq for Weights<R> {
    fn eq(&self, other: &Self) -> bool {
        self.set.name == other.set.name && self.values == other.values
    }
}

impl<R> Weights<R> {
    /// Creates weights in the order of the set's rows.
    ///
    /// # Errors
    /// Fails if the numbers of weights and features differ, or if a weight is not finite.
    pub fn new(set: &'static FeatureSet<R>, values: Vec<f64>) -> Result<Self, WeightsError> {
        if values.len() != set.len() {
            return Err(WeightsError::Count {
                set: set.name,
                features: set.len(),
                weights: values.len(),
            });
        }
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            return Err(WeightsError::NotFinite {
                name: set.features[index].name.to_string(),
            });
        }
        Ok(Self {
            set,
            values: values.into(),
        })
    }

    /// Creates weights by the names of the features; values that are not finite become 0.
    pub fn by_name(set: &'static FeatureSet<R>, weight: impl Fn(&str) -> f64) -> Self {
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        Self {
            set,
            values: set.names().map(|name| finite(weight(name))).collect(),
        }
    }

    /// Returns weights of 0, so that all scores are 0.
    pub fn zeros(set: &'static FeatureSet<R>) -> Self {
        Self {
            set,
            values: vec![0.0; set.len()].into(),
        }
    }

    pub fn set(&self) -> &'static FeatureSet<R> {
        self.set
    }

    /// Returns the weights in the order of the set's rows.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the sum of the weights of the features that the record has.
    pub fn score(&self, record: &R) -> f64 {
        let features = self.set.features.iter().zip(&self.values);
        features.fold(0.0, |sum, (feature, weight)| {
            if (feature.holds)(record) {
                sum + weight
            } else {
                sum
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::set::Feature;
    use super::*;

    static SIGNS: FeatureSet<i32> = FeatureSet {
        name: "signs",
        features: &[
            Feature {
                number: 1,
                name: "positive",
                source: "",
                holds: |value| *value > 0,
            },
            Feature {
                number: 2,
                name: "odd",
                source: "",
                holds: |value| value % 2 != 0,
            },
        ],
    };

    #[test]
    fn a_score_adds_the_weights_of_what_holds() {
        let weights = Weights::new(&SIGNS, vec![2.5, -0.75]).unwrap();
        let scores = [3, 2, -1, 0].map(|value| weights.score(&value));
        assert_eq!(scores, [1.75, 2.5, -0.75, 0.0]);
        assert_eq!(Weights::zeros(&SIGNS).score(&3), 0.0);
    }

    #[test]
    fn weights_are_finite_and_as_many_as_features() {
        let error = |values| Weights::new(&SIGNS, values).unwrap_err().to_string();
        assert_eq!(
            error(vec![1.0]),
            "expected 2 weights for the feature set `signs`, found 1"
        );
        assert_eq!(
            error(vec![1.0, f64::NAN]),
            "the weight of `odd` is not a finite number"
        );
    }
}
