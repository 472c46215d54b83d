//! What a strategy sees.
//!
//! Invariant: branches of paths that have ended and counts, no states. The last path is that of the
//! run that ended last; what became of its branches since then is asked of `paths`.

use super::history::History;
use super::path::{PathBranch, PathId, Paths};

/// The path of the run that ended last.
#[derive(Debug)]
pub struct LastPath {
    pub id: PathId,
    /// The branches that it goes over, from its beginning.
    pub branches: Vec<PathBranch>,
    /// The position of the branch that was negated to get it; none if it began at a root.
    pub negated: Option<u32>,
    /// Sides that its run covered first.
    pub news: Vec<u32>,
}

/// The view of a strategy.
#[derive(Debug, Default)]
pub struct Seen {
    pub paths: Paths,
    pub history: History,
    /// None before the first run has ended.
    pub last: Option<LastPath>,
}

impl Seen {
    /// The open ones among the branches of a path, in their order.
    pub fn open<'s>(
        &'s self,
        branches: &'s [PathBranch],
    ) -> impl DoubleEndedIterator<Item = &'s PathBranch> {
        let paths = &self.paths;
        branches.iter().filter(|branch| paths.is_open(branch.at))
    }
}
