//! The native behavior of a test: the sides that it takes, and how the program ends.

use homi_native::replay::sandbox::Ending;
use homi_native::replay::{Status, TestResult};
use serde::{Deserialize, Serialize};

/// Behavior of one test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Behavior {
    pub(super) sides: Vec<u32>,
    /// End of the program, such as `exit 0` or `signal SIGSEGV`.
    end: String,
    crashes: bool,
}

impl Behavior {
    /// Returns what a test did; `None` if it could not be run.
    pub(super) fn of(result: &TestResult) -> Option<Self> {
        let taken = result.taken.as_ref()?;
        Some(Self {
            sides: taken.iter().map(|(branch, _)| *branch).collect(),
            end: result.status.to_string(),
            crashes: matches!(result.status, Status::Ended(Ending::Signal(_))),
        })
    }

    /// A crash that no report describes is known by its signal and its path.
    pub(super) fn bug(&self) -> Option<String> {
        let text = || format!("{} after {:?}", self.end, self.sides);
        self.crashes.then(text)
    }
}
