//! `--all-errors`: the usual rule, and a test with a report for every path that ends in a bug.

use super::{CoveringNew, EndedPath, TestSelector, Verdict, Worth};

/// Paths that cover something new, and every path that ends in a bug.
#[derive(Clone, Copy, Default, Debug)]
pub struct AllErrors;

impl TestSelector for AllErrors {
    fn judge(&mut self, path: &EndedPath<'_>) -> Verdict {
        match path.bug() {
            Some(_) => Verdict {
                test: Worth::Always,
                describes_bug: true,
            },
            None => CoveringNew.judge(path),
        }
    }

    fn may_want(&self, path: &EndedPath<'_>) -> bool {
        CoveringNew.may_want(path)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bug, path};
    use super::*;

    #[test]
    fn a_known_bug_has_a_test_too() {
        let bug = bug();
        let verdict = AllErrors.judge(&path(&bug, false, false));
        assert_eq!((verdict.test, verdict.describes_bug), (Worth::Always, true));
    }
}
