//! Barrier of a group of threads's threads for a checkpoint.
//!
//! Invariant: a checkpoint is gathered from every thread once, or not at all. Waiting is bounded:
//! after a timeout a thread continues, and the checkpoint is dropped.

use crate::explore::engine::checkpoint::Gathered;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One checkpoint, as far as it has come.
#[derive(Default)]
struct Meeting {
    number: u64,
    arrived: usize,
    gathered: Gathered,
    /// The checkpoint is written, or dropped.
    is_over: bool,
    /// The run stops: there is no other one after this.
    at_end: bool,
}

/// The place.
#[derive(Default)]
pub(in crate::explore::engine) struct Assembly {
    /// The checkpoint that all are called to.
    called: AtomicU64,
    meeting: Mutex<Meeting>,
    wakeup: Condvar,
}

/// Result of a thread's arrival at a checkpoint.
pub(in crate::explore::engine) enum Came {
    /// True if it waits for others.
    Earlier,
    /// All have come: it writes what they have, and then says `go_on`.
    Last(Box<Gathered>),
    /// The checkpoint was dropped.
    TooLate,
}

impl Assembly {
    pub(in crate::explore::engine) fn number(&self) -> u64 {
        self.called.load(Ordering::Relaxed)
    }

    /// Calls all to the next checkpoint.
    pub(in crate::explore::engine) fn call(&self) {
        self.called.fetch_add(1, Ordering::Relaxed);
    }

    fn meeting(&self) -> MutexGuard<'_, Meeting> {
        // If a thread panics here, the run stops without a checkpoint.
        self.meeting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a thread's states to a checkpoint that the thread has reached.
    pub(in crate::explore::engine) fn come(
        &self,
        number: u64,
        size: usize,
        add: impl FnOnce(&mut Gathered),
    ) -> Came {
        let mut meeting = self.meeting();
        if meeting.number < number && !meeting.at_end {
            *meeting = Meeting {
                number,
                ..Meeting::default()
            };
            self.wakeup.notify_all();
        }
        if meeting.number != number || meeting.is_over || meeting.at_end {
            return Came::TooLate;
        }
        add(&mut meeting.gathered);
        meeting.arrived += 1;
        if meeting.arrived == size {
            Came::Last(Box::new(std::mem::take(&mut meeting.gathered)))
        } else {
            Came::Earlier
        }
    }

    /// Waits until a checkpoint is written, or dropped because a thread has not arrived in time.
    pub(in crate::explore::engine) fn wait(&self, number: u64, size: usize, patience: Duration) {
        let deadline = Instant::now() + patience;
        let mut meeting = self.meeting();
        while meeting.number == number && !meeting.is_over && !meeting.at_end {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() && meeting.arrived < size {
                meeting.is_over = true;
                self.wakeup.notify_all();
                return;
            }
            let left = left.max(Duration::from_millis(1));
            let waited = self.wakeup.wait_timeout(meeting, left);
            meeting = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A checkpoint is written.
    pub(in crate::explore::engine) fn go_on(&self, number: u64) {
        let mut meeting = self.meeting();
        if meeting.number == number {
            meeting.is_over = true;
        }
        self.wakeup.notify_all();
    }

    /// A thread that stops adds what it has left; all of it, for the last one.
    pub(in crate::explore::engine) fn come_at_end(
        &self,
        size: usize,
        add: impl FnOnce(&mut Gathered),
    ) -> Option<Gathered> {
        let mut meeting = self.meeting();
        if !meeting.at_end {
            *meeting = Meeting {
                at_end: true,
                ..Meeting::default()
            };
            self.wakeup.notify_all();
        }
        add(&mut meeting.gathered);
        meeting.arrived += 1;
        (meeting.arrived == size).then(|| std::mem::take(&mut meeting.gathered))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_writes_and_who_is_late_is_told() {
        let assembly = Assembly::default();
        assembly.call();
        assert_eq!(assembly.number(), 1);
        assert!(matches!(assembly.come(1, 2, |_| {}), Came::Earlier));
        assert!(matches!(assembly.come(1, 2, |_| {}), Came::Last(_)));
        assembly.go_on(1);
        assembly.wait(1, 2, Duration::from_secs(60));
        assert!(matches!(assembly.come(2, 2, |_| {}), Came::Earlier));
        assembly.wait(2, 2, Duration::ZERO);
        assert!(matches!(assembly.come(2, 2, |_| {}), Came::TooLate));
        assert!(assembly.come_at_end(2, |_| {}).is_none());
        assert!(matches!(assembly.come(3, 2, |_| {}), Came::TooLate));
        assert!(assembly.come_at_end(2, |_| {}).is_some());
    }
}
