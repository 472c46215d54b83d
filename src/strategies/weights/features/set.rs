//! Set of features: one row each, with its number, its name, its source's text, and the condition
//! on the numbers of a branch.
//!
//! Invariant: numbers count from 1 in the order of the rows, and names are distinct. Weight files
//! refer to features by name.

/// Feature of what a record `R` describes.
#[derive(Debug)]
pub struct Feature<R> {
    pub number: u32,
    /// Name; the key in weight files.
    pub name: &'static str,
    /// Text in the source of the feature.
    pub source: &'static str,
    pub holds: fn(&R) -> bool,
}

/// Features over one kind of record.
#[derive(Debug)]
pub struct FeatureSet<R: 'static> {
    /// Name in weight files.
    pub name: &'static str,
    pub features: &'static [Feature<R>],
}

impl<R> FeatureSet<R> {
    /// Returns the number of features.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// True if the set has no features.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// Returns the features' names, in the order of the rows.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.features.iter().map(|feature| feature.name)
    }
}
