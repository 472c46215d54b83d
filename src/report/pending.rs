//! Results for branch sides that were left pending at their forks.

use super::statistics::statistics;

/// Result of checking a pending side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The side is feasible, and became an ordinary state.
    Feasible,
    /// The side is infeasible.
    Infeasible,
    /// The solver gave up.
    Unknown,
    /// The side was removed before it was selected, and its test would not have been written.
    Unchecked,
}

statistics! {
    /// Pending sides by what became of them. Those that left memory and were swapped in count
    /// once.
    #[derive(Copy, Eq)]
    PendingSummary in "`summary.json`: `pending`" {
        /// Sides not checked at their forks.
        created: u64, Count, Sum;
        /// Sides that proved feasible and became states.
        feasible: u64, Count, Sum;
        /// Sides that the solver proved infeasible.
        infeasible: u64, Count, Sum;
        /// Sides whose query timed out.
        unknown: u64, Count, Sum;
        /// Sides that homi removed unchecked, because it would not have written their tests.
        unchecked: u64, Count, Sum;
    }
}

impl PendingSummary {
    /// Counts one side.
    pub fn note(&mut self, answer: Answer) {
        *match answer {
            Answer::Feasible => &mut self.feasible,
            Answer::Infeasible => &mut self.infeasible,
            Answer::Unknown => &mut self.unknown,
            Answer::Unchecked => &mut self.unchecked,
        } += 1;
    }

    /// The line at the end of a run.
    pub fn line(&self) -> String {
        let PendingSummary {
            created,
            feasible,
            infeasible,
            unknown,
            unchecked,
        } = self;
        format!(
            "homi: done: pending sides = {created}: {feasible} feasible, {infeasible} infeasible, \
             {unknown} unknown, {unchecked} unchecked\n"
        )
    }
}
