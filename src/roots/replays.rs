//! Replays: the program runs with the bytes of earlier tests, and nothing is symbolic.
//!
//! Invariant: nothing else is followed, which the run's record of what it lost says.

use super::{Launch, RootSource, RunView};
use crate::expr::{Byte, Model, Terms};
use crate::state::State;
use crate::testcase::ktest::KTest;
use std::collections::HashMap;

/// What the record says of paths other than the tests'.
const WHY: &str = "only the tests that were given are replayed";

/// The tests that are still to be run.
pub struct Replays {
    start: State,
    tests: Vec<KTest>,
}

impl Replays {
    pub fn new(launch: &Launch, tests: &[KTest]) -> Self {
        Self {
            start: launch.state.clone(),
            tests: tests.to_vec(),
        }
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
        let mut states = Vec::with_capacity(self.tests.len());
        for test in std::mem::take(&mut self.tests) {
            let mut state = self.start.clone();
            state.inputs_given = true;
            state.model = model_of(&test, run.terms());
            states.push(Box::new(state));
        }
        if let Some(first) = states.first() {
            run.note_others_left(first, WHY);
        }
        states
    }
}
