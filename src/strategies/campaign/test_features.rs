//! What a campaign learns of every test: (Phi, t, B) as core conditions, provenance and branch
//! sides.
//!
//! Invariant: every test that a run makes is here until the run is over, whether it became a file
//! or not.

use crate::explore::prune::learn::{FeatureId, SharedRecogniser};
use crate::explore::select::{MadeTest, TestListener};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A test of the run under way.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LearnedTest {
    /// Number of the last prune event of the run before the test was made, from 0.
    pub(super) event: Option<usize>,
    /// Core conditions of the path condition, ascending.
    pub(super) features: Arc<[FeatureId]>,
    /// The program's own branch sides that the test covers, ascending.
    pub(super) sides: Arc<[u32]>,
    /// The test's path was not seen to come to an end: it has none, or is longer than paths are run
    /// on for.
    pub(super) endless: bool,
    /// A probe found the test: it has no path condition to learn from.
    pub(super) probe: bool,
    /// Segments of the program's own code that the path covered first in the run.
    pub(super) segments: Vec<u32>,
    /// Name of the test's file, if it was written.
    pub(super) file: Option<String>,
    /// The contents of the test's `.ktest` file, if native replays are wanted.
    pub(super) ktest: Option<Vec<u8>>,
}

/// Collects the tests of a run with their features.
pub(super) struct TestFeatures {
    recogniser: SharedRecogniser,
    tests: Vec<LearnedTest>,
    /// Keep the tests' bytes, for native replays.
    keeps_bytes: bool,
}

impl TestFeatures {
    pub(super) fn new(recogniser: SharedRecogniser, keeps_bytes: bool) -> Self {
        Self {
            recogniser,
            tests: Vec::new(),
            keeps_bytes,
        }
    }

    /// Takes the tests of the run that ended, and is ready for the next.
    pub(super) fn finish_run(&mut self) -> Vec<LearnedTest> {
        std::mem::take(&mut self.tests)
    }
}

impl TestListener for TestFeatures {
    fn needs_bytes(&self) -> bool {
        self.keeps_bytes
    }

    fn made(&mut self, test: &MadeTest<'_>) {
        let mut recogniser = self.recogniser.lock();
        let conditions = test.conditions.iter();
        let features: BTreeSet<FeatureId> = conditions
            .filter_map(|term| recogniser.feature(test.terms, term))
            .collect();
        self.tests.push(LearnedTest {
            event: test.prune_events.checked_sub(1),
            features: features.into_iter().collect(),
            sides: Arc::clone(&test.shown.sides),
            endless: !test.shown.ended,
            probe: test.path.probe,
            segments: test.shown.new_segments.to_vec(),
            file: test.file.map(str::to_string),
            ktest: if self.keeps_bytes {
                test.bytes.map(<[u8]>::to_vec)
            } else {
                None
            },
        });
    }
}
