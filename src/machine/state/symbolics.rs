//! The symbolic objects of a path.
//!
//! Invariant: an object is known by its name and by how many objects of that name the path has made
//! before, so that equal paths have equal arrays.

use homi_solver::term::{ArrayId, Byte, Model, Term, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A symbolic object of the path, in the order of creation; becomes one object of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolicObject {
    pub array: ArrayId,
    /// The name given by the program, without the version suffix.
    pub name: Arc<str>,
    /// Size in bytes.
    pub size: u32,
}

impl SymbolicObject {
    /// The bytes that a model gives to the object.
    pub fn bytes(&self, model: &Model) -> Vec<u8> {
        let array = self.array;
        (0..self.size)
            .map(|index| model.get(Byte { array, index }))
            .collect()
    }
}

/// The symbolic objects of a path, and what the program would like their bytes to be.
#[derive(Clone, Debug, Default)]
pub struct Symbolics {
    /// In the order of creation.
    pub objects: Arc<Vec<SymbolicObject>>,
    /// Number of objects made so far for each name; the next version of that name.
    pub versions: Arc<BTreeMap<Arc<str>, u32>>,
    /// Conditions the program would like tests to satisfy (`klee_prefer_cex`), in the order given.
    pub preferences: Arc<Vec<Term>>,
}

impl Symbolics {
    /// Makes an object: its array, and how many of the name there were before.
    pub fn make(&mut self, terms: &Terms, name: &Arc<str>, size: u32) -> (ArrayId, u32) {
        let versions = Arc::make_mut(&mut self.versions);
        let next = versions.entry(Arc::clone(name)).or_insert(0);
        let version = *next;
        *next += 1;
        let array = terms.array(name, version, size);
        let object = SymbolicObject {
            array,
            name: Arc::clone(name),
            size,
        };
        Arc::make_mut(&mut self.objects).push(object);
        (array, version)
    }

    /// Returns the number of objects that the path has made with a name.
    pub fn made_with(&self, name: &str) -> usize {
        self.versions.get(name).map_or(0, |made| *made as usize)
    }

    /// Returns true if two paths have made the same objects.
    pub fn are_same_objects(&self, other: &Symbolics) -> bool {
        self.objects == other.objects && self.versions == other.versions
    }

    /// Keeps the preferences that another path has too.
    pub fn keep_common_preferences(&mut self, other: &Symbolics) {
        if self.preferences != other.preferences {
            let both = self.preferences.iter();
            let both = both.filter(|term| other.preferences.contains(term));
            self.preferences = Arc::new(both.copied().collect());
        }
    }

    /// Maps the stored terms. The objects stay.
    pub fn map_terms(&mut self, map: &dyn Fn(Term) -> Term) {
        if !self.preferences.is_empty() {
            let moved = self.preferences.iter().map(|term| map(*term)).collect();
            self.preferences = Arc::new(moved);
        }
    }
}
