//! Results for branch sides that were left pending at their forks.

use super::figures::figures;

/// Result of checking a pending side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The side is feasible, and became an ordinary state.
    Possible,
    /// The side is infeasible.
    Refuted,
    /// The solver gave up.
    Unknown,
    /// The side was removed before it was selected, and its test would not have been written.
    Unasked,
}

figures! {
    /// Pending sides by what became of them. Those that left memory and were brought back count
    /// once.
    #[derive(Copy, Eq)]
    PendingSummary in "`summary.json`: `pending`" {
        /// Sides that were left unasked at their forks.
        made: u64, Count, Sum;
        /// Those of them that became states like any other.
        possible: u64, Count, Sum;
        /// Those that are not possible: there is no such path.
        refuted: u64, Count, Sum;
        /// Those that the solver gave up on.
        unknown: u64, Count, Sum;
        /// Those that left before they were chosen, and whose tests would not have been written.
        unasked: u64, Count, Sum;
    }
}

impl PendingSummary {
    /// Counts one side.
    pub fn note(&mut self, answer: Answer) {
        *match answer {
            Answer::Possible => &mut self.possible,
            Answer::Refuted => &mut self.refuted,
            Answer::Unknown => &mut self.unknown,
            Answer::Unasked => &mut self.unasked,
        } += 1;
    }

    /// The line at the end of a run.
    pub fn line(&self) -> String {
        let PendingSummary {
            made,
            possible,
            refuted,
            unknown,
            unasked,
        } = self;
        format!(
            "homi: done: pending sides = {made}: {possible} feasible, {refuted} infeasible, \
             {unknown} unknown, {unasked} unchecked\n"
        )
    }
}
