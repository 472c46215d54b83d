//! A set of features: one row each, with its number, its name in words, what its source says, and
//! the condition on the numbers of a branch or of a state.
//!
//! Invariant: numbers count from 1 in the order of the rows, and names are distinct; a file of
//! weights refers to features by name.

use super::{branch, state};

/// One feature of what record `R` describes.
#[derive(Debug)]
pub struct Feature<R> {
    pub number: u32,
    /// In words; the key in files of weights.
    pub name: &'static str,
    /// What it is called where it comes from.
    pub source: &'static str,
    pub holds: fn(&R) -> bool,
}

/// Features over one kind of record.
#[derive(Debug)]
pub struct FeatureSet<R: 'static> {
    /// What files of weights call it.
    pub name: &'static str,
    pub features: &'static [Feature<R>],
}

impl<R> FeatureSet<R> {
    /// How many features there are.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// The features' names, in the order of the rows.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.features.iter().map(|feature| feature.name)
    }

    /// Whether each feature holds, in the order of the rows.
    pub fn bits(&self, record: &R) -> Vec<bool> {
        let holds = self.features.iter().map(|feature| (feature.holds)(record));
        holds.collect()
    }
}

/// A set of features as far as its kind of record does not matter.
#[derive(Clone, Copy, Debug)]
pub struct SetRow {
    pub name: &'static str,
    /// Whose features they are, for messages.
    pub of: &'static str,
    /// The features, in the order of the rows.
    pub features: fn() -> Vec<Described>,
}

/// What a feature is called, and where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Described {
    pub number: u32,
    pub name: &'static str,
    pub source: &'static str,
}

/// Every set that a file of weights may name.
pub static SETS: [SetRow; 2] = [
    SetRow {
        name: branch::NAME,
        of: "branches of concolic runs",
        features: || described(&branch::BRANCH),
    },
    SetRow {
        name: state::NAME,
        of: "states of symbolic runs",
        features: || described(&state::STATE),
    },
];

fn described<R>(set: &FeatureSet<R>) -> Vec<Described> {
    let rows = set.features.iter();
    let described = rows.map(|feature| Described {
        number: feature.number,
        name: feature.name,
        source: feature.source,
    });
    described.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_the_rows_and_names_are_distinct() {
        for set in &SETS {
            let features = (set.features)();
            for (index, feature) in features.iter().enumerate() {
                assert_eq!(feature.number as usize, index + 1, "{}", feature.name);
                assert!(!feature.source.is_empty(), "{}", feature.name);
            }
            let names: Vec<&str> = features.iter().map(|feature| feature.name).collect();
            let mut distinct = names.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), names.len(), "{}", set.name);
        }
    }
}
