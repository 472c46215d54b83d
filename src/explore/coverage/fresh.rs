//! What was covered for the first time, by the path that did it.
//!
//! Invariant: nothing is in two of the lists of a turn.

/// What one turn covered for the first time, by the paths that did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TurnNews {
    /// Before the turn's fork, if there was one: the paths of the siblings have it too.
    pub shared: Fresh,
    /// By the state that ran, after its fork.
    pub own: Fresh,
    /// By siblings, each given by its place among them.
    pub siblings: Vec<(usize, Fresh)>,
}

impl TurnNews {
    /// True if the turn covered nothing new of the user's own code.
    pub fn is_empty(&self) -> bool {
        self.by_path().all(Fresh::is_empty)
    }

    /// All of it, where there was no fork.
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

    /// What each path covered.
    pub fn by_path(&self) -> impl Iterator<Item = &Fresh> {
        let siblings = self.siblings.iter().map(|(_, fresh)| fresh);
        [&self.shared, &self.own].into_iter().chain(siblings)
    }

    /// What a sibling covered at the fork.
    pub fn of_sibling(&self, place: usize) -> Option<&Fresh> {
        let mut siblings = self.siblings.iter();
        let found = siblings.find(|(sibling, _)| *sibling == place);
        found.map(|(_, fresh)| fresh)
    }
}

/// What one path covered for the first time, in the user's own code.
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
