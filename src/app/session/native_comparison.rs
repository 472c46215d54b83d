//! Comparison of a run's tests with the native program, as a caller gives it.
//!
//! Invariant: the caller runs the native program, and the session executes tests in the engine.

use homi_native::replay::{SecondPrediction, TestCalls};
use homi_report::{Divergence, Summary};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Comparison of tests with the native program.
#[derive(Clone)]
pub enum NativeComparison {
    /// No comparison, for this reason.
    None(&'static str),
    /// All tests at the end of the run. The function gets the output directory and the summary, in
    /// whose outcomes it records the divergences, and returns the library calls of the tests that
    /// diverge.
    AtEnd(Arc<CompareAll>),
    /// Some tests at a time, beside the exploration and after it.
    InBatches(Arc<CompareBatch>),
}

type CompareAll = dyn Fn(&Path, &mut Summary, SecondPrediction) -> TestCalls + Send + Sync;
type CompareBatch = dyn Fn(TestBatch) -> ComparedBatch + Send + Sync;

/// Tests to compare.
pub struct TestBatch {
    pub tests: Vec<PathBuf>,
    /// Predicts what varies in a test.
    pub second: SecondPrediction,
    /// No test is started from then on.
    pub deadline: Option<Instant>,
    /// Ends the comparison with what was compared so far.
    pub interrupt: Arc<AtomicBool>,
    /// Tests that run at the same time; `None` for one per CPU.
    pub jobs: Option<usize>,
}

/// Result of the comparison of a batch.
#[derive(Default)]
pub struct ComparedBatch {
    /// Names of the tests that were replayed.
    pub replayed: BTreeSet<String>,
    /// Number of tests that were compared.
    pub compared: u64,
    pub divergences: Vec<Divergence>,
    /// Library calls of the tests that diverge.
    pub calls: TestCalls,
    /// First reason why a test could not be replayed.
    pub failure: Option<String>,
}

impl Default for NativeComparison {
    fn default() -> Self {
        Self::None("no native program is known")
    }
}

impl NativeComparison {
    /// Returns the comparison of all tests at the end of the run.
    pub fn at_end<F>(compare: F) -> Self
    where
        F: Fn(&Path, &mut Summary, SecondPrediction) -> TestCalls + Send + Sync + 'static,
    {
        Self::AtEnd(Arc::new(compare))
    }

    /// Returns the comparison of some tests at a time.
    pub fn in_batches(
        compare: impl Fn(TestBatch) -> ComparedBatch + Send + Sync + 'static,
    ) -> Self {
        Self::InBatches(Arc::new(compare))
    }
}
