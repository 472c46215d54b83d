//! Properties of an ended path, the parts that its test needs, and the result.

use crate::coverage::Coverage;
use crate::engine::completion::CompletionRunner;
use crate::engine::solver_session::SolverSession;
use crate::select::{TestListener, TestSelector};
use homi_machine::exec::{Executor, Host};
use homi_solver::term::Terms;

/// Reason why a path is removed.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::engine) struct Departure {
    /// Take the state's own model instead of asking for a canonical one.
    pub(in crate::engine) hurry: bool,
    /// True if an earlier test has the same path and everything was learned from it.
    pub(in crate::engine) reexecuted: bool,
    /// The path is a fuzzing run's, which is not counted.
    pub(in crate::engine) fuzzing_run: bool,
    /// The path does not leave yet: it is not counted, only its test is wanted.
    pub(in crate::engine) goes_on: bool,
}

impl Departure {
    /// The path is over as far as the run is concerned, which counts it.
    pub(in crate::engine) fn leaves_the_run(self) -> bool {
        !self.fuzzing_run && !self.goes_on
    }
}

/// Parts of the run that making a test needs.
pub(in crate::engine) struct Finishing<'f, 'p> {
    pub(in crate::engine) executor: &'f Executor<'p>,
    pub(in crate::engine) terms: &'f Terms,
    pub(in crate::engine) coverage: &'f Coverage,
    pub(in crate::engine) solver_session: &'f mut dyn SolverSession,
    pub(in crate::engine) host: &'f dyn Host,
    /// Number of call paths that the run knows.
    pub(in crate::engine) call_paths: usize,
    pub(in crate::engine) completions: &'f mut CompletionRunner,
    pub(in crate::engine) selector: &'f mut dyn TestSelector,
    pub(in crate::engine) listener: &'f mut dyn TestListener,
    /// Number of prune events so far in this run.
    pub(in crate::engine) prune_events: usize,
    /// True if tests have inputs at the boundaries of comparisons, as far as their paths allow.
    pub(in crate::engine) pins_boundaries: bool,
    /// Units of work that the run has taken so far.
    pub(in crate::engine) work: u64,
}

/// Result for a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::engine) struct Finished {
    /// Name of the test written, if any.
    pub(in crate::engine) test: Option<String>,
    /// The bug had not been seen before.
    pub(in crate::engine) new_bug: bool,
    /// Operands of a check with the values of the test, in words; empty if there are none.
    pub(in crate::engine) values: String,
}
