//! What a strategy sees.
//!
//! Invariant: branches of paths that have ended and counts, no states. The last path is that of the
//! run that ended last; what became of its branches since then is asked of `paths`.

use super::history::History;
use super::path::{PathBranch, PathId, Paths};
use std::cell::OnceCell;

/// The path of the run that ended last.
#[derive(Debug)]
pub struct LastPath {
    pub id: PathId,
    /// The position of the branch that was negated to get it; none if it began at a root.
    pub negated: Option<u32>,
    /// Sides that its run covered first.
    pub news: Vec<u32>,
    /// The branches that it goes over, once somebody has asked.
    branches: OnceCell<Vec<PathBranch>>,
}

impl LastPath {
    pub(super) fn new(id: PathId, negated: Option<u32>, news: Vec<u32>) -> Self {
        Self {
            id,
            negated,
            news,
            branches: OnceCell::new(),
        }
    }
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
    /// The open branches of a path, the deepest first. What is not looked at costs nothing.
    pub fn open_deepest_first<'s>(
        &'s self,
        path: PathId,
    ) -> impl Iterator<Item = PathBranch> + use<'s> {
        let branches = self.paths.branches_backwards(path);
        branches.filter(|branch| self.paths.is_open(branch.at))
    }

    /// The branches that the last path goes over, from its beginning; none before there is one.
    pub fn last_branches(&self) -> &[PathBranch] {
        let last = self.last.as_ref();
        last.map_or(&[], |last| {
            last.branches.get_or_init(|| self.paths.branches(last.id))
        })
    }
}
