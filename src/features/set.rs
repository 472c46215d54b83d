//! A set of features: one row each, with its number, its name in words, what its source says, and
//! the condition on the numbers of a branch or of a state.
//!
//! Invariant: numbers count from 1 in the order of the rows, and names are distinct; a file of
//! weights refers to features by name.

use super::branch;

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
    /// The features' names, in the order of the rows.
    pub names: fn() -> Vec<&'static str>,
}

/// Every set that a file of weights may name.
pub static SETS: [SetRow; 1] = [SetRow {
    name: branch::NAME,
    of: "branches of concolic runs",
    names: || branch::BRANCH.names().collect(),
}];

#[cfg(test)]
mod tests {
    use super::super::BRANCH;
    use super::*;

    #[test]
    fn numbers_count_the_rows_and_names_are_distinct() {
        for (index, feature) in BRANCH.features.iter().enumerate() {
            assert_eq!(feature.number as usize, index + 1, "{}", feature.name);
        }
        for set in &SETS {
            let names = (set.names)();
            let mut distinct = names.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), names.len(), "{}", set.name);
        }
    }
}
