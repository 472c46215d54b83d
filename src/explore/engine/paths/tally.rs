//! Counts of paths by ending, exit statuses, unsupported features.
//!
//! Invariant: all counts only grow, so threads' counts can be summed.

use homi_ir::program::{LocId, Program};
use homi_machine::exec::{BugKind, EarlyReason, Termination};
use homi_report::{PathSummary, PendingSummary, UnsupportedSummary};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of the paths that have left a thread, or all threads of a session.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct PathTally {
    /// Paths by how they ended.
    pub paths: PathSummary,
    /// Paths that ended by themselves, not dropped to free memory or at the stop.
    pub ended: u64,
    /// States that were not followed, because other paths subsume them.
    pub subsumed: u64,
    /// Paths that ended early because the solver gave up on a query.
    pub solver_ended: u64,
    /// Paths that ended in a bug because they misused klee.h.
    pub user_errors: u64,
    /// Paths that ended because they called what is defined nowhere, where that is an error.
    pub external_errors: u64,
    /// Completed paths by exit status.
    pub exit_statuses: BTreeMap<i32, u64>,
    /// Results for the branch sides that were left pending at their forks.
    pub pending: PendingSummary,
    /// Instructions that paths which were stopped were run on to see what their tests show.
    pub completion_instructions: u64,
    #[serde(with = "listed")]
    unsupported: IndexMap<(String, LocId), u64>,
}

impl PathTally {
    /// Counts a path that left.
    pub(in crate::engine) fn count(&mut self, termination: &Termination) {
        self.ended += u64::from(!is_dropped(termination));
        match termination {
            Termination::Exit(status) => {
                self.paths.completed += 1;
                *self.exit_statuses.entry(*status).or_insert(0) += 1;
            }
            Termination::Silent => {
                self.paths.completed += 1;
                self.paths.silent += 1;
            }
            Termination::Bug(bug) => {
                self.paths.error += 1;
                self.user_errors += u64::from(bug.kind == BugKind::User);
                self.external_errors += u64::from(bug.kind == BugKind::External);
            }
            Termination::Unsupported(unsupported) => {
                self.paths.unsupported += 1;
                let key = (unsupported.what.clone(), unsupported.location);
                *self.unsupported.entry(key).or_insert(0) += 1;
            }
            Termination::Early(EarlyReason::Pruned) => self.paths.pruned += 1,
            Termination::Early(EarlyReason::Subsumed) => self.subsumed += 1,
            Termination::Early(reason) => {
                self.paths.early += 1;
                self.solver_ended += u64::from(*reason == EarlyReason::SolverTimeout);
            }
        }
    }

    /// Counts paths that are left where they wait, without a test.
    pub fn count_early(&mut self, paths: u64) {
        self.paths.early += paths;
    }

    /// Adds the counts of another thread.
    pub fn add(&mut self, other: &PathTally) {
        self.paths.add(&other.paths);
        self.ended += other.ended;
        self.subsumed += other.subsumed;
        self.pending.add(&other.pending);
        self.solver_ended += other.solver_ended;
        self.user_errors += other.user_errors;
        self.external_errors += other.external_errors;
        self.completion_instructions += other.completion_instructions;
        for (status, count) in &other.exit_statuses {
            *self.exit_statuses.entry(*status).or_insert(0) += count;
        }
        for (key, count) in &other.unsupported {
            *self.unsupported.entry(key.clone()).or_insert(0) += count;
        }
    }

    /// The different unsupported features that were met, in the order of meeting.
    pub fn unsupported(&self, program: &Program) -> Vec<UnsupportedSummary> {
        self.unsupported
            .iter()
            .map(|((what, location), count)| UnsupportedSummary {
                what: what.clone(),
                location: program.describe_location(*location),
                count: *count,
            })
            .collect()
    }

    /// Number of different unsupported features met.
    pub(in crate::engine) fn unsupported_kinds(&self) -> usize {
        self.unsupported.len()
    }
}

/// Unsupported features in a file: a list, since what they are known by is not a text.
mod listed {
    use super::{IndexMap, LocId};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    type UnsupportedCounts = IndexMap<(String, LocId), u64>;

    pub(super) fn serialize<S: Serializer>(
        unsupported: &UnsupportedCounts,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let listed: Vec<_> = unsupported.iter().collect();
        listed.serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        from: D,
    ) -> Result<UnsupportedCounts, D::Error> {
        let listed = Vec::<((String, LocId), u64)>::deserialize(from)?;
        Ok(listed.into_iter().collect())
    }
}

/// Returns true if a path was dropped before its end.
fn is_dropped(termination: &Termination) -> bool {
    let reasons = [
        EarlyReason::Pruned,
        EarlyReason::OutOfMemory,
        EarlyReason::Interrupted,
        EarlyReason::Subsumed,
    ];
    matches!(termination, Termination::Early(reason) if reasons.contains(reason))
}
