//! The usual rule: a test for each path that covered something of the program's own code as the
//! first of its run, and for each bug that no earlier path shows.

use super::{EndedPath, TestSelector, Verdict, Worth};

/// Paths that cover something new, and new bugs.
#[derive(Clone, Copy, Default, Debug)]
pub struct CoveringNew;

impl TestSelector for CoveringNew {
    fn judge(&mut self, path: &EndedPath<'_>) -> Verdict {
        Verdict {
            test: if path.is_silent() {
                Worth::Nothing
            } else if path.new_bug {
                Worth::Always
            } else if path.covered_new() {
                Worth::IfItAdds
            } else {
                Worth::Nothing
            },
            describes_bug: path.new_bug,
        }
    }

    fn may_want(&self, path: &EndedPath<'_>) -> bool {
        path.covered_new() || path.bug().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bug, exit, path};
    use super::*;
    use homi_machine::outcome::Termination;

    #[test]
    fn what_is_new_becomes_a_test() {
        let mut selector = CoveringNew;
        let (exit, bug) = (exit(), bug());
        let mut judge = |termination, new_bug, covered_new| {
            let verdict = selector.judge(&path(termination, new_bug, covered_new));
            (verdict.test, verdict.describes_bug)
        };
        assert_eq!(judge(&exit, false, false), (Worth::Nothing, false));
        assert_eq!(judge(&exit, false, true), (Worth::IfItAdds, false));
        assert_eq!(judge(&bug, true, false), (Worth::Always, true));
        assert_eq!(judge(&bug, false, false), (Worth::Nothing, false));
        assert_eq!(judge(&bug, false, true), (Worth::IfItAdds, false));
        let silent = Termination::Silent;
        assert_eq!(judge(&silent, false, true), (Worth::Nothing, false));
    }
}
