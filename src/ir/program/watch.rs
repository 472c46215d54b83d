//! Calls that lowering puts into the program's code so that the executor observes its threads.
//!
//! Invariant: without options that need them, the code has no such calls.

use serde::{Deserialize, Serialize};

/// Events to observe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Watch {
    /// Places where another thread may take the turn: before atomic accesses and calls that
    /// synchronize.
    pub points: bool,
    /// Accesses of memory, and what orders them.
    pub accesses: bool,
    /// Decisions that homi takes in place of the program or its environment ([`super::Mark`]).
    pub marks: bool,
    /// Values that the compiler computed itself, where a verdict is about overflow.
    pub folds: bool,
    /// Rounds of the program's loops.
    pub loops: bool,
    /// Sums, comparisons and differences of pointers.
    pub pointers: bool,
}

impl Watch {
    /// Returns true if any event of threads is observed.
    pub fn of_threads(self) -> bool {
        self.points || self.accesses
    }
}

/// Relations of two pointers that C defines only within one object; calls name them by position.
pub const RELATIONS: [&str; 5] = [
    "comparison '<'",
    "comparison '<='",
    "comparison '>'",
    "comparison '>='",
    "difference",
];

/// The access writes.
pub const WRITES: u64 = 1;
/// The access is atomic.
pub const IS_ATOMIC: u64 = 2;
/// Effects of others before their release of the location are visible after the access.
pub const ACQUIRES: u64 = 4;
/// Effects of the thread before the access are visible to a thread that acquires the location.
pub const RELEASES: u64 = 8;
