//! From a path that left to its place in the counts, the list of bugs and perhaps a test.
//!
//! Invariant: every path that leaves is counted once, and judged by the selector.

use super::bugs::BugList;
use super::credit::{Claims, Credit};
use super::making::Draft;
use super::tally::PathTally;
use super::telling::bug_found;
use super::test_output::{TestOutput, ending_file};
use crate::config::TestConfig;
use crate::coverage::Coverage;
use crate::engine::prover::Prover;
use crate::engine::tail::TailRunner;
use crate::exec::{Executor, Host, Segments, Termination};
use crate::expr::Terms;
use crate::report::{ErrorSummary, Event, EventStream};
use crate::select::{EndedPath, TestListener, TestSelector, Worth};
use crate::state::{Metrics, State};
use crate::testcase::{WriteError, read_coverage};
use std::path::Path;

/// What the paths of a session have left so far: counts, bugs, tests.
pub struct PathResults {
    pub tally: PathTally,
    bugs: BugList,
    pub(super) claims: Claims,
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
    pub fn new(directory: &Path, formats: TestConfig, arguments: Vec<Vec<u8>>) -> Self {
        let output = TestOutput::open(directory, formats, arguments, None);
        Self::of(output, BugList::default(), Claims::default())
    }

    /// Goes on with the directory of an earlier session, whose last test has the number `tests`.
    pub fn reopen(
        directory: &Path,
        formats: TestConfig,
        arguments: Vec<Vec<u8>>,
        tests: u64,
    ) -> Self {
        let output = TestOutput::open(directory, formats, arguments, Some(tests));
        // A log that cannot be read claims nothing.
        let log = read_coverage(directory).unwrap_or_default();
        let sides = log.into_iter().flat_map(|test| test.sides);
        let claims = Claims::of_earlier(sides);
        Self::of(output, BugList::default(), claims)
    }

    fn of(output: TestOutput, bugs: BugList, claims: Claims) -> Self {
        Self {
            tally: PathTally::default(),
            bugs,
            claims,
            output,
        }
    }

    /// Tells tests and bugs to a stream of events.
    pub fn telling(mut self, events: &EventStream) -> Self {
        self.output.events = events.clone();
        self
    }

    /// Where tests and bugs are told.
    pub fn events(&self) -> &EventStream {
        &self.output.events
    }

    /// For another thread: the same files, bugs and claims, counts of its own.
    pub fn for_thread(&self) -> Self {
        let (bugs, claims) = (self.bugs.clone(), self.claims.clone());
        Self::of(self.output.clone(), bugs, claims)
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

    /// Whether a state might have a test if it left like this.
    pub(in crate::engine) fn may_want(
        &self,
        selector: &dyn TestSelector,
        state: &State,
        termination: &Termination,
        segments: &Segments,
    ) -> bool {
        let (metrics, credit) = self.owed(state, termination, segments);
        selector.may_want(&EndedPath {
            termination,
            new_bug: matches!(termination, Termination::Bug(bug) if !self.bugs.knows(bug)),
            metrics: &metrics,
            new_sides: &credit.sides,
            new_segments: &credit.segments,
            retraced: false,
            probe: false,
        })
    }

    /// What a path has to show: its numbers, `covered_new` if it covered something first itself or
    /// has what another path left behind, and then what that is.
    #[inline]
    fn owed(
        &self,
        state: &State,
        termination: &Termination,
        segments: &Segments,
    ) -> (Metrics, Credit) {
        let mut metrics = state.metrics;
        metrics.covered_new |= self.claims.has_orphans(state);
        let credit = match metrics.covered_new {
            true => Credit::of(state, termination, segments),
            false => Credit::default(),
        };
        (metrics, credit)
    }

    /// No test is made of a path. What it covered first is for others to show, unless an earlier
    /// test shows it.
    fn leave_unshown(
        &self,
        state: &State,
        departure: &Departure,
        (metrics, credit): (&Metrics, &Credit),
        segments: &Segments,
    ) {
        if departure.retraced {
            state.covered_first.claim();
        } else if metrics.covered_new {
            self.claims.orphan(state, credit, segments);
        }
    }

    /// Counts a path that left, and makes its test if it deserves one.
    pub(in crate::engine) fn finish(
        &mut self,
        state: &State,
        termination: &Termination,
        departure: Departure,
        run: &mut Finishing<'_, '_>,
    ) -> Result<Finished, WriteError> {
        if departure.leaves_the_run() {
            self.tally.count(termination);
        }
        let program = run.executor.program();
        let new_bug = match termination {
            Termination::Bug(bug) => self.bugs.note(bug, program),
            _ => false,
        };
        let segments = run.executor.segments();
        let (metrics, credit) = self.owed(state, termination, segments);
        let path = EndedPath {
            termination,
            new_bug,
            metrics: &metrics,
            new_sides: &credit.sides,
            new_segments: &credit.segments,
            retraced: departure.retraced,
            probe: departure.probe,
        };
        let verdict = run.selector.judge(&path);
        let test = match verdict.test {
            Worth::Nothing => {
                self.leave_unshown(state, &departure, (&metrics, &credit), segments);
                None
            }
            worth => {
                let draft = Draft {
                    state,
                    path,
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
            let found = || Event::BugFound(bug_found(bug, test.as_deref(), program));
            self.events().tell(found);
        }
        Ok(Finished { test, new_bug })
    }
}
