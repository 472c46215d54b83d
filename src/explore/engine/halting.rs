//! How long the tests of open states may take once a run stops.
//!
//! A clock makes results depend on the machine, so a run that only instructions limit gets one when
//! the user asked for it, or wants the run to end. Invariant: a question of the solver never
//! outlives the clock.

use super::run::Engine;
use crate::ir::util::clock::Moment;
use std::time::Duration;

/// `--halt-time` where a clock is needed and none was given.
pub const DEFAULT_HALT_TIME: Duration = Duration::from_secs(10);

/// What the clock allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Allowance {
    /// Tests are written with care.
    Full,
    /// The halt time is over: tests are written with the values that are at hand.
    Hurry,
    /// Writing itself takes too long (a network disk, say): the rest is left.
    Nothing,
}

/// The clock; without a deadline it never runs out.
pub(super) struct HaltClock {
    time: Option<Duration>,
    deadline: Option<Moment>,
}

impl HaltClock {
    fn start(time: Option<Duration>, now: Moment) -> Self {
        Self {
            time,
            deadline: time.map(|time| now + time),
        }
    }

    pub(super) fn allowance(&self, now: Moment) -> Allowance {
        match (self.time, self.deadline) {
            (Some(time), Some(deadline)) if now >= deadline + time => Allowance::Nothing,
            (_, Some(deadline)) if now >= deadline => Allowance::Hurry,
            _ => Allowance::Full,
        }
    }
}

impl Engine<'_, '_> {
    /// Starts the clock for the tests of open states, and holds the solver to it.
    pub(super) fn start_halting(&mut self) -> HaltClock {
        let clock = HaltClock::start(self.halt_time(), Moment::now());
        self.bench.set_deadline(clock.deadline);
        clock
    }

    /// A path has come to its end. Should the time of the run be over by now, its test is made with
    /// care all the same, since no later session comes to it.
    pub(super) fn take_time_for_test(&mut self) {
        let limit = self.parts.context.checkpoints.and(self.budget.time());
        if limit.is_some_and(|limit| self.start.elapsed() >= limit) {
            self.start_halting();
        }
    }

    /// Whether there is still time, now that some tests are written. Who asks homi to end meanwhile
    /// starts the clock.
    pub(super) fn look_at_halting(&mut self, clock: &mut HaltClock) -> Allowance {
        if clock.deadline.is_none() && self.halt_time().is_some() {
            *clock = self.start_halting();
        }
        clock.allowance(Moment::now())
    }

    /// None: however long it takes.
    fn halt_time(&self) -> Option<Duration> {
        let budget = &self.parts.config.budget;
        let asked_to_end = self.bench.signals.ask_to_stop();
        // Who wants few tests does not wait for those of a hundred thousand states.
        let needed = budget.time.is_timed() || budget.tests != 0 || asked_to_end;
        budget
            .halt_time
            .or_else(|| needed.then_some(DEFAULT_HALT_TIME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn care_ends_at_the_deadline_and_everything_after_twice_the_time() {
        let (now, second) = (Moment::now(), Duration::from_secs(1));
        let clock = HaltClock::start(Some(second), now);
        assert_eq!(clock.allowance(now), Allowance::Full);
        assert_eq!(clock.allowance(now + second), Allowance::Hurry);
        assert_eq!(clock.allowance(now + second + second), Allowance::Nothing);
    }

    #[test]
    fn without_a_time_nothing_runs_out() {
        let now = Moment::now();
        let clock = HaltClock::start(None, now);
        let later = now + Duration::from_secs(1 << 30);
        assert_eq!(clock.allowance(later), Allowance::Full);
    }
}
