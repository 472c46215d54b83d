//! Back ends: complete procedures that answer an encoded question.

use super::oracle::UnknownReason;
use std::time::Duration;

/// The answer to one part of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Values by byte number.
    Sat(Vec<u8>),
    Unsat,
    Unknown(UnknownReason),
}

/// A decision procedure for encoded questions (see `encode`). Its answers must depend on the
/// question alone, apart from unknowns.
pub trait Backend {
    /// Values for `bytes` bytes by number, or why there are none.
    fn solve(&mut self, words: &[u32], bytes: usize) -> Answer;

    /// The time limit of the following questions.
    fn set_time_limit(&mut self, limit: Duration);

    /// Frees memory that is not needed.
    fn trim(&mut self) {}

    /// Id of the process that does the work, if it is another one.
    fn process(&self) -> Option<u32> {
        None
    }

    /// How often that process was started.
    fn starts(&self) -> u64 {
        0
    }
}
