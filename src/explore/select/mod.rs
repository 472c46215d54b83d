//! Test selection: the paths that become tests.
//!
//! Owns: the trait of test selectors, their view of a path, the table of selectors and one file for
//! each. Never: a state's memory, the solver, a file; the engine finds and writes the bytes of a
//! test. Data come from `engine` (an ended path, a written test) and go back to it as a verdict.

mod adds_coverage;
mod all;
mod all_errors;
mod covering_new;
mod each_bug;
mod nothing;
mod path;
mod registry;

pub use adds_coverage::AddsCoverage;
pub use all::All;
pub use all_errors::AllErrors;
pub use covering_new::CoveringNew;
pub use each_bug::EachBug;
pub use nothing::Nothing;
pub(crate) use path::bug_key;
pub use path::{BugKey, EndedPath, MadeTest, Shown};
pub use registry::{SELECTORS, SelectorRow, selector_of};

/// Decision about a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub test: Worth,
    /// True if the test has a report of the bug that ended the path, if one did.
    pub describes_bug: bool,
}

/// Worth of a path as a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// No test is made.
    Nothing,
    /// A test is made. It becomes a file if the selector says so once it is known what it shows.
    IfItAdds,
    /// A test is made and becomes a file.
    Always,
}

impl Verdict {
    /// No test.
    pub const NOTHING: Verdict = Verdict {
        test: Worth::Nothing,
        describes_bug: false,
    };
}

/// Chooses the paths that become tests. Each thread of a run has a separate selector.
pub trait TestSelector {
    /// Returns the decision about a path that has left the run.
    fn judge(&mut self, path: &EndedPath<'_>) -> Verdict;

    /// True if `judge` might want a test of this path. An open state that might have one is not
    /// dropped silently. True for every path whose test `judge` would want.
    fn may_want(&self, path: &EndedPath<'_>) -> bool;

    /// True if every path must be seen to its end exactly once. Then no state is swapped out, as
    /// its path would be counted twice.
    fn needs_every_path(&self) -> bool {
        false
    }

    /// Instructions that a path which was stopped before its end is run on with the bytes of its
    /// test, to see what the test covers when it is run outside of homi; 0 is none.
    fn max_completion_instructions(&self) -> u64 {
        0
    }

    /// True if a test that was judged `Worth::IfItAdds` becomes a file, now that it is known what
    /// it shows.
    fn adds(&mut self, _shown: &Shown<'_>) -> bool {
        true
    }

    /// A test that shows this has become a file.
    fn written(&mut self, _shown: &Shown<'_>) {}
}

/// Listener of every test that a run makes, including tests that do not become files.
pub trait TestListener {
    /// True if `made` needs the bytes of tests that do not become files.
    fn needs_bytes(&self) -> bool {
        false
    }

    fn made(&mut self, test: &MadeTest<'_>);
}

impl<T: TestSelector + ?Sized> TestSelector for &mut T {
    fn judge(&mut self, path: &EndedPath<'_>) -> Verdict {
        (**self).judge(path)
    }

    fn may_want(&self, path: &EndedPath<'_>) -> bool {
        (**self).may_want(path)
    }

    fn needs_every_path(&self) -> bool {
        (**self).needs_every_path()
    }

    fn max_completion_instructions(&self) -> u64 {
        (**self).max_completion_instructions()
    }

    fn adds(&mut self, shown: &Shown<'_>) -> bool {
        (**self).adds(shown)
    }

    fn written(&mut self, shown: &Shown<'_>) {
        (**self).written(shown);
    }
}

impl<T: TestListener + ?Sized> TestListener for &mut T {
    fn needs_bytes(&self) -> bool {
        (**self).needs_bytes()
    }

    fn made(&mut self, test: &MadeTest<'_>) {
        (**self).made(test);
    }
}

#[cfg(test)]
mod testing;
