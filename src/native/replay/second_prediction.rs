//! Predictions that know what varies: a test is executed a second time only where the native
//! program does something else than its first prediction.

use super::output_mask::varying_ranges;
use crate::testcase::{MAX_STORED_OUTPUT, PredictedStream, StoredOutcome, TestOutcome};
use std::fmt::{self, Debug, Formatter};
use std::path::Path;
use std::sync::Arc;

/// Makes the prediction of a test that knows what varies; `None` if the test is not to be compared.
#[derive(Clone)]
pub struct SecondPrediction(Arc<Predict>);

type Predict = dyn Fn(&Path, &StoredOutcome) -> Option<StoredOutcome> + Send + Sync;

impl SecondPrediction {
    /// Makes it of a function that gets a test and its first prediction.
    pub fn new(
        predict: impl Fn(&Path, &StoredOutcome) -> Option<StoredOutcome> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(predict))
    }

    pub(super) fn predict(&self, test: &Path, first: &StoredOutcome) -> Option<StoredOutcome> {
        (self.0)(test, first)
    }
}

impl Debug for SecondPrediction {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("SecondPrediction")
    }
}

/// Returns a prediction with what differs between it and other executions of its test, and the
/// stored part of its streams. All executions have all bytes.
#[must_use]
pub fn varied(mut one: StoredOutcome, others: &[StoredOutcome]) -> StoredOutcome {
    one.outcome.once = false;
    for other in others {
        one.outcome.unstable |= one.outcome.end != other.outcome.end;
        mark(&mut one.outcome.stdout, &one.stdout, &other.stdout);
        mark(&mut one.outcome.stderr, &one.stderr, &other.stderr);
        mark(&mut one.outcome.files, &one.files, &other.files);
    }
    for stream in [&mut one.stdout, &mut one.stderr, &mut one.files] {
        stream.truncate(MAX_STORED_OUTPUT);
    }
    one
}

/// Returns a prediction in which whatever differs between two executions of a later version of the
/// program is not compared.
#[must_use]
pub fn varying_as(mut known: StoredOutcome, [one, other]: [&TestOutcome; 2]) -> StoredOutcome {
    let outcome = &mut known.outcome;
    outcome.once = false;
    outcome.unstable = one.end != other.end;
    outcome.stdout.unstable = one.stdout != other.stdout;
    outcome.stderr.unstable = one.stderr != other.stderr;
    outcome.files.unstable = one.files != other.files;
    known
}

/// Marks what differs between two executions in the prediction of a stream.
fn mark(stream: &mut PredictedStream, first: &[u8], second: &[u8]) {
    match varying_ranges(first, second) {
        Some(masked) => stream.masked.extend(masked),
        None => stream.unstable = true,
    }
    stream.masked.sort_by_key(|range| (range.start, range.end));
    stream.masked.dedup();
}
