//! What became of the sides that were left unasked at their forks.

use serde::{Deserialize, Serialize};

/// What asking for a pending side brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is possible, and became a state like any other.
    Possible,
    /// It is not: there is no such path.
    Refuted,
    /// The solver gave up.
    Unknown,
    /// It left before it was chosen, and its test would not have been written.
    Unasked,
}

/// Pending sides by what became of them. Those that left memory and were brought back count once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PendingSummary {
    pub made: u64,
    pub possible: u64,
    pub refuted: u64,
    pub unknown: u64,
    pub unasked: u64,
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

    /// Adds the counts of another thread or run.
    pub fn add(&mut self, other: PendingSummary) {
        self.made += other.made;
        self.possible += other.possible;
        self.refuted += other.refuted;
        self.unknown += other.unknown;
        self.unasked += other.unasked;
    }
}
