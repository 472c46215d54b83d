//! KLEE's choice: every path without a bug, and the first path of each bug, or all.

use super::{All, EndedPath, TestSelector, Verdict, Worth};

#[derive(Clone, Copy, Default, Debug)]
pub struct EachBug {
    /// Also paths whose bug an earlier one has shown.
    pub repeats: bool,
    /// True if paths without a bug must cover something new.
    pub only_new: bool,
}

impl TestSelector for EachBug {
    fn judge(&mut self, path: &EndedPath<'_>) -> Verdict {
        match path.bug() {
            Some(_) if path.new_bug || self.repeats => Verdict {
                test: Worth::Always,
                describes_bug: true,
            },
            Some(_) => Verdict::NOTHING,
            None if self.only_new && !path.covered_new() => Verdict::NOTHING,
            None => All::default().judge(path),
        }
    }

    fn may_want(&self, path: &EndedPath<'_>) -> bool {
        match path.bug() {
            Some(_) => path.new_bug || self.repeats,
            None => !path.is_silent() && (!self.only_new || path.covered_new()),
        }
    }

    fn needs_every_path(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bug, exit, path};
    use super::*;

    #[test]
    fn one_test_for_each_bug_and_all_that_exit() {
        let (exit, bug) = (exit(), bug());
        let judged = |selector: EachBug, termination, new_bug| {
            let mut selector = selector;
            let mut path = path(termination, false, false);
            path.new_bug = new_bug;
            selector.judge(&path).test
        };
        let usual = EachBug::default();
        assert_eq!(judged(usual, &exit, false), Worth::Always);
        assert_eq!(judged(usual, &bug, true), Worth::Always);
        assert_eq!(judged(usual, &bug, false), Worth::Nothing);
        let each = EachBug {
            repeats: true,
            only_new: true,
        };
        assert_eq!(judged(each, &bug, false), Worth::Always);
        assert_eq!(judged(each, &exit, false), Worth::Nothing);
    }
}
