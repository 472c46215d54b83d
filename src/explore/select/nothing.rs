//! No path becomes a test: for runs that only look.

use super::{EndedPath, TestSelector, Verdict};

/// Wants no test.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl TestSelector for Nothing {
    fn judge(&mut self, _path: &EndedPath<'_>) -> Verdict {
        Verdict::NOTHING
    }

    fn may_want(&self, _path: &EndedPath<'_>) -> bool {
        false
    }
}
