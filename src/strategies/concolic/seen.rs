//! Data that a strategy sees.
//!
//! Invariant: branches of ended paths and counters, no states. The last path is the path of the run
//! that ended last; `paths` has the current state of its branches.

use super::history::History;
use super::path::{PathBranch, PathId, Paths};
use std::cell::OnceCell;

/// Path of the run that ended last.
#[derive(Debug)]
pub struct LastPath {
    pub id: PathId,
    /// Position of the branch whose negation resulted in the path; `None` if it started at a root.
    pub negated: Option<u32>,
    /// Sides that its run covered first.
    pub news: Vec<u32>,
    /// Branches of the path, computed on first use.
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

/// View of a strategy.
#[derive(Debug, Default)]
pub struct Seen {
    pub paths: Paths,
    pub history: History,
    /// Last path; `None` before the first run has ended.
    pub last: Option<LastPath>,
}

impl Seen {
    /// Returns the open branches of a path lazily, the deepest first.
    pub fn open_deepest_first<'s>(
        &'s self,
        path: PathId,
    ) -> impl Iterator<Item = PathBranch> + use<'s> {
        let branches = self.paths.branches_backwards(path);
        branches.filter(|branch| self.paths.is_open(branch.at))
    }

    /// Returns the branches of the last path from its start; empty if there is none.
    pub fn last_branches(&self) -> &[PathBranch] {
        let last = self.last.as_ref();
        last.map_or(&[], |last| {
            last.branches.get_or_init(|| self.paths.branches(last.id))
        })
    }
}
