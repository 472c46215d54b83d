//! Back ends: complete procedures that answer an encoded query.

use super::oracle::UnknownReason;
use std::time::Duration;

/// The answer to one part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Values by byte number.
    Sat(Vec<u8>),
    Unsat,
    Unknown(UnknownReason),
}

/// A decision procedure for encoded queries (see `encode`). Its answers must depend on the
/// query alone, apart from unknowns.
pub trait Backend {
    /// Values for `bytes` bytes by number, or why there are none.
    fn solve(&mut self, words: &[u32], bytes: usize) -> Answer;

    /// Limits of each of the following queries: time, and units of the back end's own (0 is no
    /// such limit).
    fn set_limits(&mut self, time: Duration, units: u32);

    /// Returns the units that the last query took; 0 if they are unknown.
    fn units(&self) -> u32;

    /// Frees memory that is not needed.
    fn trim(&mut self) {}

    /// Id of the process that does the work, if it is another one.
    fn process(&self) -> Option<u32> {
        None
    }

    /// Returns the number of times that the process was started.
    fn starts(&self) -> u64 {
        0
    }
}
