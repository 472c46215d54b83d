//! Counts of paths by ending, exit statuses, unsupported features.
//!
//! Invariant: all counts only grow, so threads' counts can be summed.

use crate::ir::program::{LocId, Program};
use crate::machine::exec::{BugKind, EarlyReason, Termination};
use crate::report::{GapSummary, PathSummary, PendingSummary};
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
    /// States that were not followed, because followed ones have done all that they can do.
    pub subsumed: u64,
    /// Paths that ended early because the solver gave up on a question.
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
    pub tail_instructions: u64,
    #[serde(with = "listed")]
    gaps: IndexMap<(String, LocId), u64>,
}

impl PathTally {
    /// Counts a path that left.
    pub(in crate::explore::engine) fn count(&mut self, termination: &Termination) {
        self.ended += u64::from(!is_given_up(termination));
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
            Termination::Gap(gap) => {
                self.paths.gap += 1;
                let key = (gap.what.clone(), gap.location);
                *self.gaps.entry(key).or_insert(0) += 1;
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
        self.tail_instructions += other.tail_instructions;
        for (status, count) in &other.exit_statuses {
            *self.exit_statuses.entry(*status).or_insert(0) += count;
        }
        for (key, count) in &other.gaps {
            *self.gaps.entry(key.clone()).or_insert(0) += count;
        }
    }

    /// The different gaps that were met, in the order of meeting.
    pub fn gaps(&self, program: &Program) -> Vec<GapSummary> {
        self.gaps
            .iter()
            .map(|((what, location), count)| GapSummary {
                what: what.clone(),
                location: program.describe_location(*location),
                count: *count,
            })
            .collect()
    }

    /// Number of different gaps met.
    pub(in crate::explore::engine) fn gap_kinds(&self) -> usize {
        self.gaps.len()
    }
}

/// Gaps in a file: a list, since what they are known by is no text.
mod listed {
    use super::{IndexMap, LocId};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    type Gaps = IndexMap<(String, LocId), u64>;

    pub(super) fn serialize<S: Serializer>(gaps: &Gaps, to: S) -> Result<S::Ok, S::Error> {
        let listed: Vec<_> = gaps.iter().collect();
        listed.serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Gaps, D::Error> {
        let listed = Vec::<((String, LocId), u64)>::deserialize(from)?;
        Ok(listed.into_iter().collect())
    }
}

/// Returns whether a path was dropped before its end.
fn is_given_up(termination: &Termination) -> bool {
    let reasons = [
        EarlyReason::Pruned,
        EarlyReason::OutOfMemory,
        EarlyReason::Interrupted,
        EarlyReason::Subsumed,
    ];
    matches!(termination, Termination::Early(reason) if reasons.contains(reason))
}
