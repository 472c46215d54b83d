//! Records of a path that its execution does not need, for checks and for files.
//!
//! Invariant: nothing here changes which instruction comes next, except injected failures of
//! allocations.

use super::heap_record::HeapRecord;
use super::taken_sides::TakenSides;
use crate::outcome::Bug;
use homi_ir::program::FuncId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Notes of a path for options that ask for them.
#[derive(Clone, Debug, Default)]
pub struct PathRecord {
    /// The sides of the program's own branches, where they are wanted in order.
    pub taken: Option<TakenSides>,
    /// Instructions that have been reported once, so that the path does not report them again:
    /// uses of undefined values, overflows.
    pub reported: Arc<BTreeSet<(FuncId, u32)>>,
    /// Findings of the compiler's checks on the path, in order.
    pub findings: Arc<Vec<Arc<Bug>>>,
    /// Record of allocations, if an option asks for it.
    pub heap: Option<Arc<HeapRecord>>,
}

impl PathRecord {
    /// Adds the notes of a path that was merged into this one. `heap` must be equal in both, and
    /// the sides belong to one of the two.
    pub fn include(&mut self, other: &PathRecord) {
        if self.reported != other.reported {
            Arc::make_mut(&mut self.reported).extend(other.reported.iter().copied());
        }
        if self.findings != other.findings {
            Arc::make_mut(&mut self.findings).extend(other.findings.iter().cloned());
        }
    }

    /// Returns true if an instruction has been reported.
    pub fn has_reported(&self, place: (FuncId, u32)) -> bool {
        self.reported.contains(&place)
    }

    /// An instruction is reported.
    pub fn note_reported(&mut self, place: (FuncId, u32)) {
        Arc::make_mut(&mut self.reported).insert(place);
    }

    /// A compiler's check reported a finding.
    pub fn note_finding(&mut self, finding: Bug) {
        Arc::make_mut(&mut self.findings).push(Arc::new(finding));
    }

    /// The record of allocations, to be changed; one begins if there is none.
    pub fn heap_mut(&mut self) -> &mut HeapRecord {
        Arc::make_mut(self.heap.get_or_insert_default())
    }
}
