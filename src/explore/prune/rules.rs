//! Schedule and ratio of prune events.

use crate::prune::learn::DiscreteSpace;
use crate::search::Clock;
use homi_config::{Budget, Usage};
use std::time::Duration;

/// When an event comes, how much leaves, and what is kept from it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PruneRules {
    /// The shares to choose from (S_ratio).
    pub ratios: DiscreteSpace,
    /// Time between two events (eta_t), from the start of the run.
    pub interval: Budget,
    /// Largest growth of |S| between two events; 0 is no limit.
    pub growth: usize,
    /// Number of states per code location and call stack that are pruned last.
    pub kept: usize,
}

/// When the next event of a run is due. With an interval in instructions or work nothing in here
/// depends on time.
#[derive(Clone, Debug)]
pub struct Schedule {
    interval: Budget,
    growth: usize,
    /// In the interval's unit.
    next: u64,
    /// |S| at which an event is due even within the interval.
    next_states: usize,
}

impl Schedule {
    /// Creates the rules for a run that begins at `start` instructions, and as much work, on its
    /// clock.
    pub fn new(rules: &PruneRules, start: u64) -> Self {
        Self {
            growth: rules.growth,
            next_states: rules.growth,
            ..Self::every(rules.interval, start)
        }
    }

    /// Returns a schedule with an interval alone.
    pub fn every(interval: Budget, start: u64) -> Self {
        let start = Usage {
            time: Duration::ZERO,
            instructions: start,
            work: start,
        };
        let start = interval.reading(start).count();
        Self {
            interval,
            growth: 0,
            next: start.saturating_add(interval.count()),
            next_states: 0,
        }
    }

    /// True if an event is due at this number of states; the next is due at the next multiple of
    /// the interval.
    pub fn is_due(&mut self, clock: Clock, states: usize) -> bool {
        let grown = self.growth > 0 && states >= self.next_states;
        if grown {
            // Where nothing leaves, nothing is looked at again until it has grown further.
            self.next_states = states + self.growth;
        }
        self.interval_is_over(clock) || grown
    }

    /// Records the number of states after an event.
    pub fn note_left(&mut self, states: usize) {
        self.next_states = states + self.growth;
    }

    fn interval_is_over(&mut self, clock: Clock) -> bool {
        let now = self.interval.reading(clock.usage()).count();
        if now < self.next {
            return false;
        }
        // Events missed during a long turn are not made up for.
        let interval = self.interval.count().max(1);
        let missed = (now - self.next) / interval + 1;
        self.next = self.next.saturating_add(missed.saturating_mul(interval));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{clock, rules};
    use super::*;

    #[test]
    fn events_come_at_multiples_and_missed_ones_are_skipped() {
        let interval = Budget::Time(Duration::from_secs(30));
        let mut timed = Schedule::new(&rules(interval, 0), 1000);
        let due: Vec<bool> = [0, 29, 30, 31, 95, 96, 119, 120]
            .into_iter()
            .map(|second| timed.is_due(clock(second, 0), 9))
            .collect();
        let expected = [false, false, true, false, true, false, false, true];
        assert_eq!(due, expected);
        let mut counted = Schedule::new(&rules(Budget::Instructions(100), 0), 1000);
        assert!(!counted.is_due(clock(99, 1099), 9));
        assert!(counted.is_due(clock(0, 1100), 9));
        assert!(!counted.is_due(clock(0, 1101), 9));
        let mut worked = Schedule::new(&rules(Budget::Work(100), 0), 1000);
        let after = |counted| Clock {
            counted,
            ..clock(99, 9999)
        };
        assert!(!worked.is_due(after(1099), 9) && worked.is_due(after(1350), 9));
        assert!(!worked.is_due(after(1399), 9) && worked.is_due(after(1400), 9));
    }

    #[test]
    fn events_come_sooner_if_the_states_grow() {
        let mut schedule = Schedule::new(&rules(Budget::Instructions(100), 10), 1000);
        let start = clock(0, 1000);
        assert!(!schedule.is_due(start, 9));
        assert!(schedule.is_due(start, 10));
        assert!(!schedule.is_due(start, 19), "nothing left: no second look");
        assert!(schedule.is_due(start, 20));
        assert!(schedule.is_due(clock(0, 1100), 20), "the interval is over");
    }
}
