//! Open merges of a path: each `klee_open_merge` that it has passed and no `klee_close_merge` has
//! matched.
//!
//! Invariant: the path condition at an opening is a prefix of the condition of every path that has
//! it on its list. An opening is identified by its address in memory: exactly the paths that forked
//! after it share it.

use homi_solver::PathCondition;
use homi_solver::term::Term;
use std::sync::Arc;

/// One `klee_open_merge` on a path.
#[derive(Debug)]
pub struct Opening {
    /// The path condition there.
    pub path: PathCondition,
    /// Instructions of the path before it.
    pub instructions: u64,
}

/// The openings of a path, the innermost last, and the opening that it has just closed.
#[derive(Clone, Debug, Default)]
pub struct Merges {
    open: Vec<Arc<Opening>>,
    closed: Option<Arc<Opening>>,
    /// Number of other paths that were merged into this one.
    joined: u64,
}

impl Merges {
    /// The path passes `klee_open_merge`.
    pub fn open(&mut self, path: &PathCondition, instructions: u64) {
        self.open.push(Arc::new(Opening {
            path: path.clone(),
            instructions,
        }));
    }

    /// The path passes `klee_close_merge`; false if nothing is open.
    pub fn close(&mut self) -> bool {
        self.closed = self.open.pop();
        self.closed.is_some()
    }

    /// Returns true if the path has just closed a merge that was not taken yet.
    #[inline]
    pub fn has_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// Takes the merge that the path has just closed.
    pub fn take_closed(&mut self) -> Option<Arc<Opening>> {
        self.closed.take()
    }

    /// The openings that are not closed, the innermost last.
    pub fn openings(&self) -> &[Arc<Opening>] {
        &self.open
    }

    /// Returns true if an opening is on the list.
    pub fn has_open(&self, opening: &Arc<Opening>) -> bool {
        self.open.iter().any(|open| Arc::ptr_eq(open, opening))
    }

    /// Returns true if two paths have the same open merges.
    pub fn is_in_the_same(&self, other: &Merges) -> bool {
        self.open.len() == other.open.len() && self.open.iter().all(|open| other.has_open(open))
    }

    /// Returns the number of other paths that were merged into this one.
    pub fn joined(&self) -> u64 {
        self.joined
    }

    /// Another path has become this one.
    pub fn join(&mut self, other: &Merges) {
        self.joined += other.joined + 1;
    }

    /// Calls `visit` for every term that is kept of the openings.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(Term)) {
        for opening in self.open.iter().chain(&self.closed) {
            opening.path.visit_terms(visit);
        }
    }

    /// Maps the stored terms. The openings are then separate from other paths' openings.
    pub fn map_terms(&mut self, map: &dyn Fn(Term) -> Term) {
        for opening in self.open.iter_mut().chain(&mut self.closed) {
            *opening = Arc::new(Opening {
                path: opening.path.with_terms(map),
                instructions: opening.instructions,
            });
        }
    }
}
