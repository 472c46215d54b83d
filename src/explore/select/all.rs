//! `--all-tests`: a test for every path, except for paths that the program ends silently.

use super::{EndedPath, TestSelector, Verdict, Worth};

/// Every path.
#[derive(Clone, Copy, Default, Debug)]
pub struct All {
    /// True if the test of each path that ends in a bug has a report, not only the first one of
    /// each bug.
    pub describes_all_bugs: bool,
}

impl TestSelector for All {
    fn judge(&mut self, path: &EndedPath<'_>) -> Verdict {
        Verdict {
            test: if path.is_silent() {
                Worth::Nothing
            } else {
                Worth::Always
            },
            describes_bug: path.new_bug || (self.describes_all_bugs && path.bug().is_some()),
        }
    }

    fn may_want(&self, path: &EndedPath<'_>) -> bool {
        !path.is_silent()
    }

    fn needs_every_path(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bug, exit, path};
    use super::*;
    use homi_machine::outcome::Termination;

    #[test]
    fn every_path_but_silent_ones() {
        let mut all = All::default();
        let (exit, bug) = (exit(), bug());
        let mut judge = |termination| all.judge(&path(termination, false, false));
        assert_eq!(judge(&exit).test, Worth::Always);
        assert_eq!(judge(&Termination::Silent).test, Worth::Nothing);
        assert!(!judge(&bug).describes_bug);
        let described = All {
            describes_all_bugs: true,
        };
        assert!({ described }.judge(&path(&bug, false, false)).describes_bug);
    }
}
