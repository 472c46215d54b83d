//! The clock of a run, and moments at which something is due.
//!
//! Invariant: `now` only grows, and with budgets in instructions no decision of the run rests on
//! it.

use super::tuning::Tuning;
use crate::ir::util::clock::Moment;
use std::time::Duration;

/// The clock of a run: time since its start, read now and then.
pub(super) struct RunClock {
    start: Moment,
    /// When the turn began, or one shortly before.
    now: Duration,
    turns_without_look: u32,
    /// Instructions at which the clock is read next.
    next_look: u64,
}

impl RunClock {
    /// A clock whose time counts from `start`.
    pub(super) fn since(start: Moment) -> Self {
        Self {
            start,
            now: start.elapsed(),
            turns_without_look: 0,
            next_look: 0,
        }
    }

    /// The time when it was read last.
    pub(super) fn now(&self) -> Duration {
        self.now
    }

    /// The time at this moment.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The time when a turn begins, before which so many instructions were executed. As long as
    /// turns are of a few instructions, only some of them look, which takes a tenth of the shortest
    /// ones. Who waits for a limit sets the interrupt, after which the next turn looks.
    pub(super) fn look(&mut self, executed: u64, tuning: &Tuning, interrupted: bool) -> Duration {
        let skips = self.turns_without_look < tuning.turns_without_clock
            && executed < self.next_look
            && !interrupted;
        if skips {
            self.turns_without_look += 1;
        } else {
            self.turns_without_look = 0;
            self.next_look = executed + tuning.instructions_without_clock;
            self.now = self.start.elapsed();
        }
        self.now
    }
}

/// A moment at which something is due that comes again and again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Due(Duration);

impl Due {
    /// First due at this time.
    pub(super) fn at(time: Duration) -> Self {
        Self(time)
    }

    /// Whether it is due by now.
    pub(super) fn is_due(self, now: Duration) -> bool {
        now >= self.0
    }

    /// True if it is due by now; the next time is `interval` later.
    pub(super) fn take(&mut self, now: Duration, interval: Duration) -> bool {
        let is_due = self.is_due(now);
        if is_due {
            self.0 = now + interval;
        }
        is_due
    }

    /// Not due before this time.
    pub(super) fn put_off(&mut self, time: Duration) {
        self.0 = self.0.max(time);
    }
}

/// What is shown and recorded between turns, and when.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Schedule {
    /// A look at whether any of the others is due.
    pub(super) look: Due,
    /// An event of the run's status.
    pub(super) status: Due,
    /// A further thread's share of the statistics.
    pub(super) share: Due,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_turns_look_now_and_then() {
        let tuning = Tuning {
            turns_without_clock: 2,
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
