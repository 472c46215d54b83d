//! Data that a campaign learns from every test: (Phi, t, B) as core conditions, provenance and
//! branch sides.
//!
//! Invariant: every test of a run stays here until the run is over, even if it did not become a
//! file.

use homi_explore::prune::learn::{FeatureId, SharedRecogniser};
use homi_explore::select::{MadeTest, TestListener};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Test of the run in progress.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LearnedTest {
    /// Number, from 0, of the last prune event before the test was made; `None` if there was none.
    pub(super) event: Option<usize>,
    /// Core conditions of the path condition, ascending.
    pub(super) features: Arc<[FeatureId]>,
    /// Branch sides of user code that the test covers, ascending.
    pub(super) sides: Arc<[u32]>,
    /// True if the test's path was not seen to end: it is endless, or longer than completion runs.
    pub(super) endless: bool,
    /// True if fuzzing found the test, which then has no path condition to learn from.
    pub(super) fuzzing_run: bool,
    /// Segments of user code that the path covered first in the run.
    pub(super) segments: Vec<u32>,
    /// Name of the test's file; `None` if it was not written.
    pub(super) file: Option<String>,
    /// Contents of the test's `.ktest` file; `None` without native replays.
    pub(super) ktest: Option<Vec<u8>>,
}

/// Collects the tests of a run with their features.
pub(super) struct TestFeatures {
    recogniser: SharedRecogniser,
    tests: Vec<LearnedTest>,
    /// True if the tests' bytes are kept for native replays.
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

    /// Takes the tests of the run that ended, and prepares for the next.
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
            fuzzing_run: test.path.fuzzing_run,
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
