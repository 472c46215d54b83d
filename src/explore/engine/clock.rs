//! The clock of a run, and times at which something is due.
//!
//! Invariant: `now` only grows, and with budgets in instructions no decision of the run depends on
//! it.

use super::tuning::Tuning;
use homi_ir::util::clock::Moment;
use std::time::Duration;

/// The clock of a run: the time since its start, which is not read in every batch.
pub(super) struct RunClock {
    start: Moment,
    /// Start of the current batch, or of one shortly before.
    now: Duration,
    batches_without_look: u32,
    /// Number of instructions at which the clock is read next.
    next_look: u64,
}

impl RunClock {
    /// A clock whose time counts from `start`.
    pub(super) fn since(start: Moment) -> Self {
        Self {
            start,
            now: start.elapsed(),
            batches_without_look: 0,
            next_look: 0,
        }
    }

    /// Returns the time when the clock was read last.
    pub(super) fn now(&self) -> Duration {
        self.now
    }

    /// Returns the current time.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the time at the start of a batch, after `executed` instructions. Reading the clock
    /// takes a tenth of the shortest batches, so only some short batches read it. A thread that
    /// waits for a limit sets the interrupt, and then the next batch reads the clock.
    pub(super) fn look(&mut self, executed: u64, tuning: &Tuning, interrupted: bool) -> Duration {
        let skips = self.batches_without_look < tuning.batches_without_clock
            && executed < self.next_look
            && !interrupted;
        if skips {
            self.batches_without_look += 1;
        } else {
            self.batches_without_look = 0;
            self.next_look = executed + tuning.instructions_without_clock;
            self.now = self.start.elapsed();
        }
        self.now
    }
}

/// The next time of a periodic event.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Due(Duration);

impl Due {
    /// An event that is first due at `time`.
    pub(super) fn at(time: Duration) -> Self {
        Self(time)
    }

    /// Returns true if the event is due.
    pub(super) fn is_due(self, now: Duration) -> bool {
        now >= self.0
    }

    /// Returns true if the event is due, and then sets its next time to `interval` after `now`.
    pub(super) fn take(&mut self, now: Duration, interval: Duration) -> bool {
        let is_due = self.is_due(now);
        if is_due {
            self.0 = now + interval;
        }
        is_due
    }

    /// Delays the event to `time` at least.
    pub(super) fn put_off(&mut self, time: Duration) {
        self.0 = self.0.max(time);
    }
}

/// The periodic events between batches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Schedule {
    /// Checks whether another event is due.
    pub(super) look: Due,
    /// Reports the status of the run.
    pub(super) status: Due,
    /// Adds the share of a further thread to the statistics.
    pub(super) share: Due,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_batches_look_now_and_then() {
        let tuning = Tuning {
            batches_without_clock: 2,
            instructions_without_clock: 100,
            ..Tuning::default()
        };
        let mut clock = RunClock::since(Moment::now());
        clock.look(0, &tuning, false);
        let mut looks = |executed, interrupted| {
            let before = clock.now();
            std::thread::sleep(Duration::from_millis(1));
            clock.look(executed, &tuning, interrupted) > before
        };
        assert!(!looks(1, false));
        assert!(looks(2, true), "somebody waits");
        assert!(looks(102, false), "so many instructions");
        assert!(!looks(103, false));
        assert!(!looks(104, false));
        assert!(looks(105, false), "so many turns");
    }

    #[test]
    fn what_is_due_comes_again_after_its_interval() {
        let second = Duration::from_secs;
        let mut due = Due::default();
        assert!(due.take(second(3), second(2)));
        assert!(!due.take(second(4), second(2)));
        assert!(due.take(second(5), second(2)));
        due.put_off(second(9));
        assert!(!due.is_due(second(8)) && due.is_due(second(9)));
    }
}
