//! Results of the queries about branch sides, which explain why a side was not taken.
//!
//! Idea: a byte of flags for each side that all threads and runs of a session share. Invariant:
//! flags are only ever set, nothing reads them during a run, and concrete branches set none; so
//! they cost nothing and change nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Result of a query about a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum SideAnswer {
    /// A path took it, with or without a test.
    Taken = 1,
    /// A path that reached the branch cannot take the side.
    Infeasible = 2,
    /// The side is infeasible on a path that was concretized earlier; with other values it may be
    /// feasible.
    InfeasibleUnderapproximated = 4,
    /// The solver gave up on it.
    Unknown = 8,
    /// Nobody asked: forking was off.
    NotFollowed = 16,
    /// The check is pending.
    Pending = 32,
}

impl SideAnswer {
    /// All answers.
    pub const ALL: [SideAnswer; 6] = [
        SideAnswer::Taken,
        SideAnswer::Infeasible,
        SideAnswer::InfeasibleUnderapproximated,
        SideAnswer::Unknown,
        SideAnswer::NotFollowed,
        SideAnswer::Pending,
    ];
}

/// The answers by the dense numbers of sides.
#[derive(Clone, Debug, Default)]
pub struct SideAnswers(Arc<[AtomicU8]>);

impl SideAnswers {
    /// Returns flags without results for this many sides. Other sides have no flags, so the default
    /// keeps nothing.
    pub fn new(sides: usize) -> Self {
        Self((0..sides).map(|_| AtomicU8::new(0)).collect())
    }

    /// Notes an answer.
    #[inline]
    pub fn note(&self, side: u32, answer: SideAnswer) {
        let bit = answer as u8;
        if let Some(flags) = self.0.get(side as usize)
            && flags.load(Ordering::Relaxed) & bit == 0
        {
            flags.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Returns true if a side had a result.
    pub fn has(&self, side: u32, answer: SideAnswer) -> bool {
        let flags = self.0.get(side as usize);
        flags.is_some_and(|flags| flags.load(Ordering::Relaxed) & answer as u8 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_add_up() {
        let answers = SideAnswers::new(2);
        answers.note(1, SideAnswer::Infeasible);
        answers.clone().note(1, SideAnswer::Unknown);
        answers.note(9, SideAnswer::Taken);
        let of = |side| SideAnswer::ALL.map(|answer| answers.has(side, answer));
        assert_eq!(of(1), [false, true, false, true, false, false]);
        assert_eq!(of(0), [false; 6]);
        assert_eq!(of(9), [false; 6]);
    }
}
