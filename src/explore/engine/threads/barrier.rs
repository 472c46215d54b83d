//! Barrier at which the threads of an exploration meet for a checkpoint.
//!
//! Invariant: a checkpoint is collected from every thread once, or not at all. Waiting is bounded:
//! after a timeout a thread continues, and the checkpoint is dropped.

use crate::engine::checkpoint::CheckpointData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One checkpoint that threads contribute to.
#[derive(Default)]
struct Round {
    number: u64,
    arrived: usize,
    collected: CheckpointData,
    /// The checkpoint is written, or dropped.
    is_over: bool,
    /// The run stops: there is no other one after this.
    at_end: bool,
}

/// Barrier of the threads for checkpoints.
#[derive(Default)]
pub(in crate::engine) struct CheckpointBarrier {
    /// The checkpoint that all are called to.
    called: AtomicU64,
    round: Mutex<Round>,
    wakeup: Condvar,
}

/// Result of a thread's arrival at a checkpoint.
pub(in crate::engine) enum Arrival {
    /// Other threads are missing, so the thread waits.
    Earlier,
    /// All threads have arrived: the last one writes the data, then calls `go_on`.
    Last(Box<CheckpointData>),
    /// The checkpoint was dropped.
    TooLate,
}

impl CheckpointBarrier {
    pub(in crate::engine) fn number(&self) -> u64 {
        self.called.load(Ordering::Relaxed)
    }

    /// Calls all to the next checkpoint.
    pub(in crate::engine) fn call(&self) {
        self.called.fetch_add(1, Ordering::Relaxed);
    }

    fn round(&self) -> MutexGuard<'_, Round> {
        // If a thread panics here, the run stops without a checkpoint.
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a thread's states to a checkpoint that the thread has reached.
    pub(in crate::engine) fn arrive(
        &self,
        number: u64,
        size: usize,
        add: impl FnOnce(&mut CheckpointData),
    ) -> Arrival {
        let mut round = self.round();
        if round.number < number && !round.at_end {
            *round = Round {
                number,
                ..Round::default()
            };
            self.wakeup.notify_all();
        }
        if round.number != number || round.is_over || round.at_end {
            return Arrival::TooLate;
        }
        add(&mut round.collected);
        round.arrived += 1;
        if round.arrived == size {
            Arrival::Last(Box::new(std::mem::take(&mut round.collected)))
        } else {
            Arrival::Earlier
        }
    }

    /// Waits until a checkpoint is written, or dropped because a thread has not arrived in time.
    pub(in crate::engine) fn wait(&self, number: u64, size: usize, limit: Duration) {
        let deadline = Instant::now() + limit;
        let mut round = self.round();
        while round.number == number && !round.is_over && !round.at_end {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() && round.arrived < size {
                round.is_over = true;
                self.wakeup.notify_all();
                return;
            }
            let left = left.max(Duration::from_millis(1));
            let waited = self.wakeup.wait_timeout(round, left);
            round = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A checkpoint is written.
    pub(in crate::engine) fn go_on(&self, number: u64) {
        let mut round = self.round();
        if round.number == number {
            round.is_over = true;
        }
        self.wakeup.notify_all();
    }

    /// A thread that stops adds what it has left; all of it, for the last one.
    pub(in crate::engine) fn arrive_at_end(
        &self,
        size: usize,
        add: impl FnOnce(&mut CheckpointData),
    ) -> Option<CheckpointData> {
        let mut round = self.round();
        if !round.at_end {
            *round = Round {
                at_end: true,
                ..Round::default()
            };
            self.wakeup.notify_all();
        }
        add(&mut round.collected);
        round.arrived += 1;
        (round.arrived == size).then(|| std::mem::take(&mut round.collected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_writes_and_late_threads_see_it() {
        let barrier = CheckpointBarrier::default();
        barrier.call();
        assert_eq!(barrier.number(), 1);
        assert!(matches!(barrier.arrive(1, 2, |_| {}), Arrival::Earlier));
        assert!(matches!(barrier.arrive(1, 2, |_| {}), Arrival::Last(_)));
        barrier.go_on(1);
        barrier.wait(1, 2, Duration::from_secs(60));
        assert!(matches!(barrier.arrive(2, 2, |_| {}), Arrival::Earlier));
        barrier.wait(2, 2, Duration::ZERO);
        assert!(matches!(barrier.arrive(2, 2, |_| {}), Arrival::TooLate));
        assert!(barrier.arrive_at_end(2, |_| {}).is_none());
        assert!(matches!(barrier.arrive(3, 2, |_| {}), Arrival::TooLate));
        assert!(barrier.arrive_at_end(2, |_| {}).is_some());
    }
}
