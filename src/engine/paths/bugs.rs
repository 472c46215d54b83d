//! The bugs that a session has found, each once, in the order of finding.

use crate::exec::Bug;
use crate::program::Program;
use crate::report::ErrorSummary;
use crate::select::{BugKey, bug_key};
use indexmap::IndexMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The list, shared by all threads of a session.
#[derive(Clone, Default)]
pub(super) struct BugList(Arc<Mutex<IndexMap<BugKey, ErrorSummary>>>);

impl BugList {
    fn lock(&self) -> MutexGuard<'_, IndexMap<BugKey, ErrorSummary>> {
        // Each change is one insertion: nothing is half done if its thread panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists a bug, its test still to be named; false if it is known.
    pub(super) fn note(&self, bug: &Bug, program: &Program) -> bool {
        let mut bugs = self.lock();
        let key = bug_key(bug);
        if bugs.contains_key(&key) {
            return false;
        }
        let summary = ErrorSummary {
            kind: bug.kind.name().to_string(),
            message: bug.message.clone(),
            location: program.describe_location(bug.location),
            test: String::new(),
        };
        bugs.insert(key, summary);
        true
    }

    /// Names the test that shows a bug.
    pub(super) fn name_test(&self, bug: &Bug, test: String) {
        if let Some(summary) = self.lock().get_mut(&bug_key(bug)) {
            summary.test = test;
        }
    }

    /// Whether a bug is listed.
    pub(super) fn knows(&self, bug: &Bug) -> bool {
        self.lock().contains_key(&bug_key(bug))
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    pub(super) fn summaries(&self) -> Vec<ErrorSummary> {
        self.lock().values().cloned().collect()
    }
}
