//! Predicted outcomes of the tests that a replay runs, by output directory.
//!
//! Invariant: a prediction is about a program on the modelled kernel without sanitizers.

use super::executable::Executable;
use crate::testcase::{StoredOutcome, TestOutcome, read_outcomes, read_streams};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Predictions of the runs that made the tests.
#[derive(Default)]
pub(super) struct Predictions(BTreeMap<PathBuf, BTreeMap<String, TestOutcome>>);

impl Predictions {
    /// Reads the predictions for tests; none with real files, or if the program has
    /// a sanitizer. An
    /// unreadable log predicts nothing.
    pub(super) fn of(tests: &[PathBuf], real_files: bool, exe: &Executable) -> Self {
        let mut predictions = Self::default();
        if real_files || exe.is_sanitized {
            return predictions;
        }
        for test in tests {
            let parent = directory(test);
            if !predictions.0.contains_key(parent) {
                let outcomes = read_outcomes(parent).unwrap_or_default();
                predictions.0.insert(parent.to_path_buf(), outcomes);
            }
        }
        predictions
    }

    /// Returns the prediction for a test, with the bytes of its streams.
    pub(super) fn of_test(&self, test: &Path) -> Option<StoredOutcome> {
        let parent = directory(test);
        let name = test.file_stem()?.to_string_lossy();
        let outcome = self.0.get(parent)?.get(&*name)?;
        read_streams(parent, outcome).ok()
    }
}

/// Directory of a test.
fn directory(test: &Path) -> &Path {
    match test.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
