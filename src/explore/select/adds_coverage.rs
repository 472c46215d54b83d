//! A rule for several runs one after the other: of the paths that another rule wants, those become
//! files whose branches or code are not all shown by files written before.
//!
//! Each run counts from nothing what it covers first, so the other rule sees the same code as new
//! in every run. Which tests a run makes depends on the run alone; which of them become files is
//! decided over all of them. Invariant: the files show every side and segment that a test showed.

use super::{BugKey, EndedPath, Shown, TestSelector, Verdict, Worth};
use homi_machine::state::SideSet;
use std::collections::BTreeSet;

/// Tests that add to what the written ones show.
pub struct AddsCoverage {
    rule: Box<dyn TestSelector>,
    max_completion_instructions: u64,
    /// Coverage of the written tests.
    sides: SideSet,
    segments: SideSet,
    /// Bugs of the run under way.
    bugs: BTreeSet<BugKey>,
}

impl AddsCoverage {
    /// Chooses among the paths that `rule` wants. A path that was stopped is run on for at most
    /// `max_completion_instructions`, to see what its test shows.
    pub fn new(rule: Box<dyn TestSelector>, max_completion_instructions: u64) -> Self {
        Self {
            rule,
            max_completion_instructions,
            sides: SideSet::default(),
            segments: SideSet::default(),
            bugs: BTreeSet::new(),
        }
    }

    /// The next run begins: it sees every bug for the first time.
    pub fn begin_run(&mut self) {
        self.bugs.clear();
    }

    /// A file shows these sides and segments.
    pub fn show(&mut self, sides: &[u32], segments: &[u32]) {
        for side in sides {
            self.sides.insert(*side);
        }
        for segment in segments {
            self.segments.insert(*segment);
        }
    }
}

impl TestSelector for AddsCoverage {
    fn judge(&mut self, path: &EndedPath<'_>) -> Verdict {
        let verdict = self.rule.judge(path);
        let new_in_run = path.bug_key().is_some_and(|key| self.bugs.insert(key));
        let test = match verdict.test {
            Worth::Always => Worth::Always,
            // An earlier run has learned everything from this path.
            _ if path.reexecuted => Worth::Nothing,
            Worth::Nothing if new_in_run => Worth::IfItAdds,
            worth => worth,
        };
        Verdict {
            test,
            describes_bug: verdict.describes_bug || new_in_run,
        }
    }

    fn may_want(&self, path: &EndedPath<'_>) -> bool {
        self.rule.may_want(path)
    }

    fn needs_every_path(&self) -> bool {
        self.rule.needs_every_path()
    }

    fn max_completion_instructions(&self) -> u64 {
        self.max_completion_instructions
    }

    fn adds(&mut self, shown: &Shown<'_>) -> bool {
        shown.sides.iter().any(|side| !self.sides.contains(*side))
            || shown
                .new_segments
                .iter()
                .any(|segment| !self.segments.contains(*segment))
    }

    fn written(&mut self, shown: &Shown<'_>) {
        self.show(&shown.sides, shown.new_segments);
    }
}

#[cfg(test)]
mod tests {
    use super::super::CoveringNew;
    use super::super::testing::{bug, exit, path};
    use super::*;

    fn shown(sides: &[u32]) -> Shown<'static> {
        Shown {
            sides: sides.into(),
            new_segments: &[],
            ended: true,
        }
    }

    #[test]
    fn only_what_no_file_shows_becomes_a_file() {
        let mut selector = AddsCoverage::new(Box::new(CoveringNew), 0);
        selector.show(&[1, 2], &[]);
        assert!(!selector.adds(&shown(&[2])));
        assert!(selector.adds(&shown(&[2, 3])));
        selector.written(&shown(&[3]));
        assert!(!selector.adds(&shown(&[2, 3])));
    }

    #[test]
    fn a_bug_of_an_earlier_run_is_one_of_this_run_too() {
        let mut selector = AddsCoverage::new(Box::new(CoveringNew), 0);
        let bug = bug();
        let judge = |selector: &mut AddsCoverage| selector.judge(&path(&bug, false, false));
        assert_eq!(judge(&mut selector).test, Worth::IfItAdds);
        assert_eq!(judge(&mut selector).test, Worth::Nothing);
        selector.begin_run();
        assert!(judge(&mut selector).describes_bug);
    }

    #[test]
    fn a_reexecuted_path_has_no_test_again() {
        let mut selector = AddsCoverage::new(Box::new(CoveringNew), 0);
        let exit = exit();
        let mut reexecuted = path(&exit, false, true);
        assert_eq!(selector.judge(&reexecuted).test, Worth::IfItAdds);
        reexecuted.reexecuted = true;
        assert_eq!(selector.judge(&reexecuted).test, Worth::Nothing);
    }
}
