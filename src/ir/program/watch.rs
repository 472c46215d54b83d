//! What lowering puts into the program's own code so that the executor sees what threads do there.
//!
//! Invariant: without it the code has no such calls.

use serde::{Deserialize, Serialize};

/// What is to be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Watch {
    /// Places where another thread may take the turn: before atomic accesses and calls that
    /// synchronise.
    pub points: bool,
    /// Accesses of memory, and what orders them.
    pub accesses: bool,
}

impl Watch {
    /// Whether anything is to be seen.
    pub fn is_any(self) -> bool {
        self.points || self.accesses
    }
}

/// Of an access: it writes.
pub const WRITES: u64 = 1;
/// Of an access: it is atomic.
pub const IS_ATOMIC: u64 = 2;
/// Of an access: what others did before they released the place is seen after it.
pub const ACQUIRES: u64 = 4;
/// Of an access: what the thread did before it is seen by who acquires the place.
pub const RELEASES: u64 = 8;
