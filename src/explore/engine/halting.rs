//! Time limit for the tests of open states once a run stops.
//!
//! A clock makes results depend on the machine, so a run that only instructions limit gets one when
//! the user asked for it, or wants the run to end. Invariant: a query of the solver never
//! outlives the clock.

use super::engine_context::{EngineContext, Signals};
use homi_config::BudgetConfig;
use homi_ir::util::clock::Moment;
use std::time::Duration;

/// `--halt-time` where a clock is needed and none was given.
pub const DEFAULT_HALT_TIME: Duration = Duration::from_secs(10);

/// Care for tests that the clock allows.
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
    /// Starts the clock for the tests of open states, and holds the solver to it.
    pub(super) fn begin(bench: &mut EngineContext<'_, '_>, budget: &BudgetConfig) -> Self {
        let clock = Self::start(halt_time(budget, &bench.signals), Moment::now());
        bench.set_deadline(clock.deadline);
        clock
    }

    /// Returns how much care there is time for, now that some tests are written. Starts the clock
    /// if the user has asked homi to stop meanwhile.
    pub(super) fn look(
        &mut self,
        bench: &mut EngineContext<'_, '_>,
        budget: &BudgetConfig,
    ) -> Allowance {
        if self.deadline.is_none() && halt_time(budget, &bench.signals).is_some() {
            *self = Self::begin(bench, budget);
        }
        self.allowance(Moment::now())
    }

    fn start(time: Option<Duration>, now: Moment) -> Self {
        Self {
            time,
            deadline: time.map(|time| now + time),
        }
    }

    fn allowance(&self, now: Moment) -> Allowance {
        match (self.time, self.deadline) {
            (Some(time), Some(deadline)) if now >= deadline + time => Allowance::Nothing,
            (_, Some(deadline)) if now >= deadline => Allowance::Hurry,
            _ => Allowance::Full,
        }
    }
}

/// Returns how long the tests of open states may take; `None` is without limit. If the user asked
/// homi to stop, there is a limit.
fn halt_time(budget: &BudgetConfig, signals: &Signals) -> Option<Duration> {
    // A user who wants few tests should not wait for the tests of a hundred thousand states.
    let needed = budget.time.is_timed() || budget.tests != 0 || signals.ask_to_stop();
    budget
        .halt_time
        .or_else(|| needed.then_some(DEFAULT_HALT_TIME))
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
