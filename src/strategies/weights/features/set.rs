//! A set of features: one row each, with its number, its name in words, what its source says, and
//! the condition on the numbers of a branch.
//!
//! Invariant: numbers count from 1 in the order of the rows, and names are distinct; a file of
//! weights refers to features by name.

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

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// The features' names, in the order of the rows.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.features.iter().map(|feature| feature.name)
    }
}
