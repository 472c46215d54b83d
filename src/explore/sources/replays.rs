//! Replays: the program runs with the bytes of earlier tests, and nothing is symbolic.
//!
//! Invariant: nothing else is followed, which the run's record of what it lost says.

use super::seed::objects_of;
use super::{EntryState, Next, RunView, StateSource};
use homi_machine::state::{Matching, State};
use homi_native::testcase::WriteError;
use homi_native::testcase::ktest::KTest;
use std::collections::VecDeque;
use std::sync::Arc;

/// Reason in records of paths other than the tests'.
const WHY: &str = "only the given tests are replayed";

/// A test whose bytes the program gets.
#[derive(Clone, Debug)]
pub struct ReplayedTest {
    pub test: KTest,
    /// Message to the user when it begins.
    pub message: String,
    /// The file that messages name.
    pub file: Arc<str>,
}

/// The tests that are still to be run.
pub struct Replays {
    start: State,
    tests: VecDeque<ReplayedTest>,
    matching: Matching,
}

impl Replays {
    pub fn new(entry_state: &EntryState, tests: &[ReplayedTest], matching: Matching) -> Self {
        Self {
            start: entry_state.state.clone(),
            tests: tests.iter().cloned().collect(),
            matching,
        }
    }

    /// Returns the state of the next test and reports it to the user.
    fn next(&mut self, run: &mut dyn RunView) -> Option<Box<State>> {
        let replayed = self.tests.pop_front()?;
        run.message(&replayed.message);
        let mut state = self.start.clone();
        state.input.is_given = true;
        let mut given = objects_of(&replayed.test);
        given.matching = self.matching;
        given.file = Some(Arc::clone(&replayed.file));
        state.input.follows = Some(Arc::new(vec![Arc::new(given)]));
        Some(Box::new(state))
    }
}

/// Reports the mismatches between the current test and the program.
fn report_size_mismatches(run: &mut dyn RunView) {
    for size_mismatch in run.take_size_mismatches() {
        let file = size_mismatch
            .test
            .file
            .as_deref()
            .unwrap_or("of the session");
        run.message(&format!("{file}: {}", size_mismatch.text));
    }
}

impl StateSource for Replays {
    fn begin(&mut self, run: &mut dyn RunView) -> Vec<Box<State>> {
        let first = self.next(run);
        if let Some(first) = &first {
            run.note_others_left(first, WHY);
        }
        first.into_iter().collect()
    }

    /// Reports the mismatches of the test that ran.
    fn before_choice(&mut self, run: &mut dyn RunView) -> Result<Next, WriteError> {
        report_size_mismatches(run);
        Ok(Next::Search)
    }

    /// Starts one test after the other, so that the messages of each stay together.
    fn refill(&mut self, run: &mut dyn RunView) -> bool {
        report_size_mismatches(run);
        let next = self.next(run);
        let some = next.is_some();
        if let Some(state) = next {
            run.add_state(state);
        }
        some
    }
}
