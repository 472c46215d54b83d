//! From a path that left to its place in the counts, the list of bugs and perhaps a test.
//!
//! Invariant: every removed path is counted once, and judged by the selector.

use super::bugs::BugList;
use super::credit::{Claims, Credit};
use super::event_data::{Evidence, bug_found};
use super::failing::failing_condition;
use super::finishing::{Departure, Finished, Finishing};
use super::making::Draft;
use super::tally::PathTally;
use super::test_output::{EarlierTests, TestOutput, ending_file};
use crate::select::{EndedPath, TestSelector, Worth};
use homi_config::{TestConfig, Weakness};
use homi_machine::exec::{Bug, Executor, Segments, Termination};
use homi_machine::state::{Decision, Metrics, SideSet, State};
use homi_native::testcase::{WriteError, read_coverage};
use homi_report::{ErrorSummary, Event, EventStream};
use homi_solver::term::{Model, Terms};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

/// Results of a session's paths so far: counts, bugs, tests.
pub struct PathResults {
    pub tally: PathTally,
    bugs: BugList,
    pub(super) claims: Claims,
    pub(super) output: TestOutput,
}

impl PathResults {
    /// For a new output directory. `arguments` are `args` of every test: the bitcode's name and the
    /// program's arguments as typed.
    pub fn new(directory: &Path, formats: TestConfig, arguments: Vec<Vec<u8>>) -> Self {
        let output = TestOutput::open(directory, formats, arguments, None);
        Self::of(output, BugList::default(), Claims::default())
    }

    /// Goes on with the directory of an earlier session, which has these tests.
    pub fn reopen(
        directory: &Path,
        formats: TestConfig,
        arguments: Vec<Vec<u8>>,
        tests: EarlierTests,
    ) -> Self {
        // A log that cannot be read claims nothing.
        let log = read_coverage(directory).unwrap_or_default();
        let lasting = log
            .into_iter()
            .filter(|test| !tests.provisional.contains(&test.test));
        let sides: Vec<(u32, u32)> = lasting.flat_map(|test| test.sides).collect();
        let sides = sides.into_iter();
        let output = TestOutput::open(directory, formats, arguments, Some(tests));
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

    /// Goes on with the counts of earlier sessions.
    pub fn counting_from(mut self, earlier: &PathTally) -> Self {
        self.tally = earlier.clone();
        self
    }

    /// Sides that paths which left without a test had covered first.
    pub(in crate::engine) fn orphans(&self) -> SideSet {
        self.claims.lock().orphans().clone()
    }

    /// Reports tests and bugs to a stream of events.
    pub fn with_events(mut self, events: &EventStream) -> Self {
        self.output.events = events.clone();
        self
    }

    /// Sets the arguments that tests record for their program; `None` for the session's.
    pub fn with_arguments(mut self, arguments: Option<Vec<Vec<u8>>>) -> Self {
        self.output.test_arguments = arguments;
        self
    }

    /// Sets the arguments that tests record from now on; `None` for the session's. Returns the
    /// arguments that were set before.
    pub(in crate::engine) fn replace_arguments(
        &mut self,
        arguments: Option<Vec<Vec<u8>>>,
    ) -> Option<Vec<Vec<u8>>> {
        std::mem::replace(&mut self.output.test_arguments, arguments)
    }

    /// Bugs that earlier sessions of the directory found are bugs of the run, and no news.
    pub fn knowing(self, earlier: &[ErrorSummary]) -> Self {
        self.bugs.take_up(earlier);
        self
    }

    /// Starts to record the first test that shows each of these segments.
    pub fn watching(self, segments: impl Iterator<Item = u32>) -> Self {
        self.claims.lock().watch(segments);
        self
    }

    /// A test of an earlier session shows these segments.
    pub fn adopt(&self, segments: &[u32], test: &str) {
        self.claims.lock().name(segments, test);
    }

    /// Returns the first test that shows one of these watched segments.
    pub fn test_of(&self, segments: &BTreeSet<u32>) -> Option<String> {
        self.claims.lock().test_of(segments)
    }

    /// Returns the stream of test and bug events.
    pub fn events(&self) -> &EventStream {
        &self.output.events
    }

    /// Returns a copy for another thread: shared files, bugs and claims, separate counts.
    pub fn for_thread(&self) -> Self {
        let (bugs, claims) = (self.bugs.clone(), self.claims.clone());
        Self::of(self.output.clone(), bugs, claims)
    }

    /// Tests written so far.
    pub fn tests(&self) -> u64 {
        self.output.tests()
    }

    /// Branch sides that tests covered first, by who chose their inputs.
    pub fn found_by(&self) -> std::collections::BTreeMap<String, u64> {
        self.output.found_by()
    }

    /// The greatest number of a test.
    pub(in crate::engine) fn last_test(&self) -> u64 {
        self.output.last_test()
    }

    /// Tests of earlier sessions whose paths are still to come once more.
    pub(in crate::engine) fn unmet(&self) -> Vec<String> {
        self.output.unmet()
    }

    /// Number of different bugs found.
    pub fn bug_count(&self) -> usize {
        self.bugs.len()
    }

    /// The bugs found, in the order of finding.
    pub fn errors(&self) -> Vec<ErrorSummary> {
        self.bugs.summaries()
    }

    /// Returns true if a state might have a test if it left like this.
    pub(in crate::engine) fn may_want(
        &self,
        selector: &dyn TestSelector,
        state: &State,
        termination: &Termination,
        executor: &Executor<'_>,
    ) -> bool {
        let (metrics, credit) = self.owed(state, termination, executor.segments());
        let knows = |bug: &Bug| self.bugs.knows(bug, executor.program());
        selector.may_want(&EndedPath {
            termination,
            new_bug: matches!(termination, Termination::Bug(bug) if !knows(bug)),
            metrics: &metrics,
            new_sides: &credit.sides,
            new_segments: &credit.segments,
            reexecuted: false,
            fuzzing_run: false,
        })
    }

    /// Returns what a path has to show: its numbers, with `covered_new` if it covered something
    /// first or has coverage that another path left, and then that coverage.
    #[inline]
    fn owed(
        &self,
        state: &State,
        termination: &Termination,
        segments: &Segments,
    ) -> (Metrics, Credit) {
        let mut metrics = state.metrics;
        metrics.covered_new |= self.claims.has_orphans(state);
        let credit = if metrics.covered_new {
            Credit::of(state, termination, segments)
        } else {
            Credit::default()
        };
        (metrics, credit)
    }

    /// Makes no test of a path. Other paths may show the code that it covered first, unless an
    /// earlier test shows it.
    fn leave_unshown(
        &self,
        state: &State,
        departure: &Departure,
        (metrics, credit): (&Metrics, &Credit),
        segments: &Segments,
    ) {
        if departure.reexecuted {
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
            reexecuted: departure.reexecuted,
            fuzzing_run: departure.fuzzing_run,
        };
        let verdict = run.selector.judge(&path);
        let worth = if state.input.is_disputed {
            Worth::Always
        } else {
            verdict.test
        };
        let is_shown = new_bug || worth != Worth::Nothing;
        let model = (is_shown && is_explained(termination))
            .then(|| run.model_of_test(state, departure.hurry));
        let termination = &with_values(termination, run.terms, model.as_ref());
        let path = EndedPath {
            termination,
            ..path
        };
        let test = match worth {
            Worth::Nothing => {
                self.leave_unshown(state, &departure, (&metrics, &credit), segments);
                None
            }
            worth => {
                let draft = Draft {
                    state,
                    path,
                    model,
                    hurry: departure.hurry,
                    always: worth == Worth::Always,
                    beside: ending_file(
                        termination,
                        verdict.describes_bug,
                        state,
                        program,
                        &run.executor.exec_config().dialect,
                    ),
                };
                self.make_test(draft, run)?
            }
        };
        if let Termination::Bug(bug) = termination.as_ref()
            && new_bug
        {
            let evidence = Evidence {
                every_input: !departure.fuzzing_run && fails_always(state),
                failing: failing_condition(state, run.terms),
                decided: state.underapproximations.mark_of_homis_alone(),
            };
            let mut found = bug_found(bug, evidence, test.as_deref(), program);
            self.bugs.complete(bug, &mut found);
            self.events().emit(|| Event::BugFound(found));
        }
        let values = match termination.as_ref() {
            Termination::Bug(bug) => bug.values.clone(),
            _ => String::new(),
        };
        Ok(Finished {
            test,
            new_bug,
            values,
        })
    }
}

/// True if every input of a path fails: no check forked the failure off.
fn fails_always(state: &State) -> bool {
    let last = state.decisions.iter_reversed().next();
    !matches!(last, Some(Decision::Check { bug: true }))
}

/// True if a path ended by a check that compares values.
fn is_explained(termination: &Termination) -> bool {
    matches!(termination, Termination::Bug(bug) if bug.explanation.is_some())
}

/// Returns the ending, for a check with the values of a test.
fn with_values<'t>(
    termination: &'t Termination,
    terms: &Terms,
    model: Option<&Model>,
) -> Cow<'t, Termination> {
    let (Termination::Bug(bug), Some(model)) = (termination, model) else {
        return Cow::Borrowed(termination);
    };
    let explanation = bug.explanation.as_ref();
    let values = explanation.map_or_else(String::new, |one| one.text(terms, model));
    let weakness = match bug.weakness {
        Weakness::IntegerOverflow if explanation.is_some_and(|one| one.is_below(terms, model)) => {
            Weakness::IntegerUnderflow
        }
        weakness => weakness,
    };
    let bug = Bug {
        values,
        weakness,
        ..bug.as_ref().clone()
    };
    Cow::Owned(Termination::Bug(Box::new(bug)))
}
