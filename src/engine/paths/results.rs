//! From a path that left to its place in the counts, the list of bugs and perhaps a test.
//!
//! Invariant: every path that leaves is counted once, and judged by the selector.

use super::bugs::BugList;
use super::credit::Credits;
use super::making::Draft;
use super::tally::PathTally;
use super::test_output::{TestOutput, ending_file};
use crate::config::TestConfig;
use crate::coverage::Coverage;
use crate::engine::prover::Prover;
use crate::engine::tail::TailRunner;
use crate::exec::{Executor, Host, Termination};
use crate::expr::Terms;
use crate::report::ErrorSummary;
use crate::select::{EndedPath, TestListener, TestSelector, Worth};
use crate::state::State;
use crate::testcase::WriteError;
use std::path::Path;

/// What the paths of a session have left so far: counts, bugs, tests.
pub struct PathResults {
    pub tally: PathTally,
    bugs: BugList,
    pub(super) output: TestOutput,
}

/// In what way a path leaves.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::engine) struct Departure {
    /// Take the state's own model instead of asking for a canonical one.
    pub(in crate::engine) hurry: bool,
    /// The path is that of an earlier test from which all was learned.
    pub(in crate::engine) retraced: bool,
    /// The path is a probe's, which is not counted.
    pub(in crate::engine) probe: bool,
    /// The path does not leave yet: it is not counted, only its test is wanted.
    pub(in crate::engine) goes_on: bool,
}

impl Departure {
    /// The path is over as far as the run is concerned, which counts it.
    pub(in crate::engine) fn leaves_the_run(self) -> bool {
        !self.probe && !self.goes_on
    }
}

/// What making a test needs of the run.
pub(in crate::engine) struct Finishing<'f, 'p> {
    pub(in crate::engine) executor: &'f Executor<'p>,
    pub(in crate::engine) terms: &'f Terms,
    pub(in crate::engine) coverage: &'f Coverage,
    pub(in crate::engine) prover: &'f mut dyn Prover,
    pub(in crate::engine) host: &'f dyn Host,
    /// Number of call paths that the run knows.
    pub(in crate::engine) call_paths: usize,
    pub(in crate::engine) credits: &'f mut Credits,
    pub(in crate::engine) tails: &'f mut TailRunner,
    pub(in crate::engine) selector: &'f mut dyn TestSelector,
    pub(in crate::engine) listener: &'f mut dyn TestListener,
    /// How often states were pruned so far in this run.
    pub(in crate::engine) prune_events: usize,
}

/// What became of a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::engine) struct Finished {
    /// Name of the test written, if any.
    pub(in crate::engine) test: Option<String>,
    /// The bug had not been seen before.
    pub(in crate::engine) new_bug: bool,
}

impl PathResults {
    /// For a new output directory. `arguments` are `args` of every test: the bitcode's name and the
    /// program's arguments as typed.
    pub fn new(
        directory: &Path,
        formats: TestConfig,
        arguments: Vec<Vec<u8>>,
    ) -> Result<Self, WriteError> {
        let output = TestOutput::open(directory, formats, arguments, None)?;
        Ok(Self::of(output, BugList::default()))
    }

    /// Goes on with the directory of an earlier session, whose last test has the number `tests`.
    pub fn reopen(
        directory: &Path,
        formats: TestConfig,
        arguments: Vec<Vec<u8>>,
        tests: u64,
    ) -> Result<Self, WriteError> {
        let output = TestOutput::open(directory, formats, arguments, Some(tests))?;
        Ok(Self::of(output, BugList::default()))
    }

    fn of(output: TestOutput, bugs: BugList) -> Self {
        Self {
            tally: PathTally::default(),
            bugs,
            output,
        }
    }

    /// For another thread: the same files and bugs, counts of its own.
    pub fn for_thread(&self) -> Self {
        Self::of(self.output.clone(), self.bugs.clone())
    }

    /// Tests written so far.
    pub fn tests(&self) -> u64 {
        self.output.tests()
    }

    /// Number of different bugs found.
    pub fn bug_count(&self) -> usize {
        self.bugs.len()
    }

    /// The bugs found, in the order of finding.
    pub fn errors(&self) -> Vec<ErrorSummary> {
        self.bugs.summaries()
    }

    /// Whether the lines that a state covers first are wanted.
    pub(in crate::engine) fn wants_lines(&self) -> bool {
        self.output.wants_lines()
    }

    /// Whether a state might have a test if it left like this.
    pub(in crate::engine) fn may_want(
        &self,
        selector: &dyn TestSelector,
        state: &State,
        termination: &Termination,
        credits: &Credits,
    ) -> bool {
        let credit = credits.of(state.sequence);
        selector.may_want(&EndedPath {
            termination,
            new_bug: matches!(termination, Termination::Bug(bug) if !self.bugs.knows(bug)),
            metrics: &state.metrics,
            new_sides: credit.map_or(&[], |credit| &credit.sides),
            new_segments: credit.map_or(&[], |credit| &credit.segments),
            retraced: false,
            probe: false,
        })
    }

    /// Counts a path that left, and makes its test if it deserves one.
    pub(in crate::engine) fn finish(
        &mut self,
        state: &State,
        termination: &Termination,
        departure: Departure,
        run: &mut Finishing<'_, '_>,
    ) -> Result<Finished, WriteError> {
        let credit = run.credits.take(state.sequence).unwrap_or_default();
        if departure.leaves_the_run() {
            self.tally.count(termination);
        }
        let program = run.executor.program();
        let new_bug = match termination {
            Termination::Bug(bug) => self.bugs.note(bug, program),
            _ => false,
        };
        let path = EndedPath {
            termination,
            new_bug,
            metrics: &state.metrics,
            new_sides: &credit.sides,
            new_segments: &credit.segments,
            retraced: departure.retraced,
            probe: departure.probe,
        };
        let verdict = run.selector.judge(&path);
        let test = match verdict.test {
            Worth::Nothing => None,
            worth => {
                let draft = Draft {
                    state,
                    path,
                    credit: &credit,
                    hurry: departure.hurry,
                    always: worth == Worth::Always,
                    beside: ending_file(termination, verdict.describes_bug, state, program),
                };
                self.make_test(draft, run)?
            }
        };
        if let Termination::Bug(bug) = termination
            && new_bug
        {
            self.bugs.name_test(bug, test.clone().unwrap_or_default());
        }
        Ok(Finished { test, new_bug })
    }
}
