//! New coverage by the path that produced it.
//!
//! Invariant: the lists of a batch are disjoint.

/// New coverage of one batch, by its paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BatchNews {
    /// Before the batch's fork, if there was one: the paths of the siblings have it too.
    pub shared: Fresh,
    /// Coverage by the state that ran, after its fork.
    pub own: Fresh,
    /// Coverage by siblings, each with its index.
    pub siblings: Vec<(usize, Fresh)>,
}

impl BatchNews {
    /// True if the batch covered nothing new of the user's own code.
    pub fn is_empty(&self) -> bool {
        self.by_path().all(Fresh::is_empty)
    }

    /// Returns all new coverage as one path's, if there was no fork.
    pub fn of_one_path(self) -> Fresh {
        let mut all = self.shared;
        let siblings = self.siblings.into_iter().map(|(_, fresh)| fresh);
        for fresh in std::iter::once(self.own).chain(siblings) {
            all.segments.extend(fresh.segments);
            all.sides.extend(fresh.sides);
            all.for_search |= fresh.for_search;
        }
        all
    }

    /// Returns the coverage of each path.
    pub fn by_path(&self) -> impl Iterator<Item = &Fresh> {
        let siblings = self.siblings.iter().map(|(_, fresh)| fresh);
        [&self.shared, &self.own].into_iter().chain(siblings)
    }

    /// Returns the coverage of a sibling at the fork.
    pub fn of_sibling(&self, place: usize) -> Option<&Fresh> {
        let mut siblings = self.siblings.iter();
        let found = siblings.find(|(sibling, _)| *sibling == place);
        found.map(|(_, fresh)| fresh)
    }
}

/// New coverage of one path, in user code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fresh {
    pub segments: Vec<u32>,
    pub sides: Vec<u32>,
    /// Searches count what was covered as new.
    pub for_search: bool,
}

impl Fresh {
    /// True if the path covered nothing new of the user's own code.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty() && self.sides.is_empty()
    }
}
