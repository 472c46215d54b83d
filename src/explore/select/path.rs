//! View of a path and its test for selectors and listeners.

use homi_ir::program::LocId;
use homi_machine::outcome::{Bug, BugKind, BugLocation, Termination};
use homi_machine::state::Metrics;
use homi_solver::PathCondition;
use homi_solver::term::Terms;
use std::sync::Arc;

/// Identity of a bug: kind, location in the source, further details of the location, message.
pub type BugKey = (BugKind, LocId, BugLocation, String);

/// The key of a bug.
pub(crate) fn bug_key(bug: &Bug) -> BugKey {
    let message = bug.message.clone();
    (bug.kind.clone(), bug.location, bug.place.clone(), message)
}

/// A path that has left the run, or that could leave it now.
#[derive(Clone, Copy, Debug)]
pub struct EndedPath<'a> {
    /// End of the path; of an open path its end if it stopped now.
    pub termination: &'a Termination,
    /// The bug that ended it is in no earlier path of the session.
    pub new_bug: bool,
    /// Numbers of the path: forks, instructions, whether it covered something of the program's own
    /// code as the first of its run that no test shows yet.
    pub metrics: &'a Metrics,
    /// Branch sides and segments of the program's own code that the path covered as the first of
    /// its run, in the order of covering.
    pub new_sides: &'a [u32],
    pub new_segments: &'a [u32],
    /// True if an earlier test has the same path and everything was learned from it when it was
    /// made.
    pub reexecuted: bool,
    /// True if the path is a fuzzing run: a run with given bytes from the program's entry, which
    /// has no path condition and is not a path of the search.
    pub fuzzing_run: bool,
}

impl EndedPath<'_> {
    /// The bug that ended the path.
    pub fn bug(&self) -> Option<&Bug> {
        match self.termination {
            Termination::Bug(bug) => Some(bug),
            _ => None,
        }
    }

    /// The key of the bug that ended the path: two paths with equal keys show the same bug.
    pub fn bug_key(&self) -> Option<BugKey> {
        self.bug().map(bug_key)
    }

    /// The exit status of the program, if the path ended with its exit.
    pub fn exit_status(&self) -> Option<i32> {
        match self.termination {
            Termination::Exit(status) => Some(*status),
            _ => None,
        }
    }

    /// True if the path covered something of the program's own code as the first of its run, that
    /// no test shows yet.
    pub fn covered_new(&self) -> bool {
        self.metrics.covered_new
    }

    /// True if the program itself asked for the path to end without a test.
    pub fn is_silent(&self) -> bool {
        matches!(self.termination, Termination::Silent)
    }
}

/// Coverage of a test when it runs.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// The program's own branch sides that the test covers, ascending.
    pub sides: Arc<[u32]>,
    /// Segments of the program's own code that its path covered as the first of its run.
    pub new_segments: &'a [u32],
    /// True if the program was seen to end.
    pub ended: bool,
}

/// A test that was made of a path.
#[derive(Debug)]
pub struct MadeTest<'a> {
    pub path: EndedPath<'a>,
    pub terms: &'a Terms,
    /// The path condition, over `terms`.
    pub conditions: &'a PathCondition,
    pub shown: Shown<'a>,
    /// Number of earlier prune events of this run.
    pub prune_events: usize,
    /// Name of its file, if it became one.
    pub file: Option<&'a str>,
    /// The contents of a `.ktest` file, if it became a file or a listener needs bytes.
    pub bytes: Option<&'a [u8]>,
}
