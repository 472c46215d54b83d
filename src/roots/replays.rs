//! Replays: the program runs with the bytes of earlier tests, and nothing is symbolic.
//!
//! Invariant: nothing else is followed, which the run's record of what it lost says.

use super::{Launch, RootSource, RunView};
use crate::expr::{Byte, Model, Terms};
use crate::state::State;
use crate::testcase::ktest::KTest;
use std::collections::{HashMap, VecDeque};

/// What the record says of paths other than the tests'.
const WHY: &str = "only the tests that were given are replayed";

/// A test whose bytes the program gets.
#[derive(Clone, Debug)]
pub struct ReplayedTest {
    pub test: KTest,
    /// What the user is told when it begins.
    pub told: String,
}

/// The tests that are still to be run.
pub struct Replays {
    start: State,
    tests: VecDeque<ReplayedTest>,
}

impl Replays {
    pub fn new(launch: &Launch, tests: &[ReplayedTest]) -> Self {
        Self {
            start: launch.state.clone(),
            tests: tests.iter().cloned().collect(),
        }
    }

    /// The state of the next test, of which the user is told.
    fn next(&mut self, run: &mut dyn RunView) -> Option<Box<State>> {
        let replayed = self.tests.pop_front()?;
        run.message(&replayed.told);
        let mut state = self.start.clone();
        state.inputs_given = true;
        state.model = model_of(&replayed.test, run.terms());
        Some(Box::new(state))
    }
}

/// The bytes of a test's objects, by the names that the program will give them.
fn model_of(test: &KTest, terms: &Terms) -> Model {
    let (mut model, mut versions) = (Model::new(), HashMap::<String, u32>::new());
    for object in &test.objects {
        let name = object.name_text();
        let version = versions.entry(name.clone()).or_insert(0);
        let size = u32::try_from(object.bytes.len()).unwrap_or(u32::MAX);
        let array = terms.array(&name, *version, size);
        *version += 1;
        for (index, byte) in (0..).zip(&object.bytes) {
            model.set(Byte { array, index }, *byte);
        }
    }
    model
}

impl RootSource for Replays {
    fn begin(&mut self, run: &mut dyn RunView) -> Vec<Box<State>> {
        let first = self.next(run);
        if let Some(first) = &first {
            run.note_others_left(first, WHY);
        }
        first.into_iter().collect()
    }

    /// One test after the other, so that what is told of each stands together.
    fn refill(&mut self, run: &mut dyn RunView) -> bool {
        let next = self.next(run);
        let some = next.is_some();
        if let Some(state) = next {
            run.add_state(state);
        }
        some
    }
}
