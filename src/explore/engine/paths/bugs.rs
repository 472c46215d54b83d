//! The bugs that the sessions of a directory have found, each once, in the order of finding.

use crate::select::{BugKey, bug_key};
use homi_ir::program::Program;
use homi_machine::exec::Bug;
use homi_report::{BugFound, ErrorSummary};
use indexmap::IndexMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The list, shared by all threads of a session.
#[derive(Clone, Default)]
pub(super) struct BugList(Arc<Mutex<Listed>>);

#[derive(Default)]
struct Listed {
    /// Bugs of earlier sessions of the directory, as texts without keys.
    earlier: Vec<ErrorSummary>,
    found: IndexMap<BugKey, ErrorSummary>,
}

impl Listed {
    fn knows(&self, bug: &Bug, program: &Program) -> bool {
        self.found.contains_key(&bug_key(bug)) || self.knew(bug, program)
    }

    /// Returns true if an earlier session found a bug. Without a known location, texts cannot tell
    /// two bugs apart: it counts as another one.
    fn knew(&self, bug: &Bug, program: &Program) -> bool {
        let mut same = self
            .earlier
            .iter()
            .filter(|earlier| earlier.kind == bug.kind.name() && earlier.message == bug.message);
        bug.source(program).is_some()
            && same.any(|earlier| earlier.location == bug.described_place(program))
    }
}

impl BugList {
    fn lock(&self) -> MutexGuard<'_, Listed> {
        // Each change is one insertion: nothing is half done if its thread panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists what earlier sessions of the directory found.
    pub(super) fn take_up(&self, earlier: &[ErrorSummary]) {
        self.lock().earlier.extend_from_slice(earlier);
    }

    /// Lists a bug, its test still to be named; false if it is known.
    pub(super) fn note(&self, bug: &Bug, program: &Program) -> bool {
        let mut bugs = self.lock();
        if bugs.knows(bug, program) {
            return false;
        }
        let summary = ErrorSummary {
            kind: bug.kind.name().to_string(),
            message: bug.message.clone(),
            location: bug.described_place(program),
            column: u64::from(bug.column(program)),
            ..ErrorSummary::default()
        };
        bugs.found.insert(bug_key(bug), summary);
        true
    }

    /// Adds to a listed bug what is known once it has its test, and gives it a fingerprint of its
    /// own.
    pub(super) fn complete(&self, bug: &Bug, found: &mut BugFound) {
        let made = found.made_fingerprint();
        let mut bugs = self.lock();
        let all = bugs.earlier.iter().chain(bugs.found.values());
        let same = all.filter(|other| other.fingerprint.starts_with(&made));
        found.fingerprint = match same.count() {
            0 => made,
            count => format!("{made}-{}", count + 1),
        };
        if let Some(summary) = bugs.found.get_mut(&bug_key(bug)) {
            let location = std::mem::take(&mut summary.location);
            let column = summary.column;
            *summary = ErrorSummary {
                location,
                column,
                ..found.summary()
            };
        }
    }

    /// Returns true if a bug is listed.
    pub(super) fn knows(&self, bug: &Bug, program: &Program) -> bool {
        self.lock().knows(bug, program)
    }

    pub(super) fn len(&self) -> usize {
        let bugs = self.lock();
        bugs.earlier.len() + bugs.found.len()
    }

    pub(super) fn summaries(&self) -> Vec<ErrorSummary> {
        let bugs = self.lock();
        bugs.earlier
            .iter()
            .chain(bugs.found.values())
            .cloned()
            .collect()
    }
}
